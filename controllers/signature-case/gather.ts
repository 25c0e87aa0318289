/** Reads everything that is known of one case into one value (first of gather, decide, apply). */
import type { AuditTrail } from '../../domain/audit/trail.ts'
import { specFault } from '../../domain/cases/check.ts'
import type { Attempt, DeliveryTimes } from '../../domain/cases/deliveries.ts'
import { DeliveryLog, type Request } from '../../domain/cases/delivery-log.ts'
import { completed, isFromApi } from '../../domain/cases/complete.ts'
import { acceptedSignatures } from '../../domain/cases/facts.ts'
import {
  auditHeadFolder,
  intakeKey,
  outcomeKey,
  resultKey,
  tombstoneKey,
  uploadKey,
} from '../../domain/cases/keys.ts'
import {
  FAILURES_TO_TELL,
  failureCountKey,
  jobId,
  keyRefusalKey,
  readKeyRefusalNote,
  type KeyRefusalNote,
} from '../../domain/cases/jobs.ts'
import { erasableObjects } from '../../domain/cases/erasable-objects.ts'
import type { Tombstone } from '../../domain/cases/erasure.ts'
import { hasEnded } from '../../domain/cases/lifecycle.ts'
import { readReceipts, type Receipts } from '../../domain/cases/receipts.ts'
import type { FinaliseFailure, FinaliseResult, IntakeResult } from '../../domain/cases/results.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { SignatureFact } from '../../domain/cases/spec.ts'
import { owedWebhooks } from '../../domain/cases/webhooks.ts'
import { missingMembers } from '../../domain/contract/callback-rules.ts'
import { concernedDevices } from '../../domain/devices/concerned.ts'
import type { Device } from '../../domain/devices/schema.ts'
import { decodeJson } from '../../domain/json-object.ts'
import { JSON_TYPE } from '../../domain/media-types.ts'
import type { CaseResources } from '../../domain/ports/case-resources.ts'
import type { DeviceStore } from '../../domain/ports/device-store.ts'
import type { Ephemeral } from '../../domain/ports/ephemeral.ts'
import type { JobKind } from '../../domain/ports/jobs.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import type { ObjectStat, ObjectStore } from '../../domain/ports/object-store.ts'
import type { RetentionRules } from '../../domain/ports/retention.ts'
import type { CaseSecrets } from '../../domain/ports/secret-store.ts'
import type { CaseKey, CaseStore } from '../../domain/ports/stores.ts'

import { isSettled } from './conditions.ts'
import { withLostFacts } from './kept-facts.ts'

const MAXIMUM_HEADS = 1000

export interface GatherDeps {
  cases: CaseStore
  devices: DeviceStore
  objects: ObjectStore
  trail: AuditTrail
  keyring: Keyring
  deliveryTimes: DeliveryTimes
  ephemeral: Pick<Ephemeral, 'get'>
  retention: RetentionRules
  /** Absent: there is no API server, and nobody works past the service's API. */
  resources?: CaseResources
  now(): Date
}

/** What was seen of the upload, until status tells of it. */
interface UploadSeen {
  intake?: IntakeResult
  upload?: ObjectStat
}

/** What finalising left behind, until status tells of it. */
interface OutcomeSeen {
  failure?: FinaliseFailure
  result?: FinaliseResult
}

/** What the delivery log holds of the webhooks that are open. */
export interface DeliveriesSeen {
  times: DeliveryTimes
  /** By event. */
  attempts: ReadonlyMap<string, readonly Attempt[]>
  /** Rounds that the tenant asked for. */
  requests: readonly Request[]
}

/** What is known of the erasure of a case that has ended. */
interface ErasureSeen {
  /** Of its tenant; absent: its cases are kept for ever. */
  retentionDays?: number
  tombstone?: Tombstone
  /** Something came after all was erased. */
  hasLeftovers?: boolean
}

/** An applied case that the service can work with. */
export interface Completion {
  signatureCase: SignatureCase
  /** From the Secret that the callback names. */
  credentials?: CaseSecrets
}

/** Everything that a decision about one case can depend on. */
export interface Observation extends UploadSeen, OutcomeSeen, ErasureSeen {
  key: CaseKey
  nowMs: number
  signatureCase: SignatureCase
  /** Of an applied case, before anything else: with what was left out, and its credentials. */
  completion?: Completion
  /** When the upload URL that was published for kubectl expires. */
  publishedUpload?: Date
  /** The case with what its trail tells of and that it lacks: it comes from an older backup. */
  withLostFacts?: SignatureCase
  /** How the spec breaks its schema; nothing more can be told of such a case. */
  specFault?: string
  /** The signatures that count, in order of signing. */
  accepted: readonly SignatureFact[]
  /** For a case with a callback. */
  deliveries?: DeliveriesSeen
  /** The mails that were sent and the webhooks that ended, and when. */
  receipts: Receipts
  /** Ids of the events that the audit trail holds. */
  recorded: ReadonlySet<string>
  /** The kiosks that the case has to do with. */
  devices: readonly Device[]
  /** The newest seal over the trail, looked for once the case has ended. */
  sealedHead?: { sequence: number; sealedAtMs: number }
  /** The job that brings the case on and fails again and again. */
  failing?: JobKind
  /** Why, when a signing key has to be put in order: that is told from the first failure on. */
  keyRefusal?: KeyRefusalNote
}

async function readJson<T>(objects: ObjectStore, key: string): Promise<T | undefined> {
  const object = await objects.get(key)
  return object && decodeJson<T>(object)
}

async function seeUpload({ status }: SignatureCase, key: CaseKey, objects: ObjectStore) {
  if (status?.document || (status && hasEnded(status.phase))) return {}
  const intake = await readJson<IntakeResult>(objects, intakeKey(key))
  if (intake) return { intake }
  const upload = await objects.stat(uploadKey(key))
  return upload ? { upload } : {}
}

async function seeOutcome({ status }: SignatureCase, key: CaseKey, objects: ObjectStore) {
  if (!status?.document || hasEnded(status.phase)) return {}
  const outcome = await objects.stat(outcomeKey(key))
  if (!outcome) return {}
  if (outcome.contentType === JSON_TYPE) {
    const failure = await readJson<FinaliseFailure>(objects, outcomeKey(key))
    return failure ? { failure } : {}
  }
  const result = await readJson<FinaliseResult>(objects, resultKey(key))
  return result ? { result } : {}
}

/** An event that status does not show yet cannot have been attempted. */
async function seeDeliveries(
  signatureCase: SignatureCase,
  accepted: readonly SignatureFact[],
  receipts: Receipts,
  { key, objects, deliveryTimes: times }: GatherDeps & { key: CaseKey },
): Promise<{ deliveries?: DeliveriesSeen }> {
  if (!signatureCase.spec.definition.callback) return {}
  const log = new DeliveryLog(objects)
  const requests = await log.requests(key)
  const asked = new Set(requests.map(({ eventId }) => eventId))
  const open = owedWebhooks(signatureCase, accepted)
    .map(({ eventId }) => eventId)
    .filter((eventId) => !receipts.has(eventId) || asked.has(eventId))
  const attempts = await Promise.all(
    open.map(async (eventId) => [eventId, await log.attempts(key, eventId)] as const),
  )
  return { deliveries: { times, requests, attempts: new Map(attempts) } }
}

async function seeSealedHead({ status }: SignatureCase, key: CaseKey, objects: ObjectStore) {
  if (!status || !hasEnded(status.phase)) return {}
  const folder = auditHeadFolder(key)
  const newest = (await objects.list(folder, { limit: MAXIMUM_HEADS })).at(-1)
  if (!newest) return {}
  const sequence = Number(newest.key.slice(folder.length))
  return { sealedHead: { sequence, sealedAtMs: newest.updatedAt.getTime() } }
}

/** A case that nobody has looked at may be a former one's that is restored or applied again. */
async function seeErasure(
  { status }: SignatureCase,
  key: CaseKey,
  { objects, retention }: GatherDeps,
): Promise<ErasureSeen> {
  if (status && !hasEnded(status.phase)) return {}
  const tombstone = await readJson<Tombstone>(objects, tombstoneKey(key))
  if (tombstone?.erasedAt !== undefined) {
    return { tombstone, hasLeftovers: (await erasableObjects(key, objects, 1)).length > 0 }
  }
  if (tombstone) return { tombstone }
  const retentionDays = status && (await retention.daysOf(key.tenant))
  return retentionDays === undefined ? {} : { retentionDays }
}

/** The one job of its own, beside mails, that a case in this state can wait for. */
function ownJob({ status }: SignatureCase): 'intake' | 'finalise' | 'trail-seal' | 'retention' {
  if (status?.erasure) return 'retention'
  if (status && hasEnded(status.phase)) return 'trail-seal'
  return status?.document ? 'finalise' : 'intake'
}

async function seeFailures(signatureCase: SignatureCase, key: CaseKey, deps: GatherDeps) {
  const kind = ownJob(signatureCase)
  const id = jobId(kind, key)
  // Hints: without them the case goes on as well.
  const [failures, note] = await Promise.all(
    [failureCountKey(kind, id), keyRefusalKey(kind, id)].map((place) =>
      deps.ephemeral.get(place).catch(() => undefined),
    ),
  )
  const keyRefusal = note === undefined ? undefined : readKeyRefusalNote(note)
  if (keyRefusal) return { failing: kind, keyRefusal }
  return Number(failures ?? 0) >= FAILURES_TO_TELL ? { failing: kind } : {}
}

/** Credentials of an applied case's callback, and what is wrong with them. */
async function seeCredentials(
  { metadata, spec }: SignatureCase,
  { resources }: GatherDeps,
): Promise<{ credentials?: CaseSecrets; fault?: string }> {
  const { callback } = spec.definition
  if (!resources || !callback) return {}
  const name = callback.secretRef?.name
  const found =
    name === undefined ? undefined : await resources.findCredentials(metadata.namespace, name)
  const place = 'spec/definition/callback'
  if (name !== undefined && !found) {
    return { fault: `${place}/secretRef: there is no Secret ${name} labelled for callbacks` }
  }
  const [missing] = missingMembers({ ...callback, ...found })
  if (missing) return { fault: `${place}: ${missing.message}` }
  return found ? { credentials: found } : {}
}

/** The case with what was left out of it, or why the service cannot work with it. */
async function seeDefinition(
  signatureCase: SignatureCase,
  deps: GatherDeps,
): Promise<{ completion?: Completion; specFault?: string }> {
  const whole = completed(signatureCase)
  const fault = specFault(whole.spec)
  if (fault !== undefined) return { specFault: fault }
  if (whole === signatureCase) return {}
  const { credentials, fault: missing } = await seeCredentials(signatureCase, deps)
  if (missing !== undefined) return { specFault: missing }
  return { completion: { signatureCase: whole, ...(credentials ? { credentials } : {}) } }
}

/** A case from the API gave its URL to whoever asked for it. */
async function seePublishedUpload(signatureCase: SignatureCase, key: CaseKey, deps: GatherDeps) {
  const { status } = signatureCase
  if (!deps.resources || isFromApi(signatureCase) || isSettled(status)) return {}
  const publishedUpload = await deps.resources.publishedUpload(key)
  return publishedUpload ? { publishedUpload } : {}
}

/** @returns undefined when the case does not exist */
export async function gather(key: CaseKey, deps: GatherDeps): Promise<Observation | undefined> {
  const { cases, objects, trail, keyring } = deps
  const signatureCase = await cases.get(key)
  if (!signatureCase) return undefined
  const nowMs = deps.now().getTime()
  const definition = await seeDefinition(signatureCase, deps)
  if (definition.completion || definition.specFault !== undefined) {
    const recorded = new Set<string>()
    const nothing = { accepted: [], receipts: new Map(), recorded, devices: [] }
    return { key, nowMs, signatureCase, ...definition, ...nothing }
  }
  const [upload, outcome, head, failures, receipts, entries, devices, published, erasure] =
    await Promise.all([
      seeUpload(signatureCase, key, objects),
      seeOutcome(signatureCase, key, objects),
      seeSealedHead(signatureCase, key, objects),
      seeFailures(signatureCase, key, deps),
      readReceipts(key, objects),
      trail.entries(key),
      concernedDevices(signatureCase, deps.devices),
      seePublishedUpload(signatureCase, key, deps),
      seeErasure(signatureCase, key, deps),
    ])
  const accepted = acceptedSignatures(keyring, signatureCase)
  const whole = await withLostFacts(signatureCase, entries, { key, objects, keyring })
  return {
    key,
    nowMs,
    signatureCase,
    accepted,
    ...upload,
    ...outcome,
    ...head,
    ...(await seeDeliveries(signatureCase, accepted, receipts, { ...deps, key })),
    ...failures,
    ...published,
    ...(whole ? { withLostFacts: whole } : {}),
    ...erasure,
    receipts,
    devices,
    recorded: new Set(entries.map(({ eventId }) => eventId)),
  }
}
