/** What is known of one case, as `gather` read it: everything that a decision can depend on. */
import type { TrailFault, TrailHead } from '../../domain/audit/fault.ts'
import type { Attempt, DeliveryTimes } from '../../domain/cases/deliveries.ts'
import type { Request } from '../../domain/cases/delivery-log.ts'
import type { Tombstone } from '../../domain/cases/erasure.ts'
import type { KeyRefusalNote } from '../../domain/cases/jobs.ts'
import type { Receipts } from '../../domain/cases/receipts.ts'
import type { FinaliseFailure, FinaliseResult, IntakeResult } from '../../domain/cases/results.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { SignatureFact } from '../../domain/cases/spec.ts'
import type { Device } from '../../domain/devices/schema.ts'
import type { JobKind } from '../../domain/ports/jobs.ts'
import type { ObjectStat } from '../../domain/ports/object-store.ts'
import type { CaseSecrets } from '../../domain/ports/secret-store.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'

/** Of an applied case; of a case with a fault nothing else is seen. */
export interface DefinitionSeen {
  /** How the spec breaks its schema; nothing more can be told of such a case. */
  specFault?: string
  /** The case lost its finalizer, or never had one. */
  lacksFinalizer?: true
  /** From the Secret that the callback names; copied before the case is accepted. */
  credentials?: CaseSecrets
}

/** Until status tells of a document or an end: the verdict on the upload, else the upload. */
export interface UploadSeen {
  intake?: IntakeResult
  upload?: ObjectStat
}

/** Until status tells of it: what finalising left behind. */
export interface OutcomeSeen {
  failure?: FinaliseFailure
  result?: FinaliseResult
}

/** Of the job that brings the case on. */
export interface FailuresSeen {
  /** It fails again and again. */
  failing?: JobKind
  /** Why, when a signing key has to be put in order: that is told from the first failure on. */
  keyRefusal?: KeyRefusalNote
}

/** Once the case has ended: the newest seal over its trail. */
export interface SealSeen {
  sealedHead?: { sequence: number; sealedAtMs: number }
  /** A worker found that the trail does not hold, and has done what is left to do. */
  isSealRefused?: true
}

/** Once the case has ended, or before anybody worked on it. */
export interface ErasureSeen {
  /** Of its tenant; absent: its cases are kept for ever, or this one is being erased already. */
  retentionDays?: number
  tombstone?: Tombstone
  /** Something came after all was erased. */
  hasLeftovers?: boolean
}

/** What the delivery log holds of the webhooks that are open. */
export interface DeliveriesSeen {
  times: DeliveryTimes
  /** By event. */
  attempts: ReadonlyMap<string, readonly Attempt[]>
  /** Rounds that the tenant asked for. */
  requests: readonly Request[]
}

export interface Observation
  extends DefinitionSeen, UploadSeen, OutcomeSeen, FailuresSeen, SealSeen, ErasureSeen {
  key: CaseKey
  nowMs: number
  /** The case is removed with the namespace of its tenant. */
  isPlaceEnding?: true
  signatureCase: SignatureCase
  /** The case with what its trail tells of and that it lacks: it comes from an older backup. */
  withLostFacts?: SignatureCase
  /** The signatures that count, in order of signing. */
  accepted: readonly SignatureFact[]
  /** The audit trail does not hold: nothing is appended to it or sealed over it any more. */
  trailFault?: TrailFault
  /** The newest entry of a trail that holds. */
  trailHead?: TrailHead
  /** Ids of the events that the audit trail holds, up to its fault. */
  recorded: ReadonlySet<string>
  /** The mails that were sent and the webhooks that ended, and when. */
  receipts: Receipts
  /** For a case with a callback. */
  deliveries?: DeliveriesSeen
  /** The kiosks that the case has to do with. */
  devices: readonly Device[]
  /** When the upload URL that was published for kubectl expires. */
  publishedUpload?: Date
}
