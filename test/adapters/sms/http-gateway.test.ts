/** The SMS gateway over HTTP against one that is strict about what it gets. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { HttpSmsGateway } from '../../../adapters/sms/http-gateway.ts'
import { USER_AGENT } from '../../../domain/version.ts'
import { outboundHttp } from '../../fixtures/outbound.ts'
import { watchCores } from '../../fixtures/busy.ts'

const SMS = { id: 'send-1', to: '+421905123456', text: 'Kód na podpis: 042917.' }
const TOKEN = 'secret-of-the-gateway'

interface Taken {
  url: string | undefined
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
}

/** A gateway that takes one form of request and refuses every other. */
async function gateway(
  t: Test,
  answer?: (response: ServerResponse, request: IncomingMessage) => void,
) {
  const taken: Taken[] = []
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    const body = JSON.parse(await text(request)) as Record<string, unknown>
    const isGood =
      method === 'POST' &&
      headers['content-type'] === 'application/json' &&
      headers.authorization === `Bearer ${TOKEN}` &&
      headers['idempotency-key'] === body['id'] &&
      Object.keys(body).sort().join() === 'id,text,to' &&
      /^\+?\d{6,15}$/.test(String(body['to']))
    if (!isGood) return void response.writeHead(400).end()
    taken.push({ url, headers, body })
    if (answer) return answer(response, request)
    response.writeHead(202, { 'content-type': 'application/json' }).end('{"queued":true}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/messages?channel=otp`, taken }
}

t.test('a message is one request that the gateway takes', async (t) => {
  const { url, taken } = await gateway(t)
  await new HttpSmsGateway({ http: outboundHttp(t), url, token: TOKEN }).send(SMS)
  t.equal(taken.length, 1)
  t.match(taken[0], { url: '/messages?channel=otp', body: SMS })
  t.equal(taken[0]?.headers['user-agent'], USER_AGENT)
  t.same(
    Object.keys(taken[0]?.headers ?? {}).filter((name) => /^(sec-|accept)/.test(name)),
    [],
    'nothing that browsers send',
  )
})

/** Whom an answer refuses for good; every other one may be another the next time. */
const REFUSED: Readonly<Record<number, 'recipient' | 'sender'>> = {
  301: 'sender',
  307: 'sender',
  400: 'recipient',
  401: 'sender',
  404: 'sender',
  422: 'recipient',
}

t.test('any answer but 2xx is a failure that repeats nothing of the message', async (t) => {
  for (const status of [301, 307, 400, 401, 404, 408, 422, 425, 429, 500, 503]) {
    const { url, taken } = await gateway(t, (response) => {
      response.writeHead(status, { location: '/elsewhere' }).end(JSON.stringify(SMS))
    })
    const sending = new HttpSmsGateway({ http: outboundHttp(t), url, token: TOKEN }).send(SMS)
    const error = await sending.then(() => undefined).catch((caught: Error) => caught)
    const refused = REFUSED[status]
    const expected = refused
      ? { name: 'DeliveryRefusedError', refused, answer: status }
      : { name: 'SmsGatewayError' }
    t.match(error, { ...expected, message: `the SMS gateway answered ${status}` })
    t.notMatch(JSON.stringify([error?.message, error?.stack]), /042917|421905|secret/)
    t.equal(taken.length, 1, 'it is not tried again, nor elsewhere')
  }
})

t.test('a gateway that wants a credential refuses who has none', async (t) => {
  const { url } = await gateway(t)
  await t.rejects(new HttpSmsGateway({ http: outboundHttp(t), url }).send(SMS), {
    message: /answered 400/,
  })
})

t.test(
  'a gateway that does not answer in time, hangs up or is unavailable has failed',
  async (t) => {
    const silent = await gateway(t, () => {})
    const isBusy = watchCores()
    const startedMs = Date.now()
    const hasty = new HttpSmsGateway({
      http: outboundHttp(t),
      url: silent.url,
      token: TOKEN,
      timeoutMs: 100,
    })
    await t.rejects(hasty.send(SMS), { name: 'SmsGatewayError', message: /cannot be reached/ })
    t.ok(Date.now() - startedMs < 5_000 || isBusy())
    const rude = await gateway(t, (_response, request) => void request.socket.destroy())
    await t.rejects(
      new HttpSmsGateway({ http: outboundHttp(t), url: rude.url, token: TOKEN }).send(SMS),
      {
        name: 'SmsGatewayError',
      },
    )
    const nobody = new HttpSmsGateway({
      http: outboundHttp(t),
      url: 'http://127.0.0.1:1/',
      token: TOKEN,
    })
    await t.rejects(nobody.send(SMS), { name: 'SmsGatewayError' })
  },
)

t.test('an answer without an end is not read', async (t) => {
  const { url } = await gateway(t, (response) => {
    response.writeHead(200)
    const more = () => {
      if (!response.destroyed) response.write('x'.repeat(65_536), () => setImmediate(more))
    }
    more()
  })
  await new HttpSmsGateway({ http: outboundHttp(t), url, token: TOKEN, timeoutMs: 2_000 }).send(SMS)
  t.pass('accepted')
})
