/**
 * Records how an attempt ended. Without its ending, an attempt counts as lost after a minute, and a
 * delivered webhook would be sent again.
 */
import type { DeliveryLog, EventPlace } from '../../application/webhooks/delivery-log.ts'
import type { Attempt, AttemptEnding } from '../../domain/cases/webhook-attempts.ts'
import type { WorkerDeps } from '../deps.ts'

/** The store has retried already. */
const RETRY_MS = 1_000

type Deps = Pick<WorkerDeps, 'deliveryTimes' | 'timers' | 'log'>

/**
 * Repeats the write until it succeeds or the attempt counts as lost.
 *
 * @throws Error of the store
 */
export async function recordEnding(
  { key, event }: EventPlace,
  { claimed, ending }: { claimed: Attempt; ending: AttemptEnding },
  log: Pick<DeliveryLog, 'finish'>,
  { deliveryTimes, timers, log: lines }: Deps,
): Promise<void> {
  const lostAtMs = Date.parse(claimed.claimedAt) + deliveryTimes.lostAfterMs
  for (let failures = 1; ; failures++) {
    try {
      await log.finish(key, event.eventId, claimed, ending)
      return
    } catch (error) {
      if (timers.nowMs() + RETRY_MS >= lostAtMs) throw error
      const details = { err: error, ...key, eventId: event.eventId, number: claimed.number }
      if (failures === 1) lines.warn(details, 'the ending of an attempt could not be recorded')
    }
    await new Promise<void>((resolve) => timers.after(RETRY_MS, resolve))
  }
}
