/**
 * The alarm for objects that were changed outside the service: an error in the log, a counter, and
 * a notification of the controller.
 */
import { CASE_CHANGED, type PubSub } from './ports/pub-sub.ts'
import type { Metrics } from './ports/metrics.ts'
import type { CaseKey } from './ports/stores.ts'

/** Value of `event` in the log record; alerts depend on it. */
const INTEGRITY_EVENT = 'integrity-violation'
/** Maximum number of remembered violations; each of them is logged once. */
const MAXIMUM_REMEMBERED = 10_000

/** Kinds of objects. */
export type IntegrityObject =
  | 'archive'
  | 'audit-trail'
  | 'intake'
  | 'outcome'
  | 'evidence'
  | 'result'
  | 'certificate'
  | 'revocation'
  | 'revocation-list'
  | 'issued'
  | 'tombstone'
  | 'seal'
  | 'trusted-lists'

/** An object that the service did not write. */
export interface IntegrityViolation {
  object: IntegrityObject
  /** Short name of the fault. */
  fault: string
  /** Absent for objects that do not belong to a case. */
  key?: CaseKey
  /** Sequence number of the audit entry. */
  sequence?: number
}

export interface AlarmDeps {
  log: { error(details: object, message: string): void }
  ephemeral?: PubSub
  metrics: Metrics
}

/** Counts and logs violations. One instance per process. */
export class IntegrityAlarm {
  readonly #deps: AlarmDeps
  readonly #known = new Set<string>()

  constructor(deps: AlarmDeps) {
    this.#deps = deps
  }

  /** Raises the alarm once for each violation. */
  raise({ object, fault, key, sequence }: IntegrityViolation): void {
    const name = JSON.stringify([object, fault, key?.tenant, key?.caseId, sequence])
    if (this.#known.has(name)) return
    if (this.#known.size >= MAXIMUM_REMEMBERED) this.#known.clear()
    this.#known.add(name)
    this.#deps.metrics.count('sigcase_integrity_violations_total', { object, fault })
    const details = {
      event: INTEGRITY_EVENT,
      object,
      fault,
      ...(key && { tenant: key.tenant, caseId: key.caseId }),
      ...(sequence !== undefined && { sequence }),
    }
    this.#deps.log.error(details, 'an object was changed outside the service')
    if (!key) return
    const message = JSON.stringify({ tenant: key.tenant, caseId: key.caseId })
    void this.#deps.ephemeral?.publish(CASE_CHANGED, message).catch(() => undefined)
  }
}
