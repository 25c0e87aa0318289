/**
 * Row `webhook`: a POST through the egress guard against a bare one of node:http, both with
 * keep-alive.
 */
import type { ChildProcess } from 'node:child_process'
import { Agent, request as bareRequest } from 'node:http'
import { GuardedHttp } from '../../adapters/outbound-http/guarded-http.ts'
import { systemTimers } from '../../embedded/system-timers.ts'
import { startServer } from '../http/start-server.ts'
import { alternate } from '../measure.ts'
import type { RowReport } from '../report.ts'

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

type Send = () => Promise<number>

/** @returns milliseconds for one delivery; @throws Error when one was not received */
async function millisecondsPerDelivery(send: Send): Promise<number> {
  let left = REQUESTS_PER_ROUND
  const startedMs = performance.now()
  const sendAll = async () => {
    while (left-- > 0) {
      const status = await send()
      if (status !== RECEIVED) throw new Error(`the receiver answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, sendAll))
  return (performance.now() - startedMs) / REQUESTS_PER_ROUND
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
    })
    const perSecond = (milliseconds: number) => Math.round(1000 / milliseconds)
    return {
      measured: `${perSecond(times.guarded)} POSTs/s (bare ${perSecond(times.floor)}/s)`,
      figures: [
        {
          of: '× the rate of the bare POST',
          value: times.floor / times.guarded,
          better: 'more',
          must: 0.25,
          aim: 0.5,
        },
      ],
    }
  } finally {
    for (const child of children) child.kill()
    await http.close()
  }
}
