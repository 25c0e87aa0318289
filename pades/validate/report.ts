/** The validation report: stable keys, words of ETSI EN 319 102-1. */

import type { Finding, Indication, Info, SubIndication } from '../findings.ts'

export type PadesLevel =
  | 'PAdES-BASELINE-B'
  | 'PAdES-BASELINE-T'
  /** With validation data; with a document time-stamp over these. */
  | 'PAdES-BASELINE-LT'
  | 'PAdES-BASELINE-LTA'
  /** CMS in a PDF that does not meet the PAdES baseline; T, LT and LTA as for the baseline. */
  | 'PKCS7-B'
  | 'PKCS7-T'
  | 'PKCS7-LT'
  | 'PKCS7-LTA'
  | 'UNKNOWN'

export type Coverage = 'ENTIRE_FILE' | 'ENTIRE_REVISION' | 'PARTIAL'
export type ModificationLevel = 'NONE' | 'LTA_UPDATES' | 'FORM_FILLING' | 'ANNOTATIONS' | 'OTHER'

export interface IntegrityReport {
  /** As written in the document. */
  readonly byteRange: readonly number[]
  readonly byteRangeValid: boolean
  readonly coverage: Coverage
  /** Revision of the document, from 1; undefined when the signature belongs to none. */
  readonly revision?: number
  readonly digestAlgorithm?: string
  /** Undefined when it could not be determined. */
  readonly digestMatch?: boolean
  readonly signatureAlgorithm?: string
  /** Undefined when it could not be determined. */
  readonly signatureValueValid?: boolean
}

/** What a changed object is to a page; `page` is the page itself or the list of its annotations. */
export type ChangedPart =
  | 'page'
  | 'content'
  | 'note'
  | 'mark'
  | 'drawing'
  | 'stamp'
  | 'link'
  | 'field'
  | 'attachment'
  | 'annotation'

/** One object that later revisions changed. */
export interface Change {
  /** Object number. */
  readonly object: number
  /** Where it was changed, as keys from the object. */
  readonly path: string
  readonly action: 'added' | 'changed' | 'deleted'
  /** From 1; when anything is not permitted, of parts of a page that were refused or added. */
  readonly page?: number
  /** Present together with `page`. */
  readonly part?: ChangedPart
  readonly permitted: boolean
}

export interface ModificationsReport {
  readonly level: ModificationLevel
  /** What is permitted after this signature: 1 nothing, 2 filling in forms, 3 annotations. */
  readonly docMdp?: 1 | 2 | 3
  /** At most a hundred. */
  readonly changes: readonly Change[]
  /** Fields that were filled in after signing, when nothing else was; at most a hundred. */
  readonly filledFields?: readonly string[]
}

export interface CertificateReport {
  /** Lower-case hex. */
  readonly sha256: string
  readonly subject: string
  readonly trustAnchor?: { readonly source: 'given' }
}

/** What is known of a certificate's revocation at best signature time. Instants in ISO 8601. */
export interface RevocationReport {
  /** Lower-case hex. */
  readonly certificateSha256: string
  /** `stale`: something is known, but not for that time; absent with `unknown`. */
  readonly status: 'good' | 'revoked' | 'stale' | 'unknown'
  readonly type?: 'CRL' | 'OCSP'
  /** Where it was: in the document's store, in the CMS, or with the authority. */
  readonly origin?: 'DSS' | 'CMS' | 'ONLINE'
  readonly producedAt?: string
  readonly revokedAt?: string
  readonly reason?: string
}

export interface SignerReport {
  readonly commonName?: string
  /** As text of RFC 4514. */
  readonly subject: string
  /** Serial number of the certificate, lower-case hex. */
  readonly serialNumber: string
  readonly organizationIdentifier?: string
  /** Lower-case hex. */
  readonly certificateSha256: string
  readonly notBefore: string
  readonly notAfter: string
}

/** What the second judge, another validation library, says. */
export interface SecondOpinionReport {
  /** Verdict on digest and signature value; `unknown` when it cannot be decided. */
  readonly value: 'right' | 'wrong' | 'unknown'
  /** Verdict on the certification path; absent when our own reader has found none that is good. */
  readonly path?: 'right' | 'wrong' | 'unknown'
  /** Verdict on the revocation data that were used; `unknown` when some are too large. */
  readonly revocation?: 'right' | 'wrong' | 'unknown'
}

export interface TimeStampReport {
  readonly type: 'signature' | 'document'
  readonly productionTime?: string
  readonly indication: Indication
  readonly subIndication?: SubIndication
  /** Subject of the authority, as text of RFC 4514. */
  readonly tsa?: string
  /** Chain of the authority. */
  readonly certificateChain: readonly CertificateReport[]
  /** Absent when it was not asked. */
  readonly secondOpinion?: SecondOpinionReport
  readonly errors: readonly Finding[]
  readonly warnings: readonly Finding[]
}

export interface SignatureReport {
  readonly id: string
  readonly fieldName: string
  readonly indication: Indication
  readonly subIndication?: SubIndication
  readonly level: PadesLevel
  readonly subFilter: string
  readonly type: 'approval' | 'certification'
  readonly integrity: IntegrityReport
  readonly modifications: ModificationsReport
  readonly signer?: SignerReport
  readonly certificateChain: readonly CertificateReport[]
  /** ISO 8601; what the signer claims. */
  readonly claimedSigningTime?: string
  /** ISO 8601; the earliest time at which the signature is proven to have existed. */
  readonly bestSignatureTime: string
  /** Revocation of the chain below its anchor. */
  readonly revocation: readonly RevocationReport[]
  readonly timestamps: readonly TimeStampReport[]
  /** Absent when it was not asked. */
  readonly secondOpinion?: SecondOpinionReport
  readonly errors: readonly Finding[]
  readonly warnings: readonly Finding[]
  readonly infos: readonly Info[]
}

/** Offset behind the last octet that a signature covers; a range that is none covers nothing. */
export function coveredEnd({ integrity }: SignatureReport): number {
  if (!integrity.byteRangeValid) return 0
  const [, , start = 0, length = 0] = integrity.byteRange
  return start + length
}

export interface DocumentTimeStampReport extends TimeStampReport {
  readonly id: string
  readonly fieldName: string
  readonly type: 'document'
  readonly integrity: IntegrityReport
  readonly modifications: ModificationsReport
}

export interface ValidationReport {
  readonly reportVersion: 1
  readonly validationTime: string
  readonly policy: {
    readonly id: string
    readonly version: number
    /** Whether fields may be filled in after a signature that does not forbid it. */
    readonly formFilling: 'permitted' | 'notPermitted'
    /** SHA-256 of the policy file, lower-case hex; absent for the built-in policy. */
    readonly sha256?: string
  }
  readonly document: {
    readonly size: number
    /** Lower-case hex. */
    readonly sha256: string
    readonly pdfVersion?: string
    readonly revisions: number
    readonly encrypted: boolean
    /** Bytes after the end of the last revision. */
    readonly unsignedTailBytes: number
  }
  readonly summary: {
    /** The worst of all signatures; undefined when there is none. */
    readonly indication?: Indication
    readonly signaturesCount: number
    readonly validSignaturesCount: number
    readonly documentModifiedAfterSigning: 'none' | 'permitted' | 'notPermitted' | 'unknown'
  }
  readonly signatures: readonly SignatureReport[]
  readonly documentTimestamps: readonly DocumentTimeStampReport[]
}
