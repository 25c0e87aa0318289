/**
 * Reads what kind of key a SubjectPublicKeyInfo holds, without an engine (RFC 3279, 2.3; RFC 5480).
 */

import type { AlgorithmIdentifier } from './certificate-reader.ts'
import { TAG, withoutLeadingZeros } from './der.ts'
import { DerError, readDer } from './der-reader.ts'
import { readInteger, readObjectIdentifier } from './der-values.ts'
import { CURVE_NAMES } from './elliptic-curves.ts'
import { OID } from './object-identifiers.ts'

/** An RSA key; modulus and exponent are unsigned big-endian octets without leading zeros. */
export interface RsaKey {
  readonly type: 'rsa'
  readonly modulus: Uint8Array
  readonly exponent: Uint8Array
  /** Whether the key is for RSASSA-PSS alone (RFC 4055, 1.2). */
  readonly isForPss: boolean
  /** Whether a key for PSS fixes the hash functions. */
  readonly isRestricted: boolean
}

export interface CurveKey {
  readonly type: 'ec'
  /** As OpenSSL spells it; the dotted OID of another curve; undefined without a named curve. */
  readonly curve: string | undefined
  /** The encoded point (SEC 1, 2.3.3). */
  readonly point: Uint8Array
}

export type PublicKeyKind =
  RsaKey | CurveKey | { readonly type: 'dsa' | 'ed25519' | 'ed448' | 'unknown' }

const OTHERS: Readonly<Record<string, 'dsa' | 'ed25519' | 'ed448'>> = {
  [OID.dsa]: 'dsa',
  [OID.ed25519]: 'ed25519',
  [OID.ed448]: 'ed448',
}

/**
 * Reads the kind of a public key.
 *
 * @param bits content of the key's BIT STRING
 * @returns type `unknown` for a key that cannot be read, too
 */
export function readPublicKey(algorithm: AlgorithmIdentifier, bits: Uint8Array): PublicKeyKind {
  try {
    return publicKeyOf(algorithm, bits)
  } catch (error) {
    if (error instanceof DerError) return { type: 'unknown' }
    throw error
  }
}

function publicKeyOf({ type, parameters }: AlgorithmIdentifier, bits: Uint8Array): PublicKeyKind {
  const isForPss = type === OID.rsaPss
  if (isForPss || type === OID.rsaEncryption) {
    const [modulus, exponent] = readDer(bits).as(TAG.sequence).children
    if (!modulus || !exponent) throw new DerError('an RSA key is not whole')
    return {
      type: 'rsa',
      modulus: withoutLeadingZeros(readInteger(modulus)),
      exponent: withoutLeadingZeros(readInteger(exponent)),
      isForPss,
      isRestricted: isForPss && parameters !== undefined,
    }
  }
  if (type === OID.ecPublicKey) {
    const named = parameters && readDer(parameters)
    const curve = named?.tag === TAG.objectIdentifier ? readObjectIdentifier(named) : undefined
    return { type: 'ec', curve: curve && (CURVE_NAMES[curve] ?? curve), point: bits }
  }
  return { type: OTHERS[type] ?? 'unknown' }
}

/** Length of the modulus in bits. */
export function modulusBits({ modulus }: RsaKey): number {
  const [first = 0] = modulus
  return first === 0 ? 0 : modulus.length * 8 - Math.clz32(first) + 24
}
