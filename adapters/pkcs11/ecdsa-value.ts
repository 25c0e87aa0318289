/** Converts the ECDSA values of PKCS #11 to those of X.509 and CMS. */
import { Integer, Sequence } from 'asn1js'
import { Buffer } from 'node:buffer'

/**
 * Encodes r and s, which have the same length in `plain`, as DER (RFC 3279, 2.2.3:
 * Ecdsa-Sig-Value).
 */
export function encodeEcdsaValue(plain: Uint8Array): Uint8Array {
  const half = plain.length / 2
  const numbers = [plain.subarray(0, half), plain.subarray(half)]
  const value = numbers.map((octets) =>
    Integer.fromBigInt(BigInt(`0x${Buffer.from(octets).toString('hex')}`)),
  )
  return new Uint8Array(new Sequence({ value }).toBER())
}
