/** What the environment says, checked before anything starts. */
import { resolve } from 'node:path'
import {
  ADDRESSES_OR_RANGES,
  parseAddressesOrRanges,
  parseBaseUrl,
  parseDelay,
  parseHost,
  parsePort,
  parseRequests,
  REQUESTS,
} from '../config/parsers.ts'
import { ConfigError, EnvironmentReader, type Environment } from '../config/reader.ts'
import { readSmsGateway, type SmsGatewayConfig } from '../config/sms-gateway.ts'
import { readTimeStamps, type TimeStampConfig } from '../config/time-stamps.ts'
import { readTrustedLists, type TrustedListsConfig } from '../config/trusted-lists.ts'
import {
  PUBLIC_REQUESTS_PER_MINUTE,
  TENANT_REQUESTS_PER_MINUTE,
  WEBHOOK_RETRY_DELAY_MS,
} from '../domain/limits.ts'

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
  /** RFC 3161 authorities in the order of asking; none: the service stamps by itself. */
  timeStamps?: TimeStampConfig
  /** Where EU trusted lists come from; absent: none is read. */
  trustedLists?: TrustedListsConfig
  logLevel: LogLevel
  /** From the start of an attempt to deliver a webhook to that of the next. */
  webhookRetryDelayMs: number
  /** Of one address on public routes, and of one tenant. */
  requestsPerMinute: { public: number; tenant: number }
  /** Sends one-time codes as SMS; without it there are none. */
  smsGateway?: SmsGatewayConfig
}

/**
 * The configuration of the service on one machine.
 *
 * @throws ConfigError that names every variable that cannot be used
 */
export function readConfig(environment: Environment): Config {
  const reader = new EnvironmentReader(environment)
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
  const trustedLists = readTrustedLists(reader)
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
    logLevel,
    webhookRetryDelayMs,
    requestsPerMinute,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(timeStamps === undefined ? {} : { timeStamps }),
    ...(smsGateway === undefined ? {} : { smsGateway }),
    ...(trustedLists === undefined ? {} : { trustedLists }),
  }
}
