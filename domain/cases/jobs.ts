/**
 * Ids of a case's jobs, and when one that failed is tried again: the worker notes it, the
 * controller heeds it.
 */
import type { JobKind, JobPayloads } from '../ports/jobs.ts'
import { KEY_REFUSALS, type KeyRefusal } from '../ports/signing.ts'

const FIRST_DELAY_MS = 1_000
/** A backend that was down for hours is noticed within a minute of its return. */
const LONGEST_DELAY_MS = 60_000
/** Failures are forgotten after this time; the count is a hint that may be lost, not a fact. */
export const RETRY_MEMORY_MS = 24 * 60 * 60 * 1000
/** After so many failures in a row, some seconds after the first, the case says that it waits. */
export const FAILURES_TO_TELL = 3

/** The id under which a job is added: the same work has the same id, whoever adds it. */
export function jobId<K extends JobKind>(kind: K, payload: JobPayloads[K]): string {
  if ('eventId' in payload) return payload.eventId
  if ('requestId' in payload) return payload.requestId
  if ('caseId' in payload) return `${payload.tenant}_${payload.caseId}`
  return kind
}

/** Ephemeral key of the number of failures of a job. */
export const failureCountKey = (kind: JobKind, id: string) => `job-failures/${kind}/${id}`
/** Ephemeral key of the {@link KeyRefusalNote} of the job's last failure, when that was one. */
export const keyRefusalKey = (kind: JobKind, id: string) => `job-key-refusal/${kind}/${id}`

/** That a job waits for somebody to put a signing key in order. */
export interface KeyRefusalNote {
  code: KeyRefusal
  /** For the platform team. */
  message: string
}

/** The note about a failure, or undefined when it is of another kind: it may pass by itself. */
export function keyRefusalNote(error: unknown): KeyRefusalNote | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, message } = error as { code?: unknown; message: string }
  const refusal = KEY_REFUSALS.find((one) => one === code)
  return refusal && { code: refusal, message }
}

/** The note as it was kept; what the store holds may come from anywhere. */
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
 * What is left of the wait that was noted at {@link retryAtKey}, in milliseconds. The clock of the
 * worker that noted it may be wrong: nothing waits longer than the longest delay.
 */
export function remainingDelayMs(retryAt: string | undefined, nowMs: number): number {
  const leftMs = Number(retryAt ?? 0) - nowMs
  return leftMs > 0 ? Math.min(leftMs, LONGEST_DELAY_MS) : 0
}

/** How long to wait after the `failures`-th failure in a row (from 1). */
export function retryDelayMs(failures: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** Math.max(failures - 1, 0), LONGEST_DELAY_MS)
}

/**
 * Ephemeral key that is set while the mails of a tenant wait for the next day, because those of
 * this day are used up.
 *
 * @param day number of the day, as `windowAt` counts it
 */
export const mailsWaitKey = (tenant: string, day: number) => `mails-wait/${tenant}/${day}`
