/** A server with the few routes that a load test uses, which can behave badly on purpose. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Test } from 'tap'
import { uuidV5 } from '../../../domain/ids.ts'
import type { LoadedService } from '../../../bench/load/services.ts'
import { CASE_ID } from '../../fixtures/signature-case.ts'

interface Body {
  participants: unknown[]
  callback: { url: string }
}

interface Scripted {
  status: string
  unsigned: number
  callbackUrl: string
}

export interface Script {
  /** Called before POST /cases is answered, with the number of such requests so far. */
  beforeCreate?: (count: number) => Promise<void>
  /** Chooses the requests that are answered with 503. */
  isRefused?: (count: number) => boolean
  /** Chooses the case, by its number from 1, that keeps its state after the upload. */
  isStuck?: (count: number) => boolean
  /** How often each webhook is sent. */
  deliveries?: number
}

/** Sends the webhooks of a case with two participants. */
async function notify(caseId: string, callbackUrl: string, deliveries: number): Promise<void> {
  for (const name of ['first', 'second', 'end']) {
    const event = { id: uuidV5(caseId, name), caseId, occurredAt: new Date().toISOString() }
    for (let count = 0; count < deliveries; count++) {
      await fetch(callbackUrl, { method: 'POST', body: JSON.stringify(event) })
    }
  }
}

/** Starts the server; it ends with the test. */
export async function startScripted(t: Test, script: Script = {}): Promise<LoadedService> {
  const { beforeCreate, isRefused, isStuck = () => false, deliveries = 1 } = script
  const cases = new Map<string, Scripted>()
  const stuck = new Set<string>()
  let count = 0
  let url = ''
  const send = (response: ServerResponse, value: unknown) => response.end(JSON.stringify(value))
  const present = (id: string) => {
    const { status } = cases.get(id) as Scripted
    const link = `${url}/sign/${id}#token`
    return { id, status, participants: [{ signerUrl: link }, { signerUrl: link }] }
  }
  const create = async (request: IncomingMessage, response: ServerResponse) => {
    const { participants, callback } = (await json(request)) as Body
    const number = ++count
    await beforeCreate?.(number)
    if (isRefused?.(number)) {
      response.writeHead(503).end()
      return
    }
    const id = uuidV5(CASE_ID, 'load', String(number))
    if (isStuck(number)) stuck.add(id)
    cases.set(id, { status: 'NEW', unsigned: participants.length, callbackUrl: callback.url })
    send(response, { case: present(id), upload: { url: `${url}/upload/${id}` } })
  }
  const sign = (id: string, response: ServerResponse) => {
    const one = cases.get(id) as Scripted
    one.unsigned -= 1
    if (one.unsigned === 0) {
      one.status = 'DONE'
      // A run that lost its patience has closed the receiver.
      notify(id, one.callbackUrl, deliveries).catch(() => undefined)
    }
    send(response, {})
  }
  const server = createServer((request, response) => {
    const [, kind, id = ''] = (request.url ?? '').split('/')
    if (kind === 'cases' && request.method === 'POST') return void create(request, response)
    if (kind === 'cases') return void send(response, present(id))
    request.resume()
    if (kind === 'participant') return void sign(id, response)
    const one = cases.get(id)
    if (one && !stuck.has(id)) one.status = 'IN_PROGRESS'
    return void send(response, {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, token: 'token', watched: [], end: async () => undefined }
}
