/** Reads the configuration from the environment and checks it before anything starts. */
import { ConfigError, EnvironmentReader, type Environment } from '../config/reader.ts'
import {
  readBounds,
  readDataDirectory,
  readRequestsPerMinute,
  type LogLevel,
} from '../config/service.ts'
import type { BoundLimits } from '../../application/limits/bounds.ts'
import { readShutdown, type ShutdownTimes } from '../config/shutdown.ts'
import { readSmsGateway, type SmsGatewayConfig } from '../config/sms-gateway.ts'
import { readTimeStamps, type TimeStampConfig } from '../config/time-stamps.ts'
import { readTracing, type TracingConfig } from '../config/tracing.ts'
import { readTrustedLists, type TrustedListsConfig } from '../config/trusted-lists.ts'

export interface Config {
  /** 0 lets the system choose a free port. */
  port: number
  host: string
  /** Absolute path. */
  dataDirectory: string
  /**
   * Public URL of the service, without a trailing slash; derived from host and port when absent.
   */
  baseUrl?: string
  /** Addresses and CIDR ranges whose `X-Forwarded-For` is trusted. */
  trustedProxies: string[]
  /** Addresses and CIDR ranges that tenants may use although they are not public. */
  egressAllow: string[]
  /** Origins of sites that may show the signing pages of any tenant in a frame. */
  embeddingOrigins: string[]
  /** Sender and look of the cases of every tenant. */
  branding: { senderName?: string; colour?: string; logoFile?: string }
  /** IANA name of the zone of local times in mails and evidence. */
  timeZone: string
  /** RFC 3161 authorities in the order of use; absent: the service issues time-stamps itself. */
  timeStamps?: TimeStampConfig
  /** Source of the EU trusted lists; absent: no list is read. */
  trustedLists?: TrustedListsConfig
  logLevel: LogLevel
  shutdown: ShutdownTimes
  /** Time between the starts of two attempts to deliver a webhook, in milliseconds. */
  webhookRetryDelayMs: number
  /** Limits per address on public routes, and per tenant. */
  requestsPerMinute: { public: number; tenant: number }
  /** Daily limits of a tenant, and hourly limits of uploads for verification. */
  bounds: BoundLimits
  /** Days for which a case is kept after its end; absent: for ever. */
  retentionDays?: number
  /** Hours between the end of a case and its archiving; absent: cases are not archived. */
  archiveAfterHours?: number
  /** Gateway that sends one-time codes as SMS; absent: SMS is not available. */
  smsGateway?: SmsGatewayConfig
  /** Collector of traces; absent: nothing is traced. */
  tracing?: TracingConfig
}

function readBranding(reader: EnvironmentReader): Config['branding'] {
  const senderName = reader.get('SENDER_NAME')
  const colour = reader.get('BRAND_COLOUR')
  const logoFile = reader.get('BRAND_LOGO')
  return {
    ...(senderName === undefined ? {} : { senderName }),
    ...(colour === undefined ? {} : { colour }),
    ...(logoFile === undefined ? {} : { logoFile }),
  }
}

/**
 * Reads the configuration of the service on one machine.
 *
 * @throws ConfigError that lists every invalid variable
 */
export function readConfig(environment: Environment): Config {
  const reader = new EnvironmentReader(environment)
  const baseUrl = reader.get('BASE_URL')
  const timeStamps = readTimeStamps(reader)
  const trustedLists = readTrustedLists(reader)
  const retentionDays = reader.get('RETENTION_DAYS')
  const archiveAfterHours = reader.get('ARCHIVE_AFTER_HOURS')
  const smsGateway = readSmsGateway(reader)
  const tracing = readTracing(reader)
  const config = {
    port: reader.get('PORT'),
    host: reader.get('HOST'),
    dataDirectory: readDataDirectory(reader),
    trustedProxies: reader.get('TRUSTED_PROXIES'),
    egressAllow: reader.get('EGRESS_ALLOW'),
    embeddingOrigins: reader.get('EMBEDDING_ORIGINS'),
    branding: readBranding(reader),
    timeZone: reader.get('TIME_ZONE'),
    logLevel: reader.get('LOG_LEVEL'),
    shutdown: readShutdown(reader),
    webhookRetryDelayMs: reader.get('WEBHOOK_RETRY_DELAY_MS'),
    requestsPerMinute: readRequestsPerMinute(reader),
    bounds: readBounds(reader),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(timeStamps === undefined ? {} : { timeStamps }),
    ...(retentionDays === undefined ? {} : { retentionDays }),
    ...(archiveAfterHours === undefined ? {} : { archiveAfterHours }),
    ...(smsGateway === undefined ? {} : { smsGateway }),
    ...(trustedLists === undefined ? {} : { trustedLists }),
    ...(tracing === undefined ? {} : { tracing }),
  }
  if (reader.faults.length > 0) throw new ConfigError(reader.faults)
  return config
}
