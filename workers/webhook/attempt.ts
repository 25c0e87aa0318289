/** One attempt to deliver a webhook: claimed in the log, sent, and its ending written down. */
import { documentNames } from '../../domain/cases/document-names.ts'
import { outcomeOfStatus, type Attempt, type AttemptEnding } from '../../domain/cases/deliveries.ts'
import { DeliveryLog } from '../../domain/cases/delivery-log.ts'
import { evidenceKey, outcomeKey } from '../../domain/cases/keys.ts'
import type { Callback, Phase, SignatureCase } from '../../domain/cases/schema.ts'
import {
  authenticationHeaders,
  webhookBody,
  webhookHeaders,
  type DocumentLinks,
} from '../../domain/cases/webhook-request.ts'
import type { OwedWebhook } from '../../domain/cases/webhooks.ts'
import { uuidV5 } from '../../domain/ids.ts'
import { MAXIMUM_WEBHOOK_ANSWER_OCTETS, WEBHOOK_LINK_LIFE_MS } from '../../domain/limits.ts'
import type { CaseSecrets } from '../../domain/ports/secret-store.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { WorkerDeps } from '../deps.ts'
import type { TokenClient } from './access-tokens.ts'

export type AttemptDeps = Pick<
  WorkerDeps,
  'objects' | 'secrets' | 'http' | 'accessTokens' | 'deliveryTimes' | 'now' | 'log'
>

/** An event that is to be delivered, with all that goes into its body. */
export interface Delivery {
  key: CaseKey
  event: OwedWebhook
  signatureCase: SignatureCase
  callback: Callback
  /** As the case reads now. */
  phase: Phase
  round: number
}

const UNAUTHORIZED = 401

type Result = Omit<AttemptEnding, 'at'>

async function linksOf(
  { key, signatureCase, phase }: Delivery,
  { objects, now }: AttemptDeps,
): Promise<DocumentLinks | undefined> {
  if (phase !== 'DONE') return undefined
  const expiresAt = new Date(now().getTime() + WEBHOOK_LINK_LIFE_MS)
  const names = documentNames(signatureCase.spec.definition.title)
  const [signed, evidence] = await Promise.all([
    objects.presignGet(outcomeKey(key), { expiresAt, downloadName: names.signed }),
    objects.presignGet(evidenceKey(key), { expiresAt, downloadName: names.evidence }),
  ])
  return { signed, evidence }
}

function clientOf(callback: Callback, secrets: CaseSecrets): TokenClient {
  const { tokenUrl = '', tokenAuthMethod = 'basic', scope, audience } = callback
  const { clientId = '', clientSecret = '' } = secrets
  return {
    tokenUrl,
    clientId,
    clientSecret,
    tokenAuthMethod,
    ...(scope === undefined ? {} : { scope }),
    ...(audience === undefined ? {} : { audience }),
  }
}

/** What is needed to send, read before anything is claimed: a store that is down costs no attempt. */
interface Prepared {
  body: string
  secrets: CaseSecrets
}

async function prepare(delivery: Delivery, deps: AttemptDeps): Promise<Prepared> {
  const { key, event, signatureCase, phase } = delivery
  const [links, secrets = {}] = await Promise.all([linksOf(delivery, deps), deps.secrets.get(key)])
  return { body: JSON.stringify(webhookBody(event, signatureCase, phase, links)), secrets }
}

async function exchange(
  { event, callback }: Delivery,
  { body, secrets }: Prepared,
  { deliveryId, kind }: Attempt,
  deps: AttemptDeps,
): Promise<Result> {
  const { http, accessTokens, deliveryTimes, now } = deps
  const client = callback.authType === 'OAUTH_CLIENT_CREDENTIALS' && clientOf(callback, secrets)
  const startedMs = now().getTime()
  const token = client ? await accessTokens.get(client) : undefined
  if (token && token.outcome !== 'token') {
    const durationMs = now().getTime() - startedMs
    if (token.outcome === 'refused') return { outcome: 'final', durationMs, error: 'token-refused' }
    return { outcome: 'retryable', durationMs, error: 'token-unavailable' }
  }
  const { signingSecret } = secrets
  const answer = await http.send({
    url: callback.url,
    method: 'POST',
    headers: {
      ...authenticationHeaders(callback, secrets, token?.accessToken),
      ...webhookHeaders({ event, deliveryId, body, now: now(), signingSecret }),
    },
    body,
    timeoutMs: deliveryTimes.answerLimitMs,
    maximumResponseOctets: MAXIMUM_WEBHOOK_ANSWER_OCTETS,
  })
  const { durationMs } = answer
  if (answer.outcome !== 'answered') {
    const outcome = answer.outcome === 'refused' ? 'final' : 'retryable'
    return { outcome, durationMs, error: answer.reason }
  }
  const { status: statusCode } = answer
  if (client && token && statusCode === UNAUTHORIZED) {
    await accessTokens.invalidate(client, token.accessToken)
    if (kind === 'attempt') return { outcome: 'unauthorized', durationMs, statusCode }
  }
  return { outcome: outcomeOfStatus(statusCode), durationMs, statusCode }
}

/**
 * @param attempts of the event so far, all rounds
 * @returns the attempt with its ending, or undefined when another process made it
 * @throws Error when a store fails
 */
export async function makeAttempt(
  delivery: Delivery,
  attempts: readonly Attempt[],
  kind: Attempt['kind'],
  deps: AttemptDeps,
): Promise<Attempt | undefined> {
  const { key, event, round } = delivery
  const log = new DeliveryLog(deps.objects)
  const prepared = await prepare(delivery, deps)
  const number = (attempts.at(-1)?.number ?? 0) + 1
  const claimedAt = deps.now().toISOString()
  const deliveryId = uuidV5(event.eventId, 'delivery', String(number), claimedAt)
  const claimed: Attempt = { number, deliveryId, round, kind, claimedAt }
  if (!(await log.claim(key, event.eventId, claimed))) return undefined
  const result = await exchange(delivery, prepared, claimed, deps)
  const ending: AttemptEnding = { at: deps.now().toISOString(), ...result }
  await log.finish(key, event.eventId, claimed, ending)
  const { eventId, type } = event
  deps.log.info({ ...key, eventId, type, number, deliveryId, ...ending }, 'webhook sent')
  return { ...claimed, ending }
}
