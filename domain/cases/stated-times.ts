/**
 * Bounds of the times that people state in a case (decision 2). Rules of the custom resource
 * refuse most impossible times, but they have no clock, and old API servers do not support rules. A
 * time outside its bounds is not used, and a condition reports it. Pure.
 */
import { CLOCK_TOLERANCE_MS } from '../limits.ts'
import type { SignatureCase } from './signature-case.ts'
import type { CaseSpec } from './spec.ts'

type Position = 'before' | 'within' | 'after'

/** Compares a stated time with the creation of the case and now, with a tolerance for clocks. */
function positionOf(stated: string, { creation }: CaseSpec, nowMs: number): Position {
  const statedMs = Date.parse(stated)
  if (statedMs > nowMs + CLOCK_TOLERANCE_MS) return 'after'
  return statedMs < Date.parse(creation.at) - CLOCK_TOLERANCE_MS ? 'before' : 'within'
}

/**
 * Returns when the case was cancelled: the stated time, limited to the range from the creation of
 * the case to now.
 *
 * @param nowMs milliseconds since 1970; without it only the earlier bound applies
 * @returns ISO 8601, or undefined when the case was not cancelled
 */
export function cancellationTime(spec: CaseSpec, nowMs = Infinity): string | undefined {
  const { cancellation, creation } = spec
  if (!cancellation) return undefined
  const position = positionOf(cancellation.at, spec, nowMs)
  if (position === 'before') return creation.at
  return position === 'after' ? new Date(nowMs).toISOString() : cancellation.at
}

/**
 * Returns when a tenant last requested an upload URL.
 *
 * @param nowMs milliseconds since 1970
 * @returns milliseconds since 1970; undefined without a request, or when the stated time is out of
 *   bounds
 */
export function uploadRequestMs(spec: CaseSpec, nowMs: number): number | undefined {
  const { uploadRequestedAt } = spec
  if (uploadRequestedAt === undefined) return undefined
  if (positionOf(uploadRequestedAt, spec, nowMs) !== 'within') return undefined
  return Date.parse(uploadRequestedAt)
}

function describe(name: string, position: Position): string {
  const bound = position === 'before' ? 'before the creation of the case' : 'in the future'
  return `spec/${name} is ${bound}`
}

/**
 * Returns a sentence about the first stated time that is out of bounds, or undefined.
 *
 * @param nowMs milliseconds since 1970
 */
export function findTimeFault({ spec }: SignatureCase, nowMs: number): string | undefined {
  const { cancellation, uploadRequestedAt } = spec
  if (cancellation) {
    const position = positionOf(cancellation.at, spec, nowMs)
    const used = position === 'before' ? 'that time' : 'the current time'
    if (position !== 'within') return `${describe('cancellation/at', position)}; ${used} applies`
  }
  if (uploadRequestedAt === undefined) return undefined
  const position = positionOf(uploadRequestedAt, spec, nowMs)
  if (position === 'within') return undefined
  return `${describe('uploadRequestedAt', position)}; it is ignored`
}

/** Whether an applied case states a creation time in the future. */
export function isCreatedInFuture({ spec, status }: SignatureCase, nowMs: number): boolean {
  if (status?.createdAt !== undefined || spec.creation.ip !== undefined) return false
  return Date.parse(spec.creation.at) > nowMs + CLOCK_TOLERANCE_MS
}
