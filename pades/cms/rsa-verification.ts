/** Verifies RSA signature values of keys that are too long for the engine (RFC 8017, 8 and 9). */

import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { NULL, objectIdentifier, octetString, sequence } from './der.ts'
import { OID } from './object-identifiers.ts'
import { modulusBits } from './public-key.ts'
import type { RsaKey } from './public-key.ts'

/** Longest public exponent in octets; OpenSSL has the same limit for long keys. */
const MAX_EXPONENT_OCTETS = 8
/** Octets before the digest in a PSS hash input (RFC 8017, 9.1.2, step 12). */
const PSS_PREFIX = Buffer.alloc(8)
const PSS_TRAILER = 0xbc

const digestOf = (hash: string, ...parts: readonly Uint8Array[]): Buffer => {
  const state = createHash(hash)
  for (const part of parts) state.update(part)
  return state.digest()
}

const integerOf = (octets: Uint8Array) => BigInt(`0x0${Buffer.from(octets).toString('hex')}`)

/** Object identifiers of hash functions by their names in `node:crypto`. */
const HASH_IDENTIFIERS = new Map<string, string>(
  Object.entries({
    md5: OID.md5,
    sha1: OID.sha1,
    ripemd160: OID.ripemd160,
    sha224: OID.sha224,
    sha256: OID.sha256,
    sha384: OID.sha384,
    sha512: OID.sha512,
    'sha3-256': OID.sha3_256,
    'sha3-384': OID.sha3_384,
    'sha3-512': OID.sha3_512,
  }),
)

/** DigestInfo (A.2.4). */
const digestInfo = (hash: string, digest: Uint8Array): Uint8Array =>
  sequence(sequence(objectIdentifier(HASH_IDENTIFIERS.get(hash) ?? ''), NULL), octetString(digest))

/** RSAVP1 (5.2.2); undefined when the value is out of range. */
function recoverBlock({ modulus, exponent }: RsaKey, signature: Uint8Array): Buffer | undefined {
  if (signature.length !== modulus.length) return undefined
  const n = integerOf(modulus)
  const base = integerOf(signature)
  if (base >= n) return undefined
  let result = 1n
  for (const bit of integerOf(exponent).toString(2)) {
    result = (result * result) % n
    if (bit === '1') result = (result * base) % n
  }
  return Buffer.from(result.toString(16).padStart(modulus.length * 2, '0'), 'hex')
}

/** Whether a value can be verified here: the exponent is odd, above one and not too long. */
function isUsable({ modulus, exponent }: RsaKey): boolean {
  const [last = 0] = exponent.subarray(-1)
  const isOdd = (last & 1) === 1 && ((modulus.at(-1) ?? 0) & 1) === 1
  const isAboveOne = exponent.length > 1 || last > 1
  return isOdd && isAboveOne && exponent.length <= MAX_EXPONENT_OCTETS
}

/**
 * Verifies RSASSA-PKCS1-v1_5 (8.2.2) by comparing the whole encoded message.
 *
 * @param hash name in `node:crypto`
 * @returns undefined when the key or the hash function is not supported here
 */
export function verifyPkcs1(
  key: RsaKey,
  hash: string,
  data: Uint8Array,
  signature: Uint8Array,
): boolean | undefined {
  if (!isUsable(key) || !HASH_IDENTIFIERS.has(hash)) return undefined
  const prefix = digestInfo(hash, digestOf(hash, data))
  const paddingBytes = key.modulus.length - prefix.length - 3
  if (paddingBytes < 8) return false
  const expected = Buffer.concat([
    Buffer.of(0, 1),
    Buffer.alloc(paddingBytes, 0xff),
    Buffer.of(0),
    prefix,
  ])
  return recoverBlock(key, signature)?.equals(expected) ?? false
}

/** MGF1 (B.2.1). */
function maskOf(hash: string, seed: Uint8Array, length: number): Buffer {
  const parts: Buffer[] = []
  const counter = Buffer.alloc(4)
  for (let made = 0; made < length; made += parts[0]?.length ?? 0) {
    counter.writeUInt32BE(parts.length)
    parts.push(digestOf(hash, seed, counter))
  }
  return Buffer.concat(parts).subarray(0, length)
}

/**
 * Verifies RSASSA-PSS (8.1.2 and 9.1.2) with one hash function for message and mask.
 *
 * @param hash name in `node:crypto`
 * @returns undefined when the key is not supported here
 */
export function verifyPss(
  key: RsaKey,
  { hash, saltBytes }: { hash: string; saltBytes: number },
  data: Uint8Array,
  signature: Uint8Array,
): boolean | undefined {
  if (!isUsable(key) || key.isRestricted) return undefined
  const block = recoverBlock(key, signature)
  if (!block) return false
  const bits = modulusBits(key) - 1
  const message = block.subarray(block.length - Math.ceil(bits / 8))
  if (message.length < block.length && block[0] !== 0) return false
  const digest = digestOf(hash, data)
  const maskedLength = message.length - digest.length - 1
  if (maskedLength < saltBytes + 1 || message.at(-1) !== PSS_TRAILER) return false
  const masked = message.subarray(0, maskedLength)
  const inner = message.subarray(maskedLength, -1)
  const unusedBits = 8 * message.length - bits
  if (masked[0] >> (8 - unusedBits) !== 0) return false
  const mask = maskOf(hash, inner, maskedLength)
  const decoded = Buffer.from(masked.map((octet, index) => octet ^ (mask[index] ?? 0)))
  decoded[0] &= 0xff >> unusedBits
  const paddingBytes = maskedLength - saltBytes - 1
  if (decoded.subarray(0, paddingBytes).some((octet) => octet !== 0)) return false
  if (decoded[paddingBytes] !== 1) return false
  return digestOf(hash, PSS_PREFIX, digest, decoded.subarray(paddingBytes + 1)).equals(inner)
}
