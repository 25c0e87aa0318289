/** What the links of the verification hand on to each other. */
import type { AuditEntry, AuditEventType } from '../../domain/audit/entry.ts'
import type { SignatureReport } from '../../pades/index.ts'
import type { AuditFile } from '../../workers/evidence/audit-file.ts'

/** Certificates that the verifier trusts by themselves, DER, and where they came from. */
export interface Trust {
  certificates: readonly Uint8Array[]
  origin: string
}

export interface EvidenceFiles {
  evidence: Uint8Array
  signed: Uint8Array
  /** Without it the root that the evidence names is used, and found wanting in the end. */
  trust?: Trust
  now: Date
}

/** Grows from link to link; a link uses what the ones before it have checked. */
export interface Work extends EvidenceFiles {
  anchors: readonly Uint8Array[]
  /** Contents by file name. */
  attachments: ReadonlyMap<string, Uint8Array>
  audit: AuditFile
  /** Digest and place of what was uploaded, and of what was issued, in the signed file. */
  original: { sha256: string; length: number }
  issued: { sha256: string; length: number }
  /** Signatures that the service added, in the order of the file. */
  own: readonly SignatureReport[]
}

/** One statement that must be true; throws {@link BrokenLink} when it is not. */
export interface Link {
  name: string
  /** @returns what was found, for people */
  check(work: Work): Promise<string> | string
}

/** What does not fit, as a sentence. */
export class BrokenLink extends Error {
  override readonly name = 'BrokenLink'
}

/** @throws BrokenLink always. @param sentence says what does not fit */
export function broken(sentence: string): never {
  throw new BrokenLink(sentence)
}

/** The entries of one type, of one participant when given. */
export function entriesOf(
  { audit }: Work,
  type: AuditEventType,
  participantId?: string,
): readonly AuditEntry[] {
  return audit.entries.filter(
    (entry) =>
      entry.type === type && (participantId === undefined || entry.participantId === participantId),
  )
}

/** The only entry of a type. @throws BrokenLink */
export function theEntry(work: Work, type: AuditEventType, participantId?: string): AuditEntry {
  const [entry, another] = entriesOf(work, type, participantId)
  const whose = participantId === undefined ? '' : ` of participant ${participantId}`
  if (!entry) return broken(`the trail has no entry ${type}${whose}`)
  if (another) return broken(`the trail has more than one entry ${type}${whose}`)
  return entry
}

/** What an entry tells beside its fixed values; empty when that was erased. */
export function dataOf({ audit }: Work, { eventId }: AuditEntry): Record<string, unknown> {
  return (audit.openings[eventId]?.data?.value ?? {}) as Record<string, unknown>
}

/** Ids of those who were to sign, in their order. */
export function participantIds(work: Work): string[] {
  return entriesOf(work, 'participant.created').map(
    ({ participantId }) => participantId ?? broken('an entry participant.created names nobody'),
  )
}
