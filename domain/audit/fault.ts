/** Faults of an audit trail that was changed in the object store. */
import type { ChainFault } from './entry.ts'
import type { StoredFault } from './stored.ts'
import type { Failure } from '../cases/failure-codes.ts'

/** The kinds of faults; the names are used in the log and in the metric. */
export type TrailFaultName =
  | ChainFault['fault']
  | StoredFault
  /** The key of an object in the folder is not the key of the next entry. */
  | 'wrongPlace'
  /** The entry at this place is not the one that was there before. */
  | 'replacedEntry'
  /** The trail does not contain a head that was seen before: its end was removed. */
  | 'missingHead'
  /** The values of an entry are missing, although the case was not erased. */
  | 'missingOpening'
  /** Address, browser, time or document of an entry differ from the signature fact. */
  | 'otherSignature'
  /** The trail lacks an entry that the case must have. */
  | 'missingEntry'

export interface TrailFault {
  /** Sequence number of the first invalid entry, from 1. */
  sequence: number
  fault: TrailFaultName
}

/**
 * Sequence number and hash of the newest entry at some time; the hash covers all entries before it.
 */
export interface TrailHead {
  /** 0 for an empty trail. */
  sequence: number
  /** Hash of that entry, hex; 64 zeros for an empty trail. */
  hash: string
}

/**
 * The trail of a case failed verification: the service must not use it for decisions or seal it.
 */
export class AuditTrailError extends Error {
  override readonly name = 'AuditTrailError'
  readonly fault: TrailFault

  constructor(fault: TrailFault) {
    super(`the audit trail failed verification at entry ${fault.sequence}: ${fault.fault}`)
    this.fault = fault
  }
}

/** Returns the `failureReason` of a case whose trail failed verification. */
export function reasonOfTrailFault({ sequence, fault }: TrailFault): string {
  return `The audit trail of the case was changed outside the service (entry ${sequence}: ${fault})`
}

/** Returns why a case fails whose trail failed verification. */
export const failureOfTrail = (fault: TrailFault): Failure => ({
  code: 'DATA_CHANGED',
  reason: reasonOfTrailFault(fault),
})
