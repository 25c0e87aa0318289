/** Reads files with certificates, such as the authorities that a server's certificate must have. */
import { readFileSync } from 'node:fs'
import type { EnvironmentReader } from './reader.ts'

/** @returns the text of the PEM file that the variable names; undefined when it is absent */
export function readCertificateFile(
  reader: EnvironmentReader,
  name:
    | 'INDEX_CA_FILE'
    | 'REDIS_CA_FILE'
    | 'S3_CA_FILE'
    | 'SMTP_CA_FILE'
    | 'TSA_ROOTS'
    | 'VAULT_CA_FILE',
): string | undefined {
  const path = reader.get(name)
  return path === undefined ? undefined : readFileSync(path, 'utf8')
}
