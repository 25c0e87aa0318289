/**
 * Objects in which a later state of a file differs from a signed revision, and the verdicts on them
 * as they are reached.
 */

import type { PdfDocument } from '../pdf/document.ts'
import { PdfReference } from '../pdf/values.ts'
import type { PdfArray, PdfValue } from '../pdf/values.ts'
import type { ObjectVersions } from '../syntax/versions.ts'
import { sameValue } from './compare-values.ts'
import type { ForwardReference, History } from './history.ts'
import type { Restrictions } from './restrictions.ts'
import { entriesOf } from './revisions.ts'
import type { Revision } from './revisions.ts'
import type { FieldVerdict } from './signature-field-changes.ts'
import type { FoundSignature } from './signature-fields.ts'
import type { SyntaxVerdicts } from './syntax.ts'

export interface ModificationContext {
  readonly document: PdfDocument
  readonly history: History
  readonly syntax: SyntaxVerdicts
  /** Signatures whose bytes and values are right, by the number of their dictionary's object. */
  readonly intact: ReadonlyMap<number, FoundSignature>
  readonly restrictions: Restrictions
}

export interface Differences {
  readonly before: PdfDocument
  readonly after: PdfDocument
  readonly versions: ObjectVersions
  /** Object numbers that the signed revision did not use. */
  readonly added: Set<number>
  /** Object numbers with other bytes, or of another kind, than in the signed revision. */
  readonly changed: Set<number>
  readonly deleted: Set<number>
  /** Changed objects all of whose differences are permitted. */
  readonly permitted: Set<number>
  /** Pages (object numbers) to whose annotations an object was added, by its number. */
  readonly shownOn: Map<number, number[]>
  /** Widgets of signature fields that came later. */
  readonly newWidgets: Set<number>
  readonly verdicts: FieldVerdict[]
  securityStore: boolean
  /** Where something is not permitted that is no object of its own. */
  readonly refused: string[]
}

/** Every object that a later revision wrote and that is not as it was; nothing is judged yet. */
export function findDifferences(
  { document: before, newer }: Revision,
  after: PdfDocument,
  versions: ObjectVersions,
): Differences {
  const differences: Differences = {
    before,
    after,
    versions,
    added: new Set(),
    changed: new Set(),
    deleted: new Set(),
    permitted: new Set(),
    shownOn: new Map(),
    newWidgets: new Set(),
    verdicts: [],
    securityStore: false,
    refused: [],
  }
  for (const [number, { entry }] of entriesOf(newer)) {
    const earlier = before.entryOf(number)
    const existed = earlier !== undefined && earlier.kind !== 'free'
    if (number === 0) continue
    if (entry.kind === 'free') {
      if (existed) differences.deleted.add(number)
    } else if (!existed) {
      differences.added.add(number)
    } else if (!isSame(before, after, versions, number)) {
      differences.changed.add(number)
      // References name the generation that was: to some readers they lead nowhere now.
      if (generationOf(before, number) !== generationOf(after, number)) {
        differences.refused.push(`${number}.generation`)
      }
    }
  }
  return differences
}

/**
 * Whether an object is what it was, byte for byte. Two spellings that one reader takes alike may be
 * different to another.
 */
function isSame(
  before: PdfDocument,
  after: PdfDocument,
  versions: ObjectVersions,
  number: number,
): boolean {
  const old = versions.versionIn(before, number)
  const current = versions.versionIn(after, number)
  if (!old?.source || !current?.source || old.fault || current.fault) return false
  if (old === current) return true
  if (before.entryOf(number)?.kind !== after.entryOf(number)?.kind) return false
  // The bytes of an object of the file begin with its number and generation.
  const bytes = current.source.subarray(current.start, current.end)
  return old.source.subarray(old.start, old.end).equals(bytes)
}

/** An object of an object stream has generation 0 (7.5.7). */
function generationOf(document: PdfDocument, number: number): number {
  const entry = document.entryOf(number)
  return entry?.kind === 'plain' ? entry.generation : 0
}

/** The value of an object by its number alone, whichever generation is in use. */
export const valueOf = (document: PdfDocument, number: number): PdfValue =>
  document.get(new PdfReference(number, generationOf(document, number)))

/** Permits a changed object when the value refers to one. */
export function permit({ changed, permitted }: Differences, value: PdfValue | undefined): void {
  if (value instanceof PdfReference && changed.has(value.number)) permitted.add(value.number)
}

/** What follows the items of an array that was only added to; undefined when it was not. */
export function appendedTo(old: PdfArray, items: PdfArray): PdfArray | undefined {
  const isPrefix = old.every((item, i) => sameValue(item, items[i]))
  return isPrefix && old.length <= items.length ? items.slice(old.length) : undefined
}

/** References from older objects: a list that is also something else may not grow. */
export const referrersOf = ({ referrers }: History, target: number): readonly ForwardReference[] =>
  referrers.get(target) ?? []
