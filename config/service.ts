/** What every deployment of the service can be told, whatever it runs on. */
import { resolve } from 'node:path'
import {
  MAXIMUM_RETENTION_DAYS,
  PUBLIC_REQUESTS_PER_MINUTE,
  TENANT_REQUESTS_PER_MINUTE,
  WEBHOOK_RETRY_DELAY_MS,
} from '../domain/limits.ts'
import {
  ADDRESSES_OR_RANGES,
  parseAddressesOrRanges,
  parseBaseUrl,
  parseDelay,
  parseHost,
  parsePort,
  parseRequests,
  parseRetentionDays,
  REQUESTS,
} from './parsers.ts'
import type { EnvironmentReader } from './reader.ts'

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** `LOG_LEVEL`. @param standard when it is absent, or a fault */
export function readLogLevel(reader: EnvironmentReader, standard: LogLevel): LogLevel {
  return reader.read<LogLevel>('LOG_LEVEL', standard, `one of ${LOG_LEVELS.join(', ')}`, (text) =>
    LOG_LEVELS.find((level) => level === text),
  )
}

/** A TCP port; 0 has the system choose one. */
export const readPort = (reader: EnvironmentReader, name: string, standard: number) =>
  reader.read(name, standard, 'a port from 0 to 65535', parsePort)

/** Absolute. */
export const readDataDirectory = (reader: EnvironmentReader) =>
  reader.read('DATA_DIR', resolve('.data'), 'a path', (text) => resolve(text))

/** `HOST`: where to listen. */
export const readHost = (reader: EnvironmentReader, standard: string) =>
  reader.read('HOST', standard, 'an address or a host name', parseHost)

/** Without a slash at its end. */
export const readBaseUrl = (reader: EnvironmentReader) =>
  // What is refused may hold a password.
  reader.readSecret(
    'BASE_URL',
    'an http or https URL without user name, password, semicolon, query and fragment',
    parseBaseUrl,
  )

/** Addresses and ranges, separated by commas; none when absent. */
export const readAddresses = (reader: EnvironmentReader, name: string) =>
  reader.read<string[]>(name, [], ADDRESSES_OR_RANGES, parseAddressesOrRanges)

/** In milliseconds, from the start of an attempt at a webhook to that of the next. */
export const readWebhookRetryDelay = (reader: EnvironmentReader) =>
  reader.read(
    'WEBHOOK_RETRY_DELAY_MS',
    WEBHOOK_RETRY_DELAY_MS,
    'a number of milliseconds',
    parseDelay,
  )

/** Of one address on public routes, and of one tenant. */
export function readRequestsPerMinute(reader: EnvironmentReader) {
  const read = (name: string, standard: number) =>
    reader.read(name, standard, REQUESTS, parseRequests)
  return {
    public: read('PUBLIC_REQUESTS_PER_MINUTE', PUBLIC_REQUESTS_PER_MINUTE),
    tenant: read('TENANT_REQUESTS_PER_MINUTE', TENANT_REQUESTS_PER_MINUTE),
  }
}

/** For how long a case is kept after its end; undefined: for ever. */
export const readRetentionDays = (reader: EnvironmentReader) =>
  reader.read<number | undefined>(
    'RETENTION_DAYS',
    undefined,
    `a number of days from 1 to ${MAXIMUM_RETENTION_DAYS}`,
    parseRetentionDays,
  )
