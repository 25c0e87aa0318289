import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { OutboundResult } from '../../../domain/ports/outbound-http.ts'
import { USER_AGENT } from '../../../domain/version.ts'
import { outboundHttp, post } from '../../fixtures/outbound.ts'
import { httpReceiver, tcpReceiver, type Receiver } from '../../fixtures/receiver.ts'

/** A limit that a test waits for, and how late it may be kept on a busy machine. */
const BUDGET_MS = 150
const LATEST_MS = 3_000
const DRIP_MS = 20

type Closing = { teardown(close: () => Promise<void>): unknown }

function closing(t: Closing, receiver: Receiver): Receiver {
  t.teardown(() => receiver.close())
  return receiver
}

const withHttp = async (t: Closing, answer?: RequestListener) =>
  closing(t, await httpReceiver(answer))
const withTcp = async (t: Closing, talk: (socket: Socket) => void) =>
  closing(t, await tcpReceiver(talk))

const urlOf = ({ port }: Receiver) => `http://127.0.0.1:${port}/hook?a=1&b=%2F#fragment`

/** Writes one octet after another, for as long as the connection lasts. */
async function drip(socket: Socket, text: string): Promise<void> {
  for (const octet of text) {
    if (socket.destroyed) return
    socket.write(octet)
    await setTimeout(DRIP_MS)
  }
}

function isTimeout(t: Test, result: OutboundResult): void {
  t.match(result, { outcome: 'no-answer', reason: 'timeout' })
  t.ok(
    result.durationMs >= BUDGET_MS - 5 && result.durationMs < LATEST_MS,
    `${result.durationMs} ms`,
  )
}

t.test('a request arrives as it was given, and its answer comes back', async (t) => {
  const receiver = await withHttp(t, (_request, response) => {
    response.writeHead(201, { 'X-Answer': 'yes', 'Set-Cookie': ['a=1', 'b=2'] }).end('ďakujem')
  })
  const headers = { 'Content-Type': 'application/json', 'Service-Event': 'case-completed' }
  const result = await outboundHttp(t).send(post(urlOf(receiver), { headers }))
  const [request] = receiver.requests
  t.match(request, { method: 'POST', url: '/hook?a=1&b=%2F', body: '{"a":"á"}' })
  t.strictSame(request?.headers, {
    host: `127.0.0.1:${receiver.port}`,
    connection: 'keep-alive',
    'content-type': 'application/json',
    'service-event': 'case-completed',
    'content-length': '10',
    'user-agent': USER_AGENT,
  })
  t.match(result, { outcome: 'answered', status: 201, truncated: false })
  if (result.outcome !== 'answered') return
  t.equal(new TextDecoder().decode(result.body), 'ďakujem')
  t.match(result.headers, { 'x-answer': 'yes', 'set-cookie': ['a=1', 'b=2'] })
})

t.test('octets are sent as octets, and a GET has no body', async (t) => {
  const receiver = await withHttp(t)
  const http = outboundHttp(t)
  await http.send(post(urlOf(receiver), { body: new Uint8Array([0x61, 0x62]) }))
  const { body: _, ...bare } = post(urlOf(receiver), { method: 'GET' })
  await http.send(bare)
  t.match(receiver.requests[0], { method: 'POST', body: 'ab' })
  t.match(receiver.requests[1], { method: 'GET', body: '' })
})

t.test('a redirect is an answer and is not followed', async (t) => {
  for (const status of [301, 302, 303, 307, 308]) {
    const receiver = await withHttp(t, (_request, response) => {
      response.writeHead(status, { location: '/elsewhere' }).end()
    })
    const result = await outboundHttp(t).send(post(urlOf(receiver)))
    t.match(result, { outcome: 'answered', status, headers: { location: '/elsewhere' } })
    t.equal(receiver.requests.length, 1)
  }
})

t.test('every final status is an answer; informational ones before it are not', async (t) => {
  for (const status of [200, 204, 304, 400, 401, 404, 408, 429, 500, 503, 599]) {
    const receiver = await withHttp(t, (_request, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' })
      response.writeHead(status).end()
    })
    const result = await outboundHttp(t).send(post(urlOf(receiver)))
    t.match(result, { outcome: 'answered', status, truncated: false })
  }
})

t.test('who accepts and says nothing is waited for no longer than allowed', async (t) => {
  const receiver = await withTcp(t, () => undefined)
  isTimeout(t, await outboundHttp(t).send(post(urlOf(receiver), { timeoutMs: BUDGET_MS })))
})

t.test('a TLS handshake that is not answered counts into the limit', async (t) => {
  const receiver = await withTcp(t, () => undefined)
  const url = `https://127.0.0.1:${receiver.port}/`
  isTimeout(t, await outboundHttp(t).send(post(url, { timeoutMs: BUDGET_MS })))
})

t.test('a name that is being resolved counts into the limit', async (t) => {
  const http = outboundHttp(t, { resolve: () => setTimeout(4 * BUDGET_MS, []) })
  isTimeout(t, await http.send(post('http://slow.test/', { timeoutMs: BUDGET_MS })))
})

t.test('headers that come octet by octet count into the limit', async (t) => {
  const receiver = await withTcp(t, (socket) => {
    void drip(socket, `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(1000)}`)
  })
  isTimeout(t, await outboundHttp(t).send(post(urlOf(receiver), { timeoutMs: BUDGET_MS })))
})

t.test('a body that comes octet by octet counts into the limit', async (t) => {
  const receiver = await withTcp(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
    void drip(socket, 'x'.repeat(1000))
  })
  isTimeout(t, await outboundHttp(t).send(post(urlOf(receiver), { timeoutMs: BUDGET_MS })))
  await receiver.untilIdle()
  t.equal(receiver.open.size, 0, 'and the connection is given up')
})

t.test('a request whose time ran out before there was a connection is never sent', async (t) => {
  const receiver = await withHttp(t)
  const resolved = setTimeout(3 * BUDGET_MS, ['127.0.0.1'])
  const http = outboundHttp(t, { resolve: () => resolved })
  const url = `http://slow.test:${receiver.port}/`
  isTimeout(t, await http.send(post(url, { timeoutMs: BUDGET_MS })))
  await resolved
  t.match(await http.send(post(url)), { outcome: 'answered' })
  t.equal(receiver.requests.length, 1)
})

t.test('a port without a listener gives no answer', async (t) => {
  const receiver = await withHttp(t)
  await receiver.close()
  const result = await outboundHttp(t).send(post(urlOf(receiver)))
  t.match(result, { outcome: 'no-answer', reason: 'connection-failed' })
})

t.test('a connection that ends before the answer is complete counts as no answer', async (t) => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n'
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc'
  for (const sent of ['', 'HTTP/1.1 200', `${head}abc`, chunked]) {
    for (const end of ['destroy', 'end', 'resetAndDestroy'] as const) {
      const receiver = await withTcp(t, (socket) => {
        const finish = () => void socket[end]()
        if (sent === '') finish()
        else socket.write(sent, finish)
      })
      const result = await outboundHttp(t).send(post(urlOf(receiver)))
      t.match(result, { outcome: 'no-answer', reason: 'connection-lost' }, `${sent} ${end}`)
      t.equal(receiver.connections, 1, 'and the request is not sent again')
    }
  }
})

t.test('an answer that is not HTTP, or has too many headers, counts as no answer', async (t) => {
  for (const sent of [
    'HELLO\r\n\r\n',
    'HTTP/1.1 abc\r\n\r\n',
    'SSH-2.0-OpenSSH_9.6\r\n',
    `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
  ]) {
    const receiver = await withTcp(t, (socket) => void socket.write(sent))
    const result = await outboundHttp(t).send(post(urlOf(receiver)))
    t.match(result, { outcome: 'no-answer', reason: 'answer-malformed' }, sent.slice(0, 30))
  }
})

t.test('a switch of protocols counts as no answer', async (t) => {
  const receiver = await withTcp(t, (socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
  })
  const result = await outboundHttp(t).send(post(urlOf(receiver)))
  t.match(result, { outcome: 'no-answer' })
})

t.test('a body without end is cut off, the status counts, the connection is closed', async (t) => {
  let written = 0
  const receiver = await withTcp(t, (socket) => {
    const chunk = 'x'.repeat(16 * 1024)
    socket.write('HTTP/1.1 500 Too Much\r\nConnection: keep-alive\r\n\r\n')
    const more = () => {
      while (!socket.destroyed && socket.write(chunk)) written += chunk.length
    }
    socket.on('drain', more)
    more()
  })
  const result = await outboundHttp(t).send(post(urlOf(receiver)))
  t.match(result, { outcome: 'answered', status: 500, truncated: true })
  if (result.outcome === 'answered') t.equal(result.body.length, 1_024)
  await receiver.untilIdle()
  t.equal(receiver.open.size, 0)
  t.ok(written < 64 * 1024 * 1024, `${written} octets were taken`)
})

t.test('a body of just the limit is whole, one octet more is cut', async (t) => {
  for (const [length, truncated] of [
    [1_023, false],
    [1_024, false],
    [1_025, true],
  ] as const) {
    const receiver = await withHttp(t, (_request, response) => {
      response.end('x'.repeat(length))
    })
    const result = await outboundHttp(t).send(post(urlOf(receiver)))
    t.match(result, { outcome: 'answered', status: 200, truncated }, String(length))
    if (result.outcome === 'answered') t.equal(result.body.length, Math.min(length, 1_024))
  }
})

t.test('a compressed answer stays compressed: it cannot grow', async (t) => {
  const receiver = await withHttp(t, (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('\u001f\u008b')
  })
  const result = await outboundHttp(t).send(post(urlOf(receiver)))
  if (result.outcome === 'answered') t.equal(result.body.length, 3)
  t.notOk(receiver.requests[0]?.headers['accept-encoding'])
})

t.test('headers that HTTP cannot carry or that are not the caller’s are refused', async (t) => {
  const receiver = await withHttp(t)
  const http = outboundHttp(t)
  const refused: Record<string, string>[] = [
    { 'x-key': 'a\r\nX-Other: b' },
    { 'x-key': 'a\nb' },
    { 'x-key': 'a\u0000b' },
    { 'x-key': 'ž' },
    { 'x key': 'a' },
    { 'x-key\r\nb': 'a' },
    { '': 'a' },
    { Host: 'internal.example' },
    { 'Content-Length': '1' },
    { 'Transfer-Encoding': 'chunked' },
    { Connection: 'close' },
    { Expect: '100-continue' },
    { Upgrade: 'h2c' },
  ]
  for (const headers of refused) {
    const result = await http.send(post(urlOf(receiver), { headers }))
    t.match(result, { outcome: 'refused', reason: 'request-malformed' }, JSON.stringify(headers))
  }
  t.equal(receiver.requests.length, 0)
})
