/**
 * Certificates of the service's own authorities, wherever their keys are, and their files:
 * `<key>.pem` (its own first, the root last) and the root's revocation list.
 */
import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { keyIdOf, publishedUrls } from '../../domain/pki.ts'
import type { SigningKeyName } from '../../domain/ports/signing.ts'
import {
  issueCertificate,
  issueRevocationList,
  readCertificate,
  readRevocationList,
  type CertificateProfile,
  type Sign,
  type SignatureAlgorithm,
} from '../../pades/index.ts'

const YEAR_MS = 365.25 * 24 * 60 * 60 * 1000
const SERIAL_OCTETS = 16
/** Certificates and lists are backdated, because the clock of a verifier may be behind. */
const BACKDATED_MS = 10 * 60 * 1000
const LOCAL = { organisation: 'sigcase local service', prefix: 'sigcase local' }

interface AuthorityProfile {
  profile: CertificateProfile
  /** Part of the name after the prefix. */
  name: string
  years: number
  issuer?: 'root' | 'issuing-ca'
}

/** Keys that get certificates: the root and the signing keys. */
export type CertifiedKeyName = 'root' | Exclude<SigningKeyName, 'former-issuing-ca'>

/**
 * In order of issuing. Each certificate expires before its issuer's; a seal is renewed more often
 * than a CA.
 */
export const AUTHORITIES: Readonly<Record<CertifiedKeyName, AuthorityProfile>> = {
  root: { profile: 'root', name: 'root', years: 15 },
  'issuing-ca': { profile: 'issuing-ca', name: 'issuing CA', years: 10, issuer: 'root' },
  seal: { profile: 'seal', name: 'seal', years: 5, issuer: 'issuing-ca' },
  'time-stamp-authority': {
    profile: 'tsa',
    name: 'time-stamp authority (not a trusted third party)',
    years: 9,
    issuer: 'issuing-ca',
  },
}

/** A signing key, wherever it is stored. */
export interface AuthorityKey {
  algorithm: SignatureAlgorithm
  /** DER SubjectPublicKeyInfo. */
  publicKeySpki: Uint8Array
  sign: Sign
}

export interface SigningAuthority {
  key: AuthorityKey
  /** DER, beginning with its own and ending with the root. */
  certificates: readonly Uint8Array[]
}

export interface AuthorityMaking {
  now: Date
  /** Base URL of the published lists, written into certificates. */
  baseUrl: string
  /** Organisation, and prefix of the names of authorities. */
  names?: { organisation: string; prefix: string }
}

/** URLs of the issuing authority for the issued certificates. */
function issuedBy(
  name: 'root' | 'issuing-ca',
  { certificates }: SigningAuthority,
  baseUrl: string,
) {
  const issuer = certificates[0] as Uint8Array
  const key = readCertificate(issuer).subjectKeyIdentifier ?? []
  const keyId = keyIdOf(Buffer.from(key).toString('hex'))
  return {
    issuer,
    publishedAt: publishedUrls(baseUrl, name === 'root' ? 'root' : 'issuing', keyId),
  }
}

/**
 * Issues the certificate of an authority's key, DER.
 *
 * @param above the issuer; undefined for the self-signed root
 * @throws any error of signing
 */
export async function issueAuthority(
  name: CertifiedKeyName,
  key: AuthorityKey,
  above: SigningAuthority | undefined,
  { now, baseUrl, names = LOCAL }: AuthorityMaking,
): Promise<Uint8Array> {
  const { profile, name: ownName, years, issuer } = AUTHORITIES[name]
  const signer = above?.key ?? key
  const wished = new Date(now.getTime() + years * YEAR_MS)
  const limits = (above?.certificates ?? []).map((der) => readCertificate(der).notAfter)
  return issueCertificate(
    {
      profile,
      subject: {
        organizationName: names.organisation,
        commonName: `${names.prefix} ${ownName}`,
      },
      publicKeySpki: key.publicKeySpki,
      ...(above && issuer ? issuedBy(issuer, above, baseUrl) : {}),
      serialNumber: randomBytes(SERIAL_OCTETS),
      notBefore: new Date(now.getTime() - BACKDATED_MS),
      // A certificate that is renewed late would outlive its issuer.
      notAfter: [wished, ...limits].reduce((first, one) => (one < first ? one : first)),
      algorithm: signer.algorithm,
    },
    (data) => signer.sign(data),
  )
}

/** Issues the only list of a root whose key goes offline; the list is valid as long as the root. */
export async function issueRootList(
  { key, certificates }: SigningAuthority,
  now: Date,
): Promise<Uint8Array> {
  const issuer = certificates[0] as Uint8Array
  return issueRevocationList(
    {
      issuer,
      algorithm: key.algorithm,
      number: 1,
      thisUpdate: now,
      nextUpdate: readCertificate(issuer).notAfter,
      revoked: [],
    },
    (data) => key.sign(data),
  )
}

/** File name of the list of the root above a key. */
export const rootListOf = (name: SigningKeyName) =>
  name === 'former-issuing-ca' ? 'former-root.crl' : 'root.crl'

/**
 * Reads the list of the root above a key, DER; undefined when the file does not exist.
 *
 * @throws PadesError `BAD_REVOCATION_DATA` when it is not a list
 * @throws Error when the file cannot be read
 */
export async function readRootList(path: string): Promise<Uint8Array | undefined> {
  try {
    const list = new Uint8Array(await readFile(path))
    readRevocationList(list)
    return list
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
