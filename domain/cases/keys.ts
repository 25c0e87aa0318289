/**
 * Object keys of a case. They follow from tenant and case id alone, so that a restored cluster
 * finds them.
 */
import type { CaseKey } from '../ports/stores.ts'

const SEQUENCE_DIGITS = 8

/** Prefix of every object of a case. */
export function caseFolder({ tenant, caseId }: CaseKey): string {
  return `tenants/${tenant}/cases/${caseId}/`
}

/** What the tenant's presigned URL writes. */
export const uploadKey = (key: CaseKey) => `${caseFolder(key)}upload.pdf`
/** The accepted bytes; no URL can write here. */
export const documentKey = (key: CaseKey) => `${caseFolder(key)}document.pdf`
/** The one verdict on the upload. */
export const intakeKey = (key: CaseKey) => `${caseFolder(key)}intake.json`
/**
 * The one outcome of finalising: the signed PDF, or the reason why there is none, as JSON; the
 * content type tells which. One key, so that only one of the two can ever be.
 */
export const outcomeKey = (key: CaseKey) => `${caseFolder(key)}outcome`
/** What finalising made, as JSON: written once both documents are there. */
export const resultKey = (key: CaseKey) => `${caseFolder(key)}result.json`
export const evidenceKey = (key: CaseKey) => `${caseFolder(key)}evidence.pdf`
export const drawingKey = (key: CaseKey, sha256: string) => `${caseFolder(key)}drawings/${sha256}`
export const receiptFolder = (key: CaseKey) => `${caseFolder(key)}receipts/`
export const receiptKey = (key: CaseKey, eventId: string) => `${receiptFolder(key)}${eventId}`
export const auditFolder = (key: CaseKey) => `${caseFolder(key)}audit/`
export const auditKey = (key: CaseKey, sequence: number) =>
  `${auditFolder(key)}${String(sequence).padStart(SEQUENCE_DIGITS, '0')}`
/**
 * Personal values of an entry and the salts of their commitments; erasing this keeps the chain
 * whole.
 */
export const auditOpeningKey = (key: CaseKey, eventId: string) =>
  `${caseFolder(key)}audit-openings/${eventId}`
export const auditHeadFolder = (key: CaseKey) => `${caseFolder(key)}audit-heads/`
export const auditHeadKey = (key: CaseKey, sequence: number) =>
  `${auditHeadFolder(key)}${String(sequence).padStart(SEQUENCE_DIGITS, '0')}`
/** Says that this service issued a document with this digest. */
export const issuedKey = (sha256: string) => `issued/${sha256}`
export const CANARY_KEY = 'canary.json'
/** What was accepted of the trusted lists, with the evidence of their signatures. */
export const TRUSTED_LISTS_KEY = 'eu-trusted-lists/snapshot.json'
/** A trusted list as it was published, under its digest. */
export const trustedListKey = (sha256: string) => `eu-trusted-lists/lists/${sha256}.xml`

const UPLOAD_PATTERN = /^tenants\/([^/]+)\/cases\/([^/]+)\/upload\.pdf$/

/** The case whose upload the key is, or undefined. */
export function caseOfUpload(objectKey: string): CaseKey | undefined {
  const match = UPLOAD_PATTERN.exec(objectKey)
  return match ? { tenant: match[1] as string, caseId: match[2] as string } : undefined
}
