/** Combines the canaries of all workers: whether a document can be sealed now. */
import type { CanaryResult, WorkerCanary } from './cases/results.ts'
import { decodeObject } from './json-object.ts'
import { CANARY_INTERVAL_MS, CANARY_MAXIMUM_AGE_MS } from './limits.ts'

/** A worker whose last result is older has missed a canary and may be gone. */
export const WORKER_CANARY_LIFE_MS = 1.5 * CANARY_INTERVAL_MS
/** Maximum number of workers in `canary.json`; the oldest results are dropped first. */
const MAXIMUM_WORKERS = 200

function isCanary(value: unknown): value is WorkerCanary {
  const { outcome, at } = (value ?? {}) as Partial<WorkerCanary>
  const isOutcome = outcome === 'passed' || outcome === 'failed'
  return isOutcome && !Number.isNaN(Date.parse(String(at)))
}

/**
 * Decodes `canary.json`. What the service did not write counts as absent: as a whole, or the
 * results of single workers.
 */
export function decodeCanary(object: { bytes: Uint8Array }): CanaryResult | undefined {
  const value = decodeObject<CanaryResult>(object)
  if (!isCanary(value)) return undefined
  const workers = Object.entries(value.workers ?? {}).filter(([, one]) => isCanary(one))
  return { ...value, workers: Object.fromEntries(workers) }
}

/**
 * Distance of a result from now. The clocks of workers differ, so a result may be from the near
 * future; one from further ahead would outlive its worker.
 */
const ageMs = ({ at }: WorkerCanary, nowMs: number) => Math.abs(nowMs - Date.parse(at))

const newestFirst = ([, one]: [string, WorkerCanary], [, other]: [string, WorkerCanary]) =>
  Date.parse(other.at) - Date.parse(one.at)

const hasPassed = (nowMs: number) => (one: WorkerCanary) =>
  one.outcome === 'passed' && ageMs(one, nowMs) <= WORKER_CANARY_LIFE_MS

/** Whether a worker other than `workerId` can seal documents. */
export function canAnotherSign(
  { workers = {} }: CanaryResult,
  workerId: string,
  nowMs: number,
): boolean {
  const others = Object.entries(workers).filter(([id]) => id !== workerId)
  return others.some(([, one]) => hasPassed(nowMs)(one))
}

/**
 * Adds a worker's own result to the stored ones. The combined outcome is `passed` while the canary
 * of at least one worker has passed within {@link WORKER_CANARY_LIFE_MS}.
 */
export function mergeCanary(
  stored: CanaryResult | undefined,
  workerId: string,
  own: WorkerCanary,
  nowMs: number,
): CanaryResult {
  const known = Object.entries(stored?.workers ?? {}).filter(
    ([id, one]) => id !== workerId && ageMs(one, nowMs) <= CANARY_MAXIMUM_AGE_MS,
  )
  const entries: [string, WorkerCanary][] = [[workerId, own], ...known.sort(newestFirst)]
  const workers = Object.fromEntries(entries.slice(0, MAXIMUM_WORKERS))
  const passed = entries.find(([, one]) => hasPassed(nowMs)(one))?.[1]
  return { ...(passed ?? own), workers }
}
