/**
 * Rules of a callback that JSON Schema cannot express: required members per authentication, allowed
 * addresses, and allowed names of the key header (decision 30).
 */
import { Buffer } from 'node:buffer'
import type { AuthType } from '../cases/definition.ts'
import { MAXIMUM_CALLBACK_DATA_BYTES, MAXIMUM_CALLBACK_DATA_DEPTH } from '../limits.ts'

/** A broken rule, with a keyword of JSON Schema where one fits. */
export interface CallbackFault {
  /** Absent: the custom rule's own keyword. */
  keyword?: string
  message: string
  params: Record<string, unknown>
  /** JSON pointer to the value in the body; absent: the place of the rule. */
  instancePath?: string
}

/** RFC 9110, 5.1. */
export const HEADER_NAME_PATTERN = "^[!#$%&'*+\\-.^_`|~0-9A-Za-z]+$"
/** RFC 9110, 5.5, restricted to ASCII, because receivers differ in how they decode other octets. */
export const HEADER_VALUE_PATTERN = '^[\\x21-\\x7e]([\\x20-\\x7e\\t]*[\\x21-\\x7e])?$'

/**
 * Header names that are reserved for proxies, the connection, the body or this service.
 * `Authorization` is allowed, because some receivers expect keys there.
 */
const TAKEN_NAMES: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'cookie',
  'date',
  'expect',
  'forwarded',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
])
const TAKEN_PREFIXES = ['content-', 'proxy-', 'service-', 'webhook-', 'x-forwarded-', 'sec-']

const REQUIRED_MEMBERS: Readonly<Record<AuthType, readonly string[]>> = {
  NONE: [],
  BASIC: ['clientId', 'clientSecret'],
  API_KEY: ['apiKeyHeader', 'apiKeyValue'],
  OAUTH_CLIENT_CREDENTIALS: ['clientId', 'clientSecret', 'tokenUrl'],
}

const isAuthType = (value: unknown): value is AuthType =>
  typeof value === 'string' && Object.hasOwn(REQUIRED_MEMBERS, value)

type Members = Readonly<Record<string, unknown>>

/** An empty text counts as absent, unless a rule of its own refuses it. */
const EMPTY_IS_ABSENT: readonly string[] = ['clientId', 'clientSecret']
const isAbsent = (callback: Members, member: string): boolean =>
  !Object.hasOwn(callback, member) || (EMPTY_IS_ABSENT.includes(member) && callback[member] === '')

/** RFC 7617, 2: the first colon ends the name, and neither part has control characters. */
const BASIC_PATTERNS = {
  clientId: '^[^\\x00-\\x1f\\x7f:]*$',
  clientSecret: '^[^\\x00-\\x1f\\x7f]*$',
} as const

function basicFaults(callback: Members): CallbackFault[] {
  return Object.entries(BASIC_PATTERNS)
    .filter(([member, pattern]) => {
      const value = callback[member]
      return typeof value === 'string' && !new RegExp(pattern).test(value)
    })
    .map(([member, pattern]) => ({
      keyword: 'pattern',
      instancePath: `/callback/${member}`,
      message: `must match pattern "${pattern}" with authType BASIC`,
      params: { pattern },
    }))
}

/**
 * Returns a fault for each missing member that the authentication requires, and for each that
 * cannot be sent with it.
 */
export function authenticationFaults(callback: Members): CallbackFault[] {
  const { authType } = callback
  if (!isAuthType(authType)) return []
  const missing = REQUIRED_MEMBERS[authType]
    .filter((member) => isAbsent(callback, member))
    .map((missingProperty) => ({
      keyword: 'required',
      message: `must have required property '${missingProperty}' with authType ${authType}`,
      params: { missingProperty },
    }))
  return authType === 'BASIC' ? [...missing, ...basicFaults(callback)] : missing
}

const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:/i

/** @param protocols allowed protocols; a text without a scheme violates another rule */
export function addressFaults(text: string, protocols: readonly string[]): CallbackFault[] {
  if (!HAS_SCHEME.test(text)) return []
  const url = URL.parse(text)
  if (!url) return [{ message: 'must be a URL that can be called', params: {} }]
  const { protocol, username, password } = url
  const faults = [
    [protocols.includes(protocol), `must be an ${protocols.join(' or ').replaceAll(':', '')} URL`],
    [username === '' && password === '', 'must contain neither user nor password'],
    [!text.includes('#'), 'must not have a fragment'],
  ] as const
  return faults
    .filter(([holds]) => !holds)
    .map(([, message]) => ({ message, params: { protocols } }))
}

/**
 * Returns a fault for a header that the service sets itself; an invalid name violates another rule.
 */
export function headerNameFaults(name: string): CallbackFault[] {
  const lower = name.toLowerCase()
  const isTaken =
    TAKEN_NAMES.has(lower) || TAKEN_PREFIXES.some((prefix) => lower.startsWith(prefix))
  if (!isTaken) return []
  return [{ message: 'must not be a header that the service or HTTP uses', params: { name } }]
}

/** Whether a JSON value nests at most `limit` levels deep; iterative, so that any depth is safe. */
function isFlat(data: unknown, limit: number): boolean {
  let level: readonly unknown[] = [data]
  for (let depth = 0; depth < limit; depth++) {
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? (Object.values(value) as unknown[]) : [],
    )
    if (level.length === 0) return true
  }
  return false
}

/**
 * Returns a fault when `data` nests too deeply. Common JSON parsers can read up to the limit,
 * including this service's.
 */
export function depthFaults(data: unknown): CallbackFault[] {
  const limit = MAXIMUM_CALLBACK_DATA_DEPTH
  if (isFlat(data, limit)) return []
  return [{ message: `must nest at most ${limit} levels deep`, params: { limit } }]
}

/** Returns a fault when the JSON of `data` has too many octets; depth is a separate rule. */
export function sizeFaults(data: unknown): CallbackFault[] {
  const limit = MAXIMUM_CALLBACK_DATA_BYTES
  if (!isFlat(data, MAXIMUM_CALLBACK_DATA_DEPTH)) return []
  if (Buffer.byteLength(JSON.stringify(data)) <= limit) return []
  return [{ message: `must be at most ${limit} octets of JSON`, params: { limit } }]
}
