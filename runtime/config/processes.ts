/** Reads the configuration of the processes of a cluster: API, controller and worker. */
import {
  isCloudStorage,
  readGcs,
  readGoogleCredentials,
  readPubSubPush,
  type GcsConfig,
  type GoogleCredentialsConfig,
  type PubSubPushConfig,
} from './google-cloud.ts'
import { type KmsConfig, readKms, refuseSigningKeys } from './kms.ts'
import { readIndex, type IndexConfig } from './case-index.ts'
import { readRedis, type RedisConfig } from './redis.ts'
import { readS3, type S3Config } from './s3.ts'
import type { ConsoleProvider } from '../../domain/ports/console-sign-in.ts'
import { readConsole } from './console-provider.ts'
import type { BoundLimits } from '../../application/limits/bounds.ts'
import { ConfigError, EnvironmentReader, type Environment } from './reader.ts'
import { readBounds, readRequestsPerMinute, type LogLevel } from './service.ts'
import { readShutdown, readShutdownGrace, type ShutdownTimes } from './shutdown.ts'
import { readSmsGateway, type SmsGatewayConfig } from './sms-gateway.ts'
import { readSmtp, type SmtpConfig } from './smtp.ts'
import { readTimeStamps, type TimeStampConfig } from './time-stamps.ts'
import { readTracing, type TracingConfig } from './tracing.ts'
import { readTrustedLists, type TrustedListsConfig } from './trusted-lists.ts'
import { readVault, type VaultConfig } from './vault.ts'

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
  objects: GcsConfig | S3Config | { folder: string }
  webhookRetryDelayMs: number
  /** Collector of traces; absent: nothing is traced. */
  tracing?: TracingConfig
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
  /** Absent: tenants open the console with a token that they paste. */
  consoleProvider?: ConsoleProvider
  /** Absent: listings read the Kubernetes API. */
  index?: IndexConfig
}

export interface ControllerConfig extends ClusterConfig {
  /** Namespace of the service itself. */
  namespace: string
  /** Name of this replica in the leases and in logs. */
  replica: string
  /** Number of groups of shards that the replicas share (decision 237). */
  shardGroups: number
  /** Cloud Storage pushes a message for each upload to the API. */
  areUploadsReported: boolean
  /** Hours between the end of a case and its archiving; absent: cases are not archived. */
  archiveAfterHours?: number
  /** Absent: there is no index of cases. */
  index?: IndexConfig
}

export interface WorkerConfig extends ClusterConfig {
  mail: MailConfig
  /** Cloud KMS, Vault, or a folder of keys for a trial on one machine. */
  signingKeys: KmsConfig | VaultConfig | { folder: string }
  egressAllow: string[]
  /** The worker uses only the limit of mails. */
  bounds: BoundLimits
  timeStamps?: TimeStampConfig
  trustedLists?: TrustedListsConfig
  /** Socket of the reader container; absent: this process starts the sandbox itself. */
  readerSocket?: string
}

/** Reads a folder that replaces an outside service, else the configuration of the service. */
function orFolder<T>(
  reader: EnvironmentReader,
  name: 'OBJECTS_FOLDER' | 'MAIL_FOLDER' | 'SIGNING_KEYS_FOLDER',
  read: () => T,
): T | { folder: string } {
  const folder = reader.get(name)
  return folder === undefined ? read() : { folder }
}

/**
 * Reads what all processes share. Only the API keeps accepting requests for a while after a signal.
 */
function readCommon(reader: EnvironmentReader): ClusterConfig {
  const kubeconfig = reader.get('KUBECONFIG')
  const tracing = readTracing(reader)
  return {
    baseUrl: reader.getRequired('BASE_URL'),
    host: reader.get('HOST'),
    operationsPort: reader.get('OPERATIONS_PORT'),
    logLevel: reader.get('LOG_LEVEL'),
    shutdown: readShutdownGrace(reader),
    redis: readRedis(reader),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    keyringFolder: reader.getRequired('KEYRING_FOLDER'),
    google: readGoogleCredentials(reader),
    objects: orFolder(reader, 'OBJECTS_FOLDER', () => readS3(reader) ?? readGcs(reader)),
    webhookRetryDelayMs: reader.get('WEBHOOK_RETRY_DELAY_MS'),
    ...(tracing === undefined ? {} : { tracing }),
  }
}

/** @throws ConfigError that lists every invalid variable */
function readWhole<T>(environment: Environment, read: (reader: EnvironmentReader) => T): T {
  const reader = new EnvironmentReader(environment, { isOnCluster: true })
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
    const consoleProvider = readConsole(reader)
    const index = readIndex(reader)
    return {
      ...readCommon(reader),
      shutdown: readShutdown(reader),
      port: reader.get('PORT'),
      mail: orFolder(reader, 'MAIL_FOLDER', () => readSmtp(reader)),
      egressAllow: reader.get('EGRESS_ALLOW'),
      trustedProxies: reader.get('TRUSTED_PROXIES'),
      requestsPerMinute: readRequestsPerMinute(reader),
      bounds: readBounds(reader),
      ...(smsGateway === undefined ? {} : { smsGateway }),
      ...(pubSubPush === undefined ? {} : { pubSubPush }),
      ...(consoleProvider === undefined ? {} : { consoleProvider }),
      ...(index === undefined ? {} : { index }),
    }
  })
}

/** @throws ConfigError */
export function readControllerConfig(environment: Environment): ControllerConfig {
  return readWhole(environment, (reader) => {
    refuseSigningKeys(reader)
    const archiveAfterHours = reader.get('ARCHIVE_AFTER_HOURS')
    const index = readIndex(reader)
    const common = readCommon(reader)
    const isPushed = reader.get('PUBSUB_PUSH_AUDIENCE') !== undefined
    return {
      ...common,
      ...(index === undefined ? {} : { index }),
      namespace: reader.getRequired('POD_NAMESPACE'),
      replica: reader.getRequired('POD_NAME'),
      shardGroups: reader.get('CONTROLLER_SHARD_GROUPS'),
      areUploadsReported: isPushed && isCloudStorage(common.objects),
      ...(archiveAfterHours === undefined ? {} : { archiveAfterHours }),
    }
  })
}

/** @throws ConfigError */
export function readWorkerConfig(environment: Environment): WorkerConfig {
  return readWhole(environment, (reader) => {
    const timeStamps = readTimeStamps(reader)
    const trustedLists = readTrustedLists(reader)
    const readerSocket = reader.get('READER_SOCKET')
    const readKeys = () => readVault(reader) ?? readKms(reader)
    const signingKeys = orFolder(reader, 'SIGNING_KEYS_FOLDER', readKeys)
    if (!timeStamps && 'keys' in signingKeys && !signingKeys.keys['time-stamp-authority']) {
      const variable = 'mount' in signingKeys ? 'VAULT_TSA_KEY' : 'KMS_TSA_KEY'
      reader.faults.push(`Set ${variable} or TSA_URLS: documents need time-stamps`)
    }
    return {
      ...readCommon(reader),
      mail: orFolder(reader, 'MAIL_FOLDER', () => readSmtp(reader)),
      signingKeys,
      egressAllow: reader.get('EGRESS_ALLOW'),
      bounds: readBounds(reader),
      ...(timeStamps === undefined ? {} : { timeStamps }),
      ...(trustedLists === undefined ? {} : { trustedLists }),
      ...(readerSocket === undefined ? {} : { readerSocket }),
    }
  })
}
