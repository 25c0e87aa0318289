/**
 * Names of what the service publishes of its own authorities under `/pki/`, and of what it keeps of
 * revocations.
 */

/** The root, and the authority below it that issues all other certificates. */
export const AUTHORITY_NAMES = ['root', 'issuing'] as const
export type AuthorityName = (typeof AUTHORITY_NAMES)[number]

/** What is published of one authority, by extension, with the type that HTTP tells. */
export const PUBLISHED_TYPES = {
  /** PEM, for people. */
  pem: 'application/x-pem-file',
  /** DER, for programs (RFC 5280, 4.2.2.1). */
  cer: 'application/pkix-cert',
  crl: 'application/pkix-crl',
} as const
export type PublishedKind = keyof typeof PUBLISHED_TYPES

const KEY_ID_DIGITS = 16

/** A short name of an authority's key: authorities that follow each other are told apart by it. */
export const keyIdOf = (subjectKeyIdentifierHex: string) =>
  subjectKeyIdentifierHex.slice(0, KEY_ID_DIGITS)

/** File name of what is published; without a key id that of the present authority. */
export function publishedFile(name: AuthorityName, kind: PublishedKind, keyId?: string): string {
  return keyId === undefined ? `${name}.${kind}` : `${name}-${keyId}.${kind}`
}

/** A file name that {@link publishedFile} can give. */
export const PUBLISHED_FILE = '^(root|issuing)(-[0-9a-f]{16})?\\.(pem|cer|crl)$'

/** Object key of what is published under that file name. */
export const publishedKey = (file: string) => `pki/published/${file}`
/** Object key of the list of authorities, JSON. */
export const AUTHORITIES_KEY = publishedKey('authorities.json')

/** What certificates of an authority say of it. */
export function publishedUrls(baseUrl: string, name: AuthorityName, keyId: string) {
  const url = (kind: PublishedKind) => `${baseUrl}/pki/${publishedFile(name, kind, keyId)}`
  return { crlUrl: url('crl'), issuerCertificateUrl: url('cer') }
}

export const REVOCATION_FOLDER = 'pki/revocations/'
/** @param serial of the certificate, hex in lower case without leading zeros */
export const revocationKey = (serial: string) => `${REVOCATION_FOLDER}${serial}`

/** `pki/revocations/<serial>`: put if absent, never changed. Instants in ISO 8601. */
export interface RevocationRecord {
  /** Short name of the key of the authority that issued the certificate. */
  issuerKeyId: string
  /** From when on the certificate does not count. */
  revokedAt: string
  /** As RFC 5280, 5.3.1 names it. */
  reason: 'superseded' | 'cessationOfOperation' | 'keyCompromise' | 'privilegeWithdrawn'
  /** When the certificate ends; a list made long after leaves it out. */
  notAfter: string
  recordedAt: string
}

/** `…/certificates/<serial>`: a certificate that is about to be used. Instants in ISO 8601. */
export interface CertificateRecord {
  participantId: string
  issuerKeyId: string
  notBefore: string
  notAfter: string
}

/** One authority as `/pki` lists it. Instants in ISO 8601. */
export interface PublishedAuthority {
  name: AuthorityName
  subject: string
  /** Fingerprint of the certificate, hex. */
  sha256: string
  notBefore: string
  notAfter: string
  certificate: string
  revocationList?: string
}
