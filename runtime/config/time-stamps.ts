/** Reads which RFC 3161 time-stamp authorities the service uses. */
import { readFileSync } from 'node:fs'
import { certificatesOfPem } from '../../domain/pem.ts'
import { parseUrls } from './parsers.ts'
import type { EnvironmentReader } from './reader.ts'

export interface TimeStampConfig {
  urls: string[]
  /** Root certificates (DER) that tokens must chain to. */
  trustAnchors: Uint8Array[]
  /** Dotted OID. */
  policy?: string
}

const DOTTED_OID = /^[0-2](\.(0|[1-9]\d*))+$/

/** Reads the certificates of a PEM file as DER. */
function readCertificates(path: string): Uint8Array[] | undefined {
  try {
    const certificates = certificatesOfPem(readFileSync(path, 'utf8'))
    return certificates.length > 0 ? certificates : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads the variables about time-stamp authorities; undefined without `TSA_URLS`. The service
 * trusts only tokens that chain to the roots that the operator names.
 */
export function readTimeStamps(reader: EnvironmentReader): TimeStampConfig | undefined {
  const wantedUrls = 'a list of http or https URLs, separated by commas'
  const urls = reader.read<string[]>('TSA_URLS', [], wantedUrls, parseUrls)
  const wantedRoots = 'a file with certificates in PEM'
  const trustAnchors = reader.read<Uint8Array[]>('TSA_ROOTS', [], wantedRoots, readCertificates)
  const policy = reader.read<string | undefined>('TSA_POLICY', undefined, 'a dotted OID', (text) =>
    DOTTED_OID.test(text) ? text : undefined,
  )
  if (urls.length === 0) return undefined
  if (!reader.has('TSA_ROOTS')) {
    reader.faults.push(
      'TSA_ROOTS is required with TSA_URLS: the root certificates that tokens must chain to',
    )
  }
  return policy === undefined ? { urls, trustAnchors } : { urls, trustAnchors, policy }
}
