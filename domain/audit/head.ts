/**
 * Seals over the head of an audit trail. A seal proves that no entry up to the head was changed.
 */
import { canonicalJson } from '../canonical-json.ts'

const HEAD_DOMAIN = 'sigcase/audit-head/v1'
const ARCHIVE_DOMAIN = 'sigcase/audit-head-archive/v1'

/** The sealed statement: the newest entry of a trail, and through its hash all entries before. */
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
  /** Signature by the seal key over {@link sealedOctets}. */
  signature: string
  /** DER, beginning with the signer's certificate and ending with the root. */
  certificates: string[]
  /** RFC 3161 token over the SHA-256 of the signature value. */
  timeStampToken: string
  /** DER, for all authorities of seal and time-stamp, at the time of sealing. */
  revocationLists?: string[]
  ocspResponses?: string[]
  /** RFC 3161 token over the SHA-256 of {@link archivedOctets}; it preserves all other members. */
  archiveTimeStampToken?: string
}

/**
 * The receipt of the job `trail-seal`, a worker result. The head object alone does not count,
 * because any writer of the store could put one there to keep the trail from being sealed.
 */
export interface TrailSealReceipt {
  /** The newest head that a worker stored. */
  sealed?: { sequence: number; hash: string; at: string }
  /** When a worker found that the trail failed verification; it is not sealed any more. */
  brokenAt?: string
}

/** Returns the octets that the seal signs. */
export function sealedOctets(head: AuditHeadStatement): Uint8Array {
  const { tenant, caseId, sequence, hash } = head
  const statement: AuditHeadStatement = { tenant, caseId, sequence, hash }
  return new TextEncoder().encode(canonicalJson([HEAD_DOMAIN, statement]))
}

/** Returns the octets that the archive time-stamp covers: everything but itself. */
export function archivedOctets(head: AuditHead): Uint8Array {
  const { archiveTimeStampToken: _, ...rest } = head
  return new TextEncoder().encode(canonicalJson([ARCHIVE_DOMAIN, rest]))
}
