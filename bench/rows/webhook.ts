/**
 * Row `webhook`: deliveries against a bare POST of node:http, all with keep-alive. Once the POST
 * through the egress guard alone, once the whole job: case and log read, attempt claimed, signed,
 * sent, written down and receipted, on stores in memory.
 */
import type { ChildProcess } from 'node:child_process'
import { Agent, request as bareRequest } from 'node:http'
import { GuardedHttp } from '../../adapters/outbound-http/guarded-http.ts'
import { DELIVERY_TIMES, type DeliveryReceipt } from '../../domain/cases/deliveries.ts'
import { acceptedSignatures } from '../../domain/cases/facts.ts'
import { receiptKey } from '../../domain/cases/keys.ts'
import { owedWebhooks } from '../../domain/cases/webhooks.ts'
import { systemTimers } from '../../embedded/system-timers.ts'
import {
  FrozenTimers,
  MemoryCaseStore,
  MemoryEphemeral,
  MemoryObjectStore,
  MemorySecretStore,
} from '../../test/fixtures/memory.ts'
import { FakeTokens } from '../../test/fixtures/endpoint.ts'
import { callback, CASE_KEY, keyring, signatureCase } from '../../test/fixtures/signature-case.ts'
import { webhook as deliver } from '../../workers/webhook/webhook.ts'
import { flood } from '../flood.ts'
import { startServer } from '../http/start-server.ts'
import { alternate } from '../measure.ts'
import type { Figure, RowReport } from '../report.ts'

const REQUESTS_PER_ROUND = 2_000
const IN_FLIGHT = 16
const RECEIVED = 204

const BODY = JSON.stringify({
  id: '2ed6657d-e927-568b-95e1-2665a8aea6a2',
  type: 'participant-signed',
  occurredAt: '2026-11-02T09:00:00.000Z',
  tenantId: 'acme',
  caseId: '7a0f4f6e-2c55-4f0e-9a63-1d2f5c1b8e01',
  status: 'IN_PROGRESS',
  data: { contract: '2026/118', customer: 'Ľuboš Šťastný' },
  participantId: '3c1f4f6e-2c55-4f0e-9a63-1d2f5c1b8e02',
})
const HEADERS = {
  'Content-Type': 'application/json',
  'Service-Event': 'participant-signed',
  'Service-Delivery': '9d3a2f4e-7c11-4f60-8a5b-0d6c4a1e2b3c',
  'Service-Signature': `t=1793610000,v1=${'0'.repeat(64)}`,
}

type WebhookDeps = Parameters<typeof deliver>[1]
/** @returns the status that was answered */
type Send = () => Promise<number>

/** @returns milliseconds for one delivery; @throws Error when one was not received */
function millisecondsPerDelivery(send: Send): Promise<number> {
  return flood(REQUESTS_PER_ROUND, IN_FLIGHT, async () => {
    const status = await send()
    if (status !== RECEIVED) throw new Error(`the receiver answered ${status}`)
  })
}

function bareSender(url: string): Send {
  const agent = new Agent({ keepAlive: true })
  const headers = { ...HEADERS, 'Content-Length': new TextEncoder().encode(BODY).length }
  return () =>
    new Promise((resolve, reject) => {
      const request = bareRequest(url, { method: 'POST', agent, headers }, (response) => {
        response.on('end', () => resolve(response.statusCode ?? 0)).resume()
      })
      request.on('error', reject)
      request.end(BODY)
    })
}

function guardedSender(http: GuardedHttp, url: string): Send {
  const request = { url, method: 'POST', headers: HEADERS, body: BODY } as const
  const limits = { timeoutMs: 10_000, maximumResponseOctets: 64 * 1024 }
  return async () => {
    const result = await http.send({ ...request, ...limits })
    return result.outcome === 'answered' ? result.status : 0
  }
}

const NOW = '2026-11-02T09:00:05.000Z'
const SECRETS = { signingSecret: 's'.repeat(32) }

/** One job of a case of its own, and whether it was delivered. */
async function newJob(http: GuardedHttp, url: string): Promise<Send> {
  const { now } = new FrozenTimers(NOW)
  const definition = { callback: callback({ url, data: JSON.stringify({ contract: '2026/118' }) }) }
  const value = signatureCase({ phase: 'IN_PROGRESS', signed: 1, definition })
  const deps = {
    cases: new MemoryCaseStore(),
    secrets: new MemorySecretStore(now),
    objects: new MemoryObjectStore(now),
    ephemeral: new MemoryEphemeral(),
    keyring,
    outboundHttp: http,
    accessTokens: new FakeTokens() as unknown as WebhookDeps['accessTokens'],
    deliveryTimes: DELIVERY_TIMES,
    now,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  }
  deps.cases.seed(value)
  await deps.secrets.create(CASE_KEY, SECRETS)
  const [event] = owedWebhooks(value, acceptedSignatures(keyring, value))
  const eventId = event?.eventId ?? ''
  return async () => {
    await deliver({ ...CASE_KEY, eventId }, deps)
    const receipt = deps.objects.json<DeliveryReceipt>(receiptKey(CASE_KEY, eventId))
    return receipt?.state === 'delivered' ? RECEIVED : 0
  }
}

/** Cases are made before the time runs. */
async function millisecondsPerJob(http: GuardedHttp, url: string): Promise<number> {
  const jobs: Send[] = []
  for (let count = 0; count < REQUESTS_PER_ROUND; count++) jobs.push(await newJob(http, url))
  return millisecondsPerDelivery(async () => jobs.pop()?.() ?? 0)
}

export async function webhook(): Promise<RowReport> {
  const children: ChildProcess[] = []
  const http = new GuardedHttp({ timers: systemTimers, allowed: ['127.0.0.1'] })
  try {
    const [port = ''] = await startServer('sink-server.ts', children)
    const url = `http://127.0.0.1:${port}/hook`
    const bare = bareSender(url)
    const guarded = guardedSender(http, url)
    const times = await alternate({
      floor: () => millisecondsPerDelivery(bare),
      guarded: () => millisecondsPerDelivery(guarded),
      jobs: () => millisecondsPerJob(http, url),
    })
    const perSecond = (milliseconds: number) => Math.round(1000 / milliseconds)
    const rates = [times.floor, times.guarded, times.jobs].map(perSecond)
    const figure = (of: string, milliseconds: number): Figure => ({
      of: `× the rate of the bare POST ${of}`,
      value: times.floor / milliseconds,
      better: 'more',
      must: 0.25,
      aim: 0.5,
    })
    return {
      measured: `${rates[1]} POSTs/s and ${rates[2]} whole jobs/s (bare ${rates[0]}/s)`,
      figures: [figure('delivered', times.jobs), figure('through the guard', times.guarded)],
    }
  } finally {
    for (const child of children) child.kill()
    await http.close()
  }
}
