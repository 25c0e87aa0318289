import process from 'node:process'
import t from 'tap'
import { systemTimers } from '../../../adapters/shared/system-timers.ts'
import { outboundHttp, post } from '../../fixtures/outbound.ts'
import { httpReceiver, type Receiver } from '../../fixtures/receiver.ts'
import { holdLoop, receiverInThread } from '../../fixtures/receiver-thread.ts'
import { tlsIdentity } from '../../fixtures/tls-identity.ts'
import { until } from '../../fixtures/until.ts'

const WAIT_LONGER_MS = 61_000
/** Long enough for a request to reach its receiver on a busy machine. */
const LIMIT_MS = 3_000

const open = async (
  t: { teardown(close: () => Promise<void>): unknown },
  ...args: Parameters<typeof httpReceiver>
): Promise<Receiver> => {
  const receiver = await httpReceiver(...args)
  t.teardown(() => receiver.close())
  return receiver
}

/** Hosts that end at a loopback address of this machine, by many ways. */
const WAYS_TO_LOOPBACK = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7F.1',
  '0177.0.0.1',
  '017700000001',
  '%31%32%37.0.0.1',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  'localhost',
  'LOCALHOST',
]
const OTHER_WAYS_INSIDE = [
  '0.0.0.0',
  '0',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
]

t.test('however loopback is spelt, nothing reaches it', async (t) => {
  const receiver = await open(t)
  const http = outboundHttp(t, { allowed: [] })
  for (const host of [...WAYS_TO_LOOPBACK, ...OTHER_WAYS_INSIDE]) {
    const result = await http.send(post(`http://${host}:${receiver.port}/`))
    t.match(result, { outcome: 'refused', reason: 'address-forbidden' }, host)
  }
  t.equal(receiver.connections, 0)
})

t.test('however an allowed address is spelt, it is reached', async (t) => {
  const receiver = await open(t)
  // The name may lead to ::1 too, which has to be allowed for the name to be.
  const http = outboundHttp(t, { allowed: ['127.0.0.1', '::1'] })
  for (const host of WAYS_TO_LOOPBACK) {
    const result = await http.send(post(`http://${host}:${receiver.port}/`))
    t.match(result, { outcome: 'answered', status: 200 }, host)
  }
  t.equal(receiver.requests.length, WAYS_TO_LOOPBACK.length)
})

t.test('an address is allowed, but not the ways that carry it within IPv6', async (t) => {
  const receiver = await open(t)
  const http = outboundHttp(t, { allowed: ['0.0.0.0/0', '::/0'] })
  for (const host of ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[2002:7f00:1::]']) {
    const result = await http.send(post(`http://${host}:${receiver.port}/`))
    t.match(result, { outcome: 'refused', reason: 'address-forbidden' }, host)
  }
  t.equal(receiver.connections, 0)
})

t.test('metadata services are refused, by their addresses and by their names', async (t) => {
  const http = outboundHttp(t, {
    allowed: ['0.0.0.0/0', '::/0'],
    resolve: async () => ['169.254.169.254'],
  })
  for (const host of [
    '169.254.169.254',
    '0xa9fea9fe',
    '[fd00:ec2::254]',
    '100.100.100.200',
    'metadata.google.internal',
    '169.254.169.254.nip.test',
  ]) {
    const result = await http.send(post(`http://${host}/latest/meta-data/`))
    t.match(result, { outcome: 'refused', reason: 'address-forbidden' }, host)
  }
})

t.test('a URL of another scheme, with a user in it, or that is none, is refused', async (t) => {
  const receiver = await open(t)
  const http = outboundHttp(t)
  const place = `127.0.0.1:${receiver.port}`
  for (const url of [
    `http://user@${place}/`,
    `http://user:password@${place}/`,
    `http://:password@${place}/`,
    `ftp://${place}/`,
    `ws://${place}/`,
    `gopher://${place}/`,
    'file:///etc/passwd',
    'data:text/plain,x',
    'unix:/var/run/docker.sock',
    '//example.com/',
    '/relative',
    'http://',
    'http://[::1%25lo]/',
    'http://a b/',
    `http://127.0.0.1:99999/`,
    '',
  ]) {
    t.match(await http.send(post(url)), { outcome: 'refused', reason: 'url-not-allowed' }, url)
  }
  t.equal(receiver.connections, 0)
})

t.test('a name is resolved once, and the checked address is the one connected to', async (t) => {
  const good = await open(t)
  const evil = await open(t, undefined, { host: '127.0.0.2', port: good.port })
  const answers = [['127.0.0.1']]
  let asked = 0
  let aheadMs = 0
  const http = outboundHttp(t, {
    allowed: ['127.0.0.1'],
    resolve: async () => answers[asked++] ?? ['127.0.0.2'],
    timers: { ...systemTimers, nowMs: () => systemTimers.nowMs() + aheadMs },
  })
  const url = `http://rebind.test:${good.port}/`
  t.match(await http.send(post(url)), { outcome: 'answered', status: 200 })
  t.equal(asked, 1)
  t.equal(good.requests[0]?.headers.host, `rebind.test:${good.port}`)

  aheadMs = WAIT_LONGER_MS
  t.match(await http.send(post(url)), { outcome: 'refused', reason: 'address-forbidden' })
  t.equal(asked, 2)
  t.equal(evil.connections, 0)
  t.equal(good.connections, 1)
})

t.test('one forbidden address among those of a name forbids the name', async (t) => {
  const receiver = await open(t)
  const results = [
    ['127.0.0.1', '10.0.0.1'],
    ['10.0.0.1', '127.0.0.1'],
    ['127.0.0.1', '::ffff:127.0.0.1'],
    ['127.0.0.1', '127.0.0.1%lo'],
    ['127.0.0.1', ''],
  ]
  for (const addresses of results) {
    const http = outboundHttp(t, { resolve: async () => addresses })
    const result = await http.send(post(`http://mixed.test:${receiver.port}/`))
    t.match(result, { outcome: 'refused', reason: 'address-forbidden' }, addresses.join(' '))
  }
  t.equal(receiver.connections, 0)
})

t.test('the next address of a name is tried when one does not answer', async (t) => {
  const receiver = await open(t)
  const http = outboundHttp(t, { resolve: async () => ['127.0.0.2', '127.0.0.1'] })
  const result = await http.send(post(`http://two.test:${receiver.port}/`))
  t.match(result, { outcome: 'answered', status: 200 })
})

t.test('a name that does not resolve gives no answer', async (t) => {
  const failing = outboundHttp(t, {
    resolve: async () => {
      throw Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
    },
  })
  const empty = outboundHttp(t, { resolve: async () => [] })
  for (const http of [failing, empty]) {
    const result = await http.send(post('http://nowhere.test/'))
    t.match(result, { outcome: 'no-answer', reason: 'name-not-resolved' })
  }
})

t.test('over TLS the certificate has to be of the name in the URL', async (t) => {
  const identity = await tlsIdentity(['hook.test', '127.0.0.1'])
  const receiver = await open(t, undefined, { identity })
  const http = outboundHttp(t, {
    resolve: async () => ['127.0.0.1'],
    certificateAuthorities: [identity.authority],
  })
  for (const host of ['hook.test', 'hook.test.', 'HOOK.test', '127.0.0.1']) {
    const result = await http.send(post(`https://${host}:${receiver.port}/`))
    t.match(result, { outcome: 'answered', status: 200 }, host)
  }
  t.equal(receiver.requests[0]?.headers.host, `hook.test:${receiver.port}`)
  t.equal(receiver.requests.length, 4)
  const result = await http.send(post(`https://other.test:${receiver.port}/`))
  t.match(result, { outcome: 'no-answer', reason: 'tls-failed' })
  t.equal(receiver.requests.length, 4)
})

t.test('each of many authorities is found, as in a process that runs many tests', async (t) => {
  const identities = await Promise.all(Array.from({ length: 6 }, () => tlsIdentity(['127.0.0.1'])))
  const certificateAuthorities = identities.map(({ authority }) => authority)
  const http = outboundHttp(t, { certificateAuthorities })
  for (const identity of identities) {
    const receiver = await open(t, undefined, { identity })
    const result = await http.send(post(`https://127.0.0.1:${receiver.port}/`))
    t.match(result, { outcome: 'answered', status: 200 })
  }
})

t.test('a certificate that is not trusted, or out of its time, is refused', async (t) => {
  const identity = await tlsIdentity(['hook.test'])
  const old = await tlsIdentity(['hook.test'], {
    notBefore: new Date(Date.now() - 2 * WAIT_LONGER_MS),
    notAfter: new Date(Date.now() - WAIT_LONGER_MS),
  })
  for (const [served, certificateAuthorities] of [
    [identity, []],
    [identity, [old.authority]],
    [old, [old.authority]],
  ] as const) {
    const receiver = await open(t, undefined, { identity: served })
    const http = outboundHttp(t, { resolve: async () => ['127.0.0.1'], certificateAuthorities })
    const result = await http.send(post(`https://hook.test:${receiver.port}/`))
    t.match(result, { outcome: 'no-answer', reason: 'tls-failed' })
    t.equal(receiver.requests.length, 0)
  }
})

t.test('the variable that turns TLS checks off turns nothing off here', async (t) => {
  const { env } = process
  env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  t.teardown(() => delete env.NODE_TLS_REJECT_UNAUTHORIZED)
  const receiver = await open(t, undefined, { identity: await tlsIdentity(['127.0.0.1']) })
  const result = await outboundHttp(t).send(post(`https://127.0.0.1:${receiver.port}/`))
  t.match(result, { outcome: 'no-answer', reason: 'tls-failed' })
})

t.test(
  'a response that came while this process was busy is read after its time limit',
  async (t) => {
    const receiver = await receiverInThread()
    t.teardown(() => receiver.close())
    const http = outboundHttp(t)
    const url = `http://127.0.0.1:${receiver.port}/`
    const sent = http.send(post(url, { timeoutMs: LIMIT_MS }))
    await until(() => receiver.hasReceived())
    await receiver.answerWhileHeld(LIMIT_MS)
    t.match(await sent, { outcome: 'answered', status: 200 })
  },
)

t.test('a request whose time ended before there was a connection is not sent', async (t) => {
  const receiver = await open(t)
  let held = 0
  const resolve = async () => {
    if (held++ === 0) await holdLoop(LIMIT_MS)
    return ['127.0.0.1']
  }
  const http = outboundHttp(t, { resolve })
  const url = `http://hook.test:${receiver.port}/`
  const late = await http.send(post(url, { timeoutMs: LIMIT_MS, body: 'late' }))
  t.match(late, { outcome: 'no-answer', reason: 'timeout' })
  t.match(await http.send(post(url, { body: 'next' })), { outcome: 'answered' })
  t.same(
    receiver.requests.map(({ body }) => body),
    ['next'],
  )
})
