/**
 * The job `webhook`: delivers one event of a case to the tenant's endpoint as far as possible now.
 * The log contains the number of attempts, so a duplicate or lost job changes nothing.
 */
import { nextStep, ofRound, openRound, type Attempt } from '../../domain/cases/webhook-attempts.ts'
import { DeliveryLog } from '../../application/webhooks/delivery-log.ts'
import { acceptedSignatures } from '../../domain/cases/facts.ts'
import { jobId } from '../../domain/cases/jobs.ts'
import { caseView } from '../../domain/cases/lifecycle.ts'
import { dueWebhooks } from '../../domain/cases/webhooks.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { WorkerDeps } from '../deps.ts'
import { publishCaseChange } from '../publish-case-change.ts'
import { makeAttempt, type AttemptDeps, type Delivery } from './attempt.ts'

type WebhookDeps = AttemptDeps & Pick<WorkerDeps, 'cases' | 'keyring' | 'ephemeral' | 'receivers'>

/** An attempt, its resend, and the steps that follow from them. */
const MAXIMUM_STEPS = 4

/**
 * Reads the open round, and deletes requests of rounds that have ended.
 *
 * @returns undefined when the event has ended
 */
async function readOpenRound(key: CaseKey, eventId: string, log: DeliveryLog) {
  const receipt = await log.receipt(key, eventId)
  if (!receipt) return openRound(0, [])
  const requests = (await log.requests(key)).filter((request) => request.eventId === eventId)
  for (const request of requests) {
    if (request.round <= receipt.round) await log.forget(key, request)
  }
  const rounds = requests.map(({ round }) => round)
  return openRound(receipt.round, rounds)
}

/** Returns the event with its case, unless it has ended or is not due. */
async function openDelivery(
  key: CaseKey,
  eventId: string,
  { cases, keyring, now }: WebhookDeps,
  log: DeliveryLog,
): Promise<Delivery | undefined> {
  const [signatureCase, round] = await Promise.all([
    cases.get(key),
    readOpenRound(key, eventId, log),
  ])
  if (!signatureCase || round === undefined) return undefined
  const accepted = acceptedSignatures(keyring, signatureCase)
  const event = dueWebhooks(signatureCase, accepted).find((due) => due.eventId === eventId)
  const { callback } = signatureCase.spec.definition
  if (!event || !callback) return undefined
  const { phase } = caseView(signatureCase, accepted, now().getTime())
  return { key, event, signatureCase, callback, phase, round }
}

/** @returns whether anything was done */
async function advance(
  delivery: Delivery,
  before: readonly Attempt[],
  deps: WebhookDeps,
  log: DeliveryLog,
): Promise<boolean> {
  const { event, round } = delivery
  let attempts = before
  let rejected: string | undefined
  for (let steps = 0; steps < MAXIMUM_STEPS; steps++) {
    const step = nextStep(ofRound(attempts, round), deps.deliveryTimes, deps.now().getTime())
    if (step.do === 'wait') return steps > 0
    if (step.do === 'end') {
      const { state, at: endedAt } = step
      await log.end(delivery, { type: event.type, state, endedAt, round })
      deps.metrics.count('sigcase_webhooks_ended_total', { state })
      return true
    }
    const made = await makeAttempt(delivery, attempts, { kind: step.kind, rejected }, deps)
    if (!made) return steps > 0
    attempts = [...attempts, made.attempt]
    rejected = made.rejected
  }
  return true
}

/** @throws Error when a store fails; attempts made before are in the log */
export async function webhook(
  { eventId, ...key }: CaseKey & { eventId: string },
  deps: WebhookDeps,
): Promise<void> {
  const log = new DeliveryLog(deps.objects)
  const [delivery, attempts] = await Promise.all([
    openDelivery(key, eventId, deps, log),
    log.attempts(key, eventId),
  ])
  if (!delivery) return
  const work = async () => {
    if (await advance(delivery, attempts, deps, log)) await publishCaseChange(key, deps)
  }
  if (!deps.receivers) return work()
  const payload = { ...key, eventId }
  const { host } = new URL(delivery.callback.url)
  await deps.receivers.run(host, { id: jobId('webhook', payload), payload }, work)
}
