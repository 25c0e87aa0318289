/** One attempt to deliver a webhook: claims it in the log, sends it and records its ending. */
import { documentNames } from '../../domain/cases/document-names.ts'
import {
  outcomeOfStatus,
  type Attempt,
  type AttemptEnding,
} from '../../domain/cases/webhook-attempts.ts'
import { DeliveryLog } from '../../application/webhooks/delivery-log.ts'
import { evidenceKey, outcomeKey } from '../../domain/cases/keys.ts'
import type { Callback } from '../../domain/cases/definition.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { Phase } from '../../domain/cases/status.ts'
import {
  authenticationHeaders,
  webhookBody,
  webhookHeaders,
  type DocumentLinks,
} from '../../domain/cases/webhook-request.ts'
import type { DueWebhook } from '../../domain/cases/webhooks.ts'
import { uuidV5 } from '../../domain/ids.ts'
import { NO_TRACER, traceContextOf } from '../../domain/ports/tracing.ts'
import { MAXIMUM_WEBHOOK_ANSWER_OCTETS, WEBHOOK_LINK_LIFE_MS } from '../../domain/limits.ts'
import type { CaseSecrets } from '../../domain/ports/secret-store.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { WorkerDeps } from '../deps.ts'
import { secondsBetween } from '../measure.ts'
import type { ClientCredentials } from '../oauth/client-credentials.ts'
import { recordEnding } from './record-ending.ts'

export type AttemptDeps = Pick<
  WorkerDeps,
  | 'objects'
  | 'secrets'
  | 'outboundHttp'
  | 'accessTokens'
  | 'deliveryTimes'
  | 'now'
  | 'timers'
  | 'log'
  | 'metrics'
  | 'tracer'
>

/** An event to deliver, with all inputs of its body. */
export interface Delivery {
  key: CaseKey
  event: DueWebhook
  signatureCase: SignatureCase
  callback: Callback
  /** The current phase of the case. */
  phase: Phase
  round: number
}

const UNAUTHORIZED = 401

async function presignLinks(
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

function credentialsOf(
  { key, callback }: Delivery,
  { clientId = '', clientSecret = '' }: CaseSecrets,
): ClientCredentials {
  const { tokenUrl = '', tokenAuthMethod = 'basic', scope, audience } = callback
  return {
    tenant: key.tenant,
    tokenUrl,
    clientId,
    clientSecret,
    tokenAuthMethod,
    ...(scope === undefined ? {} : { scope }),
    ...(audience === undefined ? {} : { audience }),
  }
}

/**
 * Inputs of the request, read before the claim, so that a failing store does not use up an attempt.
 */
interface Prepared {
  body: string
  secrets: CaseSecrets
}

async function prepare(delivery: Delivery, deps: AttemptDeps): Promise<Prepared> {
  const { key, event, signatureCase, phase } = delivery
  const [links, secrets = {}] = await Promise.all([
    presignLinks(delivery, deps),
    deps.secrets.get(key),
  ])
  return { body: JSON.stringify(webhookBody(event, signatureCase, phase, links)), secrets }
}

/**
 * Returns a token for the request. A resend uses a different token than the rejected one, even if
 * another process got the rejection.
 */
async function tokenFor(
  credentials: ClientCredentials,
  { kind, rejected }: NextAttempt,
  { accessTokens }: AttemptDeps,
): ReturnType<AttemptDeps['accessTokens']['get']> {
  if (kind === 'attempt') return accessTokens.get(credentials)
  if (rejected !== undefined) return accessTokens.get(credentials, rejected)
  const known = await accessTokens.get(credentials)
  return known.outcome === 'token' ? accessTokens.get(credentials, known.accessToken) : known
}

interface Result {
  ending: Omit<AttemptEnding, 'at'>
  rejected?: string
}

/** Whether the tenant chose the name for the header with its API key. */
const isHeaderOfTenant = (name: string, { apiKeyHeader }: Callback) =>
  apiKeyHeader?.toLowerCase() === name

/**
 * Whether the response to a request sent now would still come before other workers count the
 * attempt as lost, and send the webhook themselves.
 */
function isClaimFresh({ claimedAt }: Attempt, { deliveryTimes, now }: AttemptDeps): boolean {
  const { lostAfterMs, answerLimitMs } = deliveryTimes
  return now().getTime() + answerLimitMs < Date.parse(claimedAt) + lostAfterMs
}

async function send(
  { event, callback }: Delivery,
  { body, secrets }: Prepared,
  claimed: Attempt,
  deps: AttemptDeps,
  accessToken?: string,
): Promise<Result['ending']> {
  const { outboundHttp, deliveryTimes, now, tracer } = deps
  const { signingSecret } = secrets
  const { deliveryId } = claimed
  if (!isClaimFresh(claimed, deps))
    return { outcome: 'retryable', durationMs: 0, error: 'not-sent' }
  const answer = await outboundHttp.send({
    url: callback.url,
    method: 'POST',
    headers: {
      ...(isHeaderOfTenant('traceparent', callback) ? {} : traceContextOf(tracer)),
      ...authenticationHeaders(callback, secrets, accessToken),
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
  return { outcome: outcomeOfStatus(statusCode), durationMs, statusCode }
}

async function exchange(
  delivery: Delivery,
  prepared: Prepared,
  { next, claimed }: { next: NextAttempt; claimed: Attempt },
  deps: AttemptDeps,
): Promise<Result> {
  if (delivery.callback.authType !== 'OAUTH_CLIENT_CREDENTIALS') {
    return { ending: await send(delivery, prepared, claimed, deps) }
  }
  const startedMs = deps.now().getTime()
  const credentials = credentialsOf(delivery, prepared.secrets)
  const token = await tokenFor(credentials, next, deps)
  if (token.outcome !== 'token') {
    const outcome = token.outcome === 'refused' ? 'final' : 'retryable'
    const durationMs = deps.now().getTime() - startedMs
    return { ending: { outcome, durationMs, error: token.error } }
  }
  const { accessToken } = token
  const ending = await send(delivery, prepared, claimed, deps, accessToken)
  if (ending.statusCode !== UNAUTHORIZED || next.kind === 'resend') return { ending }
  return { ending: { ...ending, outcome: 'unauthorized' }, rejected: accessToken }
}

/** The kind of an attempt, and what the one before left to it. */
export interface NextAttempt {
  kind: Attempt['kind']
  /** The rejected access token, for a resend in the same process. */
  rejected?: string | undefined
}

/**
 * Makes one attempt.
 *
 * @param attempts all attempts of the event so far, of all rounds
 * @returns the attempt with its ending, or undefined when another process made it
 * @throws Error when a store fails
 */
export async function makeAttempt(
  delivery: Delivery,
  attempts: readonly Attempt[],
  next: NextAttempt,
  deps: AttemptDeps,
): Promise<{ attempt: Attempt; rejected?: string } | undefined> {
  const { key, event, round } = delivery
  const log = new DeliveryLog(deps.objects)
  const prepared = await prepare(delivery, deps)
  const number = (attempts.at(-1)?.number ?? 0) + 1
  const claimedAt = deps.now().toISOString()
  const deliveryId = uuidV5(event.eventId, 'delivery', String(number), claimedAt)
  const claimed: Attempt = { number, deliveryId, round, kind: next.kind, claimedAt }
  if (!(await log.claim(key, event.eventId, claimed))) return undefined
  if (attempts.length === 0) {
    const seconds = secondsBetween(event.occurredAt, claimedAt)
    deps.metrics.observe('sigcase_webhook_first_attempt_seconds', {}, seconds)
  }
  const { tracer = NO_TRACER } = deps
  const options = { attributes: { 'sigcase.attempt': number } }
  const result = await tracer.span('webhook attempt', options, async (span) => {
    const made = await exchange(delivery, prepared, { next, claimed }, deps)
    span.set({ 'sigcase.outcome': made.ending.outcome })
    return made
  })
  const ending: AttemptEnding = { at: deps.now().toISOString(), ...result.ending }
  await recordEnding(delivery, { claimed, ending }, log, deps)
  deps.metrics.count('sigcase_webhook_attempts_total', { outcome: ending.outcome })
  const { eventId, type } = event
  deps.log.info({ ...key, eventId, type, number, deliveryId, ...ending }, 'webhook sent')
  const { rejected } = result
  return { attempt: { ...claimed, ending }, ...(rejected === undefined ? {} : { rejected }) }
}
