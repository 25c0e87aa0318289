/**
 * Objects in which a later state of a file differs from a signed revision, and the verdicts on them
 * as they are reached.
 */

import type { PdfDocument } from '../pdf/document.ts'
import type { SignatureRules } from '../pdf/signature-rules.ts'
import { isArray, isDictionary, PdfReference } from '../pdf/values.ts'
import type { PdfArray, PdfValue } from '../pdf/values.ts'
import type { ObjectVersion, ObjectVersions } from '../syntax/versions.ts'
import { forEachReference, sameValue } from './compare-values.ts'
import type { ForwardReference, History } from './history.ts'
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
  readonly rules: SignatureRules
  /** Whether fields may be filled in where the signature does not forbid it. */
  readonly permitsFormFilling: boolean
}

/** An object that refers to another one, and the keys that lead to the reference. */
export type Referrer = Pick<ForwardReference, 'source' | 'path'>

export interface Differences {
  readonly before: PdfDocument
  readonly after: PdfDocument
  readonly versions: ObjectVersions
  /** Object numbers that the signed revision did not use. */
  readonly added: Set<number>
  /** Object numbers with other bytes, or of another kind, than in the signed revision. */
  readonly changed: Set<number>
  readonly deleted: Set<number>
  /**
   * References to added or changed objects from objects that changed too, as these were when they
   * were signed; by the number of the object to which they lead.
   */
  readonly formerReferrers: Map<number, Referrer[]>
  /** Changed objects all of whose differences are permitted. */
  readonly permitted: Set<number>
  /** Names of the fields that were filled in, by the numbers of the objects that changed. */
  readonly filled: Map<number, string>
  /** Pages (object numbers) to whose annotations an object was added, by its number. */
  readonly shownOn: Map<number, number[]>
  /** Widgets of signature fields that came later. */
  readonly newWidgets: Set<number>
  readonly verdicts: FieldVerdict[]
  securityStore: boolean
  /** Where something is not permitted that is not an object of its own. */
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
    formerReferrers: new Map(),
    permitted: new Set(),
    filled: new Map(),
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
      // References name the generation that was: some readers no longer resolve them.
      if (generationOf(before, number) !== generationOf(after, number)) {
        differences.refused.push(`${number}.generation`)
      }
    }
  }
  collectFormerReferrers(differences)
  return differences
}

/** A changed object refers to others as it was signed; its new version does not show them. */
function collectFormerReferrers(differences: Differences): void {
  const { before, versions, added, changed, formerReferrers } = differences
  const isNoted = (target: number) => added.has(target) || changed.has(target)
  for (const source of changed) {
    if (!refersTo(versions.versionIn(before, source), isNoted)) continue
    forEachReference(valueOf(before, source), ({ number: target }, path) => {
      if (!isNoted(target)) return
      const referrers = formerReferrers.get(target) ?? []
      referrers.push({ source, path })
      formerReferrers.set(target, referrers)
    })
  }
}

/** A version with a fault lists no references: it is permitted nowhere. */
function refersTo(version: ObjectVersion | undefined, isMeant: (target: number) => boolean) {
  return version?.references.some((target, index) => index % 2 === 0 && isMeant(target)) ?? false
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

/**
 * Permits a changed object in one role. It must have had that role when it was signed, and no other
 * one: a content stream that is the information dictionary as well is not an information
 * dictionary.
 *
 * @param old reference to the object in the signed revision
 * @param current reference to the object now
 * @param isOwner whether a referrer gives the object this role
 */
export function permitInRole(
  differences: Differences,
  history: History,
  { old, current }: { old: PdfValue | undefined; current: PdfValue | undefined },
  isOwner: (referrer: Referrer) => boolean,
): void {
  const { before, after, changed, permitted } = differences
  if (!(current instanceof PdfReference) || !changed.has(current.number)) return
  if (!sameValue(old, current)) return
  const versions = [valueOf(before, current.number), valueOf(after, current.number)]
  const isOfOneKind = versions.every(isDictionary) || versions.every(isArray)
  const referrers = referrersOf(differences, history, current.number)
  if (isOfOneKind && referrers.every(isOwner)) permitted.add(current.number)
}

/** What follows the items of an array that was only added to; undefined when it was not. */
export function appendedTo(old: PdfArray, items: PdfArray): PdfArray | undefined {
  const isPrefix = old.every((item, i) => sameValue(item, items[i]))
  return isPrefix && old.length <= items.length ? items.slice(old.length) : undefined
}

/**
 * All references to a changed or added object as they were signed: an object that has a second role
 * may not change.
 */
export const referrersOf = (
  { formerReferrers }: Differences,
  { referrers }: History,
  target: number,
): readonly Referrer[] => [...(referrers.get(target) ?? []), ...(formerReferrers.get(target) ?? [])]
