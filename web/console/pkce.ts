/** Signs in by the authorisation code flow with PKCE (RFC 6749, 4.1; RFC 7636; OIDC Core 3.1). */
import { tabKeep } from '../lib/keep.ts'

/** As `GET /console/sign-in` describes it. */
export interface Provider {
  kind: 'provider'
  issuer: string
  clientId: string
  scope: string
  token: 'id_token' | 'access_token'
}

interface Endpoints {
  authorization_endpoint: string
  token_endpoint: string
  /** Where providers end their session on request; some have none. */
  end_session_endpoint?: string
}

/** A request that waits for the provider's answer; it is valid in this tab only. */
interface Pending {
  verifier: string
  state: string
  nonce: string
}

const ANSWER_LIMIT_MS = 30_000
const RANDOM_BYTES = 32
const PENDING = 'pending'
const keep = tabKeep('console/sign-in')

const base64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const randomText = () => base64Url(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)))
const redirectUri = () => `${window.location.origin}/console`

/** @throws Error when the provider is not reachable or names another issuer */
export async function discover({ issuer }: Provider): Promise<Endpoints> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })
  if (!response.ok) throw new Error(`the provider answered ${response.status}`)
  const found = (await response.json()) as Endpoints & { issuer: string }
  if (found.issuer !== issuer) throw new Error('the provider names another issuer')
  return found
}

/** The claims of a token, which the API verifies. @returns {} when it is not a JWT */
export function claimsOf(token: string): Record<string, unknown> {
  try {
    const [, part = ''] = token.split('.')
    const text = atob(part.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0))
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    const isObject = typeof claims === 'object' && claims !== null && !Array.isArray(claims)
    return isObject ? (claims as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** What a page of the provider can have: a provider must not put a script into the console. */
const SCHEMES = ['https:', 'http:']

/** @throws Error for what is not the address of a web page */
export function readWebUrl(text: string): URL {
  const url = new URL(text)
  if (!SCHEMES.includes(url.protocol)) throw new Error('the provider names no web page')
  return url
}

/**
 * Leaves the page for the provider.
 *
 * @throws Error when the provider is not reachable, or names no page
 */
export async function leaveForProvider(provider: Provider): Promise<void> {
  const pending: Pending = { verifier: randomText(), state: randomText(), nonce: randomText() }
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(pending.verifier))
  const { authorization_endpoint: endpoint } = await discover(provider)
  const url = readWebUrl(endpoint)
  keep.set(PENDING, JSON.stringify(pending))
  const parameters = {
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: redirectUri(),
    scope: provider.scope,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: base64Url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  window.location.assign(url)
}

/**
 * Removes the provider's answer from the address and the history.
 *
 * @returns its parameters, or undefined when the page was opened without an answer
 */
export function takeAnswer(): URLSearchParams | undefined {
  const { search, pathname } = window.location
  const answer = new URLSearchParams(search)
  if (!answer.has('state')) return undefined
  window.history.replaceState(null, '', pathname)
  return answer
}

/**
 * Whether the ID token is of the provider, for this client and for this request (OIDC Core,
 * 3.1.3.7). The provider's own answer over TLS vouches for it in place of its signature. Its
 * expiry is not checked, because the clock of the device may be wrong: the API checks the token
 * that it gets.
 */
export function isForUs(identity: string, provider: Provider, nonce: string): boolean {
  const { iss, aud, azp, nonce: said } = claimsOf(identity)
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud]
  return (
    iss === provider.issuer &&
    audiences.includes(provider.clientId) &&
    (azp === undefined || azp === provider.clientId) &&
    said === nonce
  )
}

/** Exchanges the code of an answer. @throws Error when the answer is not for this tab's request */
export async function exchangeAnswer(provider: Provider, answer: URLSearchParams): Promise<string> {
  const pending = JSON.parse(keep.get(PENDING) ?? '{}') as Partial<Pending>
  keep.remove(PENDING)
  const code = answer.get('code')
  const { verifier, state, nonce } = pending
  // RFC 9207: a provider that names itself in its answer has to be the one that was asked.
  const isOfAnother = (answer.get('iss') ?? provider.issuer) !== provider.issuer
  if (!code || !verifier || !nonce || answer.get('state') !== state || isOfAnother)
    throw new Error('the answer is refused')
  const { token_endpoint: endpoint } = await discover(provider)
  const response = await fetch(endpoint, {
    method: 'POST',
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri(),
      client_id: provider.clientId,
      code_verifier: verifier,
    }),
  })
  if (!response.ok) throw new Error(`the provider answered ${response.status}`)
  const tokens = (await response.json()) as Record<string, unknown>
  const { id_token: identity, [provider.token]: token } = tokens
  const isOurs = typeof identity === 'string' && isForUs(identity, provider, nonce)
  if (!isOurs || typeof token !== 'string') throw new Error('the provider gave no token for us')
  return token
}
