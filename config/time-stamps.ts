/** Which time-stamp authorities are asked. */
import { readFileSync } from 'node:fs'
import { certificatesOfPem } from '../domain/pem.ts'
import { parseUrls } from './parsers.ts'
import type { EnvironmentReader } from './reader.ts'

export interface TimeStampConfig {
  urls: string[]
  /** DER: what their tokens must lead to. */
  trustAnchors: Uint8Array[]
  /** Dotted OID. */
  policy?: string
}

const DOTTED_OID = /^[0-2](\.(0|[1-9]\d*))+$/

/** The certificates of a PEM file. */
function readCertificates(path: string): Uint8Array[] | undefined {
  try {
    const certificates = certificatesOfPem(readFileSync(path, 'utf8'))
    return certificates.length > 0 ? certificates : undefined
  } catch {
    return undefined
  }
}

/**
 * The variables about time-stamp authorities; undefined when none is named. Nobody's tokens are
 * trusted but those that lead to roots the operator names.
 */
export function readTimeStamps(reader: EnvironmentReader): TimeStampConfig | undefined {
  const wantedUrls = 'a list of http or https URLs, parted by commas'
  const urls = reader.read<string[]>('TSA_URLS', [], wantedUrls, parseUrls)
  const wantedRoots = 'a file with certificates in PEM'
  const trustAnchors = reader.read<Uint8Array[]>('TSA_ROOTS', [], wantedRoots, readCertificates)
  const policy = reader.read<string | undefined>('TSA_POLICY', undefined, 'a dotted OID', (text) =>
    DOTTED_OID.test(text) ? text : undefined,
  )
  if (urls.length === 0) return undefined
  if (!reader.has('TSA_ROOTS')) {
    reader.faults.push('TSA_ROOTS: required with TSA_URLS, the roots that their tokens lead to')
  }
  return policy === undefined ? { urls, trustAnchors } : { urls, trustAnchors, policy }
}
