/** Sends the same POST with only node:http, and through the egress guard. */
import { Agent, request as bareRequest } from 'node:http'
import type { GuardedHttp } from '../../adapters/outbound-http/guarded-http.ts'

/** Sends a POST. @returns the status of the response */
export type Send = () => Promise<number>

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

export function bareSender(url: string): Send {
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

export function guardedSender(http: GuardedHttp, url: string): Send {
  const request = { url, method: 'POST', headers: HEADERS, body: BODY } as const
  const limits = { timeoutMs: 10_000, maximumResponseOctets: 64 * 1024 }
  return async () => {
    const result = await http.send({ ...request, ...limits })
    return result.outcome === 'answered' ? result.status : 0
  }
}
