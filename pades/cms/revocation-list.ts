/** Issues certificate revocation lists, version 2 (RFC 5280, 5). */

import { SIGNATURE_ALGORITHMS } from './algorithms.ts'
import type { Sign, CmsAlgorithm } from './algorithms.ts'
import { readIssuer } from './certificate.ts'
import {
  bitString,
  certificateTime,
  contextConstructed,
  integer,
  sequence,
  TAG,
  tlv,
} from './der.ts'
import { authorityKeyIdentifier, extension } from './extensions.ts'
import { OID } from './object-identifiers.ts'

/** Numbers of CRLReason (RFC 5280, 5.3.1), keyed by their names. */
export const REVOCATION_REASONS = {
  unspecified: 0,
  keyCompromise: 1,
  cACompromise: 2,
  affiliationChanged: 3,
  superseded: 4,
  cessationOfOperation: 5,
  certificateHold: 6,
  removeFromCRL: 8,
  privilegeWithdrawn: 9,
  aACompromise: 10,
} as const
export type RevocationReason = keyof typeof REVOCATION_REASONS

/** With these a key may be in wrong hands, and what it signs bears any time (RFC 3161, 4). */
const UNTIMELY: ReadonlySet<RevocationReason | undefined> = new Set([
  undefined,
  'unspecified',
  'keyCompromise',
  'cACompromise',
  'aACompromise',
  'certificateHold',
] as const)

/** Whether the time is open of what a key says that was revoked for this reason. */
export const isUntimely = (reason: RevocationReason | undefined): boolean => UNTIMELY.has(reason)

export interface RevokedCertificate {
  /** Unsigned octets. */
  readonly serialNumber: Uint8Array
  readonly revokedAt: Date
  /** Absent for `unspecified`, which is not written (RFC 5280, 5.3.1). */
  readonly reason?: Exclude<RevocationReason, 'unspecified'>
}

export interface RevocationListRequest {
  /** DER certificate of the authority whose key signs. */
  issuer: Uint8Array
  /** Algorithm of that key. */
  algorithm: CmsAlgorithm
  /** Larger than that of every list before (5.2.3). */
  number: number
  thisUpdate: Date
  nextUpdate: Date
  revoked: readonly RevokedCertificate[]
}

const VERSION_2 = integer(1)
const CRITICAL = true

function entry({ serialNumber, revokedAt, reason }: RevokedCertificate): Uint8Array {
  const fields = [integer(serialNumber), certificateTime(revokedAt)]
  if (reason === undefined) return sequence(...fields)
  const code = tlv(TAG.enumerated, Uint8Array.of(REVOCATION_REASONS[reason]))
  return sequence(...fields, sequence(extension(OID.reasonCode, !CRITICAL, code)))
}

/**
 * Issues a revocation list.
 *
 * @param sign signs the `TBSCertList` with the issuer's key
 * @returns DER CertificateList
 * @throws PadesError `BAD_CERTIFICATE` (issuer)
 */
export async function issueRevocationList(
  request: RevocationListRequest,
  sign: Sign,
): Promise<Uint8Array> {
  const { identifier } = SIGNATURE_ALGORITHMS[request.algorithm]
  const issuer = readIssuer(request.issuer)
  const revoked = request.revoked.map(entry)
  const toBeSigned = sequence(
    VERSION_2,
    identifier,
    issuer.name,
    certificateTime(request.thisUpdate),
    certificateTime(request.nextUpdate),
    // An empty sequence must not be written (5.1.2.6).
    ...(revoked.length > 0 ? [sequence(...revoked)] : []),
    contextConstructed(
      0,
      sequence(
        authorityKeyIdentifier(issuer.keyIdentifier),
        extension(OID.crlNumber, !CRITICAL, integer(request.number)),
      ),
    ),
  )
  return sequence(toBeSigned, identifier, bitString(await sign(toBeSigned)))
}
