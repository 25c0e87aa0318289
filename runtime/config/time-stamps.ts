/** Reads which RFC 3161 time-stamp authorities the service uses. */
import { certificatesOfPem } from '../../domain/pem.ts'
import { readCertificateFile } from './certificate-file.ts'
import type { EnvironmentReader } from './reader.ts'

export interface TimeStampConfig {
  urls: string[]
  /** Root certificates (DER) that tokens must chain to. */
  trustAnchors: Uint8Array[]
  /** Dotted OID. */
  policy?: string
}

/**
 * Reads the variables about time-stamp authorities; undefined without `TSA_URLS`. The service
 * trusts only tokens that chain to the roots that the operator names.
 */
export function readTimeStamps(reader: EnvironmentReader): TimeStampConfig | undefined {
  const urls = reader.get('TSA_URLS')
  const roots = readCertificateFile(reader, 'TSA_ROOTS')
  const policy = reader.get('TSA_POLICY')
  if (urls.length === 0) return undefined
  if (!reader.has('TSA_ROOTS')) {
    reader.faults.push(
      'TSA_ROOTS is required with TSA_URLS: the root certificates that tokens must chain to',
    )
  }
  const trustAnchors = roots === undefined ? [] : certificatesOfPem(roots)
  return policy === undefined ? { urls, trustAnchors } : { urls, trustAnchors, policy }
}
