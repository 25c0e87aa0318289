/**
 * Object keys of a case. They follow from tenant and case id alone, so that a restored cluster
 * finds them.
 */
import type { CaseKey } from '../ports/stores.ts'

const SEQUENCE_DIGITS = 8
const ATTEMPT_DIGITS = 4
/** Milliseconds until the year 9999. */
const INSTANT_DIGITS = 15

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
/** The evidence PDF; outside the outcome, which may be there without it. */
export const evidenceKey = (key: CaseKey) => `${caseFolder(key)}evidence.pdf`
/** A drawing of a signature, under the digest of its octets: the same is stored once. */
export const drawingKey = (key: CaseKey, sha256: string) => `${caseFolder(key)}drawings/${sha256}`
/** What people stated, as it stands in the case, for one that is restored from an older backup. */
export const factsFolder = (key: CaseKey) => `${caseFolder(key)}facts/`
/** One statement of one participant. */
export const signatureFactKey = (key: CaseKey, factId: string) => `${factsFolder(key)}${factId}`
/** That the tenant ended the case; there is one at most. */
export const cancellationKey = (key: CaseKey) => `${factsFolder(key)}cancellation`
/** How the rounds of delivery of the case ended. */
export const receiptFolder = (key: CaseKey) => `${caseFolder(key)}receipts/`
/** Of the latest round of the event. */
export const receiptKey = (key: CaseKey, eventId: string) => `${receiptFolder(key)}${eventId}`
/** Log of the deliveries of every event of the case. */
export const deliveriesFolder = (key: CaseKey) => `${caseFolder(key)}deliveries/`
/** Attempts at one event. */
export const deliveryFolder = (key: CaseKey, eventId: string) =>
  `${deliveriesFolder(key)}${eventId}/`
/** Padded, so that listing gives attempts in order. @param number from 1 */
export const deliveryKey = (key: CaseKey, eventId: string, number: number) =>
  `${deliveryFolder(key, eventId)}${String(number).padStart(ATTEMPT_DIGITS, '0')}`
/** Rounds of delivery that tenants asked for and that have not ended: a list to work off. */
export const REDELIVERIES_FOLDER = 'redeliveries/'
/** Rounds that were asked for in one case. */
export const redeliveryFolder = ({ tenant, caseId }: CaseKey) =>
  `${REDELIVERIES_FOLDER}${tenant}/${caseId}/`
/** @param round from 2 on, for the first is not asked for */
export const redeliveryKey = (key: CaseKey, eventId: string, round: number) =>
  `${redeliveryFolder(key)}${eventId}.${round}`
/** Events of the tenant that ended badly, in order of their occurrence. */
export const endedWebhooksFolder = (tenant: string, state: string) =>
  `tenants/${tenant}/webhook-events/${state}/`
/** Begins with the instant, padded, so that listing gives events in order of occurrence. */
export const endedWebhookKey = (
  tenant: string,
  state: string,
  { eventId, occurredAt }: { eventId: string; occurredAt: string },
) => {
  const instant = String(Date.parse(occurredAt)).padStart(INSTANT_DIGITS, '0')
  return `${endedWebhooksFolder(tenant, state)}${instant}-${eventId}`
}
/** Entries of the trail, each written once. */
export const auditFolder = (key: CaseKey) => `${caseFolder(key)}audit/`
/** Padded, so that listing gives entries in order. @param sequence from 1 */
export const auditKey = (key: CaseKey, sequence: number) =>
  `${auditFolder(key)}${String(sequence).padStart(SEQUENCE_DIGITS, '0')}`
/**
 * Personal values of an entry and the salts of their commitments; erasing this keeps the chain
 * whole.
 */
export const auditOpeningKey = (key: CaseKey, eventId: string) =>
  `${caseFolder(key)}audit-openings/${eventId}`
/** Sealed heads of the trail. */
export const auditHeadFolder = (key: CaseKey) => `${caseFolder(key)}audit-heads/`
/** @param sequence of the last entry that the seal covers */
export const auditHeadKey = (key: CaseKey, sequence: number) =>
  `${auditHeadFolder(key)}${String(sequence).padStart(SEQUENCE_DIGITS, '0')}`
/** Certificates made for the case's signatures, by serial number; written before they are used. */
export const certificateFolder = (key: CaseKey) => `${caseFolder(key)}certificates/`
/** @param serial lower-case hex */
export const certificateKey = (key: CaseKey, serial: string) => `${certificateFolder(key)}${serial}`
/** That the case's objects are to be erased, and, later, which ones were. */
export const tombstoneKey = (key: CaseKey) => `${caseFolder(key)}tombstone.json`
/** Cases whose resource was removed and whose objects were kept: a list to work off. */
export const REMOVED_FOLDER = 'removed/'
/** Begins the key of a removed case, whenever it ended. */
export const removedPrefix = ({ tenant, caseId }: CaseKey) =>
  `${REMOVED_FOLDER}${tenant}/${caseId}.`
/** @param endedAt ISO 8601; the objects are kept for the retention from then on */
export const removedKey = (key: CaseKey, endedAt: string) =>
  `${removedPrefix(key)}${Date.parse(endedAt)}`
/** Says that this service issued a document with this digest. */
export const issuedKey = (sha256: string) => `issued/${sha256}`
export const CANARY_KEY = 'canary.json'
/** What was accepted of the trusted lists, with the evidence of their signatures. */
export const TRUSTED_LISTS_KEY = 'eu-trusted-lists/snapshot.json'
/** A trusted list as it was published, under its digest. */
export const trustedListKey = (sha256: string) => `eu-trusted-lists/lists/${sha256}.xml`

const UPLOAD_PATTERN = /^tenants\/([^/]+)\/cases\/([^/]+)\/upload\.pdf$/

const REDELIVERY_PATTERN = /^redeliveries\/([^/]+)\/([^/]+)\/([^/.]+)\.(\d+)$/

/** The round of delivery that was asked for under the key, or undefined. */
export function redeliveryOf(
  objectKey: string,
): (CaseKey & { eventId: string; round: number }) | undefined {
  const [, tenant, caseId, eventId, round] = REDELIVERY_PATTERN.exec(objectKey) ?? []
  if (tenant === undefined || caseId === undefined || eventId === undefined) return undefined
  return { tenant, caseId, eventId, round: Number(round) }
}

const REMOVED_PATTERN = /^removed\/([^/]+)\/([^/.]+)\.(\d+)$/

/** The removed case that the key names, or undefined. */
export function removedOf(objectKey: string): (CaseKey & { endedAt: string }) | undefined {
  const [, tenant, caseId, endedAtMs] = REMOVED_PATTERN.exec(objectKey) ?? []
  if (tenant === undefined || caseId === undefined) return undefined
  return { tenant, caseId, endedAt: new Date(Number(endedAtMs)).toISOString() }
}

/** The case whose upload the key is, or undefined. */
export function caseOfUpload(objectKey: string): CaseKey | undefined {
  const match = UPLOAD_PATTERN.exec(objectKey)
  return match ? { tenant: match[1] as string, caseId: match[2] as string } : undefined
}
