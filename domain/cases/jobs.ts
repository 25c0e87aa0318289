/**
 * Ids of a case's jobs, and retry delays of failed jobs: the worker records them and the controller
 * applies them.
 */
import type { JobKind, JobPayloads } from '../ports/jobs.ts'
import { KEY_REFUSALS, type KeyRefusal } from '../ports/signing.ts'

const FIRST_DELAY_MS = 1_000
/** Jobs resume within a minute after a backend returns from a long outage. */
const LONGEST_DELAY_MS = 60_000
/** Failures are forgotten after this time; their count is a hint that may be lost. */
export const RETRY_MEMORY_MS = 24 * 60 * 60 * 1000
/**
 * After this many consecutive failures, some seconds after the first, the case reports the delay.
 */
export const FAILURES_BEFORE_WARNING = 3

/** The id of a job: the same work always has the same id. */
export function jobId<K extends JobKind>(kind: K, payload: JobPayloads[K]): string {
  if ('eventId' in payload) return payload.eventId
  if ('requestId' in payload) return payload.requestId
  if ('caseId' in payload) return `${payload.tenant}_${payload.caseId}`
  return kind
}

/** Ephemeral key of the number of failures of a job. */
export const failureCountKey = (kind: JobKind, id: string) => `job-failures/${kind}/${id}`
/** Ephemeral key of the {@link KeyRefusalNote} of the job's last failure, if a key was refused. */
export const keyRefusalKey = (kind: JobKind, id: string) => `job-key-refusal/${kind}/${id}`

/** Note that a job waits until an operator fixes a signing key. */
export interface KeyRefusalNote {
  code: KeyRefusal
  /** For the platform team. */
  message: string
}

/** Builds the note for a failure; undefined for other failures, which may be temporary. */
export function keyRefusalNote(error: unknown): KeyRefusalNote | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, message } = error as { code?: unknown; message: string }
  const refusal = KEY_REFUSALS.find((one) => one === code)
  return refusal && { code: refusal, message }
}

/** Parses a stored note; the store may contain anything, so the members are checked. */
export function readKeyRefusalNote(text: string): KeyRefusalNote | undefined {
  try {
    const { code, message } = JSON.parse(text) as Partial<Record<string, unknown>>
    const refusal = KEY_REFUSALS.find((one) => one === code)
    return refusal && typeof message === 'string' ? { code: refusal, message } : undefined
  } catch {
    return undefined
  }
}

/**
 * Ephemeral key of the instant before which the job is not tried again, in milliseconds since 1970.
 */
export const retryAtKey = (kind: JobKind, id: string) => `job-retry-at/${kind}/${id}`

/**
 * Returns the rest of the delay stored at {@link retryAtKey}, in milliseconds. It never exceeds the
 * longest delay, because the clock of the worker that stored it may be wrong.
 */
export function remainingDelayMs(retryAt: string | undefined, nowMs: number): number {
  const leftMs = Number(retryAt ?? 0) - nowMs
  return leftMs > 0 ? Math.min(leftMs, LONGEST_DELAY_MS) : 0
}

/** Returns the delay after the given number of consecutive failures (from 1), in milliseconds. */
export function retryDelayMs(failures: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** Math.max(failures - 1, 0), LONGEST_DELAY_MS)
}

/**
 * Ephemeral key that is set while the mails of a tenant wait for the next day because its daily
 * limit is reached.
 *
 * @param day number of the day, as in `windowAt`
 */
export const mailsWaitKey = (tenant: string, day: number) => `mails-wait/${tenant}/${day}`
