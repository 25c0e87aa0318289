/** Result objects: what workers found out, written once, from which the controller makes status. */
import { JSON_TYPE, PDF_TYPE } from '../media-types.ts'
import type { DocumentWarning } from './document-warnings.ts'
import type { Failure } from './failure-codes.ts'
import type { Rejection } from './reject-codes.ts'
import type { AnnotationAppearance, OccupiedPlace, PageSize } from '../ports/pdf-sandbox.ts'

/** `intake.json`: the stored verdict on the upload. Every run reports this one, not its own. */
export type IntakeResult =
  | {
      outcome: 'accepted'
      sha256: string
      size: number
      pages: PageSize[]
      carriesSignatures: boolean
      /** Appearances that signing adds; absent when there are none. */
      drawn?: AnnotationAppearance[]
      /** Where no signature may go; absent when the upload carried none. */
      occupied?: OccupiedPlace[]
      /** Problems of the signatures that the upload carried; absent when there are none. */
      warnings?: DocumentWarning[]
      decidedAt: string
    }
  | ({ outcome: 'rejected'; sha256?: string; size: number; decidedAt: string } & Rejection)

/** Content of the outcome object when the document could not be signed. */
export interface FinaliseFailure extends Failure {
  failedAt: string
}

/** Media types of the object at the outcome key: the signed PDF, or the failure. */
export const OUTCOME_TYPES = { signed: PDF_TYPE, failed: JSON_TYPE } as const

/** Returns what the object at the outcome key claims to be; the caller checks the content. */
export const outcomeKindOf = ({ contentType }: { contentType?: string }) =>
  contentType === OUTCOME_TYPES.failed ? 'failed' : 'signed'

/** A document made by finalising; `level` as in EN 319 142-1. */
export interface FinalisedDocument {
  sha256: string
  size: number
  level: string
}

/** `result.json`: describes both documents, so that other processes do not have to read them. */
export interface FinaliseResult {
  signedDocument: FinalisedDocument
  evidenceDocument: FinalisedDocument
  /** When both documents were stored. */
  completedAt: string
}

/** Whether a worker could seal and validate a document at `at`. */
export interface WorkerCanary {
  outcome: 'passed' | 'failed'
  at: string
  reason?: string
  /** Error code, if the error has one. */
  code?: string
}

/** `canary.json`: the combined outcome, and the last result of each worker. */
export interface CanaryResult extends WorkerCanary {
  /** By the process id of the worker. */
  workers?: Record<string, WorkerCanary>
}
