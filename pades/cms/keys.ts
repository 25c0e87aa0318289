/**
 * Keys in memory: one-time keys of participants, and imported ones (RFC 5958; RFC 5280, 4.1.2.7).
 */

import {
  constants,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign as signData,
} from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { PadesError } from '../errors.ts'
import { SIGNATURE_ALGORITHMS } from './algorithms.ts'
import type { SignatureAlgorithm } from './algorithms.ts'

export interface LocalKey {
  readonly algorithm: SignatureAlgorithm
  /** DER SubjectPublicKeyInfo. */
  readonly publicKeySpki: Uint8Array
  /** DER `Ecdsa-Sig-Value` or RSA block over `data`, hashed and padded as the algorithm says. */
  sign(data: Uint8Array): Uint8Array
}

/** A key that only rehearses. */
export interface StandInKey extends Omit<LocalKey, 'algorithm'> {
  readonly algorithm: 'ed25519'
}

const octets = (value: Uint8Array) =>
  new Uint8Array(value.buffer, value.byteOffset, value.byteLength)

function localKey(privateKey: KeyObject, publicKey: KeyObject, algorithm: SignatureAlgorithm) {
  const { hash, saltBytes } = SIGNATURE_ALGORITHMS[algorithm]
  const padding = constants.RSA_PKCS1_PSS_PADDING
  const key =
    saltBytes === undefined ? privateKey : { key: privateKey, padding, saltLength: saltBytes }
  return {
    algorithm,
    publicKeySpki: octets(publicKey.export({ type: 'spki', format: 'der' })),
    sign: (data: Uint8Array) => octets(signData(hash, data, key)),
  }
}

/** A new P-256 key, known only to the caller. */
export function generateKey(): LocalKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return localKey(privateKey, publicKey, 'ecdsa-p256-sha256')
}

/**
 * A new Ed25519 key for rehearsals. On Deno, signing with it takes a thirtieth of the time of
 * P-256, and verifying an eighteenth.
 */
export function generateStandInKey(): StandInKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    algorithm: 'ed25519',
    publicKeySpki: octets(publicKey.export({ type: 'spki', format: 'der' })),
    // The algorithm has a hash function of its own.
    sign: (data) => octets(signData(null, data, privateKey)),
  }
}

const CURVES: Readonly<Record<string, SignatureAlgorithm>> = {
  prime256v1: 'ecdsa-p256-sha256',
  secp384r1: 'ecdsa-p384-sha384',
}

const MIN_RSA_BITS = 2048

/** What an RSA key signs with; a key that is for PSS alone says its hash function itself. */
function rsaAlgorithm(
  key: KeyObject,
  requested: SignatureAlgorithm | undefined,
): SignatureAlgorithm | undefined {
  const { modulusLength = 0, hashAlgorithm } = key.asymmetricKeyDetails ?? {}
  if (modulusLength < MIN_RSA_BITS) return undefined
  if (key.asymmetricKeyType === 'rsa') {
    const algorithm = requested ?? 'rsa-pkcs1-sha256'
    return algorithm.startsWith('rsa-') ? algorithm : undefined
  }
  const own = `rsa-pss-${hashAlgorithm ?? 'sha256'}` as SignatureAlgorithm
  const algorithm = hashAlgorithm === undefined ? (requested ?? own) : own
  return algorithm.startsWith('rsa-pss-') && algorithm in SIGNATURE_ALGORITHMS
    ? algorithm
    : undefined
}

/**
 * Takes a private key over; its kind decides the algorithm (P-256, P-384, or RSA from 2,048 bits).
 *
 * @param pkcs8 DER PrivateKeyInfo, unencrypted
 * @param requested for RSA keys, which can sign in several ways; absent: PKCS#1 v1.5 with SHA-256,
 *   or PSS for a key that is for that alone
 * @throws PadesError `BAD_KEY` when it cannot be read, or does not sign in the requested way
 */
export function importKey(pkcs8: Uint8Array, requested?: SignatureAlgorithm): LocalKey {
  const privateKey = readPrivateKey(pkcs8)
  const isRsa = privateKey.asymmetricKeyType?.startsWith('rsa') === true
  const algorithm = isRsa
    ? rsaAlgorithm(privateKey, requested)
    : CURVES[privateKey.asymmetricKeyDetails?.namedCurve ?? '']
  if (!algorithm) throw new PadesError('BAD_KEY', 'neither P-256, P-384 nor RSA from 2,048 bits')
  if (requested && requested !== algorithm) {
    throw new PadesError('BAD_KEY', `the key does not sign with ${requested}`)
  }
  return localKey(privateKey, createPublicKey(privateKey), algorithm)
}

function readPrivateKey(pkcs8: Uint8Array): KeyObject {
  try {
    return createPrivateKey({ key: pkcs8 as Buffer, format: 'der', type: 'pkcs8' })
  } catch (cause) {
    throw new PadesError('BAD_KEY', undefined, { cause })
  }
}
