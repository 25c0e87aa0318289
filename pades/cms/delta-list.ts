/** Combines a complete revocation list with a delta list (RFC 5280, 5.2.4 and 6.3.3 (c), (i)). */

import type { Certificate } from './certificate-reader.ts'
import { compareOctets } from './der.ts'
import type { Revocation } from './revocation-entries.ts'
import type { RevocationList } from './revocation-list-reader.ts'

/** Compares unsigned numbers in their shortest form. */
const compareNumbers = (a: Uint8Array, b: Uint8Array) => a.length - b.length || compareOctets(a, b)

const areAlike = (a: Uint8Array | undefined, b: Uint8Array | undefined) =>
  a === undefined || b === undefined ? a === b : compareOctets(a, b) === 0

/**
 * Whether a delta list can be combined with a complete one: same issuer, key and scope, the
 * complete list is not older than the base, and the delta is newer. Signatures are not checked.
 */
export function completes(delta: RevocationList, complete: RevocationList): boolean {
  const { baseNumber, number } = delta
  if (!baseNumber || !number || !complete.number || complete.baseNumber) return false
  return (
    !delta.isPartial &&
    compareOctets(delta.issuer, complete.issuer) === 0 &&
    areAlike(delta.encodedScope, complete.encodedScope) &&
    areAlike(delta.authorityKeyIdentifier, complete.authorityKeyIdentifier) &&
    compareNumbers(complete.number, baseNumber) >= 0 &&
    compareNumbers(complete.number, number) < 0 &&
    delta.thisUpdate >= complete.thisUpdate
  )
}

/** Whether a complete list is not older than a delta list of the same issuer and scope. */
export const replaces = (complete: RevocationList, delta: RevocationList): boolean =>
  !complete.baseNumber &&
  !complete.isPartial &&
  complete.thisUpdate >= delta.thisUpdate &&
  compareOctets(complete.issuer, delta.issuer) === 0 &&
  areAlike(complete.encodedScope, delta.encodedScope)

/** Returns the delta list with the largest number; undefined when there is none. */
export const newestOf = (deltas: readonly RevocationList[]): RevocationList | undefined =>
  [...deltas].sort((a, b) =>
    compareNumbers(b.number ?? new Uint8Array(), a.number ?? new Uint8Array()),
  )[0]

/**
 * What both lists together say of a certificate; undefined when it is not revoked.
 *
 * @throws DerError when the entries cannot be read
 */
export function combinedRevocation(
  complete: RevocationList,
  delta: RevocationList | undefined,
  { serialNumber, issuer }: Certificate,
): Revocation | undefined {
  const old = complete.revocationOf(serialNumber, issuer)
  const latest = delta?.revocationOf(serialNumber, issuer)
  if (latest?.reason !== 'removeFromCRL') return latest ?? old
  // Only a certificate on hold can be taken off the list (5.3.1).
  return old?.reason === 'certificateHold' ? undefined : old
}
