/** Counts cases and undelivered webhooks by week, from what the console has read. */
import type { ListedCase } from './use-cases.ts'

/** About two months: long enough to see a change, short enough for a phone. */
export const WEEK_COUNT = 8
const DAYS_PER_WEEK = 7

export interface Counts {
  /** Cases with an accepted document. */
  sent: number
  /** Cases that everybody signed, by their last signature. */
  signed: number
  /** From the creation of a case to its last signature; absent when none was signed. */
  medianMs?: number
  /** Cases with a rejected document. */
  rejected: number
  /** Webhooks that the receiver refused or that were given up. */
  undelivered: number
}
export interface Week extends Counts {
  /** Monday at midnight in the zone of the browser. */
  start: Date
}
export interface Statistics {
  /** Oldest first; the last week is the current one. */
  weeks: Week[]
  /** All these weeks together. */
  total: Counts
}

type CountedCase = Omit<ListedCase, 'id' | 'title'>

/** Mondays at midnight, one more than the weeks: each week ends where the next one begins. */
function boundariesOf(now: Date): Date[] {
  const daysSinceMonday = (now.getDay() + DAYS_PER_WEEK - 1) % DAYS_PER_WEEK
  const monday = now.getDate() - daysSinceMonday
  return Array.from({ length: WEEK_COUNT + 1 }, (_, index) => {
    const day = monday + (index - WEEK_COUNT + 1) * DAYS_PER_WEEK
    return new Date(now.getFullYear(), now.getMonth(), day)
  })
}

const isSent = ({ status, originalDocument }: CountedCase): boolean =>
  status !== 'UPLOAD_REJECTED' && typeof originalDocument.size === 'number'

/** When the last person signed; undefined while the case is not done. */
function signedMsOf({ status, participants }: CountedCase): number | undefined {
  if (status !== 'DONE') return undefined
  const times = participants.flatMap(({ signedAt }) => (signedAt ? [Date.parse(signedAt)] : []))
  return times.length === 0 ? undefined : Math.max(...times)
}

function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]
  return upper === undefined || lower === undefined ? undefined : (lower + upper) / 2
}

type Events = readonly { occurredAt: string }[]

/** What happened from `from` to before `to`. */
function countsOf(cases: readonly CountedCase[], events: Events, from: Date, to: Date): Counts {
  const isWithin = (ms: number) => ms >= from.getTime() && ms < to.getTime()
  const created = cases.filter((one) => isWithin(Date.parse(one.created)))
  const durations = cases.flatMap((one) => {
    const signedMs = signedMsOf(one)
    if (signedMs === undefined || !isWithin(signedMs)) return []
    return [signedMs - Date.parse(one.created)]
  })
  const medianMs = medianOf(durations)
  return {
    sent: created.filter(isSent).length,
    signed: durations.length,
    ...(medianMs === undefined ? {} : { medianMs }),
    rejected: created.filter(({ status }) => status === 'UPLOAD_REJECTED').length,
    undelivered: events.filter(({ occurredAt }) => isWithin(Date.parse(occurredAt))).length,
  }
}

/**
 * Counts the last weeks.
 *
 * @param undelivered webhooks
 * @param now in the current week, which is counted up to its end
 */
export function statisticsOf(
  cases: readonly CountedCase[],
  undelivered: Events,
  now: Date,
): Statistics {
  const boundaries = boundariesOf(now)
  const [first = now] = boundaries
  const last = boundaries.at(-1) ?? now
  const weeks = boundaries.slice(0, -1).map((start, index) => {
    const end = boundaries[index + 1] ?? last
    return { start, ...countsOf(cases, undelivered, start, end) }
  })
  return { weeks, total: countsOf(cases, undelivered, first, last) }
}
