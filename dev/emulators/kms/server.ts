/** Emulates Cloud KMS on loopback over REST: signing keys, with the checks of Google. */
import { Buffer } from 'node:buffer'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { crc32c } from '../../../adapters/crc32c.ts'
import type { EmulatedIdentity } from '../google-identity.ts'
import { emulatedServer, json, type EmulatedAnswer, type EmulatedRequest } from '../http.ts'
import { signEcdsa, signPkcs1, signPss } from './sign-digest.ts'

export type KmsAlgorithm =
  | 'EC_SIGN_P256_SHA256'
  | 'EC_SIGN_P384_SHA384'
  | 'RSA_SIGN_PKCS1_2048_SHA256'
  | 'RSA_SIGN_PSS_2048_SHA256'

/** Numeric values of the API's enumeration, which REST returns on request. */
const NUMBERS: Readonly<Record<KmsAlgorithm, number>> = {
  RSA_SIGN_PSS_2048_SHA256: 2,
  RSA_SIGN_PKCS1_2048_SHA256: 5,
  EC_SIGN_P256_SHA256: 12,
  EC_SIGN_P384_SHA384: 13,
}
const SOFTWARE = 1

export interface EmulatedKey {
  name: string
  algorithm: KmsAlgorithm
  privateKey: KeyObject
  publicKey: KeyObject
  state: 'ENABLED' | 'DISABLED' | 'DESTROYED'
  /** Whether the caller may use the key. */
  isPermitted: boolean
}

const STATUS: Readonly<Record<string, [http: number, grpc: number]>> = {
  INVALID_ARGUMENT: [400, 3],
  NOT_FOUND: [404, 5],
  PERMISSION_DENIED: [403, 7],
  FAILED_PRECONDITION: [400, 9],
  UNAVAILABLE: [503, 14],
  UNAUTHENTICATED: [401, 16],
}

/** Builds an error in the format of Google's REST APIs. */
export function kmsError(status: keyof typeof STATUS, message = 'emulated'): EmulatedAnswer {
  const [code] = STATUS[status] as [number, number]
  return json(code, { error: { code, message, status } })
}

/** Creates an enabled key with permission. @param name full name of the key version */
export function emulatedKey(name: string, algorithm: KmsAlgorithm): EmulatedKey {
  const pair = algorithm.startsWith('EC')
    ? generateKeyPairSync('ec', { namedCurve: algorithm.includes('P384') ? 'P-384' : 'P-256' })
    : generateKeyPairSync('rsa', { modulusLength: 2_048 })
  return { name, algorithm, ...pair, state: 'ENABLED', isPermitted: true }
}

const pemOf = ({ publicKey }: EmulatedKey) =>
  publicKey.export({ type: 'spki', format: 'pem' }).toString()

function signDigest({ algorithm, privateKey }: EmulatedKey, digest: Buffer): Buffer {
  if (algorithm === 'RSA_SIGN_PKCS1_2048_SHA256') return signPkcs1(privateKey, digest)
  if (algorithm === 'RSA_SIGN_PSS_2048_SHA256') return signPss(privateKey, digest)
  return signEcdsa(privateKey, digest)
}

interface SignRequest {
  digest?: Record<string, string>
  digestCrc32c?: string | { value: string }
}

function digestOf({ algorithm }: EmulatedKey, { digest = {} }: SignRequest): Buffer | undefined {
  const hash = algorithm.endsWith('384') ? 'sha384' : 'sha256'
  const octets = Buffer.from(digest[hash] ?? '', 'base64')
  const isOnly = Object.keys(digest).join() === hash
  return isOnly && octets.length === (hash === 'sha384' ? 48 : 32) ? octets : undefined
}

function asymmetricSign(key: EmulatedKey, request: EmulatedRequest): EmulatedAnswer {
  const body = JSON.parse(request.body.toString()) as SignRequest
  const known = ['digest', 'digestCrc32c', 'name']
  const unknown = Object.keys(body).find((member) => !known.includes(member))
  if (unknown !== undefined) return kmsError('INVALID_ARGUMENT', `unknown member ${unknown}`)
  const digest = digestOf(key, body)
  if (!digest) return kmsError('INVALID_ARGUMENT', 'the digest is not of the key’s algorithm')
  if (body.digestCrc32c === undefined) {
    return kmsError('INVALID_ARGUMENT', 'the service sends a checksum')
  }
  if (Number(body.digestCrc32c) !== crc32c(digest)) {
    return kmsError('INVALID_ARGUMENT', 'The checksum in field digest_crc32c did not match')
  }
  const signature = signDigest(key, digest)
  return json(200, {
    name: key.name,
    signature: signature.toString('base64'),
    signatureCrc32c: String(crc32c(signature)),
    verifiedDigestCrc32c: true,
    protectionLevel: SOFTWARE,
  })
}

function publicKey(key: EmulatedKey): EmulatedAnswer {
  const pem = pemOf(key)
  return json(200, {
    name: key.name,
    pem,
    algorithm: NUMBERS[key.algorithm],
    pemCrc32c: String(crc32c(Buffer.from(pem))),
    protectionLevel: SOFTWARE,
  })
}

function answer(keys: ReadonlyMap<string, EmulatedKey>, request: EmulatedRequest): EmulatedAnswer {
  const { method, url } = request
  const path = decodeURIComponent(url.pathname)
  const call = /^\/v1\/(.+?)(:asymmetricSign|\/publicKey)$/.exec(path)
  const key = keys.get(call?.[1] ?? '')
  if (!call || !key) return kmsError('NOT_FOUND', `${path} not found`)
  if (!key.isPermitted) return kmsError('PERMISSION_DENIED', 'denied on resource')
  if (key.state !== 'ENABLED')
    return kmsError('FAILED_PRECONDITION', `is not enabled: ${key.state}`)
  if (call[2] === '/publicKey' && method === 'GET') return publicKey(key)
  if (call[2] === ':asymmetricSign' && method === 'POST') return asymmetricSign(key, request)
  return kmsError('NOT_FOUND', `${method} ${path}`)
}

export interface EmulatedKmsOptions {
  keys: readonly EmulatedKey[]
  /** Account that may use the keys. */
  identity: EmulatedIdentity
  port?: number
}

/** Serves `getPublicKey` and `asymmetricSign` to callers with a token of the account. */
export async function emulatedKms({ keys, identity, port }: EmulatedKmsOptions) {
  const byName = new Map(keys.map((key) => [key.name, key]))
  return emulatedServer(
    (request) =>
      identity.isAuthenticated(request) ? answer(byName, request) : kmsError('UNAUTHENTICATED'),
    port,
  )
}
