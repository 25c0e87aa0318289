/**
 * Emulates service accounts of Google: keys, tokens of the metadata server or signed with the key,
 * and `signBlob`.
 */
import { Buffer } from 'node:buffer'
import { createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { emulatedServer, json, type EmulatedAnswer, type EmulatedRequest } from './http.ts'

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const TOKEN_LIFE_SECONDS = 3_600
const RSA_BITS = 2_048
const METADATA = '/computeMetadata/v1/'
const SIGN_BLOB = /^\/v1\/projects\/-\/serviceAccounts\/([^/:]+):signBlob$/

/** One account with one key and one token that does not expire. */
export class EmulatedIdentity {
  readonly email: string
  readonly publicKey: KeyObject
  /** PEM, PKCS #8. */
  readonly privateKey: string
  /** Whether the account may sign blobs in its own name. */
  mayTokenCreate = true
  readonly #token = `ya29.${randomBytes(24).toString('base64url')}`

  readonly #toleranceSeconds: number

  /**
   * @param options `privateKey`: PEM, a new one when absent; `toleranceSeconds`: how far ahead a
   * caller's clock may be, which Google does not publish
   */
  constructor({
    email = 'sigcase@project.iam.gserviceaccount.com',
    privateKey,
    toleranceSeconds = 60,
  }: { email?: string; privateKey?: string; toleranceSeconds?: number } = {}) {
    this.email = email
    this.#toleranceSeconds = toleranceSeconds
    this.privateKey =
      privateKey ??
      generateKeyPairSync('rsa', { modulusLength: RSA_BITS })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString()
    this.publicKey = createPublicKey(this.privateKey)
  }

  /** Builds a key file in Google's format. */
  keyFile(): string {
    return JSON.stringify({
      type: 'service_account',
      project_id: 'project',
      private_key_id: 'key',
      private_key: this.privateKey,
      client_email: this.email,
      client_id: '1',
      token_uri: 'https://oauth2.googleapis.com/token',
    })
  }

  /** Whether the request has a valid token of the account. */
  isAuthenticated({ headers }: EmulatedRequest): boolean {
    const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]
    if (token === undefined) return false
    return token === this.#token || this.#isOwnJwt(token, Date.now() / 1000)
  }

  /** Self-signed JWT with scopes, which Google APIs accept (RFC 7523, AIP-4111). */
  #isOwnJwt(token: string, now: number): boolean {
    const [header = '', payload = '', signature = '', ...rest] = token.split('.')
    if (rest.length > 0 || signature === '') return false
    const { alg } = decode(header)
    const { iss, sub, scope, iat, exp } = decode(payload)
    const isInTime = Number(iat) <= now + this.#toleranceSeconds && now < Number(exp)
    const isShort = Number(exp) - Number(iat) <= TOKEN_LIFE_SECONDS
    const isOurs = alg === 'RS256' && iss === this.email && sub === this.email
    const hasScope = String(scope).split(' ').includes(SCOPE)
    const input = Buffer.from(`${header}.${payload}`)
    const octets = Buffer.from(signature, 'base64url')
    return (
      isOurs && isInTime && isShort && hasScope && verify('sha256', input, this.publicKey, octets)
    )
  }

  /** Metadata server and IAM credentials, on one port. */
  async serve(port = 0) {
    return emulatedServer((request) => {
      const { pathname } = request.url
      if (pathname.startsWith(METADATA)) return this.#metadata(request)
      const email = SIGN_BLOB.exec(decodeURIComponent(pathname))?.[1]
      if (request.method === 'POST' && email !== undefined) return this.#signBlob(email, request)
      return json(404, { error: { code: 404, message: `unknown: ${pathname}` } })
    }, port)
  }

  #metadata({ url, headers }: EmulatedRequest): EmulatedAnswer {
    const flavour = { 'metadata-flavor': 'Google' }
    if (headers['metadata-flavor'] !== 'Google') return { status: 403, headers: flavour }
    const account = 'instance/service-accounts/default'
    const token = {
      access_token: this.#token,
      expires_in: TOKEN_LIFE_SECONDS,
      token_type: 'Bearer',
    }
    const values: Readonly<Record<string, string>> = {
      instance: 'attributes/',
      [`${account}/email`]: this.email,
      [`${account}/token`]: JSON.stringify(token),
      'project/project-id': 'project',
      'universe/universe-domain': 'googleapis.com',
    }
    const value = values[url.pathname.slice(METADATA.length).replace(/\/$/, '')]
    if (value === undefined) return { status: 404, headers: flavour }
    const isJson = value.startsWith('{')
    const type = isJson ? 'application/json' : 'application/text'
    return { status: 200, headers: { ...flavour, 'content-type': type }, body: value }
  }

  #signBlob(email: string, request: EmulatedRequest): EmulatedAnswer {
    if (!this.isAuthenticated(request)) return json(401, { error: { code: 401, message: 'who?' } })
    if (!this.mayTokenCreate || email !== this.email) {
      const message = "Permission 'iam.serviceAccounts.signBlob' denied"
      return json(403, { error: { code: 403, message, status: 'PERMISSION_DENIED' } })
    }
    const { payload } = JSON.parse(request.body.toString()) as { payload: string }
    const signature = sign('sha256', Buffer.from(payload, 'base64'), this.privateKey)
    return json(200, { keyId: 'key', signedBlob: signature.toString('base64') })
  }
}

function decode(part: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  } catch {
    return {}
  }
}
