/**
 * Entries of the audit trail: a hash chain that contains personal values only as salted
 * commitments, so that values can be erased without breaking the chain (design 7).
 */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../canonical-json.ts'

export const AUDIT_EVENT_TYPES = [
  'case.created',
  'document.uploaded',
  'document.rejected',
  'participant.created',
  'participant.invited',
  'participant.viewed',
  'participant.otp_sent',
  'participant.otp_failed',
  'participant.otp_verified',
  'participant.consented',
  'participant.signed',
  'participant.declined',
  'participant.certificate_issued',
  'participant.signature_applied',
  'participant.downloaded',
  'case.finalised',
  'case.completed',
  'case.expired',
  'case.cancelled',
  'case.failed',
  'participant.certificate_revoked',
] as const
export type AuditEventType = (typeof AUDIT_EVENT_TYPES)[number]
export type AuditActor = 'tenant' | 'participant' | 'system'

/** An audit event (specification 2.7). */
export interface AuditEvent {
  eventId: string
  type: AuditEventType
  /** ISO 8601, UTC. */
  occurredAt: string
  actor: AuditActor
  participantId?: string
  ip?: string
  userAgent?: string
  documentSha256?: string
  data: Record<string, unknown>
  /**
   * The fact of the case that the event records. It is stored beside the entry, so that a case that
   * is restored from an older backup gets it back.
   */
  fact?: object
}

/** Names of the values that can be erased. */
const PERSONAL_NAMES = ['ip', 'userAgent', 'data'] as const

/** Personal values with the salts of their commitments (hex, 128 bits). */
export type Opening = {
  [Name in (typeof PERSONAL_NAMES)[number]]?: { salt: string; value: unknown }
}

/** One stored link of the chain. */
export interface AuditEntry {
  version: 1
  tenant: string
  caseId: string
  /** Counts from 1 without gaps. */
  sequence: number
  /** {@link entryHash} of the previous entry; 64 zeros for the first. */
  previous: string
  eventId: string
  type: AuditEventType
  occurredAt: string
  actor: AuditActor
  participantId?: string
  documentSha256?: string
  /** SHA-256 in hex, keyed by the name of the personal value. */
  commitments: Record<string, string>
}

const ENTRY_DOMAIN = 'sigcase/audit-entry/v1'
const COMMITMENT_DOMAIN = 'sigcase/audit-commitment/v1'
export const NO_PREVIOUS = '0'.repeat(64)

function digest(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}

/** Computes the SHA-256 of the entry's canonical JSON in a domain of its own, hex. */
export function entryHash(entry: AuditEntry): string {
  return digest([ENTRY_DOMAIN, entry])
}

/** Computes the commitment to one personal value, hex. */
export function commitment(name: string, salt: string, value: unknown): string {
  return digest([COMMITMENT_DOMAIN, name, salt, value])
}

/** Extracts the personal values of an event, each with a fresh salt from `randomHex`. */
export function openingOf(event: AuditEvent, randomHex: () => string): Opening {
  const opening: Opening = {}
  for (const name of PERSONAL_NAMES) {
    const value = event[name]
    if (value !== undefined) opening[name] = { salt: randomHex(), value }
  }
  return opening
}

/** The later of two instants in ISO 8601, as it is written. */
const laterOf = (one: string, other: string): string =>
  Date.parse(one) > Date.parse(other) ? one : other

/**
 * The event as the next link after `previous` (undefined: the first). Its time is never before that
 * of `previous`: writers have clocks of their own, and some events are recorded late.
 */
export function entryAfter(
  previous: AuditEntry | undefined,
  place: { tenant: string; caseId: string },
  event: AuditEvent,
  opening: Opening,
): AuditEntry {
  const commitments: Record<string, string> = {}
  for (const [name, { salt, value }] of Object.entries(opening)) {
    commitments[name] = commitment(name, salt, value)
  }
  const { eventId, type, occurredAt, actor, participantId, documentSha256 } = event
  return {
    version: 1,
    tenant: place.tenant,
    caseId: place.caseId,
    sequence: (previous?.sequence ?? 0) + 1,
    previous: previous ? entryHash(previous) : NO_PREVIOUS,
    eventId,
    type,
    occurredAt: previous ? laterOf(previous.occurredAt, occurredAt) : occurredAt,
    actor,
    ...(participantId === undefined ? {} : { participantId }),
    ...(documentSha256 === undefined ? {} : { documentSha256 }),
    commitments,
  }
}

/** Rebuilds the event of an entry, with the personal values that were not erased. */
export function eventOf(entry: AuditEntry, opening: Opening | undefined): AuditEvent {
  const { eventId, type, occurredAt, actor, participantId, documentSha256 } = entry
  return {
    eventId,
    type,
    occurredAt,
    actor,
    ...(participantId === undefined ? {} : { participantId }),
    ...(opening?.ip ? { ip: String(opening.ip.value) } : {}),
    ...(opening?.userAgent ? { userAgent: String(opening.userAgent.value) } : {}),
    ...(documentSha256 === undefined ? {} : { documentSha256 }),
    data: (opening?.data?.value as Record<string, unknown> | undefined) ?? {},
  }
}

/** Whether a personal value of the entry was erased. */
export function hasErased({ commitments }: AuditEntry, opening: Opening = {}): boolean {
  return Object.keys(commitments).some((name) => !Object.hasOwn(opening, name))
}

/** A fault of a chain, and the position of the entry in the given list, from 1. */
export interface ChainFault {
  sequence: number
  fault:
    | 'wrongSequence'
    | 'wrongPrevious'
    | 'wrongCase'
    | 'repeatedEvent'
    | 'wrongCommitment'
    | 'unknownValue'
}

/** Compares personal values with the commitments of their entry; values may be missing. */
export function findOpeningFault(
  entry: AuditEntry,
  opening: Opening,
): ChainFault['fault'] | undefined {
  for (const [name, { salt, value }] of Object.entries(opening)) {
    const committed = entry.commitments[name]
    if (committed === undefined) return 'unknownValue'
    if (committed !== commitment(name, salt, value)) return 'wrongCommitment'
  }
  return undefined
}

/**
 * Walks the chain from its first entry and finds the first broken link.
 *
 * @param openings by event id; a missing opening or value counts as erased
 * @returns undefined when the chain is valid
 */
export function findChainFault(
  entries: readonly AuditEntry[],
  openings: Readonly<Record<string, Opening>>,
): ChainFault | undefined {
  let previous: AuditEntry | undefined
  const seen = new Set<string>()
  for (const [index, entry] of entries.entries()) {
    const sequence = index + 1
    const fault = ((): ChainFault['fault'] | undefined => {
      if (entry.sequence !== sequence) return 'wrongSequence'
      if (entry.previous !== (previous ? entryHash(previous) : NO_PREVIOUS)) return 'wrongPrevious'
      const first = entries[0] as AuditEntry
      if (entry.caseId !== first.caseId || entry.tenant !== first.tenant) return 'wrongCase'
      if (seen.has(entry.eventId)) return 'repeatedEvent'
      return findOpeningFault(entry, openings[entry.eventId] ?? {})
    })()
    if (fault) return { sequence, fault }
    seen.add(entry.eventId)
    previous = entry
  }
  return undefined
}

/** A verified trail with the values of its entries. */
export interface WholeTrail {
  entries: readonly AuditEntry[]
  /** By event id; erased values are missing. */
  openings: Readonly<Record<string, Opening>>
}
