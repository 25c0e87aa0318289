/**
 * What JSON Schema has no words for in a callback: which members an authentication needs, which
 * addresses can be reached, and which header may carry a key (decision 32).
 */
import { Buffer } from 'node:buffer'
import type { AuthType } from '../cases/definition.ts'
import { MAXIMUM_CALLBACK_DATA_BYTES, MAXIMUM_CALLBACK_DATA_DEPTH } from '../limits.ts'

/** A member that breaks a rule, in words of JSON Schema as far as it has them. */
export interface CallbackFault {
  /** The rule's own name when absent. */
  keyword?: string
  message: string
  params: Record<string, unknown>
}

/** RFC 9110, 5.1. */
export const HEADER_NAME_PATTERN = "^[!#$%&'*+\\-.^_`|~0-9A-Za-z]+$"
/** RFC 9110, 5.5, without what no receiver reads alike: octets beyond ASCII. */
export const HEADER_VALUE_PATTERN = '^[\\x21-\\x7e]([\\x20-\\x7e\\t]*[\\x21-\\x7e])?$'

/**
 * Names that mean something to a proxy, to the connection, to the body, or to this service;
 * `Authorization` is free, as receivers take keys there too.
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

/** Each member that the authentication needs and the callback lacks; another one needs none. */
export function missingMembers(callback: object): CallbackFault[] {
  const { authType } = callback as { authType?: unknown }
  if (!isAuthType(authType)) return []
  return REQUIRED_MEMBERS[authType]
    .filter((member) => !Object.hasOwn(callback, member))
    .map((missingProperty) => ({
      keyword: 'required',
      message: `must have required property '${missingProperty}' with authType ${authType}`,
      params: { missingProperty },
    }))
}

const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:/i

/** @param protocols that are taken; a text without any breaks another rule */
export function addressFaults(text: string, protocols: readonly string[]): CallbackFault[] {
  if (!HAS_SCHEME.test(text)) return []
  const url = URL.parse(text)
  if (!url) return [{ message: 'must be a URL that can be called', params: {} }]
  const { protocol, username, password } = url
  const faults = [
    [protocols.includes(protocol), `must be an ${protocols.join(' or ').replaceAll(':', '')} URL`],
    [username === '' && password === '', 'must hold neither user nor password'],
    [!text.includes('#'), 'must have no fragment'],
  ] as const
  return faults
    .filter(([holds]) => !holds)
    .map(([, message]) => ({ message, params: { protocols } }))
}

/** Whether a header is one that the service sets itself; no name at all breaks another rule. */
export function headerNameFaults(name: string): CallbackFault[] {
  const lower = name.toLowerCase()
  const isTaken =
    TAKEN_NAMES.has(lower) || TAKEN_PREFIXES.some((prefix) => lower.startsWith(prefix))
  if (!isTaken) return []
  return [{ message: 'must be a header of your own', params: { name } }]
}

/** Whether a value of JSON nests at most so deep; looked at level by level, whatever its depth. */
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
 * What is wrong with the depth of `data`: receivers of other makers read JSON that nests as deep as
 * the limit, and so does this service.
 */
export function depthFaults(data: unknown): CallbackFault[] {
  const limit = MAXIMUM_CALLBACK_DATA_DEPTH
  if (isFlat(data, limit)) return []
  return [{ message: `must nest at most ${limit} levels deep`, params: { limit } }]
}

/** What is wrong with the size of `data`, in octets of its JSON; its depth is another rule. */
export function sizeFaults(data: unknown): CallbackFault[] {
  const limit = MAXIMUM_CALLBACK_DATA_BYTES
  if (!isFlat(data, MAXIMUM_CALLBACK_DATA_DEPTH)) return []
  if (Buffer.byteLength(JSON.stringify(data)) <= limit) return []
  return [{ message: `must be at most ${limit} octets of JSON`, params: { limit } }]
}
