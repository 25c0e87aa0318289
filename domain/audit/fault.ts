/** Faults of an audit trail that somebody changed in the object store. */
import type { ChainFault } from './entry.ts'
import type { StoredFault } from './stored.ts'

/** What is wrong with a trail; the names are part of the log and of the metric. */
export type TrailFaultName =
  | ChainFault['fault']
  | StoredFault
  /** An object of the folder has another key than the next entry has. */
  | 'wrongPlace'
  /** Another entry than before is at this place. */
  | 'replacedEntry'
  /** A head of the trail that was seen before is not in the trail: its end was removed. */
  | 'missingHead'
  /** The values of an entry are missing, although the case was not erased. */
  | 'missingOpening'
  /** An entry has another address, browser, time or document than the signature fact. */
  | 'otherSignature'
  /** The trail lacks an entry that the case must have. */
  | 'missingEntry'
  /** The values of a future entry were put into the store; they were replaced. */
  | 'plantedOpening'

/** A fault and the place where it was found. */
export interface TrailFault {
  /** Sequence of the first entry that does not hold, from 1. */
  sequence: number
  fault: TrailFaultName
}

/** Place and hash of the newest entry at some time; the hash covers all entries before it. */
export interface TrailHead {
  /** 0 for an empty trail. */
  sequence: number
  /** Hash of that entry, hex; 64 zeros for an empty trail. */
  hash: string
}

/** The trail of a case does not hold: the service must not decide by it or seal it. */
export class AuditTrailError extends Error {
  override readonly name = 'AuditTrailError'
  readonly fault: TrailFault

  constructor(fault: TrailFault) {
    super(`the audit trail does not hold at entry ${fault.sequence}: ${fault.fault}`)
    this.fault = fault
  }
}

/** Gives the `failureReason` of a case whose trail does not hold. */
export function reasonOfTrailFault({ sequence, fault }: TrailFault): string {
  return `The audit trail of the case was changed outside the service (entry ${sequence}: ${fault})`
}
