/**
 * Reads all objects of a signed document once, and finds where old ones lead into newer revisions:
 * what a signature left open, a later revision could fill unseen (shadow attacks).
 */

import type { CrossReferenceEntry } from '../pdf/cross-reference.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { PadesError } from '../errors.ts'
import { PdfReference, PdfStream } from '../pdf/values.ts'
import type { PdfValue } from '../pdf/values.ts'
import type { ObjectVersion } from '../syntax/versions.ts'
import { forEachReference } from './compare-values.ts'
import { entriesOf } from './revisions.ts'
import type { Revision } from './revisions.ts'
import type { SyntaxVerdicts } from './syntax.ts'

/** A reference from an object to one that a later revision added or changed. */
export interface ForwardReference {
  readonly source: number
  /** Index of the section that last named the source, 0 being the newest. */
  readonly sourceSection: number
  /** Keys that lead from the source to the reference. */
  readonly path: string
  readonly target: number
}

export interface History {
  readonly forwardReferences: readonly ForwardReference[]
  /** The same by the object to which they lead. */
  readonly referrers: ReadonlyMap<number, readonly ForwardReference[]>
  /** Objects whose bytes reach beyond the end of the signed revision that they belong to. */
  readonly straddling: readonly number[]
}

/** A signed revision: where it ends, and the index of its newest section. */
interface SignedRevision {
  readonly end: number
  readonly section: number
}

/**
 * Reads every object that a signed revision shows, if anything follows a signature: else nothing
 * leads anywhere. What no reader arrives at cannot lead it astray.
 *
 * @param revisions that signatures close
 * @returns undefined when there is too much to read
 */
export function historyOf(
  document: PdfDocument,
  revisions: readonly Revision[],
  syntax: Pick<SyntaxVerdicts, 'versions' | 'shown'>,
): History | undefined {
  const signed = revisions.map(({ end, newer }) => ({ end, section: newer.length }))
  if (signed.every(({ section, end }) => section === 0 && end === document.bytes.length)) {
    return { forwardReferences: [], referrers: new Map(), straddling: [] }
  }
  try {
    return readHistory(document, signed, syntax)
  } catch (error) {
    if (error instanceof PadesError && error.code !== 'DAMAGED') return undefined
    throw error
  }
}

/** @throws PadesError `LIMIT_EXCEEDED`, `TOO_MANY_OBJECTS` */
function readHistory(
  document: PdfDocument,
  signed: readonly SignedRevision[],
  { versions, shown }: Pick<SyntaxVerdicts, 'versions' | 'shown'>,
): History {
  const live = entriesOf(document.sections)
  const oldestFirst = [...signed].sort((a, b) => b.section - a.section)
  const forwardReferences: ForwardReference[] = []
  const straddling: number[] = []
  for (const [number, { entry, section }] of live) {
    if (shown && !shown.has(number)) continue
    // What no signature covers cannot be led astray.
    const bound = oldestFirst.find((revision) => revision.section <= section)?.end
    if (entry.kind === 'free' || bound === undefined) continue
    if (entry.kind === 'compressed') {
      const container = live.get(entry.container)
      if (!container || container.section < section) straddling.push(number)
    }
    const isNewer = (target: number): boolean => (live.get(target)?.section ?? section) < section
    const version = versions.versionIn(document, number)
    // What is plain needs no second reading: only what leads to a newer object is looked at.
    if (version && !version.fault) {
      if (entry.kind === 'plain' && version.end > bound) straddling.push(number)
      if (!leadsTo(version, isNewer)) continue
    }
    const object = readObject(document, number, entry)
    if (object.end > bound) straddling.push(number)
    forEachReference(object.value, ({ number: target }, path) => {
      if (!isNewer(target)) return
      forwardReferences.push({ source: number, sourceSection: section, path, target })
    })
  }
  const referrers = Map.groupBy(forwardReferences, ({ target }) => target)
  return { forwardReferences, referrers, straddling }
}

function leadsTo({ references }: ObjectVersion, isMeant: (target: number) => boolean): boolean {
  for (let index = 0; index < references.length; index += 2) {
    if (isMeant(references[index])) return true
  }
  return false
}

/** A value and where its bytes end; one that cannot be read is null to every reader. */
export function readObject(
  document: PdfDocument,
  number: number,
  entry: CrossReferenceEntry,
): { value: PdfValue; end: number } {
  try {
    if (entry.kind !== 'plain') return { value: document.get(new PdfReference(number, 0)), end: 0 }
    const start = entry.offset + document.offsetBase
    const object = document.parseAt(start, (parser) => parser.readIndirectObject())
    if (!object || object.number !== number) return { value: null, end: start }
    const { value } = object
    if (!(value instanceof PdfStream)) return { value, end: object.end }
    return { value, end: object.end + document.encoded(value).length }
  } catch (error) {
    if (error instanceof PadesError && error.code === 'DAMAGED') return { value: null, end: 0 }
    throw error
  }
}
