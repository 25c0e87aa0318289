/**
 * Reads everything that is known about one case into one value. First step of gather, decide,
 * apply. This file decides what to read; the files in `observe/` read it.
 */
import type { AuditEntry } from '../../domain/audit/entry.ts'
import { headOf, seenHeads } from '../../domain/audit/signature-check.ts'
import type { AuditTrail } from '../../application/audit/trail.ts'
import { caseFolder } from '../../domain/cases/keys.ts'
import { isAccepted, isFromApi } from '../../domain/cases/complete.ts'
import type { DeliveryTimes } from '../../domain/cases/webhook-attempts.ts'
import { acceptedSignatures } from '../../domain/cases/facts.ts'
import { isSettled } from '../../domain/cases/finished.ts'
import { hasEnded } from '../../domain/cases/lifecycle.ts'
import { readReceipts } from '../../application/cases/receipts.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { recordedMails } from '../../domain/cases/due-mails.ts'
import { dueWebhooks } from '../../domain/cases/webhooks.ts'
import {
  snapshotFolder,
  type ObjectReader,
  ReadObjects,
} from '../../application/store/folder-snapshot.ts'
import { concernedDevices } from '../../application/kiosks/concerned.ts'
import type { CaseResources } from '../../domain/ports/case-resources.ts'
import type { DeviceStore } from '../../domain/ports/device-store.ts'
import type { ExpiringValues } from '../../domain/ports/expiring-values.ts'
import type { KeyringOf } from '../../domain/key-grants.ts'
import type { RetentionRules } from '../../domain/ports/retention.ts'
import type { SecretStore } from '../../domain/ports/secret-store.ts'
import type { CaseKey, CaseStore } from '../../domain/ports/stores.ts'
import type { IntegrityAlarm } from '../../domain/integrity-alarm.ts'
import { isUntouched, wasBlocked } from './conditions.ts'
import { withLostFacts } from './kept-facts.ts'
import type {
  ErasureObservation,
  Observation,
  OutcomeObservation,
  SealObservation,
  UploadObservation,
} from './observation.ts'
import { observeDefinition } from './observe/definition.ts'
import { observeDeliveries } from './observe/deliveries.ts'
import { observeErasure, observeRetention, observeTombstone } from './observe/erasure.ts'
import { observeFailures } from './observe/failures.ts'
import { observeOutcome } from './observe/outcome.ts'
import { observeSealedHead } from './observe/sealed-head.ts'
import { observeTrail } from './observe/trail.ts'
import { observeUpload } from './observe/upload.ts'
import { findRecentListing, type Known } from './recent-listing.ts'

export interface GatherDeps {
  cases: CaseStore
  devices: DeviceStore
  secrets: Pick<SecretStore, 'get'>
  objects: ObjectReader
  /** What earlier runs read; absent: everything is read again. */
  read?: ReadObjects
  trail: AuditTrail
  keyring: KeyringOf<'controller'>
  alarm: Pick<IntegrityAlarm, 'raise'>
  deliveryTimes: DeliveryTimes
  ephemeral: Pick<ExpiringValues, 'get'>
  retention: RetentionRules
  /** The object store reports uploads; absent: they are found by looking for them. */
  areUploadsReported?: boolean
  /** Whether a worker may have reported an outcome since the last run; absent: it may have. */
  isNotified?: boolean
  /** Absent without an API server: then cases are only created through the service's API. */
  resources?: CaseResources
  now(): Date
}

/** Defaults for a case that the service cannot work on. */
const NOTHING_ELSE = {
  accepted: [],
  receipts: new Map<string, number>(),
  recorded: new Set<string>(),
  devices: [],
} as const

/** Reads what only a case in this state can have. */
async function observeState(
  { spec, status }: SignatureCase,
  { key, accepted }: Known,
  deps: GatherDeps & { isRecent: boolean },
): Promise<UploadObservation & OutcomeObservation & SealObservation & ErasureObservation> {
  const { objects, keyring, alarm, retention, isRecent, isNotified = true } = deps
  const results = { objects, keyring, alarm }
  if (status && hasEnded(status.phase)) {
    const [head, erasure] = await Promise.all([
      observeSealedHead(key, results),
      isRecent ? observeRetention(key, retention) : observeErasure(key, retention, results),
    ])
    return { ...head, ...erasure }
  }
  if (status?.document) {
    // Before, there is no outcome that counts, and a listing would show any other. The worker that
    // stores one reports it; a lost report is noticed when the listing is too old.
    const isSignedByAll = accepted.length >= spec.definition.participants.length
    return (isSignedByAll && isNotified) || !isRecent ? observeOutcome(key, results) : {}
  }
  if (status && !isUntouched({ status }) && !wasBlocked(status)) return observeUpload(key, results)
  // A new resource may be a former case that was restored or applied again, so look for a
  // tombstone. Only this process makes one, so a recent listing does not lack it.
  const [upload, tombstone] = await Promise.all([
    observeUpload(key, results),
    isRecent ? {} : observeTombstone(key, results),
  ])
  return { ...upload, ...tombstone }
}

/** For applied cases only: a case from the API returned its upload URL to the caller. */
async function observePublishedUpload(
  signatureCase: SignatureCase,
  key: CaseKey,
  { resources }: GatherDeps,
): Promise<Date | undefined> {
  if (isFromApi(signatureCase) || isSettled(signatureCase.status)) return undefined
  return resources?.publishedUpload(key)
}

async function observeNamespaceEnding(
  { metadata }: SignatureCase,
  { resources }: GatherDeps,
): Promise<Pick<Observation, 'isNamespaceEnding'> | undefined> {
  if (metadata.deletionTimestamp === undefined) return undefined
  return (await resources?.isNamespaceEnding(metadata.namespace))
    ? { isNamespaceEnding: true }
    : undefined
}

/** Takes the creation time from the trail, because a restored resource is younger than its case. */
function createdAsRecorded(signatureCase: SignatureCase, entries: readonly AuditEntry[]) {
  const at = entries.find(({ type }) => type === 'case.created')?.occurredAt
  if (at === undefined) return signatureCase
  return { ...signatureCase, spec: { ...signatureCase.spec, creation: { at } } }
}

/** The state of a case with the parts of its folder that each state needs. */
async function observeObjects(signatureCase: SignatureCase, seen: Known, deps: GatherDeps) {
  const { key, webhooks, heads } = seen
  const { keyring, read = new ReadObjects() } = deps
  // After the case was read, because its status names what must be in the folder.
  const recent = await findRecentListing(signatureCase, seen, deps)
  const objects =
    recent?.objects ??
    (await snapshotFolder(deps.objects, caseFolder(key), read, deps.now().getTime()))
  const listed = { ...deps, objects, isRecent: recent !== undefined }
  const [state, stored, checked] = await Promise.all([
    observeState(signatureCase, seen, listed),
    recent?.receipts ?? readReceipts(key, objects),
    recent ?? deps.trail.check(key, objects),
  ])
  const found = await observeTrail(checked, heads, state, { key, trail: deps.trail })
  const receipts = new Map([...recordedMails(signatureCase, found.entries), ...stored])
  const hasCallback = signatureCase.spec.definition.callback !== undefined
  const [deliveries, whole] = await Promise.all([
    hasCallback ? observeDeliveries(key, webhooks, receipts, listed) : undefined,
    found.trailFault
      ? undefined
      : withLostFacts(signatureCase, found.entries, {
          key,
          objects,
          keyring,
          trail: deps.trail,
        }),
  ])
  return { ...found, state, receipts, deliveries, whole }
}

/** @returns undefined when the case does not exist */
export async function gather(key: CaseKey, deps: GatherDeps): Promise<Observation | undefined> {
  const stored = await deps.cases.get(key)
  if (!stored) return undefined
  const isNamespaceEnding = await observeNamespaceEnding(stored, deps)
  // In a namespace that is being deleted, only cases can still be read.
  const definition = await observeDefinition(
    stored,
    isNamespaceEnding ? { secrets: deps.secrets } : deps,
  )
  const { signatureCase, specFault, lacksFinalizer } = definition
  const known = { key, nowMs: deps.now().getTime(), ...definition, ...isNamespaceEnding }
  // Without rights in the namespace the service could not remove its finalizer: the run fails.
  if (lacksFinalizer) await deps.resources?.publishedUpload(key)
  if (specFault !== undefined || lacksFinalizer) return { ...known, ...NOTHING_ELSE }

  const accepted = acceptedSignatures(deps.keyring, signatureCase)
  const heads = seenHeads(signatureCase, accepted)
  const webhooks = dueWebhooks(signatureCase, accepted)
  const [found, failures, devices, publishedUpload] = await Promise.all([
    observeObjects(signatureCase, { key, webhooks, accepted, heads }, deps),
    observeFailures(signatureCase, key, deps.ephemeral),
    isNamespaceEnding ? [] : concernedDevices(signatureCase, deps.devices),
    isNamespaceEnding ? undefined : observePublishedUpload(signatureCase, key, deps),
  ])
  const { entries, trailFault, state, receipts, deliveries, whole } = found
  return {
    ...known,
    ...(isAccepted(stored) ? {} : { signatureCase: createdAsRecorded(signatureCase, entries) }),
    ...state,
    ...failures,
    accepted,
    ...(trailFault ? { trailFault } : { trailHead: headOf(entries) }),
    receipts,
    recorded: new Set(entries.map(({ eventId }) => eventId)),
    devices,
    ...(publishedUpload && { publishedUpload }),
    ...(deps.areUploadsReported && { areUploadsReported: true }),
    ...(deliveries && { deliveries }),
    ...(whole && { withLostFacts: whole }),
  }
}
