/** What the environment says, checked before anything starts. */
import { isIP } from 'node:net'
import { resolve } from 'node:path'

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export interface Config {
  /** 0: any free one. */
  port: number
  host: string
  /** Absolute. */
  dataDirectory: string
  /**
   * Where people reach the service, without a slash at its end; follows from host and port when
   * absent.
   */
  baseUrl?: string
  /** Addresses and CIDR ranges whose `X-Forwarded-For` is believed. */
  trustedProxies: string[]
  /** Addresses and CIDR ranges that tenants may name though they are not public. */
  egressAllow: string[]
  /** Where EU trusted lists come from; absent: none is read. */
  trustedLists?: TrustedListsConfig
  logLevel: LogLevel
}

export interface TrustedListsConfig {
  /** Address of the list of lists (http or https), or the absolute path of a folder of files. */
  source: string
  /** File or folder with the certificates that the Official Journal names; absolute. */
  anchorsPath: string
  /** Address of that publication, as the list of lists names it. */
  publication?: string
}

/** Every variable that cannot be used, each with the reason. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(faults: readonly string[]) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
  }
}

type Environment = Readonly<Record<string, string | undefined>>

const LARGEST_PORT = 65_535

/** Reads one variable after the other and collects what is wrong with them. */
class Reader {
  readonly faults: string[] = []
  readonly #environment: Environment

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** @param parse gives the value, or undefined when the text is not one; `wanted` says what is */
  read<T>(name: string, fallback: T, wanted: string, parse: (text: string) => T | undefined): T {
    const text = this.#environment[name]?.trim()
    if (text === undefined || text === '') return fallback
    const value = parse(text)
    if (value !== undefined) return value
    this.faults.push(`${name}: "${text}" is not ${wanted}`)
    return fallback
  }
}

function parsePort(text: string): number | undefined {
  const port = Number(text)
  return /^\d{1,5}$/.test(text) && port <= LARGEST_PORT ? port : undefined
}

const HOST_NAME = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/

function parseHost(text: string): string | undefined {
  return isIP(text) !== 0 || HOST_NAME.test(text) ? text : undefined
}

function parseBaseUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, search, hash, username, href } = new URL(text)
  const isPlain = search === '' && hash === '' && username === ''
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

const ADDRESSES_OR_RANGES = 'a list of IP addresses or CIDR ranges, parted by commas'

function parseAddressesOrRanges(text: string): string[] | undefined {
  const parts = text.split(',').map((part) => part.trim())
  return parts.every(isAddressOrRange) ? parts : undefined
}

const HTTP_URL = /^https?:\/\//

/** The variables about trusted lists; nothing when there is no source. */
function readTrustedLists(reader: Reader): TrustedListsConfig | undefined {
  const readText = (name: string, parse: (text: string) => string | undefined, wanted: string) =>
    reader.read<string | undefined>(name, undefined, wanted, parse)
  const parseUrl = (text: string) => (HTTP_URL.test(text) && URL.canParse(text) ? text : undefined)
  const source = readText(
    'TRUSTED_LISTS',
    (text) => (/^[a-z]+:\/\//i.test(text) ? parseUrl(text) : resolve(text)),
    'a folder, or an http or https URL',
  )
  const anchorsPath = readText('TRUSTED_LISTS_ANCHORS', (text) => resolve(text), 'a path')
  const publication = readText('TRUSTED_LISTS_PUBLICATION', parseUrl, 'an http or https URL')
  if (source === undefined) return undefined
  if (anchorsPath === undefined) {
    reader.faults.push('TRUSTED_LISTS_ANCHORS: "" is not a path, which TRUSTED_LISTS needs')
    return undefined
  }
  return { source, anchorsPath, ...(publication !== undefined && { publication }) }
}

/**
 * The configuration of the service on one machine.
 *
 * @throws ConfigError that names every variable that cannot be used
 */
export function readConfig(environment: Environment): Config {
  const reader = new Reader(environment)
  const port = reader.read('PORT', 8080, 'a port from 0 to 65535', parsePort)
  const host = reader.read('HOST', '127.0.0.1', 'an address or a host name', parseHost)
  const dataDirectory = reader.read('DATA_DIR', resolve('.data'), 'a path', (text) => resolve(text))
  const baseUrl = reader.read<string | undefined>(
    'BASE_URL',
    undefined,
    'an http or https URL without query and fragment',
    parseBaseUrl,
  )
  const readAddresses = (name: string) =>
    reader.read<string[]>(name, [], ADDRESSES_OR_RANGES, parseAddressesOrRanges)
  const trustedProxies = readAddresses('TRUSTED_PROXIES')
  const egressAllow = readAddresses('EGRESS_ALLOW')
  const trustedLists = readTrustedLists(reader)
  const levels = `one of ${LOG_LEVELS.join(', ')}`
  const logLevel = reader.read<LogLevel>('LOG_LEVEL', 'warn', levels, (text) =>
    LOG_LEVELS.find((level) => level === text),
  )
  if (reader.faults.length > 0) throw new ConfigError(reader.faults)
  return {
    port,
    host,
    dataDirectory,
    ...(baseUrl !== undefined && { baseUrl }),
    trustedProxies,
    egressAllow,
    ...(trustedLists && { trustedLists }),
    logLevel,
  }
}
