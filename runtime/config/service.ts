/** Reads the variables of every deployment of the service, on a cluster or on one machine. */
import { resolve } from 'node:path'
import { BOUNDS, type BoundLimits, type BoundName } from '../../application/limits/bounds.ts'
import {
  MAXIMUM_RETENTION_DAYS,
  PUBLIC_REQUESTS_PER_MINUTE,
  TENANT_REQUESTS_PER_MINUTE,
  WEBHOOK_RETRY_DELAY_MS,
} from '../../domain/limits.ts'
import {
  ADDRESSES_OR_RANGES,
  EMBEDDING_ORIGINS,
  LIMIT,
  parseAddressesOrRanges,
  parseBaseUrl,
  parseDelay,
  parseEmbeddingOrigins,
  parseHost,
  parseLimit,
  parsePort,
  parseRetentionDays,
  REQUESTS,
} from './parsers.ts'
import type { EnvironmentReader } from './reader.ts'

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Reads `LOG_LEVEL`. @param standard the level when the variable is absent or invalid */
export function readLogLevel(reader: EnvironmentReader, standard: LogLevel): LogLevel {
  return reader.read<LogLevel>('LOG_LEVEL', standard, `one of ${LOG_LEVELS.join(', ')}`, (text) =>
    LOG_LEVELS.find((level) => level === text),
  )
}

/** Reads a TCP port; 0 lets the system choose one. */
export const readPort = (reader: EnvironmentReader, name: string, standard: number) =>
  reader.read(name, standard, 'a port from 0 to 65535', parsePort)

/** Reads `DATA_DIR` as an absolute path. */
export const readDataDirectory = (reader: EnvironmentReader) =>
  reader.read('DATA_DIR', resolve('.data'), 'a path', (text) => resolve(text))

/** Reads `HOST`, the address or host name to listen on. */
export const readHost = (reader: EnvironmentReader, standard: string) =>
  reader.read('HOST', standard, 'an address or a host name', parseHost)

/** Reads `BASE_URL`, without a slash at its end. */
export const readBaseUrl = (reader: EnvironmentReader) =>
  // An invalid value may hold a password.
  reader.readSecret(
    'BASE_URL',
    'an http or https URL without user name, password, semicolon, query and fragment',
    parseBaseUrl,
  )

/** Reads addresses and ranges, separated by commas; none when the variable is absent. */
export const readAddresses = (reader: EnvironmentReader, name: string) =>
  reader.read<string[]>(name, [], ADDRESSES_OR_RANGES, parseAddressesOrRanges)

/** Reads `EMBEDDING_ORIGINS`, separated by commas; none when the variable is absent. */
export const readEmbeddingOrigins = (reader: EnvironmentReader) =>
  reader.read<string[]>('EMBEDDING_ORIGINS', [], EMBEDDING_ORIGINS, parseEmbeddingOrigins)

/** Reads the time between the starts of two attempts to deliver a webhook, in milliseconds. */
export const readWebhookRetryDelay = (reader: EnvironmentReader) =>
  reader.read(
    'WEBHOOK_RETRY_DELAY_MS',
    WEBHOOK_RETRY_DELAY_MS,
    'a number of milliseconds',
    parseDelay,
  )

/** Reads the request limits of one address on public routes, and of one tenant. */
export function readRequestsPerMinute(reader: EnvironmentReader) {
  const read = (name: string, standard: number) => reader.read(name, standard, REQUESTS, parseLimit)
  return {
    public: read('PUBLIC_REQUESTS_PER_MINUTE', PUBLIC_REQUESTS_PER_MINUTE),
    tenant: read('TENANT_REQUESTS_PER_MINUTE', TENANT_REQUESTS_PER_MINUTE),
  }
}

/** The variable of each limit. */
const BOUND_VARIABLES = {
  tenantCasesPerDay: 'TENANT_CASES_PER_DAY',
  tenantDevicesPerDay: 'TENANT_DEVICES_PER_DAY',
  tenantMailsPerDay: 'TENANT_MAILS_PER_DAY',
  tenantSmsPerDay: 'TENANT_SMS_PER_DAY',
  verificationUploadsPerHour: 'VERIFICATION_UPLOADS_PER_HOUR',
  verificationMegabytesPerHour: 'VERIFICATION_MEGABYTES_PER_HOUR',
  allVerificationUploadsPerHour: 'ALL_VERIFICATION_UPLOADS_PER_HOUR',
  allVerificationMegabytesPerHour: 'ALL_VERIFICATION_MEGABYTES_PER_HOUR',
} as const satisfies Record<BoundName, string>

/** Reads the daily limits of a tenant and the hourly limits of uploads for verification. */
export function readBounds(reader: EnvironmentReader): BoundLimits {
  const names = Object.keys(BOUND_VARIABLES) as BoundName[]
  const entries = names.map((name) => {
    const variable = BOUND_VARIABLES[name]
    return [name, reader.read<number>(variable, BOUNDS[name].standard, LIMIT, parseLimit)]
  })
  return Object.fromEntries(entries) as BoundLimits
}

/** Reads how many days a case is kept after its end; undefined means for ever. */
export const readRetentionDays = (reader: EnvironmentReader) =>
  reader.read<number | undefined>(
    'RETENTION_DAYS',
    undefined,
    `a number of days from 1 to ${MAXIMUM_RETENTION_DAYS}`,
    parseRetentionDays,
  )
