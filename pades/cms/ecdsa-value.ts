/** Converts ECDSA signature values (RFC 3279, 2.2.3) to the form of XML signatures (RFC 9231). */

import { readDer } from './der-reader.ts'
import { readInteger } from './der-values.ts'
import { TAG, withoutLeadingZeros } from './der.ts'

/**
 * Returns r and s, each in a fixed number of octets.
 *
 * @param der `Ecdsa-Sig-Value`
 * @param octets length of the order of the curve
 * @throws DerError when the value is not DER
 * @throws RangeError when a number is too long
 */
export function plainEcdsaValue(der: Uint8Array, octets: number): Uint8Array {
  const value = readDer(der).as(TAG.sequence)
  const plain = new Uint8Array(2 * octets)
  for (const [index, end] of [octets, 2 * octets].entries()) {
    const number = withoutLeadingZeros(readInteger(value.child(index)))
    plain.set(number, end - number.length)
    if (number.length > octets) throw new RangeError('a number is too long for the curve')
  }
  return plain
}
