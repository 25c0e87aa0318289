/** What the environment says, checked before anything starts. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import {
  PUBLIC_REQUESTS_PER_MINUTE,
  TENANT_REQUESTS_PER_MINUTE,
  WEBHOOK_RETRY_DELAY_MS,
} from '../domain/limits.ts'

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export interface TimeStampConfig {
  urls: string[]
  /** DER: what their tokens must lead to. */
  trustAnchors: Uint8Array[]
  /** Dotted OID. */
  policy?: string
}

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
  /** RFC 3161 authorities in the order of asking; none: the service stamps by itself. */
  timeStamps: TimeStampConfig | undefined
  logLevel: LogLevel
  /** From the start of an attempt to deliver a webhook to that of the next. */
  webhookRetryDelayMs: number
  /** Of one address on public routes, and of one tenant. */
  requestsPerMinute: { public: number; tenant: number }
  /** Sends one-time codes as SMS; without it there are none. */
  smsGateway?: { url: string; token?: string }
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
    return this.#read(name, fallback, parse, (text) => `"${text}" is not ${wanted}`)
  }

  /** Like {@link read}; a fault does not repeat the value. */
  readSecret(
    name: string,
    wanted: string,
    parse: (text: string) => string | undefined,
  ): string | undefined {
    return this.#read<string | undefined>(name, undefined, parse, () => `it is not ${wanted}`)
  }

  #read<T>(
    name: string,
    fallback: T,
    parse: (text: string) => T | undefined,
    faultOf: (text: string) => string,
  ): T {
    const text = this.#environment[name]?.trim()
    if (text === undefined || text === '') return fallback
    const value = parse(text)
    if (value !== undefined) return value
    this.faults.push(`${name}: ${faultOf(text)}`)
    return fallback
  }
}

function parsePort(text: string): number | undefined {
  const port = Number(text)
  return /^\d{1,5}$/.test(text) && port <= LARGEST_PORT ? port : undefined
}

/** The longest delay that a timer takes. */
const LARGEST_DELAY_MS = 2 ** 31 - 1

function parseDelay(text: string): number | undefined {
  const delayMs = Number(text)
  return /^\d{1,10}$/.test(text) && delayMs <= LARGEST_DELAY_MS ? delayMs : undefined
}

const HOST_NAME = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/

function parseHost(text: string): string | undefined {
  return isIP(text) !== 0 || HOST_NAME.test(text) ? text : undefined
}

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
const DOTTED_OID = /^[0-2](\.(0|[1-9]\d*))+$/

function parseHttpUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hash, username, password, href } = new URL(text)
  const isPlain = hash === '' && username === '' && password === ''
  return isPlain && (protocol === 'http:' || protocol === 'https:') ? href : undefined
}

function parseBaseUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, search, hash, username, href } = new URL(text)
  const isPlain = search === '' && hash === '' && username === ''
  if (!isPlain || (protocol !== 'http:' && protocol !== 'https:')) return undefined
  return href.replace(/\/+$/, '')
}

/** Passwords in an address would end up in messages about it. */
function parseGatewayUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hash, username, password, href } = new URL(text)
  const isPlain = hash === '' && username === '' && password === ''
  return isPlain && (protocol === 'http:' || protocol === 'https:') ? href : undefined
}

/** What can stand in a header after `Bearer` (RFC 6750, 2.1). */
const BEARER_TOKEN = /^[A-Za-z0-9._~+/-]+=*$/
const parseBearerToken = (text: string) => (BEARER_TOKEN.test(text) ? text : undefined)

function readSmsGateway(reader: Reader): Config['smsGateway'] {
  const url = reader.readSecret(
    'SMS_GATEWAY_URL',
    'an http or https URL without user name, password and fragment',
    parseGatewayUrl,
  )
  const token = reader.readSecret(
    'SMS_GATEWAY_TOKEN',
    'a bearer token (RFC 6750)',
    parseBearerToken,
  )
  if (url !== undefined) return { url, ...(token === undefined ? {} : { token }) }
  if (token !== undefined) reader.faults.push('SMS_GATEWAY_TOKEN: there is no SMS_GATEWAY_URL')
  return undefined
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

const REQUESTS = 'a number of requests up to 9999999; 0 for no limit'

/** `0`: without a limit. */
function parseRequests(text: string): number | undefined {
  if (!/^\d{1,7}$/.test(text)) return undefined
  return Number(text) || Number.POSITIVE_INFINITY
}

function parseUrls(text: string): string[] | undefined {
  const urls = text.split(',').map((part) => parseHttpUrl(part.trim()))
  return urls.every((url) => url !== undefined) ? urls : undefined
}

/** The certificates of a PEM file. */
function readCertificates(path: string): Uint8Array[] | undefined {
  try {
    const blocks = readFileSync(path, 'utf8').match(PEM_CERTIFICATE) ?? []
    const certificates = blocks.map((block) => new Uint8Array(new X509Certificate(block).raw))
    return certificates.length > 0 ? certificates : undefined
  } catch {
    return undefined
  }
}

/** Nobody's tokens are trusted but those of authorities that the operator names. */
function readTimeStamps(reader: Reader): TimeStampConfig | undefined {
  const wantedUrls = 'a list of http or https URLs, parted by commas'
  const urls = reader.read<string[]>('TSA_URLS', [], wantedUrls, parseUrls)
  const wantedRoots = 'a file with certificates in PEM'
  const trustAnchors = reader.read<Uint8Array[]>('TSA_ROOTS', [], wantedRoots, readCertificates)
  const policy = reader.read<string | undefined>('TSA_POLICY', undefined, 'a dotted OID', (text) =>
    DOTTED_OID.test(text) ? text : undefined,
  )
  if (urls.length === 0) return undefined
  if (trustAnchors.length === 0) {
    reader.faults.push('TSA_ROOTS: wanted with TSA_URLS, the roots that their tokens lead to')
  }
  return policy === undefined ? { urls, trustAnchors } : { urls, trustAnchors, policy }
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
  const timeStamps = readTimeStamps(reader)
  const levels = `one of ${LOG_LEVELS.join(', ')}`
  const logLevel = reader.read<LogLevel>('LOG_LEVEL', 'warn', levels, (text) =>
    LOG_LEVELS.find((level) => level === text),
  )
  const webhookRetryDelayMs = reader.read(
    'WEBHOOK_RETRY_DELAY_MS',
    WEBHOOK_RETRY_DELAY_MS,
    'a number of milliseconds',
    parseDelay,
  )
  const requestsPerMinute = {
    public: reader.read(
      'PUBLIC_REQUESTS_PER_MINUTE',
      PUBLIC_REQUESTS_PER_MINUTE,
      REQUESTS,
      parseRequests,
    ),
    tenant: reader.read(
      'TENANT_REQUESTS_PER_MINUTE',
      TENANT_REQUESTS_PER_MINUTE,
      REQUESTS,
      parseRequests,
    ),
  }
  const smsGateway = readSmsGateway(reader)
  if (reader.faults.length > 0) throw new ConfigError(reader.faults)
  return {
    port,
    host,
    dataDirectory,
    trustedProxies,
    egressAllow,
    timeStamps,
    logLevel,
    webhookRetryDelayMs,
    requestsPerMinute,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(smsGateway === undefined ? {} : { smsGateway }),
  }
}
