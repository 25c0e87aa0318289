/**
 * Tokens for Vault: from a login with the token of the pod's service account, or from a file, whose
 * token is renewed.
 */
import { readFile } from 'node:fs/promises'
import { isForbidden, VaultAnswerError, VaultRefusedError } from './refusals.ts'

/** How a process authenticates itself. */
export type VaultIdentity = VaultLogin | VaultTokenFile

interface VaultLogin {
  role: string
  /** Path of the authentication method `kubernetes`. */
  mount: string
  /** Absolute path of the token of the pod's service account. */
  jwtFile: string
}

interface VaultTokenFile {
  /** Absolute path of a token, such as Vault's agent writes. */
  tokenFile: string
}

/** Sends a request to Vault once. @throws VaultStatusError, VaultAnswerError */
export type SendOnce = (request: {
  method: 'GET' | 'POST'
  path: string
  body?: object
  token?: string
}) => Promise<Record<string, unknown>>

interface Session {
  token: string
  /** Time from which the token is renewed or replaced. */
  renewAtMs: number
}

interface Lease {
  client_token?: unknown
  lease_duration?: unknown
  renewable?: unknown
}

/** Renewed at this part of its life, so that an outage of Vault does not end it at once. */
const RENEWED_SHARE = 0.5

const renewAt = (seconds: unknown, nowMs: number) => {
  const isLimited = typeof seconds === 'number' && seconds > 0
  return isLimited ? nowMs + seconds * 1000 * RENEWED_SHARE : Number.POSITIVE_INFINITY
}

async function readSecret(path: string, variable: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const message = `${variable} cannot be read`
    throw new VaultRefusedError('SIGNING_CREDENTIALS_REFUSED', message, { cause })
  })
  return text.trim()
}

/** The token of a process, which is replaced or renewed before it expires. */
export class VaultSession {
  readonly #identity: VaultIdentity
  readonly #send: SendOnce
  readonly #nowMs: () => number
  #session: Session | undefined
  #running: Promise<Session> | undefined

  constructor(identity: VaultIdentity, send: SendOnce, nowMs: () => number) {
    this.#identity = identity
    this.#send = send
    this.#nowMs = nowMs
  }

  /**
   * Returns a token that is valid as far as is known.
   *
   * @throws VaultRefusedError SIGNING_CREDENTIALS_REFUSED; any error of the request
   */
  async token(): Promise<string> {
    const known = this.#session
    if (known && this.#nowMs() < known.renewAtMs) return known.token
    // Requests that need a token at the same time share one login.
    this.#running ??= this.#open(known).finally(() => (this.#running = undefined))
    this.#session = await this.#running
    return this.#session.token
  }

  /** Forgets a token that Vault refused. */
  forget(): void {
    this.#session = undefined
  }

  async #open(known: Session | undefined): Promise<Session> {
    const identity = this.#identity
    return 'role' in identity ? this.#login(identity) : this.#renew(identity, known)
  }

  async #login({ role, mount, jwtFile }: VaultLogin): Promise<Session> {
    const jwt = await readSecret(jwtFile, 'VAULT_JWT_FILE')
    const request = { method: 'POST', path: `auth/${mount}/login`, body: { role, jwt } } as const
    const answer = await this.#send(request).catch((cause: unknown) => {
      if (!isForbidden(cause)) throw cause
      const message = `Vault refuses the login: the role ${role} does not bind this service account`
      throw new VaultRefusedError('SIGNING_CREDENTIALS_REFUSED', message, { cause })
    })
    const { client_token: token, lease_duration: seconds } = (answer.auth ?? {}) as Lease
    if (typeof token !== 'string' || token === '')
      throw new VaultAnswerError('a login has no token')
    return { token, renewAtMs: renewAt(seconds, this.#nowMs()) }
  }

  /** Reads the file, which another program may have replaced, and renews its token. */
  async #renew({ tokenFile }: VaultTokenFile, known: Session | undefined): Promise<Session> {
    const token = await readSecret(tokenFile, 'VAULT_TOKEN_FILE')
    const refused = (cause: unknown) => {
      if (!isForbidden(cause)) throw cause
      const message = 'Vault refuses the token of VAULT_TOKEN_FILE: it has expired or was revoked'
      throw new VaultRefusedError('SIGNING_CREDENTIALS_REFUSED', message, { cause })
    }
    const look = { method: 'GET', path: 'auth/token/lookup-self', token } as const
    const { data } = await this.#send(look).catch(refused)
    const { ttl, renewable } = (data ?? {}) as { ttl?: unknown; renewable?: unknown }
    if (known?.token !== token || renewable !== true) {
      return { token, renewAtMs: renewAt(ttl, this.#nowMs()) }
    }
    const renewal = { method: 'POST', path: 'auth/token/renew-self', body: {}, token } as const
    const { auth } = await this.#send(renewal).catch(refused)
    return { token, renewAtMs: renewAt((auth as Lease)?.lease_duration, this.#nowMs()) }
  }
}
