/**
 * Compares signature facts with the trail: the trail must have the head that the API saw when it
 * wrote the fact, and the same address, browser, time and document. Pure.
 */
import { signedEventId, consentedEventId } from '../cases/owed.ts'
import type { SignatureCase } from '../cases/signature-case.ts'
import type { SignatureFact } from '../cases/spec.ts'
import { entryHash, NO_PREVIOUS, type AuditEntry, type Opening } from './entry.ts'
import type { TrailFault, TrailHead } from './fault.ts'
import type { WholeTrail } from './entry.ts'

/** Returns the head of a trail of verified entries. */
export function headOf(entries: readonly AuditEntry[]): TrailHead {
  const last = entries.at(-1)
  return { sequence: entries.length, hash: last ? entryHash(last) : NO_PREVIOUS }
}

/** Returns the heads that the API recorded in facts and the controller in the status. */
export function seenHeads(
  { status }: SignatureCase,
  accepted: readonly SignatureFact[],
): readonly { trail: TrailHead }[] {
  return status?.trail ? [...accepted, { trail: status.trail }] : accepted
}

/**
 * Finds a recorded head that the trail does not have: entries were removed or replaced since.
 *
 * @param seen result of {@link seenHeads}
 */
export function findHeadFault(
  entries: readonly AuditEntry[],
  seen: readonly { trail: TrailHead }[],
): TrailFault | undefined {
  for (const { trail } of seen) {
    const { sequence, hash } = trail
    const entry = entries[sequence - 1]
    const found = sequence === 0 ? NO_PREVIOUS : entry && entryHash(entry)
    if (found !== hash) return { sequence, fault: 'missingHead' }
  }
  return undefined
}

const isValue = (value: unknown, opened: { value: unknown } | undefined, isErased: boolean) =>
  opened ? opened.value === value : value === undefined || isErased

/** An entry has the time of its event, or that of the entry before it when that is later. */
function hasTime(entry: AuditEntry, before: AuditEntry | undefined, stated: string): boolean {
  if (entry.occurredAt === stated) return true
  return (
    entry.occurredAt === before?.occurredAt && Date.parse(entry.occurredAt) > Date.parse(stated)
  )
}

function tellsSame(
  entry: AuditEntry,
  before: AuditEntry | undefined,
  opening: Opening | undefined,
  { participantId, signedAt, documentSha256, ip, userAgent, trail }: SignatureFact,
): boolean {
  const isErased = (name: string) => Object.hasOwn(entry.commitments, name)
  return (
    entry.sequence > trail.sequence &&
    entry.participantId === participantId &&
    hasTime(entry, before, signedAt) &&
    entry.documentSha256 === documentSha256 &&
    isValue(ip, opening?.ip, isErased('ip')) &&
    isValue(userAgent, opening?.userAgent, isErased('userAgent'))
  )
}

/**
 * Compares every signature that counts with its two entries, `participant.consented` and
 * `participant.signed`, which must be in the trail.
 *
 * @param whole entries with their verified values; erased values are not compared
 */
export function findSignatureFault(
  caseId: string,
  { entries, openings }: WholeTrail,
  signatures: readonly SignatureFact[],
): TrailFault | undefined {
  const head = findHeadFault(entries, signatures)
  if (head) return head
  const byId = new Map(entries.map((entry) => [entry.eventId, entry]))
  for (const fact of signatures) {
    for (const eventId of [consentedEventId(caseId, fact), signedEventId(caseId, fact)]) {
      const entry = byId.get(eventId)
      if (!entry) return { sequence: entries.length + 1, fault: 'missingEntry' }
      const before = entries[entry.sequence - 2]
      if (!tellsSame(entry, before, openings[eventId], fact)) {
        return { sequence: entry.sequence, fault: 'otherSignature' }
      }
    }
  }
  return undefined
}
