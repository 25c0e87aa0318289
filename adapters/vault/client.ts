/**
 * The transit secrets engine of HashiCorp Vault over HTTPS (and OpenBao, which has the same API):
 * public keys and signatures of pinned key versions. Each signature is verified on arrival.
 */
import { constants, createHash, createPublicKey, verify } from 'node:crypto'
import { Buffer } from 'node:buffer'
import type { Agent } from 'undici'
import type { KeyClient, PublicKey } from '../shared/certified-device.ts'
import { exchange, openAgent } from '../shared/exchange.ts'
import { repeated } from '../shared/repeated.ts'
import {
  isForbidden,
  isRetryable,
  pauseMsOf,
  refusalOf,
  VaultAnswerError,
  VaultRefusedError,
  VaultStatusError,
} from './refusals.ts'
import { VaultSession, type SendOnce, type VaultIdentity } from './session.ts'

const ANSWER_OCTETS = 1024 * 1024
const FIRST_ERROR = 300

type Algorithm = PublicKey['algorithm']

const ELLIPTIC: Readonly<Record<string, Algorithm>> = {
  'ecdsa-p256': 'ecdsa-p256-sha256',
  'ecdsa-p384': 'ecdsa-p384-sha384',
}
const RSA = /^rsa-(2048|3072|4096)$/

export interface VaultOptions {
  /** Origin of the server. */
  endpoint: string
  /** Path of the secrets engine. */
  mount: string
  namespace?: string
  /** PEM certificates instead of the public authorities. */
  authorities?: string
  /** Padding of signatures of RSA keys. */
  rsaPadding: 'pkcs1' | 'pss'
  identity: VaultIdentity
  nowMs?: () => number
}

interface TransitKey {
  type?: unknown
  keys?: Record<string, { public_key?: unknown } | number>
}

/** Splits `name:version`. */
function partsOf(keyVersion: string): { name: string; version: string } {
  const at = keyVersion.lastIndexOf(':')
  return { name: keyVersion.slice(0, at), version: keyVersion.slice(at + 1) }
}

const hashOf = (algorithm: Algorithm) => algorithm.slice(algorithm.lastIndexOf('-') + 1)

function isValid(
  { algorithm, publicKeySpki }: PublicKey,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  const spki = Buffer.from(publicKeySpki)
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  const isPss = algorithm.startsWith('rsa-pss')
  const padding = isPss
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : {}
  return verify(hashOf(algorithm), data, { key, ...padding }, signature)
}

/** A client for key versions by name: `sigcase-seal:1`. */
export class VaultClient implements KeyClient {
  readonly #options: VaultOptions
  readonly #agent: Agent
  readonly #session: VaultSession
  readonly #publicKeys = new Map<string, PublicKey>()

  constructor(options: VaultOptions) {
    this.#options = options
    this.#agent = openAgent(options.authorities)
    const send: SendOnce = (request) => this.#send(request)
    this.#session = new VaultSession(options.identity, send, options.nowMs ?? Date.now)
  }

  async publicKey(keyVersion: string): Promise<PublicKey> {
    const known = this.#publicKeys.get(keyVersion)
    if (known) return known
    const { name, version } = partsOf(keyVersion)
    const path = `${this.#options.mount}/keys/${name}`
    const key = await this.#ask(keyVersion, async (token) => {
      const { data } = await this.#send({ method: 'GET', path, token })
      return this.#readKey((data ?? {}) as TransitKey, version, keyVersion)
    })
    this.#publicKeys.set(keyVersion, key)
    return key
  }

  async sign(keyVersion: string, algorithm: Algorithm, data: Uint8Array): Promise<Uint8Array> {
    const { name, version } = partsOf(keyVersion)
    const hash = hashOf(algorithm)
    const isPss = algorithm.startsWith('rsa-pss')
    const key = await this.publicKey(keyVersion)
    const body = {
      input: createHash(hash).update(data).digest('base64'),
      prehashed: true,
      key_version: Number(version),
      hash_algorithm: hash.replace('sha', 'sha2-'),
      ...(algorithm.startsWith('rsa-')
        ? { signature_algorithm: isPss ? 'pss' : 'pkcs1v15' }
        : { marshaling_algorithm: 'asn1' }),
      // PAdES: as long as the digest; without it Vault takes the longest that fits.
      ...(isPss ? { salt_length: 'hash' } : {}),
    }
    const path = `${this.#options.mount}/sign/${name}`
    return this.#ask(keyVersion, async (token) => {
      const answer = await this.#send({ method: 'POST', path, body, token })
      const { signature } = (answer.data ?? {}) as { signature?: unknown }
      const [, signedBy, value] = /^vault:v(\d+):([A-Za-z0-9+/=]+)$/.exec(String(signature)) ?? []
      const octets = new Uint8Array(Buffer.from(value ?? '', 'base64'))
      if (signedBy !== version || !isValid(key, data, octets)) {
        throw new VaultAnswerError('the answer is not a signature of the key version')
      }
      return octets
    })
  }

  /** Closes its connections; no call is allowed afterwards. */
  async close(): Promise<void> {
    await this.#agent.close()
  }

  #readKey({ type, keys = {} }: TransitKey, version: string, keyVersion: string): PublicKey {
    const algorithm = RSA.test(String(type))
      ? (`rsa-${this.#options.rsaPadding}-sha256` as const)
      : ELLIPTIC[String(type)]
    if (type === undefined) throw new VaultAnswerError('the answer does not describe a key')
    if (algorithm === undefined) {
      throw new RangeError(
        `the service does not sign with ${String(type)}, the type of ${keyVersion}`,
      )
    }
    const found = keys[version]
    if (found === undefined) {
      const message = `Vault refuses ${keyVersion}: the key or its version does not exist`
      throw new VaultRefusedError('SIGNING_KEY_MISSING', message)
    }
    const pem = typeof found === 'object' ? found.public_key : undefined
    if (typeof pem !== 'string') throw new VaultAnswerError('the answer has no public key')
    const spki = createPublicKey(pem).export({ type: 'spki', format: 'der' })
    return { algorithm, publicKeySpki: new Uint8Array(spki) }
  }

  /** Runs the work at most four times, and with a new token when the old one is refused. */
  async #ask<T>(keyVersion: string, work: (token: string) => Promise<T>): Promise<T> {
    let isRenewed = false
    const mayRenew = (error: unknown) => {
      if (isRenewed || !isForbidden(error)) return false
      isRenewed = true
      this.#session.forget()
      return true
    }
    try {
      const attempt = async () => work(await this.#session.token())
      return await repeated(attempt, (error) => isRetryable(error) || mayRenew(error), pauseMsOf)
    } catch (error) {
      throw refusalOf(error, keyVersion)
    }
  }

  async #send({ method, path, body, token }: Parameters<SendOnce>[0]) {
    const { endpoint, namespace } = this.#options
    const answer = await exchange(this.#agent, {
      method,
      url: new URL(`${endpoint}/v1/${path}`),
      headers: {
        // Vault's agent can require it, as a protection against forged requests of browsers.
        'x-vault-request': 'true',
        ...(token === undefined ? {} : { 'x-vault-token': token }),
        ...(namespace === undefined ? {} : { 'x-vault-namespace': namespace }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      maximumBytes: ANSWER_OCTETS,
    })
    if (answer.status >= FIRST_ERROR) throw new VaultStatusError(answer)
    try {
      return JSON.parse(answer.body.toString('utf8')) as Record<string, unknown>
    } catch (cause) {
      throw new VaultAnswerError('the answer is not JSON', { cause })
    }
  }
}
