/**
 * Object keys of a case. They derive from tenant and case id alone, so that a restored cluster
 * finds the objects.
 */
import { isUuid } from '../ids.ts'
import type { CaseKey } from '../ports/stores.ts'

const SEQUENCE_DIGITS = 8
const ATTEMPT_DIGITS = 4
/** Enough for milliseconds until the year 9999. */
const INSTANT_DIGITS = 15

/** Prefix of every object of a case. */
export function caseFolder({ tenant, caseId }: CaseKey): string {
  return `tenants/${tenant}/cases/${caseId}/`
}

/** The upload, written with the tenant's presigned URL. */
export const uploadKey = (key: CaseKey) => `${caseFolder(key)}upload.pdf`
/** The accepted bytes; no URL can write here. */
export const documentKey = (key: CaseKey) => `${caseFolder(key)}document.pdf`
/** The verdict on the upload; there is one per case. */
export const intakeKey = (key: CaseKey) => `${caseFolder(key)}intake.json`
/**
 * The outcome of finalising: the signed PDF, or the failure as JSON; the content type distinguishes
 * them. With a single key, only one of the two can exist.
 */
export const outcomeKey = (key: CaseKey) => `${caseFolder(key)}outcome`
/** The result of finalising as JSON, written once both documents are stored. */
export const resultKey = (key: CaseKey) => `${caseFolder(key)}result.json`
/** The evidence PDF; separate, because the outcome can exist without it. */
export const evidenceKey = (key: CaseKey) => `${caseFolder(key)}evidence.pdf`
/**
 * The drawing of a signature, by the digest of its octets, so that equal drawings are stored once.
 */
export const drawingKey = (key: CaseKey, sha256: string) => `${caseFolder(key)}drawings/${sha256}`
/** Copies of the facts in the case, for a case that is restored from an older backup. */
export const factsFolder = (key: CaseKey) => `${caseFolder(key)}facts/`
/** One signature fact of one participant. */
export const signatureFactKey = (key: CaseKey, factId: string) => `${factsFolder(key)}${factId}`
/** The cancellation by the tenant; there is at most one. */
export const cancellationKey = (key: CaseKey) => `${factsFolder(key)}cancellation`
/** Receipts of the case: sent mails and ended rounds of webhooks. */
export const receiptFolder = (key: CaseKey) => `${caseFolder(key)}receipts/`
/** The receipt of an event; for a webhook, of its latest round. */
export const receiptKey = (key: CaseKey, eventId: string) => `${receiptFolder(key)}${eventId}`
/** No id of an event contains it. */
const BETWEEN_IDS = '.'
/** The common receipt of mails that were sent at the same time. */
export const commonReceiptKey = (key: CaseKey, eventIds: readonly string[]) =>
  receiptKey(key, eventIds.join(BETWEEN_IDS))
/** The ids of the events that a receipt is for. */
export const eventsOfReceipt = (key: CaseKey, objectKey: string) =>
  objectKey.slice(receiptFolder(key).length).split(BETWEEN_IDS)
/** The delivery log of all events of the case. */
export const deliveriesFolder = (key: CaseKey) => `${caseFolder(key)}deliveries/`
/** Attempts to deliver one event. */
export const deliveryFolder = (key: CaseKey, eventId: string) =>
  `${deliveriesFolder(key)}${eventId}/`
/**
 * Padded, so that a listing returns attempts in order.
 *
 * @param number from 1
 */
export const deliveryKey = (key: CaseKey, eventId: string, number: number) =>
  `${deliveryFolder(key, eventId)}${String(number).padStart(ATTEMPT_DIGITS, '0')}`
/** Requested rounds of delivery, of all cases, that have not ended. */
export const REDELIVERIES_FOLDER = 'redeliveries/'
/** Requested rounds of one case. */
export const redeliveryFolder = ({ tenant, caseId }: CaseKey) =>
  `${REDELIVERIES_FOLDER}${tenant}/${caseId}/`
/** @param round from 2 on, because the first round is not requested */
export const redeliveryKey = (key: CaseKey, eventId: string, round: number) =>
  `${redeliveryFolder(key)}${eventId}.${round}`
/** Events of the tenant whose delivery failed, in order of occurrence. */
export const endedWebhooksFolder = (tenant: string, state: string) =>
  `tenants/${tenant}/webhook-events/${state}/`
/** Begins with the padded instant, so that a listing returns events in order of occurrence. */
export const endedWebhookKey = (
  tenant: string,
  state: string,
  { eventId, occurredAt }: { eventId: string; occurredAt: string },
) => {
  const instant = String(Date.parse(occurredAt)).padStart(INSTANT_DIGITS, '0')
  return `${endedWebhooksFolder(tenant, state)}${instant}-${eventId}`
}
/** Entries of the trail with their personal values; those of one append are one object. */
export const auditFolder = (key: CaseKey) => `${caseFolder(key)}audit/`
/**
 * Padded, so that a listing returns entries in order.
 *
 * @param sequence of the first entry in the object, from 1
 */
export const auditKey = (key: CaseKey, sequence: number) =>
  `${auditFolder(key)}${String(sequence).padStart(SEQUENCE_DIGITS, '0')}`
/** Sealed heads of the trail. */
export const auditHeadFolder = (key: CaseKey) => `${caseFolder(key)}audit-heads/`
/** @param sequence of the last entry that the seal covers */
export const auditHeadKey = (key: CaseKey, sequence: number) =>
  `${auditHeadFolder(key)}${String(sequence).padStart(SEQUENCE_DIGITS, '0')}`
/**
 * Certificates issued for the case's signatures, by serial number; written before they are used.
 */
export const certificateFolder = (key: CaseKey) => `${caseFolder(key)}certificates/`
/** @param serial lower-case hex */
export const certificateKey = (key: CaseKey, serial: string) => `${certificateFolder(key)}${serial}`
/** The erasure order, and later the list of erased objects. */
export const tombstoneKey = (key: CaseKey) => `${caseFolder(key)}tombstone.json`
/** The resource of an archived case (decision 234). */
export const archiveKey = (key: CaseKey) => `${caseFolder(key)}archive.json`
/** Entries of archived cases, of all tenants, by the end of the case. */
export const ARCHIVED_FOLDER = 'archived/'
/** The entries of one tenant; a listing returns them in the order in which the cases ended. */
export const archivedFolder = (tenant: string) => `${ARCHIVED_FOLDER}${tenant}/`
/** @param endedAt ISO 8601; the retention time starts then */
export const archivedKey = ({ tenant, caseId }: CaseKey, endedAt: string) =>
  `${archivedFolder(tenant)}${String(Date.parse(endedAt)).padStart(INSTANT_DIGITS, '0')}.${caseId}`
/** Removed cases, of all tenants, whose objects are kept for now. */
export const REMOVED_FOLDER = 'removed/'
/** Key prefix of a removed case, for any end time. */
export const removedPrefix = ({ tenant, caseId }: CaseKey) =>
  `${REMOVED_FOLDER}${tenant}/${caseId}.`
/** @param endedAt ISO 8601; the retention time starts then */
export const removedKey = (key: CaseKey, endedAt: string) =>
  `${removedPrefix(key)}${Date.parse(endedAt)}`
/** Marks a document with this digest as issued by this service. */
export const issuedKey = (sha256: string) => `issued/${sha256}`
export const CANARY_KEY = 'canary.json'
/** The accepted trusted lists, with the evidence of their signatures. */
export const TRUSTED_LISTS_KEY = 'eu-trusted-lists/snapshot.json'
/** A trusted list as published, by its digest. */
export const trustedListKey = (sha256: string) => `eu-trusted-lists/lists/${sha256}.xml`

/** Marks of ended cases, of all tenants, whose trail grew after it was sealed. */
export const GROWN_TRAILS_FOLDER = 'grown-trails/'
const DAY_LENGTH = 'YYYY-MM-DD'.length
/** The mark of one case for one day, UTC; a listing returns marks in the order of days. */
export const grownTrailKey = ({ tenant, caseId }: CaseKey, at: Date) =>
  `${GROWN_TRAILS_FOLDER}${at.toISOString().slice(0, DAY_LENGTH)}/${tenant}/${caseId}`

/** As names of namespaces are (RFC 1123); the embedded profile has one tenant of such a name. */
const TENANT_PATTERN = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

/** Whether parts of a key are of a case: others who write the bucket choose any names. */
const isOfCase = (tenant: string, caseId: string) => TENANT_PATTERN.test(tenant) && isUuid(caseId)

const GROWN_PATTERN = /^grown-trails\/(\d{4}-\d{2}-\d{2})\/([^/]+)\/([^/]+)$/

/** Parses the key of a mark; undefined for other keys. */
export function grownTrailOf(objectKey: string): (CaseKey & { day: string }) | undefined {
  const [, day, tenant, caseId] = GROWN_PATTERN.exec(objectKey) ?? []
  if (day === undefined || tenant === undefined || caseId === undefined) return undefined
  return isOfCase(tenant, caseId) ? { tenant, caseId, day } : undefined
}

/** Marks of archived cases, of all tenants, with a delivery log. */
export const ARCHIVED_LOGS_FOLDER = 'archived-logs/'
/** @param due day, UTC, on which the log is removed; a listing returns marks in this order */
export const archivedLogKey = ({ tenant, caseId }: CaseKey, due: Date) =>
  `${ARCHIVED_LOGS_FOLDER}${due.toISOString().slice(0, DAY_LENGTH)}/${tenant}/${caseId}`

const ARCHIVED_LOG_PATTERN = /^archived-logs\/(\d{4}-\d{2}-\d{2})\/([^/]+)\/([^/]+)$/

/** Parses the key of a mark of a delivery log; undefined for other keys. */
export function archivedLogOf(objectKey: string): (CaseKey & { day: string }) | undefined {
  const [, day, tenant, caseId] = ARCHIVED_LOG_PATTERN.exec(objectKey) ?? []
  if (day === undefined || tenant === undefined || caseId === undefined) return undefined
  return isOfCase(tenant, caseId) ? { tenant, caseId, day } : undefined
}

const UPLOAD_PATTERN = /^tenants\/([^/]+)\/cases\/([^/]+)\/upload\.pdf$/

const REDELIVERY_PATTERN = /^redeliveries\/([^/]+)\/([^/]+)\/([^/.]+)\.(\d+)$/

/** Parses the key of a requested round of delivery; undefined for other keys. */
export function redeliveryOf(
  objectKey: string,
): (CaseKey & { eventId: string; round: number }) | undefined {
  const [, tenant, caseId, eventId, round] = REDELIVERY_PATTERN.exec(objectKey) ?? []
  if (tenant === undefined || caseId === undefined || eventId === undefined) return undefined
  return isOfCase(tenant, caseId) ? { tenant, caseId, eventId, round: Number(round) } : undefined
}

const REMOVED_PATTERN = /^removed\/([^/]+)\/([^/.]+)\.(\d+)$/

/** Parses the key of a removed case; undefined for other keys. */
export function removedOf(objectKey: string): (CaseKey & { endedAt: string }) | undefined {
  const [, tenant, caseId, endedAtMs] = REMOVED_PATTERN.exec(objectKey) ?? []
  if (tenant === undefined || caseId === undefined || !isOfCase(tenant, caseId)) return undefined
  const endedAt = new Date(Number(endedAtMs))
  return Number.isNaN(endedAt.getTime())
    ? undefined
    : { tenant, caseId, endedAt: endedAt.toISOString() }
}

/** The digits of an instant: keys with more of them are not in the order of their times. */
const ARCHIVED_PATTERN = /^archived\/([^/]+)\/(\d{15})\.([^/.]+)$/

/** Parses the key of the entry of an archived case; undefined for other keys. */
export function archivedOf(objectKey: string): (CaseKey & { endedMs: number }) | undefined {
  const [, tenant, endedMs, caseId] = ARCHIVED_PATTERN.exec(objectKey) ?? []
  if (tenant === undefined || caseId === undefined || !isOfCase(tenant, caseId)) return undefined
  return { tenant, caseId, endedMs: Number(endedMs) }
}

/** Parses the key of an upload; undefined for other keys. */
export function caseOfUpload(objectKey: string): CaseKey | undefined {
  const match = UPLOAD_PATTERN.exec(objectKey)
  return match ? { tenant: match[1] as string, caseId: match[2] as string } : undefined
}
