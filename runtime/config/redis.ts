/** Reads which Redis server the processes of a cluster share. */
import { readCertificateFile } from './certificate-file.ts'
import type { EnvironmentReader } from './reader.ts'

export interface RedisConfig {
  /** `redis[s]://[[user][:password]@]host[:port][/database]` */
  url: string
  /** Prefix of every key and channel, so that services can share one Redis. */
  prefix: string
  /** PEM: authorities for the server's certificate, instead of the public ones. */
  authorities?: string
}

/** Reads the variables about Redis and collects their faults in the reader. */
export function readRedis(reader: EnvironmentReader): RedisConfig {
  const url = reader.getRequired('REDIS_URL')
  const prefix = reader.get('REDIS_PREFIX')
  const authorities = readCertificateFile(reader, 'REDIS_CA_FILE')
  if (authorities !== undefined && url.startsWith('redis:')) {
    reader.faults.push('REDIS_CA_FILE: REDIS_URL must begin with rediss://, or TLS is not used')
  }
  return { url, prefix, ...(authorities === undefined ? {} : { authorities }) }
}
