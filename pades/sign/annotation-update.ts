/**
 * Gives appearances to annotations that have none, so that every viewer shows what the signers saw
 * (ISO 32000-2, 12.5.5).
 */
import { Buffer } from 'node:buffer'
import { PadesError } from '../errors.ts'
import type { PdfDocument } from '../pdf/document.ts'
import type { IncrementalUpdate } from '../pdf/incremental-update.ts'
import type { Page } from '../pdf/page-tree.ts'
import { undrawnAnnotations } from '../pdf/undrawn.ts'
import { ObjectSources, withEntry } from '../syntax/source.ts'
import type { DrawnAnnotation } from './request.ts'

/**
 * Refuses a document with an annotation that each viewer draws by rules of its own.
 *
 * @param pages of the document
 * @param drawn annotations that get an appearance
 * @throws PadesError `UNDRAWN`
 */
export function assertDrawn(
  document: PdfDocument,
  pages: readonly Page[],
  drawn: readonly DrawnAnnotation[],
): void {
  const numbers = new Set(drawn.map(({ object }) => object))
  for (const { reference } of undrawnAnnotations(document, pages)) {
    if (!reference || !numbers.has(reference.number)) throw new PadesError('UNDRAWN')
  }
}

/**
 * Writes appearances, and names them in the annotations' source.
 *
 * @throws PadesError `AMBIGUOUS` - readers may understand an annotation differently
 * @throws PadesError `LIMIT_EXCEEDED`, `TOO_MANY_OBJECTS`
 */
export function writeAppearances(
  document: PdfDocument,
  update: IncrementalUpdate,
  drawn: readonly DrawnAnnotation[],
): void {
  const sources = new ObjectSources(document)
  for (const { object, entries, appearance } of drawn) {
    const reference = document.referenceTo(object)
    const named = appearance ? nameAppearance(update, appearance) : {}
    let source = sources.sourceOf(reference)
    for (const [key, value] of Object.entries({ ...named, ...entries })) {
      source = withEntry(source, key, value ?? undefined)
    }
    update.replace(reference, source)
  }
}

/** Writes an appearance stream. Returns the entries of the annotation that name it. */
function nameAppearance(
  update: IncrementalUpdate,
  { state, entries, content }: NonNullable<DrawnAnnotation['appearance']>,
): DrawnAnnotation['entries'] {
  const stream = update.add(`<< ${entries} >>`, Buffer.from(content, 'latin1'))
  const look = state === undefined ? `${stream} 0 R` : `<< ${state} ${stream} 0 R >>`
  return { AP: `<< /N ${look} >>`, AS: state ?? null }
}
