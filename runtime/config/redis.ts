/** Reads which Redis server the processes of a cluster share. */
import { readAuthoritiesFile } from './authorities-file.ts'
import type { EnvironmentReader } from './reader.ts'

export interface RedisConfig {
  /** `redis[s]://[[user][:password]@]host[:port][/database]` */
  url: string
  /** Prefix of every key and channel, so that services can share one Redis. */
  prefix: string
  /** PEM: authorities for the server's certificate, instead of the public ones. */
  authorities?: string
}

const PREFIX = /^[A-Za-z0-9{}:_-]{1,64}$/
const REDIS_URL = 'a redis or rediss URL of one server'
const SENTINEL =
  `${REDIS_URL}: Redis Sentinel is not supported, ` +
  'use an address that always points to the primary'
const CLUSTER = `${REDIS_URL} that is not in cluster mode: Redis Cluster is not supported`

function parseRedisUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url) return undefined
  const { protocol, hostname } = url
  const isOneHost = hostname !== '' && !hostname.includes(',')
  return (protocol === 'redis:' || protocol === 'rediss:') && isOneHost ? text : undefined
}

/** Returns a precise reason when a URL has a form that other clients use for several servers. */
function describeWanted(text: string): string {
  const scheme = /^[a-z+-]*/i.exec(text)?.[0].toLowerCase() ?? ''
  if (scheme.includes('sentinel')) return SENTINEL
  return scheme.includes('cluster') ? CLUSTER : REDIS_URL
}

/** Faults never repeat the URL, because it may contain a password. */
function readUrl(reader: EnvironmentReader): string {
  const url = reader.readSecret('REDIS_URL', describeWanted, parseRedisUrl)
  const isReported = reader.faults.some((fault) => fault.startsWith('REDIS_URL:'))
  if (url === undefined && !isReported) reader.faults.push(`REDIS_URL is required: ${REDIS_URL}`)
  return url ?? ''
}

/** Reads the variables about Redis and collects their faults in the reader. */
export function readRedis(reader: EnvironmentReader): RedisConfig {
  const url = readUrl(reader)
  const prefix = reader.read(
    'REDIS_PREFIX',
    'sigcase',
    'a name of 1 to 64 letters, digits and {}:_-',
    (text) => (PREFIX.test(text) ? text : undefined),
  )
  const authorities = readAuthoritiesFile(reader, 'REDIS_CA_FILE')
  if (authorities !== undefined && url.startsWith('redis:')) {
    reader.faults.push('REDIS_CA_FILE: REDIS_URL must begin with rediss://, or TLS is not used')
  }
  return { url, prefix, ...(authorities === undefined ? {} : { authorities }) }
}
