/**
 * Seals over the head of an audit trail: who holds one can tell that nothing before it was changed.
 */
import { canonicalJson } from '../canonical-json.ts'

const HEAD_DOMAIN = 'sigcase/audit-head/v1'
const ARCHIVE_DOMAIN = 'sigcase/audit-head-archive/v1'

/** What is sealed: the newest entry of a trail, and with it all before. */
export interface AuditHeadStatement {
  tenant: string
  caseId: string
  sequence: number
  /** Hash of that entry, hex. */
  hash: string
}

/** `…/audit-heads/<sequence>`; binary values in base64. */
export interface AuditHead extends AuditHeadStatement {
  sealedAt: string
  algorithm: string
  /** By the seal key over {@link sealedOctets}. */
  signature: string
  /** DER, the signer's first, the root last. */
  certificates: string[]
  /** RFC 3161 token over the SHA-256 of the signature value. */
  timeStampToken: string
  /** DER, of all authorities behind seal and time-stamp, as they were when it was sealed. */
  revocationLists?: string[]
  ocspResponses?: string[]
  /** RFC 3161 token over the SHA-256 of {@link archivedOctets}; it makes all of the above last. */
  archiveTimeStampToken?: string
}

/**
 * The receipt of the job `trail-seal`, a result of workers: anybody who writes to the store can put
 * a head there, which must not keep the trail from being sealed.
 */
export interface TrailSealReceipt {
  /** The newest head that a worker stored. */
  sealed?: { sequence: number; hash: string; at: string }
  /** When a worker found that the trail does not hold: it is not sealed any more. */
  brokenAt?: string
}

/** The octets that the seal signs. */
export function sealedOctets(head: AuditHeadStatement): Uint8Array {
  const { tenant, caseId, sequence, hash } = head
  const statement: AuditHeadStatement = { tenant, caseId, sequence, hash }
  return new TextEncoder().encode(canonicalJson([HEAD_DOMAIN, statement]))
}

/** The octets that the last time-stamp covers: everything but itself. */
export function archivedOctets(head: AuditHead): Uint8Array {
  const { archiveTimeStampToken: _, ...rest } = head
  return new TextEncoder().encode(canonicalJson([ARCHIVE_DOMAIN, rest]))
}
