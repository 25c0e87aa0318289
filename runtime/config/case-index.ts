/** Reads which PostgreSQL has the index of cases. */
import { isWithoutTls } from '../../domain/postgres-url.ts'
import { readCertificateFile } from './certificate-file.ts'
import type { EnvironmentReader } from './reader.ts'

export interface IndexConfig {
  /** `postgres://[user[:password]@]host[:port]/database[?sslmode=disable]` */
  url: string
  /** PEM: authorities for the server's certificate, instead of the public ones. */
  authorities?: string
}

/**
 * Reads the variables about the index and collects their faults in the reader.
 *
 * @returns undefined when the service has no index
 */
export function readIndex(reader: EnvironmentReader): IndexConfig | undefined {
  const url = reader.get('INDEX_URL')
  const authorities = readCertificateFile(reader, 'INDEX_CA_FILE')
  if (url === undefined) {
    if (authorities !== undefined)
      reader.faults.push('INDEX_CA_FILE: INDEX_URL is required with it')
    return undefined
  }
  if (authorities !== undefined && isWithoutTls(url)) {
    reader.faults.push('INDEX_CA_FILE: INDEX_URL has sslmode=disable, so TLS is not used')
  }
  return { url, ...(authorities === undefined ? {} : { authorities }) }
}
