/**
 * Leaves out what starts when a document is opened (ISO 32000-2, 7.7.2 and 12.6.4.17), before its
 * first signature.
 */
import { PadesError } from '../errors.ts'
import type { PdfDocument } from '../pdf/document.ts'
import type { IncrementalUpdate } from '../pdf/incremental-update.ts'
import { isDictionary, PdfReference } from '../pdf/values.ts'
import { findOpeningParts } from '../syntax/actions.ts'
import { entryIn, type ObjectSources, withEntry } from '../syntax/source.ts'

/**
 * Takes actions, scripts and the view of a portfolio away. Signers see the pages without them.
 *
 * @param catalog its source
 * @returns the source without them; the same when it has none
 * @throws PadesError `AMBIGUOUS` - readers may understand the names differently
 */
export function withoutOpening(
  document: PdfDocument,
  update: IncrementalUpdate,
  sources: ObjectSources,
  catalog: string,
): string {
  const { keys, hasScripts } = findOpeningParts(document)
  const quiet = keys.reduce(withoutEntry, catalog)
  if (!hasScripts) return quiet
  const own = document.catalog.get('Names')
  if (own instanceof PdfReference) {
    if (!isDictionary(document.get(own))) throw new PadesError('AMBIGUOUS')
    update.replace(own, withoutEntry(sources.sourceOf(own), 'JavaScript'))
    return quiet
  }
  const names = entryIn(quiet, 'Names') ?? '<< >>'
  return withEntry(quiet, 'Names', withoutEntry(names, 'JavaScript'))
}

/** Catalogs can have a key twice. */
function withoutEntry(dictionary: string, key: string): string {
  let source = dictionary
  while (entryIn(source, key) !== undefined) source = withEntry(source, key, undefined)
  return source
}
