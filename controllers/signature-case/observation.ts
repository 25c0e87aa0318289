/**
 * Everything that is known about one case, as `gather` read it, and that a decision can depend on.
 */
import type { TrailFault, TrailHead } from '../../domain/audit/fault.ts'
import type { Attempt, DeliveryTimes } from '../../domain/cases/webhook-attempts.ts'
import type { Request } from '../../application/webhooks/delivery-log.ts'
import type { Tombstone } from '../../domain/cases/erasure.ts'
import type { KeyRefusalNote } from '../../domain/cases/jobs.ts'
import type { Receipts } from '../../domain/cases/due-mails.ts'
import type { FinaliseFailure, FinaliseResult, IntakeResult } from '../../domain/cases/results.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { SignatureFact } from '../../domain/cases/spec.ts'
import type { Device } from '../../domain/devices/schema.ts'
import type { JobKind } from '../../domain/ports/jobs.ts'
import type { ObjectStat } from '../../domain/ports/object-store.ts'
import type { CaseSecrets } from '../../domain/ports/secret-store.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'

/** Validity of the definition. For a case with a fault, nothing else is read. */
export interface DefinitionObservation {
  /** How the spec violates its schema; nothing else is known about such a case. */
  specFault?: string
  /** The case does not have the finalizer. */
  lacksFinalizer?: true
  /** From the Secret that the callback names; copied before the case is accepted. */
  credentials?: CaseSecrets
}

/**
 * Read until the status has a document or an end: the verdict on the upload, or the upload itself.
 */
export interface UploadObservation {
  intake?: IntakeResult
  upload?: ObjectStat
}

/** Results of finalising; read until the status contains them. */
export interface OutcomeObservation {
  failure?: FinaliseFailure
  result?: FinaliseResult
}

/** Failures of the job that the case waits for. */
export interface FailuresObservation {
  /** Set when the job keeps failing. */
  failing?: JobKind
  /** Set from the first failure on, when an operator has to fix a signing key. */
  keyRefusal?: KeyRefusalNote
}

/** Read once the case has ended: the newest seal over its trail. */
export interface SealObservation {
  sealedHead?: { sequence: number; sealedAtMs: number }
  /** A worker found that the trail is not sound, so it does not seal it. */
  isSealRefused?: true
}

/** Read once the case has ended, or before its first reconcile. */
export interface ErasureObservation {
  /**
   * Retention time of the tenant. Absent when its cases are kept for ever, or this case is already
   * being erased.
   */
  retentionDays?: number
  tombstone?: Tombstone
  /** Objects appeared after the erasure was complete. */
  hasLeftovers?: boolean
}

/** Entries of the delivery log for the open webhooks. */
export interface DeliveriesObservation {
  times: DeliveryTimes
  /** By event id. */
  attempts: ReadonlyMap<string, readonly Attempt[]>
  /** Redeliveries that the tenant requested. */
  requests: readonly Request[]
}

export interface Observation
  extends
    DefinitionObservation,
    UploadObservation,
    OutcomeObservation,
    FailuresObservation,
    SealObservation,
    ErasureObservation {
  key: CaseKey
  nowMs: number
  /** The case is removed together with the namespace of its tenant. */
  isNamespaceEnding?: true
  signatureCase: SignatureCase
  /**
   * The case with the facts that its trail mentions and that it lacks, because it comes from an
   * older backup.
   */
  withLostFacts?: SignatureCase
  /** The signatures that count, in signing order. */
  accepted: readonly SignatureFact[]
  /** The audit trail is not sound: nothing is appended to it or sealed any more. */
  trailFault?: TrailFault
  /** The newest entry of a sound trail. */
  trailHead?: TrailHead
  /** Ids of the events that the audit trail holds, up to its fault. */
  recorded: ReadonlySet<string>
  /** Times at which mails were sent and webhooks ended. */
  receipts: Receipts
  /** Present for a case with a callback. */
  deliveries?: DeliveriesObservation
  /** The kiosks that show the case, or should show it. */
  devices: readonly Device[]
  /** When the upload URL that was published for kubectl expires. */
  publishedUpload?: Date
  /** The object store reports uploads, so they are seldom looked for. */
  areUploadsReported?: boolean
}
