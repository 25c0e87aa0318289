/** Parsers of single variables: each gives the value, or undefined for an invalid text. */
import { isIP } from 'node:net'
import { MAXIMUM_RETENTION_DAYS } from '../../domain/limits.ts'
import {
  isEmbeddingOrigin,
  MAXIMUM_EMBEDDING_ORIGINS,
} from '../../domain/tenants/embedding-origin.ts'

const LARGEST_PORT = 65_535

/** Parses a TCP port; 0 lets the system choose. */
export function parsePort(text: string): number | undefined {
  const port = Number(text)
  return /^\d{1,5}$/.test(text) && port <= LARGEST_PORT ? port : undefined
}

/** The longest delay that a timer supports. */
const LARGEST_DELAY_MS = 2 ** 31 - 1

/** Parses a delay in milliseconds. */
export function parseDelay(text: string): number | undefined {
  const delayMs = Number(text)
  return /^\d{1,10}$/.test(text) && delayMs <= LARGEST_DELAY_MS ? delayMs : undefined
}

const HOST_NAME = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/

/** Parses an IP address or an ASCII host name. */
export function parseHost(text: string): string | undefined {
  return isIP(text) !== 0 || HOST_NAME.test(text) ? text : undefined
}

/** Parses an http or https URL without user name, password and fragment; normalised. */
export function parseHttpUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url) return undefined
  const { protocol, hash, username, password, href } = url
  const isPlain = hash === '' && username === '' && password === ''
  return isPlain && (protocol === 'http:' || protocol === 'https:') ? href : undefined
}

/** Parses an http or https URL; the result has no slash at its end, so that a path can follow. */
export function parseBaseUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url) return undefined
  const { protocol, search, hash, username, password, href } = url
  const isPlain = [search, hash, username, password].every((part) => part === '')
  // The path is used in a cookie, where a semicolon would end the attribute.
  if (href.includes(';')) return undefined
  if (!isPlain || (protocol !== 'http:' && protocol !== 'https:')) return undefined
  return href.replace(/\/+$/, '')
}

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || rest.length > 0) return false
  if (bits === undefined) return true
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
}

export const ADDRESSES_OR_RANGES = 'a list of IP addresses or CIDR ranges, separated by commas'

/** Parses IP addresses and CIDR ranges, separated by commas. */
export function parseAddressesOrRanges(text: string): string[] | undefined {
  const parts = text.split(',').map((part) => part.trim())
  return parts.every(isAddressOrRange) ? parts : undefined
}

export const EMBEDDING_ORIGINS =
  `a list of at most ${MAXIMUM_EMBEDDING_ORIGINS} origins, separated by commas, such as ` +
  'https://app.example.com; http only for loopback hosts'

/** Parses origins of sites that may embed the signing page, separated by commas. */
export function parseEmbeddingOrigins(text: string): string[] | undefined {
  const origins = text.split(',').map((part) => part.trim())
  if (origins.length > MAXIMUM_EMBEDDING_ORIGINS) return undefined
  return origins.every(isEmbeddingOrigin) ? origins : undefined
}

export const REQUESTS = 'a number of requests up to 9999999; 0 for no limit'
export const LIMIT = 'a number up to 9999999; 0 for no limit'

/** Parses a limit; `0` gives infinity. */
export function parseLimit(text: string): number | undefined {
  if (!/^\d{1,7}$/.test(text)) return undefined
  return Number(text) || Number.POSITIVE_INFINITY
}

/** Parses a number of days for which a case may be kept. */
export function parseRetentionDays(text: string): number | undefined {
  const days = Number(text)
  return /^[1-9]\d{0,4}$/.test(text) && days <= MAXIMUM_RETENTION_DAYS ? days : undefined
}

/** Parses URLs separated by commas, each as `parseHttpUrl` does. */
export function parseUrls(text: string): string[] | undefined {
  const urls = text.split(',').map((part) => parseHttpUrl(part.trim()))
  return urls.every((url) => url !== undefined) ? urls : undefined
}
