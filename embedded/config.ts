/** What the environment says, checked before anything starts. */
import { ConfigError, EnvironmentReader, type Environment } from '../config/reader.ts'
import {
  readAddresses,
  readBaseUrl,
  readBounds,
  readDataDirectory,
  readHost,
  readLogLevel,
  readPort,
  readRequestsPerMinute,
  readRetentionDays,
  readWebhookRetryDelay,
  type LogLevel,
} from '../config/service.ts'
import type { BoundLimits } from '../domain/bounds.ts'
import { readShutdown, type ShutdownTimes } from '../config/shutdown.ts'
import { readSmsGateway, type SmsGatewayConfig } from '../config/sms-gateway.ts'
import { readTimeStamps, type TimeStampConfig } from '../config/time-stamps.ts'
import { readTrustedLists, type TrustedListsConfig } from '../config/trusted-lists.ts'

/** Ctrl-C in a terminal should take effect at once; nothing balances requests here. */
const SHUTDOWN_STANDARD: ShutdownTimes = { delayMs: 0, graceMs: 9_000 }

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
  shutdown: ShutdownTimes
  /** From the start of an attempt to deliver a webhook to that of the next. */
  webhookRetryDelayMs: number
  /** Of one address on public routes, and of one tenant. */
  requestsPerMinute: { public: number; tenant: number }
  /** Bounds of a tenant's day, and of uploads to be verified in an hour. */
  bounds: BoundLimits
  /** For how long a case is kept after its end; absent: for ever. */
  retentionDays?: number
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
  const port = readPort(reader, 'PORT', 8080)
  const host = readHost(reader, '127.0.0.1')
  const dataDirectory = readDataDirectory(reader)
  const baseUrl = readBaseUrl(reader)
  const trustedProxies = readAddresses(reader, 'TRUSTED_PROXIES')
  const egressAllow = readAddresses(reader, 'EGRESS_ALLOW')
  const timeStamps = readTimeStamps(reader)
  const trustedLists = readTrustedLists(reader)
  const logLevel = readLogLevel(reader, 'warn')
  const shutdown = readShutdown(reader, SHUTDOWN_STANDARD)
  const webhookRetryDelayMs = readWebhookRetryDelay(reader)
  const requestsPerMinute = readRequestsPerMinute(reader)
  const bounds = readBounds(reader)
  const retentionDays = readRetentionDays(reader)
  const smsGateway = readSmsGateway(reader)
  if (reader.faults.length > 0) throw new ConfigError(reader.faults)
  return {
    port,
    host,
    dataDirectory,
    trustedProxies,
    egressAllow,
    logLevel,
    shutdown,
    webhookRetryDelayMs,
    requestsPerMinute,
    bounds,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(timeStamps === undefined ? {} : { timeStamps }),
    ...(retentionDays === undefined ? {} : { retentionDays }),
    ...(smsGateway === undefined ? {} : { smsGateway }),
    ...(trustedLists === undefined ? {} : { trustedLists }),
  }
}
