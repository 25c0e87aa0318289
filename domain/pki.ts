/**
 * Names and keys of the published files of the service's authorities (under `/pki/`) and of
 * revocation records.
 */

/** The root, and the authority below it that issues all other certificates. */
export const AUTHORITY_NAMES = ['root', 'issuing'] as const
export type AuthorityName = (typeof AUTHORITY_NAMES)[number]

/** Media types of the published files of one authority, by extension. */
export const PUBLISHED_TYPES = {
  /** PEM, for human users. */
  pem: 'application/x-pem-file',
  /** DER, for programs (RFC 5280, 4.2.2.1). */
  cer: 'application/pkix-cert',
  crl: 'application/pkix-crl',
} as const
export type PublishedKind = keyof typeof PUBLISHED_TYPES

const KEY_ID_DIGITS = 16

/** Returns the short id of an authority's key, which distinguishes successive authorities. */
export const keyIdOf = (subjectKeyIdentifierHex: string) =>
  subjectKeyIdentifierHex.slice(0, KEY_ID_DIGITS)

/** Returns the file name of a published file; without a key id, that of the current authority. */
export function publishedFile(name: AuthorityName, kind: PublishedKind, keyId?: string): string {
  return keyId === undefined ? `${name}.${kind}` : `${name}-${keyId}.${kind}`
}

/** Pattern of the file names from {@link publishedFile}. */
export const PUBLISHED_FILE = '^(root|issuing)(-[0-9a-f]{16})?\\.(pem|cer|crl)$'

/** Object key of the published file. */
export const publishedKey = (file: string) => `pki/published/${file}`
/** Object key of the list of authorities (JSON). */
export const AUTHORITIES_KEY = publishedKey('authorities.json')

/** URLs of an authority for the certificates that it issues. */
export function publishedUrls(baseUrl: string, name: AuthorityName, keyId: string) {
  const url = (kind: PublishedKind) => `${baseUrl}/pki/${publishedFile(name, kind, keyId)}`
  return { crlUrl: url('crl'), issuerCertificateUrl: url('cer') }
}

export const REVOCATION_FOLDER = 'pki/revocations/'
/** @param serial of the certificate, lower-case hex without leading zeros */
export const revocationKey = (serial: string) => `${REVOCATION_FOLDER}${serial}`

/** `pki/revocations/<serial>`: put if absent and never changed. Instants are in ISO 8601. */
export interface RevocationRecord {
  /** Short id of the key of the issuing authority. */
  issuerKeyId: string
  /** From this instant on, the certificate is not valid. */
  revokedAt: string
  /** Reason code of RFC 5280, 5.3.1. */
  reason: 'superseded' | 'cessationOfOperation' | 'keyCompromise' | 'privilegeWithdrawn'
  /** Expiry of the certificate; lists omit expired certificates after a while. */
  notAfter: string
  recordedAt: string
}

/** A certificate that is about to be used. Instants are in ISO 8601. */
export interface CertificateRecord {
  participantId: string
  issuerKeyId: string
  notBefore: string
  notAfter: string
}

/**
 * `…/certificates/<serial>`: the certificates that one run is about to use. The serial number is
 * that of the first, in hex.
 */
export interface RunCertificates extends CertificateRecord {
  /** By serial number, hex; absent where the run has one participant. */
  others?: Readonly<Record<string, CertificateRecord>>
}

/** One authority in the list of `/pki`. Instants are in ISO 8601. */
export interface PublishedAuthority {
  name: AuthorityName
  subject: string
  /** SHA-256 fingerprint of the certificate, hex. */
  sha256: string
  notBefore: string
  notAfter: string
  certificate: string
  revocationList?: string
}
