/**
 * Emulates the transit engine of Vault on loopback, with the logins that the service uses. It
 * refuses what Vault documents as refused, and parameters that Vault would ignore.
 */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { Buffer } from 'node:buffer'
import { emulatedServer, json, type EmulatedAnswer, type EmulatedRequest } from '../http.ts'
import { signEcdsa, signPkcs1, signPss } from '../kms/sign-digest.ts'

/** Types of keys that the emulator signs with. */
export type TransitType = 'ecdsa-p256' | 'ecdsa-p384' | 'rsa-2048' | 'ed25519'

/** A key with its versions, counted from 1. */
export interface EmulatedTransitKey {
  name: string
  type: TransitType
  versions: { publicKey: KeyObject; privateKey: KeyObject }[]
  minimumEncryptionVersion: number
  isPermitted: boolean
}

export interface EmulatedVaultOptions {
  keys: readonly EmulatedTransitKey[]
  /** Login that the method `kubernetes` accepts. */
  login?: { role: string; jwt: string }
  /** Tokens that exist from the start, with their life in seconds; 0: for ever. */
  tokens?: Readonly<Record<string, { ttl: number; renewable: boolean }>>
  namespace?: string
  nowMs?: () => number
}

const LOGIN_SECONDS = 1_200
const PARAMETERS = new Set([
  'input',
  'prehashed',
  'key_version',
  'hash_algorithm',
  'signature_algorithm',
  'marshaling_algorithm',
  'salt_length',
])
const DIGEST_OCTETS: Readonly<Record<string, number>> = { 'sha2-256': 32, 'sha2-384': 48 }

function generate(type: TransitType) {
  if (type === 'ed25519') return generateKeyPairSync('ed25519')
  if (type === 'rsa-2048') return generateKeyPairSync('rsa', { modulusLength: 2048 })
  return generateKeyPairSync('ec', { namedCurve: type === 'ecdsa-p256' ? 'P-256' : 'P-384' })
}

/** Builds a key with fresh versions. */
export const transitKey = (name: string, type: TransitType, versions = 1): EmulatedTransitKey => ({
  name,
  type,
  versions: Array.from({ length: versions }, () => generate(type)),
  minimumEncryptionVersion: 0,
  isPermitted: true,
})

/** Builds an error as Vault returns it. */
export const vaultError = (status: number, ...errors: string[]): EmulatedAnswer =>
  json(status, { errors })

function describe(key: EmulatedTransitKey): EmulatedAnswer {
  const versions = key.versions.map(({ publicKey }, index) => [
    String(index + 1),
    { name: key.type, public_key: publicKey.export({ type: 'spki', format: 'pem' }) },
  ])
  const { name, type, minimumEncryptionVersion: minimum } = key
  const latest = key.versions.length
  const data = { name, type, latest_version: latest, min_encryption_version: minimum }
  return json(200, {
    data: { ...data, supports_signing: true, keys: Object.fromEntries(versions) },
  })
}

type Parameters = Record<string, unknown>

function parameterFault(key: EmulatedTransitKey, body: Parameters): string | undefined {
  const unknown = Object.keys(body).find((name) => !PARAMETERS.has(name))
  if (unknown !== undefined) return `unknown parameter ${unknown}`
  if (body.prehashed !== true) return 'the emulator only signs digests'
  const digest = Buffer.from(String(body.input), 'base64')
  if (digest.length !== DIGEST_OCTETS[String(body.hash_algorithm)]) return 'invalid digest'
  const isRsa = key.type === 'rsa-2048'
  if (isRsa && !['pss', 'pkcs1v15'].includes(String(body.signature_algorithm))) {
    return 'unsupported signature algorithm'
  }
  if (body.signature_algorithm === 'pss' && body.salt_length !== 'hash') return 'another salt'
  return isRsa || body.marshaling_algorithm === 'asn1' ? undefined : 'unsupported marshaling'
}

function sign(key: EmulatedTransitKey, body: Parameters): EmulatedAnswer {
  const fault = parameterFault(key, body)
  if (fault !== undefined) return vaultError(400, fault)
  const version = Number(body.key_version)
  const pair = key.versions[version - 1]
  if (!pair) {
    return vaultError(400, 'requested version for signing is higher than the latest key version')
  }
  if (version < key.minimumEncryptionVersion) {
    return vaultError(
      400,
      'requested version for signing is less than the minimum encryption key version',
    )
  }
  const digest = Buffer.from(String(body.input), 'base64')
  const rsa = body.signature_algorithm === 'pss' ? signPss : signPkcs1
  const value = (key.type === 'rsa-2048' ? rsa : signEcdsa)(pair.privateKey, digest)
  const signature = `vault:v${version}:${value.toString('base64')}`
  return json(200, { data: { key_version: version, signature } })
}

const bodyOf = ({ body }: EmulatedRequest) =>
  (body.length === 0 ? {} : JSON.parse(body.toString('utf8'))) as Parameters

/** Starts the server. */
export async function emulatedVault(options: EmulatedVaultOptions) {
  const { keys, login, namespace, nowMs = Date.now } = options
  const tokens = new Map<string, { ttl: number; renewable: boolean; expiresMs: number }>()
  const issue = (token: string, { ttl, renewable }: { ttl: number; renewable: boolean }) => {
    const expiresMs = ttl === 0 ? Number.POSITIVE_INFINITY : nowMs() + ttl * 1000
    tokens.set(token, { ttl, renewable, expiresMs })
  }
  for (const [token, life] of Object.entries(options.tokens ?? {})) issue(token, life)
  const denied = vaultError(403, 'permission denied')

  const answerLogin = (request: EmulatedRequest) => {
    const { role, jwt } = bodyOf(request)
    if (!login || role !== login.role || jwt !== login.jwt) return denied
    const token = `hvs.${tokens.size + 1}`
    issue(token, { ttl: LOGIN_SECONDS, renewable: true })
    return json(200, {
      auth: { client_token: token, lease_duration: LOGIN_SECONDS, renewable: true },
    })
  }

  const answerToken = (token: string, path: string) => {
    const { ttl, renewable, expiresMs } = tokens.get(token) as { ttl: number } & {
      renewable: boolean
      expiresMs: number
    }
    if (path === 'lookup-self') {
      const rest = ttl === 0 ? 0 : Math.floor((expiresMs - nowMs()) / 1000)
      return json(200, { data: { ttl: rest, renewable } })
    }
    if (!renewable) return vaultError(400, 'lease is not renewable')
    issue(token, { ttl, renewable })
    return json(200, { auth: { client_token: token, lease_duration: ttl, renewable } })
  }

  const server = await emulatedServer((request) => {
    const { headers, method, url } = request
    if (headers['x-vault-request'] !== 'true') return vaultError(400, 'missing X-Vault-Request')
    if (headers['x-vault-namespace'] !== namespace) return vaultError(404)
    const path = url.pathname.replace('/v1/', '')
    if (method === 'POST' && path === 'auth/kubernetes/login') return answerLogin(request)
    const token = String(headers['x-vault-token'])
    if (!((tokens.get(token)?.expiresMs ?? 0) > nowMs())) return denied
    const [, own] = /^auth\/token\/(lookup-self|renew-self)$/.exec(path) ?? []
    if (own !== undefined) return answerToken(token, own)
    const [, action, name] = /^transit\/(keys|sign)\/([\w-]+)$/.exec(path) ?? []
    const key = keys.find((each) => each.name === name)
    if (action === undefined || (key && !key.isPermitted)) return denied
    if (action === 'keys') return key ? describe(key) : vaultError(404)
    return key ? sign(key, bodyOf(request)) : vaultError(400, 'signing key not found')
  })
  return { ...server, revoke: () => tokens.clear() }
}
