/**
 * Decides which new status and which entries of the trail wait a moment because they only report
 * progress: the next state often follows at once, and then one write is enough (decisions 213 and
 * 241). Also decides which status may reach the disk with a later write (decision 317). Pure.
 */
import { isDeepStrictEqual } from 'node:util'
import { isFromApi } from '../../domain/cases/complete.ts'
import { isSettled, SETTLED } from '../../domain/cases/finished.ts'
import { hasEnded } from '../../domain/cases/lifecycle.ts'
import type { CaseStatus } from '../../domain/cases/status.ts'
import { isUntouched } from './conditions.ts'
import type { Observation } from './observation.ts'

/** Longest time for which `kubectl` shows older progress. The next state usually follows sooner. */
export const PROGRESS_DELAY_MS = 10_000

/** Conditions that change with every upload and signature; the others are written at once. */
const PROGRESS = ['EveryoneSigned', 'Done', 'Ended', 'Settled']

function urgentConditions(status: CaseStatus | undefined) {
  return (status?.conditions ?? []).filter(({ type }) => !PROGRESS.includes(type))
}

/** Whether nothing but the progress of an open case differs. */
function isProgress({ signatureCase }: Observation, next: CaseStatus): boolean {
  const { status, metadata } = signatureCase
  if (metadata.deletionTimestamp !== undefined || hasEnded(next.phase)) return false
  if ((status?.phase ?? 'NEW') !== next.phase || status?.observedGeneration === 0) return false
  // The status of an applied case says that it is accepted, and has its ids.
  if (isUntouched(signatureCase) && !isFromApi(signatureCase)) return false
  return isDeepStrictEqual(urgentConditions(status), urgentConditions(next))
}

/** Everything in a status but whether the case is settled. */
function withoutSettled(status: CaseStatus | undefined) {
  return { ...status, conditions: status?.conditions.filter(({ type }) => type !== SETTLED) }
}

/**
 * Whether a status says nothing new but that nothing is left to do. When a power failure takes it,
 * the controller finds that again.
 */
export function onlySettles(before: CaseStatus | undefined, next: CaseStatus): boolean {
  return isSettled(next) && isDeepStrictEqual(withoutSettled(before), withoutSettled(next))
}

/** When the newest progress happened: the creation of the case, or its newest signature. */
function progressMs({ signatureCase, accepted }: Observation): number {
  const { creation } = signatureCase.spec
  const instants = [creation.at, ...accepted.map(({ signedAt }) => signedAt)]
  return Math.max(...instants.map((instant) => Date.parse(instant)))
}

/**
 * Until when a status is held back.
 *
 * @param next the new status, which differs from the stored one
 * @returns milliseconds since 1970, or undefined when the status is written now
 */
export function heldUntilMs(observation: Observation, next: CaseStatus): number | undefined {
  return isProgress(observation, next) ? recentUntilMs(observation) : undefined
}

/**
 * Until when new entries of the trail are held back: those of the creation, which an upload usually
 * follows at once, and those of a signature, which the next signature or finalising appends with
 * its own. The facts are in the case, and requests to the API append what they need sooner.
 *
 * @param next the next status
 * @returns milliseconds since 1970, or undefined when the entries are appended now
 */
export function entriesHeldUntilMs(observation: Observation, next: CaseStatus): number | undefined {
  if (!isProgress(observation, next) || observation.failing !== undefined) return undefined
  const { signatureCase, accepted } = observation
  const isNew = next.phase === 'NEW' && isFromApi(signatureCase)
  return isNew || accepted.length > 0 ? recentUntilMs(observation) : undefined
}

/** @returns undefined when the newest progress is older than {@link PROGRESS_DELAY_MS} */
function recentUntilMs(observation: Observation): number | undefined {
  const { nowMs } = observation
  const sinceMs = progressMs(observation)
  // A time in the future is not genuine.
  const isRecent = sinceMs <= nowMs && nowMs < sinceMs + PROGRESS_DELAY_MS
  return isRecent ? sinceMs + PROGRESS_DELAY_MS : undefined
}
