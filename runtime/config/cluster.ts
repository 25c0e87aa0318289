/** Reads the configuration of the processes of a cluster: API, controller and worker. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  readGcs,
  readGoogleCredentials,
  readPubSubPush,
  type GcsConfig,
  type GoogleCredentialsConfig,
  type PubSubPushConfig,
} from './google-cloud.ts'
import { type KmsConfig, readKms, refuseSigningKeys } from './kms.ts'
import { readRedis, type RedisConfig } from './redis.ts'
import type { BoundLimits } from '../../application/limits/bounds.ts'
import { readReaderSocket } from './reader-process.ts'
import { ConfigError, EnvironmentReader, type Environment } from './reader.ts'
import {
  readAddresses,
  readBaseUrl,
  readBounds,
  readHost,
  readLogLevel,
  readPort,
  readRequestsPerMinute,
  readWebhookRetryDelay,
  type LogLevel,
} from './service.ts'
import { readShutdown, readShutdownGrace, type ShutdownTimes } from './shutdown.ts'
import { readSmsGateway, type SmsGatewayConfig } from './sms-gateway.ts'
import { readSmtp, type SmtpConfig } from './smtp.ts'
import { readTimeStamps, type TimeStampConfig } from './time-stamps.ts'
import { readTrustedLists, type TrustedListsConfig } from './trusted-lists.ts'

/** A mail server, or a folder of `.eml` files for a trial on one machine. */
export type MailConfig = SmtpConfig | { folder: string }

/** Configuration that every process needs. Paths are absolute. */
export interface ClusterConfig {
  /** Public URL of the service, without a slash at its end. */
  baseUrl: string
  /** Address or host name that the process listens on. */
  host: string
  /** Port of health checks and metrics. */
  operationsPort: number
  logLevel: LogLevel
  shutdown: ShutdownTimes
  redis: RedisConfig
  /** Path of a kubeconfig; absent: the process uses the service account of its pod. */
  kubeconfig?: string
  /** Contains one file for each key set that the process needs. */
  keyringFolder: string
  /** Credentials for Google Cloud. */
  google: GoogleCredentialsConfig
  /**
   * A bucket, or a folder that all processes share for a trial on one machine. A folder has no
   * compare-and-swap across processes: two writers of one object may both succeed.
   */
  objects: GcsConfig | { folder: string }
  webhookRetryDelayMs: number
}

export interface ApiConfig extends ClusterConfig {
  port: number
  mail: MailConfig
  trustedProxies: string[]
  /** Private addresses and ranges that token issuers may use. */
  egressAllow: string[]
  requestsPerMinute: { public: number; tenant: number }
  bounds: BoundLimits
  smsGateway?: SmsGatewayConfig
  pubSubPush?: PubSubPushConfig
}

export interface ControllerConfig extends ClusterConfig {
  /** Namespace of the service itself. */
  namespace: string
  /** Name of this replica in the lease and in logs. */
  replica: string
}

export interface WorkerConfig extends ClusterConfig {
  mail: MailConfig
  /** Cloud KMS, or a folder of keys for a trial on one machine. */
  signingKeys: KmsConfig | { folder: string }
  egressAllow: string[]
  /** The worker uses only the limit of mails. */
  bounds: BoundLimits
  timeStamps?: TimeStampConfig
  trustedLists?: TrustedListsConfig
  /** Socket of the reader container; absent: this process starts the sandbox itself. */
  readerSocket?: string
}

/** Load balancers, and proxies on all nodes, need some seconds to notice that a pod ends. */
const API_SHUTDOWN_DELAY_MS = 10_000
/** With the delay 38 s: less than the grace period of the pods in the chart. */
const SHUTDOWN_GRACE_MS = 28_000
const API_PORT = 8080
const OPERATIONS_PORT = 9090
/** A pod does not know its address in advance. */
const ANY_ADDRESS = '0.0.0.0'
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const REPLICA = /^[A-Za-z0-9.-]{1,200}$/

const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined)

/** Reads a folder that replaces an outside service, else the configuration of the service. */
function orFolder<T>(
  reader: EnvironmentReader,
  name: string,
  read: () => T,
): T | { folder: string } {
  const folder = reader.read<string | undefined>(name, undefined, 'a path', (text) => resolve(text))
  return folder === undefined ? read() : { folder }
}

function readExistingPath(reader: EnvironmentReader, name: string): string {
  const path = reader.readNeeded(name, 'a path', (text) => resolve(text))
  if (path !== '' && !existsSync(path)) reader.faults.push(`${name}: "${path}" does not exist`)
  return path
}

function readNeededBaseUrl(reader: EnvironmentReader): string {
  const baseUrl = readBaseUrl(reader)
  const isReported = reader.faults.some((fault) => fault.startsWith('BASE_URL:'))
  if (baseUrl === undefined && !isReported) {
    reader.faults.push('BASE_URL is required: the public URL of the service')
  }
  return baseUrl ?? ''
}

/**
 * Reads what all processes share. Only the API keeps accepting requests for a while after a signal.
 */
function readCommon(reader: EnvironmentReader): ClusterConfig {
  const kubeconfig = reader.read<string | undefined>('KUBECONFIG', undefined, 'a path', (text) =>
    resolve(text),
  )
  return {
    baseUrl: readNeededBaseUrl(reader),
    host: readHost(reader, ANY_ADDRESS),
    operationsPort: readPort(reader, 'OPERATIONS_PORT', OPERATIONS_PORT),
    logLevel: readLogLevel(reader, 'info'),
    shutdown: { delayMs: 0, graceMs: readShutdownGrace(reader, SHUTDOWN_GRACE_MS) },
    redis: readRedis(reader),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    keyringFolder: readExistingPath(reader, 'KEYRING_FOLDER'),
    google: readGoogleCredentials(reader),
    objects: orFolder(reader, 'OBJECTS_FOLDER', () => readGcs(reader)),
    webhookRetryDelayMs: readWebhookRetryDelay(reader),
  }
}

/** @throws ConfigError that lists every invalid variable */
function readWhole<T>(environment: Environment, read: (reader: EnvironmentReader) => T): T {
  const reader = new EnvironmentReader(environment)
  const config = read(reader)
  if (reader.faults.length > 0) throw new ConfigError(reader.faults)
  return config
}

/** @throws ConfigError */
export function readApiConfig(environment: Environment): ApiConfig {
  return readWhole(environment, (reader) => {
    refuseSigningKeys(reader)
    const smsGateway = readSmsGateway(reader)
    const pubSubPush = readPubSubPush(reader)
    return {
      ...readCommon(reader),
      shutdown: readShutdown(reader, {
        delayMs: API_SHUTDOWN_DELAY_MS,
        graceMs: SHUTDOWN_GRACE_MS,
      }),
      port: readPort(reader, 'PORT', API_PORT),
      mail: orFolder(reader, 'MAIL_FOLDER', () => readSmtp(reader)),
      egressAllow: readAddresses(reader, 'EGRESS_ALLOW'),
      trustedProxies: readAddresses(reader, 'TRUSTED_PROXIES'),
      requestsPerMinute: readRequestsPerMinute(reader),
      bounds: readBounds(reader),
      ...(smsGateway === undefined ? {} : { smsGateway }),
      ...(pubSubPush === undefined ? {} : { pubSubPush }),
    }
  })
}

/** @throws ConfigError */
export function readControllerConfig(environment: Environment): ControllerConfig {
  return readWhole(environment, (reader) => {
    refuseSigningKeys(reader)
    return {
      ...readCommon(reader),
      namespace: reader.readNeeded('POD_NAMESPACE', 'a namespace', matching(DNS_LABEL)),
      replica: reader.readNeeded('POD_NAME', 'the name of a pod', matching(REPLICA)),
    }
  })
}

/** @throws ConfigError */
export function readWorkerConfig(environment: Environment): WorkerConfig {
  return readWhole(environment, (reader) => {
    const timeStamps = readTimeStamps(reader)
    const trustedLists = readTrustedLists(reader)
    const readerSocket = readReaderSocket(reader)
    const signingKeys = orFolder(reader, 'SIGNING_KEYS_FOLDER', () => readKms(reader))
    if (!timeStamps && 'keys' in signingKeys && !signingKeys.keys['time-stamp-authority']) {
      reader.faults.push('Set KMS_TSA_KEY or TSA_URLS: documents need time-stamps')
    }
    return {
      ...readCommon(reader),
      mail: orFolder(reader, 'MAIL_FOLDER', () => readSmtp(reader)),
      signingKeys,
      egressAllow: readAddresses(reader, 'EGRESS_ALLOW'),
      bounds: readBounds(reader),
      ...(timeStamps === undefined ? {} : { timeStamps }),
      ...(trustedLists === undefined ? {} : { trustedLists }),
      ...(readerSocket === undefined ? {} : { readerSocket }),
    }
  })
}
