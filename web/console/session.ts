/** The session of a tenant: the bearer token, in this tab only. */
import { tabKeep } from '../lib/keep.ts'
import { claimsOf, type Provider } from './pkce.ts'

/** As `GET /console/sign-in` answers. */
export type SignIn = Provider | { kind: 'local' } | { kind: 'token' }

export interface Session {
  token: string
  /** Tenant or user, for display only. */
  name: string
}

const TOKEN = 'token'
const ANSWER_LIMIT_MS = 30_000
const keep = tabKeep('console')

/** Names of claims that identify a user to people, the best first. */
const NAMES = ['tenant', 'name', 'preferred_username', 'email', 'sub'] as const

function sessionOf(token: string): Session {
  const claims = claimsOf(token)
  const name = NAMES.map((claim) => claims[claim]).find((value) => typeof value === 'string')
  return { token, name: String(name ?? '') }
}

/** Starts a session; a reload of the tab continues it. */
export function beginSession(token: string): Session {
  keep.set(TOKEN, token)
  return sessionOf(token)
}

/** The session that this tab had before a reload. */
export function storedSession(): Session | undefined {
  const token = keep.get(TOKEN)
  return token === undefined ? undefined : sessionOf(token)
}

/** Forgets the token. */
export const endSession = (): void => keep.clear()

/** @throws Error when the service cannot be reached */
export async function readSignIn(): Promise<SignIn> {
  const response = await fetch('/console/sign-in', { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })
  if (!response.ok) throw new Error(`the service answered ${response.status}`)
  return (await response.json()) as SignIn
}

async function post<T>(path: string, body: object): Promise<T> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  })
  if (!response.ok) throw new Error(`the service answered ${response.status}`)
  return (await response.json()) as T
}

/** Exchanges a one-time code of the local issuer. @throws Error when the code does not work */
export async function exchangeCode(code: string): Promise<string> {
  return (await post<{ token: string }>('/dev/console/token', { code })).token
}

/** Signs in at the local issuer. @throws Error when there is none or the name is not valid */
export async function signInLocally(tenant: string): Promise<string> {
  const { code } = await post<{ code: string }>('/dev/console/codes', { tenant })
  return exchangeCode(code)
}

const linkedCode = () => new URLSearchParams(window.location.hash.slice(1)).get('code')

/** Whether the address has the code of a link. */
export const hasCode = (): boolean => linkedCode() !== null

/** Removes the code of a link from the address and the history. */
export function takeCode(): string | undefined {
  const { pathname, search } = window.location
  const code = linkedCode()
  if (code === null) return undefined
  window.history.replaceState(null, '', pathname + search)
  return code
}
