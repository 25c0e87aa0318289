/** The client credentials grant (RFC 6749, 4.4): builds the request and interprets the response. */
import { Buffer } from 'node:buffer'
import type { OutboundRequest, OutboundResult } from '../../domain/ports/outbound-http.ts'

/** Credentials and token endpoint of a tenant's receiver (specification 5.6). */
export interface ClientCredentials {
  tenant: string
  tokenUrl: string
  clientId: string
  clientSecret: string
  tokenAuthMethod: 'basic' | 'post'
  scope?: string
  audience?: string
}

/** Meaning of the token endpoint's response; `error` is a short text without any credential. */
export type Grant =
  | { outcome: 'granted'; accessToken: string; lifeMs: number }
  /** A retry may get a token. */
  | { outcome: 'unavailable'; error: string }
  /** The token endpoint refused these credentials. */
  | { outcome: 'refused'; error: string }

const TOKEN_EXCHANGE_LIMIT_MS = 10_000
const MAXIMUM_ANSWER_OCTETS = 64 * 1024
/** Longer tokens do not fit into the headers that servers accept. */
const MAXIMUM_TOKEN_LENGTH = 16 * 1024
const DEFAULT_LIFE_MS = 60 * 60 * 1000
const TOO_MANY_REQUESTS = 429
const REQUEST_TIMEOUT = 408
/** RFC 6749, 5.2; from a response's own text, only these codes are repeated. */
const ERROR_CODES: readonly unknown[] = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
]

/** Encodes as application/x-www-form-urlencoded, which RFC 6749, 2.3.1 requires within Basic. */
const formEncoded = (text: string) => new URLSearchParams([['', text]]).toString().slice(1)

const isHttps = (url: string) => URL.parse(url)?.protocol === 'https:'

/** @returns undefined when `tokenUrl` is not an https URL; secrets are only sent over https */
export function tokenRequest(credentials: ClientCredentials): OutboundRequest | undefined {
  const { tokenUrl, clientId, clientSecret, tokenAuthMethod, scope, audience } = credentials
  if (!isHttps(tokenUrl)) return undefined
  const form = new URLSearchParams({ grant_type: 'client_credentials' })
  if (scope) form.set('scope', scope)
  if (audience) form.set('audience', audience)
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'Content-Type': 'application/x-www-form-urlencoded',
  }
  if (tokenAuthMethod === 'post') {
    form.set('client_id', clientId)
    form.set('client_secret', clientSecret)
  } else {
    const pair = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`
    headers.Authorization = `Basic ${Buffer.from(pair).toString('base64')}`
  }
  return {
    url: tokenUrl,
    method: 'POST',
    headers,
    body: form.toString(),
    timeoutMs: TOKEN_EXCHANGE_LIMIT_MS,
    maximumResponseOctets: MAXIMUM_ANSWER_OCTETS,
  }
}

type Members = Readonly<Record<string, unknown>>

/** Parses the members of a JSON object; undefined when the body is not one. */
function readMembers(body: Uint8Array): Members | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Members) : undefined
  } catch {
    return undefined
  }
}

/**
 * Lifetime of the response in milliseconds; 0 (single use) when the value is not a valid number.
 */
function lifeMsOf(expiresIn: unknown): number {
  if (expiresIn === undefined || expiresIn === null) return DEFAULT_LIFE_MS
  const isDigits = typeof expiresIn === 'string' && /^\d{1,15}$/.test(expiresIn)
  const seconds = isDigits ? Number(expiresIn) : expiresIn
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : 0
}

const isHeaderText = (text: string) => /^[\x21-\x7e]+$/.test(text)

function readToken({ access_token: token, token_type: type, expires_in }: Members): Grant {
  const isToken = typeof token === 'string' && token.length <= MAXIMUM_TOKEN_LENGTH
  if (!isToken || !isHeaderText(token)) {
    return { outcome: 'refused', error: 'token endpoint: no usable access_token' }
  }
  const isBearer = typeof type === 'string' && type.toLowerCase() === 'bearer'
  if (type !== undefined && type !== null && !isBearer) {
    return { outcome: 'refused', error: 'token endpoint: token_type is not Bearer' }
  }
  return { outcome: 'granted', accessToken: token, lifeMs: lifeMsOf(expires_in) }
}

/** Interprets a response of the token endpoint (specification 5.6). */
export function readGrant(result: OutboundResult): Grant {
  if (result.outcome === 'refused') {
    return { outcome: 'refused', error: `token endpoint: ${result.reason}` }
  }
  if (result.outcome === 'no-answer') {
    return { outcome: 'unavailable', error: `token endpoint: ${result.reason}` }
  }
  const { status, body } = result
  const members = readMembers(body)
  if (status >= 200 && status < 300) {
    if (members) return readToken(members)
    // A proxy sent its own page, or the response was cut: it says nothing about the credentials.
    return { outcome: 'unavailable', error: 'token endpoint: the answer is not a JSON object' }
  }
  const isDown = status >= 500 || status === REQUEST_TIMEOUT || status === TOO_MANY_REQUESTS
  if (isDown) return { outcome: 'unavailable', error: `token endpoint: status ${status}` }
  const { error } = members ?? {}
  const code = ERROR_CODES.includes(error) ? ` ${String(error)}` : ''
  return { outcome: 'refused', error: `token endpoint: status ${status}${code}` }
}
