/** What the processes on a cluster are told: what all of them need, and what only one does. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError, EnvironmentReader, type Environment } from './reader.ts'
import {
  readAddresses,
  readBaseUrl,
  readHost,
  readLogLevel,
  readPort,
  readRequestsPerMinute,
  readWebhookRetryDelay,
  type LogLevel,
} from './service.ts'
import { readSmsGateway, type SmsGatewayConfig } from './sms-gateway.ts'
import { readTimeStamps, type TimeStampConfig } from './time-stamps.ts'
import { readTrustedLists, type TrustedListsConfig } from './trusted-lists.ts'

/** What every process needs. Paths are absolute. */
export interface ClusterConfig {
  /** Where people reach the service, without a slash at its end. */
  baseUrl: string
  /** What the process listens on. */
  host: string
  /** Health and metrics, beside whatever else the process serves. */
  operationsPort: number
  logLevel: LogLevel
  /** May hold a password. */
  redisUrl: string
  redisPrefix: string
  /** A kubeconfig; absent: the account of the pod. */
  kubeconfig?: string
  keyringFile: string
  /** A folder that all processes share, in place of an object store. */
  objectsFolder: string
  webhookRetryDelayMs: number
}

export interface ApiConfig extends ClusterConfig {
  port: number
  mailFolder: string
  trustedProxies: string[]
  requestsPerMinute: { public: number; tenant: number }
  smsGateway?: SmsGatewayConfig
}

export interface ControllerConfig extends ClusterConfig {
  /** Where the service itself runs. */
  namespace: string
  /** Tells this replica from others, for people. */
  replica: string
}

export interface WorkerConfig extends ClusterConfig {
  mailFolder: string
  signingKeysFolder: string
  egressAllow: string[]
  timeStamps?: TimeStampConfig
  trustedLists?: TrustedListsConfig
}

const API_PORT = 8080
const OPERATIONS_PORT = 9090
/** Pods are reached by an address that they do not know. */
const ANY_ADDRESS = '0.0.0.0'
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const PREFIX = /^[A-Za-z0-9{}:_-]{1,64}$/
const REPLICA = /^[A-Za-z0-9.-]{1,200}$/

function parseRedisUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname } = new URL(text)
  return (protocol === 'redis:' || protocol === 'rediss:') && hostname !== '' ? text : undefined
}

const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined)

/** A variable without which the process cannot start. */
function needed<T>(reader: EnvironmentReader, name: string, value: T | undefined): T | undefined {
  const isFaulty = reader.faults.some((fault) => fault.startsWith(`${name}:`))
  if (value === undefined && !isFaulty) reader.faults.push(`${name}: it is needed`)
  return value
}

function readPath(reader: EnvironmentReader, name: string): string {
  const path = reader.read<string | undefined>(name, undefined, 'a path', (text) => resolve(text))
  return needed(reader, name, path) ?? ''
}

function readFilePath(reader: EnvironmentReader, name: string): string {
  const path = readPath(reader, name)
  if (path !== '' && !existsSync(path)) reader.faults.push(`${name}: "${path}" is not there`)
  return path
}

function readCommon(reader: EnvironmentReader): ClusterConfig {
  const kubeconfig = reader.read<string | undefined>('KUBECONFIG', undefined, 'a path', (text) =>
    resolve(text),
  )
  const wantedRedis = 'a redis or rediss URL'
  return {
    baseUrl: needed(reader, 'BASE_URL', readBaseUrl(reader)) ?? '',
    host: readHost(reader, ANY_ADDRESS),
    operationsPort: readPort(reader, 'OPERATIONS_PORT', OPERATIONS_PORT),
    logLevel: readLogLevel(reader, 'info'),
    redisUrl:
      needed(reader, 'REDIS_URL', reader.readSecret('REDIS_URL', wantedRedis, parseRedisUrl)) ?? '',
    redisPrefix: reader.read('REDIS_PREFIX', 'sigcase', 'a short name', matching(PREFIX)),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    keyringFile: readFilePath(reader, 'KEYRING_FILE'),
    objectsFolder: readPath(reader, 'OBJECTS_FOLDER'),
    webhookRetryDelayMs: readWebhookRetryDelay(reader),
  }
}

/** @throws ConfigError that names every variable that cannot be used */
function readWhole<T>(environment: Environment, read: (reader: EnvironmentReader) => T): T {
  const reader = new EnvironmentReader(environment)
  const config = read(reader)
  if (reader.faults.length > 0) throw new ConfigError(reader.faults)
  return config
}

/** @throws ConfigError */
export function readApiConfig(environment: Environment): ApiConfig {
  return readWhole(environment, (reader) => {
    const smsGateway = readSmsGateway(reader)
    return {
      ...readCommon(reader),
      port: readPort(reader, 'PORT', API_PORT),
      mailFolder: readPath(reader, 'MAIL_FOLDER'),
      trustedProxies: readAddresses(reader, 'TRUSTED_PROXIES'),
      requestsPerMinute: readRequestsPerMinute(reader),
      ...(smsGateway === undefined ? {} : { smsGateway }),
    }
  })
}

/** @throws ConfigError */
export function readControllerConfig(environment: Environment): ControllerConfig {
  return readWhole(environment, (reader) => {
    const read = (name: string, wanted: string, pattern: RegExp) => {
      const text = reader.read<string | undefined>(name, undefined, wanted, matching(pattern))
      return needed(reader, name, text) ?? ''
    }
    return {
      ...readCommon(reader),
      namespace: read('POD_NAMESPACE', 'the name of a namespace', DNS_LABEL),
      replica: read('POD_NAME', 'the name of a pod', REPLICA),
    }
  })
}

/** @throws ConfigError */
export function readWorkerConfig(environment: Environment): WorkerConfig {
  return readWhole(environment, (reader) => {
    const timeStamps = readTimeStamps(reader)
    const trustedLists = readTrustedLists(reader)
    return {
      ...readCommon(reader),
      mailFolder: readPath(reader, 'MAIL_FOLDER'),
      signingKeysFolder: readPath(reader, 'SIGNING_KEYS_FOLDER'),
      egressAllow: readAddresses(reader, 'EGRESS_ALLOW'),
      ...(timeStamps === undefined ? {} : { timeStamps }),
      ...(trustedLists === undefined ? {} : { trustedLists }),
    }
  })
}
