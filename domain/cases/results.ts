/** Result objects: what workers found out, written once, from which the controller makes status. */
import type { AnnotationAppearance, OccupiedPlace, PageSize } from '../ports/pdf-sandbox.ts'

/** `intake.json`: the stored verdict on the upload; every run reports this one, never its own. */
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
      decidedAt: string
    }
  | { outcome: 'rejected'; reason: string; sha256?: string; size: number; decidedAt: string }

/** What stands at the outcome key when the document could not be signed. */
export interface FinaliseFailure {
  reason: string
  failedAt: string
}

/** A document that finalising made; `level` as in EN 319 142-1. */
export interface FinalisedDocument {
  sha256: string
  size: number
  level: string
}

/**
 * `result.json`: what finalising made, so that nobody reads the documents only to describe them.
 */
export interface FinaliseResult {
  signedDocument: FinalisedDocument
  evidenceDocument: FinalisedDocument
  /** When both documents were there. */
  completedAt: string
}

/** Whether a worker could seal and validate a document at `at`. */
export interface WorkerCanary {
  outcome: 'passed' | 'failed'
  at: string
  reason?: string
  /** Of the fault, where it has one. */
  code?: string
}

/** `canary.json`: whether any worker could, and the last result of each. */
export interface CanaryResult extends WorkerCanary {
  /** By the id of the worker's process. */
  workers?: Record<string, WorkerCanary>
}
