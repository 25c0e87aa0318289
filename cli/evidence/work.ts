/** Shared state of the link checks. */
import type { AuditEntry, AuditEventType } from '../../domain/audit/entry.ts'
import type { SignatureReport } from '../../pades/index.ts'
import type { AuditFile } from '../../workers/evidence/audit-file.ts'

/** Trusted root certificates (DER), and their origin. */
export interface Trust {
  certificates: readonly Uint8Array[]
  origin: string
}

export interface EvidenceFiles {
  evidence: Uint8Array
  signed: Uint8Array
  /** Absent: the check uses the root in the evidence, and fails at the end. */
  trust?: Trust
  now: Date
}

/** Each check adds its results, and uses those of the previous checks. */
export interface Work extends EvidenceFiles {
  anchors: readonly Uint8Array[]
  /** Attachments by file name. */
  attachments: ReadonlyMap<string, Uint8Array>
  audit: AuditFile
  /** Digests and positions of the uploaded and the issued document in the signed file. */
  original: { sha256: string; length: number }
  issued: { sha256: string; length: number }
  /** Signatures that the service added, in the order of the file. */
  own: readonly SignatureReport[]
}

/** One check; it throws {@link BrokenLink} when it fails. */
export interface Link {
  name: string
  /** @returns description of the finding */
  check(work: Work): Promise<string> | string
}

/** Error that describes a mismatch in a sentence. */
export class BrokenLink extends Error {
  override readonly name = 'BrokenLink'
}

/** @throws BrokenLink always. @param sentence describes the mismatch */
export function broken(sentence: string): never {
  throw new BrokenLink(sentence)
}

/** Lists the entries of one type, optionally of one participant. */
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

/** Returns the only entry of a type. @throws BrokenLink */
export function theEntry(work: Work, type: AuditEventType, participantId?: string): AuditEntry {
  const [entry, another] = entriesOf(work, type, participantId)
  const whose = participantId === undefined ? '' : ` of participant ${participantId}`
  if (!entry) return broken(`the trail has no entry ${type}${whose}`)
  if (another) return broken(`the trail has more than one entry ${type}${whose}`)
  return entry
}

/** Returns `data` of an entry; empty when it was erased. */
export function dataOf({ audit }: Work, { eventId }: AuditEntry): Record<string, unknown> {
  return (audit.openings[eventId]?.data?.value ?? {}) as Record<string, unknown>
}

/** Returns the ids of the participants, in order. */
export function participantIds(work: Work): string[] {
  return entriesOf(work, 'participant.created').map(
    ({ participantId }) =>
      participantId ?? broken('an entry participant.created has no participant'),
  )
}
