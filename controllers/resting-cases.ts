/**
 * Decides which finished cases a resync leaves alone, because their time for erasing, archiving or
 * sweeping has not come.
 */
import { endedAtOf, isOverdue } from '../domain/cases/erasure.ts'
import type { SignatureCase } from '../domain/cases/signature-case.ts'
import { ATTEMPT_RETENTION_MS } from '../domain/limits.ts'
import type { RetentionRules } from '../domain/ports/retention.ts'
import type { LeftOut } from '../domain/ports/stores.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

/**
 * Whether the retention time of an ended case is over, as far as its resource shows; its webhooks
 * may keep it longer.
 *
 * @throws Error when the retention time cannot be read
 */
export async function isPastRetention(
  signatureCase: SignatureCase,
  retention: RetentionRules,
  nowMs: number,
): Promise<boolean> {
  const endedAt = endedAtOf(signatureCase)
  if (endedAt === undefined) return false
  const retentionDays = await retention.readDays(signatureCase.metadata.namespace)
  return retentionDays !== undefined && isOverdue(endedAt, { retentionDays }, nowMs)
}

/**
 * Says which finished cases a resync need not list, because nothing of them can be due.
 *
 * @param isFull whether the resync also erases cases and sweeps delivery logs
 * @returns undefined when a tenant's retention time may be shorter than is known
 */
export function restingCases(
  {
    retention,
    archiveAfterHours = Infinity,
  }: { retention: RetentionRules; archiveAfterHours?: number },
  isFull: boolean,
  nowMs: number,
): LeftOut | undefined {
  if (!retention.shortestDays) return undefined
  const retentionDays = (isFull ? retention.shortestDays() : undefined) ?? Infinity
  return {
    endedFromMs: nowMs - Math.min(archiveAfterHours * HOUR_MS, retentionDays * DAY_MS),
    createdFromMs: isFull ? nowMs - ATTEMPT_RETENTION_MS : -Infinity,
  }
}
