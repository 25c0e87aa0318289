/** Result objects: what workers found out, written once, from which the controller makes status. */
import type { PageSize } from '../ports/pdf-sandbox.ts'

/** `intake.json`: the stored verdict on the upload; every run reports this one, never its own. */
export type IntakeResult =
  | {
      outcome: 'accepted'
      sha256: string
      size: number
      pages: PageSize[]
      carriesSignatures: boolean
      decidedAt: string
    }
  | { outcome: 'rejected'; reason: string; sha256?: string; size: number; decidedAt: string }

/** What stands at the outcome key when the document could not be signed. */
export interface FinaliseFailure {
  reason: string
  failedAt: string
}

/** `canary.json`: whether a document could be sealed and validated at `at`. */
export interface CanaryResult {
  outcome: 'passed' | 'failed'
  at: string
  reason?: string
}
