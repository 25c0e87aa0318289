/** Says for which cases nothing is left to do, as far as their resource shows. Pure. */
import { askedErasure, endedAtOf } from './erasure.ts'
import type { SignatureCase } from './signature-case.ts'
import type { CaseStatus, Phase } from './status.ts'

/** Type of the condition that says that nothing is left to do. */
export const SETTLED = 'Settled'

/** Whether the status says that nothing is left to do. A regular resync skips such a case. */
export function isSettled(status: CaseStatus | undefined): boolean {
  const settled = status?.conditions.find(({ type }) => type === SETTLED)
  return settled?.status === 'True'
}

/**
 * Whether the resource says that nothing is left to do: the status was settled for this generation,
 * and nobody requested a removal or an erasure since. The objects of the case are not read.
 */
export function isFinished(signatureCase: SignatureCase): boolean {
  const { metadata, status } = signatureCase
  // The resource of an erased case is kept for a while; the controller removes it later.
  if (!status || !isSettled(status) || status.erasure) return false
  if (metadata.deletionTimestamp !== undefined) return false
  if (status.observedGeneration !== (metadata.generation ?? 0)) return false
  const asked = askedErasure(signatureCase)
  if (asked !== 'mistaken') return asked === undefined
  return status.conditions.some(({ type }) => type === 'Erased')
}

/** What decides when a finished case gets work again. Times are milliseconds since 1970. */
export interface Finished {
  phase: Phase
  endedMs: number
  /** When the case was created, if it has a delivery log; the log is swept by that time. */
  loggedMs?: number
}

/** @returns undefined unless {@link isFinished} */
export function finishedOf(signatureCase: SignatureCase): Finished | undefined {
  const { spec, status } = signatureCase
  const endedMs = Date.parse(endedAtOf(signatureCase) ?? '')
  if (!status || Number.isNaN(endedMs) || !isFinished(signatureCase)) return undefined
  const loggedMs = spec.definition.callback ? Date.parse(spec.creation.at) : Number.NaN
  return { phase: status.phase, endedMs, ...(Number.isNaN(loggedMs) ? {} : { loggedMs }) }
}
