/**
 * Keys in memory: one-time keys of participants, and imported ones (RFC 5958; RFC 5280, 4.1.2.7).
 */

import {
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
  /** DER `Ecdsa-Sig-Value` or PKCS#1 v1.5 block over `data`, hashed as the algorithm says. */
  sign(data: Uint8Array): Uint8Array
}

const octets = (value: Uint8Array) =>
  new Uint8Array(value.buffer, value.byteOffset, value.byteLength)

function localKey(privateKey: KeyObject, publicKey: KeyObject, algorithm: SignatureAlgorithm) {
  const { hash } = SIGNATURE_ALGORITHMS[algorithm]
  return {
    algorithm,
    publicKeySpki: octets(publicKey.export({ type: 'spki', format: 'der' })),
    sign: (data: Uint8Array) => octets(signData(hash, data, privateKey)),
  }
}

/** A new P-256 key that nobody else ever sees. */
export function generateKey(): LocalKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return localKey(privateKey, publicKey, 'ecdsa-p256-sha256')
}

const CURVES: Readonly<Record<string, SignatureAlgorithm>> = {
  prime256v1: 'ecdsa-p256-sha256',
  secp384r1: 'ecdsa-p384-sha384',
}

/**
 * Takes a private key over; its kind decides the algorithm (P-256, P-384, or RSA from 2,048 bits).
 *
 * @param pkcs8 DER PrivateKeyInfo, unencrypted
 * @throws PadesError `BAD_KEY` when it cannot be read or is of another kind
 */
export function importKey(pkcs8: Uint8Array): LocalKey {
  const privateKey = readPrivateKey(pkcs8)
  const { namedCurve, modulusLength = 0 } = privateKey.asymmetricKeyDetails ?? {}
  const rsa = privateKey.asymmetricKeyType === 'rsa' && modulusLength >= 2048
  const algorithm = rsa ? 'rsa-pkcs1-sha256' : CURVES[namedCurve ?? '']
  if (!algorithm) throw new PadesError('BAD_KEY', 'neither P-256, P-384 nor RSA from 2,048 bits')
  return localKey(privateKey, createPublicKey(privateKey), algorithm)
}

function readPrivateKey(pkcs8: Uint8Array): KeyObject {
  try {
    return createPrivateKey({ key: pkcs8 as Buffer, format: 'der', type: 'pkcs8' })
  } catch (cause) {
    throw new PadesError('BAD_KEY', undefined, { cause })
  }
}
