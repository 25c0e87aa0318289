import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { MAXIMUM_POOL_AGE_MS } from '../../../adapters/outbound-http/origin-pools.ts'
import { systemTimers } from '../../../adapters/shared/system-timers.ts'
import { outboundHttp, post } from '../../fixtures/outbound.ts'
import { httpReceiver } from '../../fixtures/receiver.ts'
import { until } from '../../fixtures/until.ts'

const ORIGINS = 300
const MOST_ORIGINS = 256
const MOST_CONNECTIONS = 32

t.test('requests after one another share connections', async (t) => {
  const receiver = await httpReceiver()
  t.teardown(() => receiver.close())
  const http = outboundHttp(t)
  for (let count = 0; count < 20; count++) {
    t.match(await http.send(post(`http://127.0.0.1:${receiver.port}/${count}`)), { status: 200 })
  }
  t.equal(receiver.requests.length, 20)
  t.ok(receiver.connections <= 2, `${receiver.connections} connections`)
})

t.test('requests at once share so many connections, and all are answered', async (t) => {
  const receiver = await httpReceiver((_request, response) => {
    void setTimeout(10).then(() => response.end())
  })
  t.teardown(() => receiver.close())
  const http = outboundHttp(t)
  const url = `http://127.0.0.1:${receiver.port}/`
  const results = await Promise.all(Array.from({ length: 200 }, () => http.send(post(url))))
  t.ok(results.every((result) => result.outcome === 'answered' && result.status === 200))
  t.ok(receiver.connections <= MOST_CONNECTIONS, `${receiver.connections} connections`)
})

t.test('after a minute a name is resolved anew, and what runs then goes on', async (t) => {
  let respond = () => {}
  const old = await httpReceiver((request, response) => {
    if (request.url === '/slow') respond = () => void response.end('late')
    else response.end()
  })
  const moved = await httpReceiver(undefined, { host: '127.0.0.2', port: old.port })
  t.teardown(() => old.close())
  t.teardown(() => moved.close())
  let address = '127.0.0.1'
  let aheadMs = 0
  const http = outboundHttp(t, {
    resolve: async () => [address],
    timers: { ...systemTimers, nowMs: () => systemTimers.nowMs() + aheadMs },
  })
  const url = `http://moving.test:${old.port}`
  await http.send(post(`${url}/`))
  const slow = http.send(post(`${url}/slow`))
  while (old.requests.length < 2) await setTimeout(5)
  address = '127.0.0.2'
  t.match(await http.send(post(`${url}/`)), { status: 200 })
  t.equal(moved.requests.length, 0, 'the pool is young')
  aheadMs = MAXIMUM_POOL_AGE_MS
  t.match(await http.send(post(`${url}/`)), { status: 200 })
  t.equal(moved.requests.length, 1)
  respond()
  t.match(await slow, { outcome: 'answered', status: 200 })
  await old.untilIdle()
  t.equal(old.open.size, 0, 'the old connections are closed')
})

t.test('so many origins keep connections; who was asked longest ago gives way', async (t) => {
  const receiver = await httpReceiver()
  t.teardown(() => receiver.close())
  const http = outboundHttp(t, { resolve: async () => ['127.0.0.1'] })
  for (let count = 0; count < ORIGINS; count++) {
    await http.send(post(`http://h${count}.test:${receiver.port}/`))
  }
  t.equal(receiver.requests.length, ORIGINS)
  await until(() => receiver.open.size <= MOST_ORIGINS)
  t.ok(receiver.open.size <= MOST_ORIGINS, `${receiver.open.size} are open`)
})

t.test('closing waits for what runs and leaves no connection', async (t) => {
  const receiver = await httpReceiver((_request, response) => {
    void setTimeout(100).then(() => response.end())
  })
  t.teardown(() => receiver.close())
  const http = outboundHttp(t)
  const running = http.send(post(`http://127.0.0.1:${receiver.port}/`))
  await setTimeout(20)
  await http.close()
  t.match(await running, { outcome: 'answered', status: 200 })
  const late = await http.send(post(`http://127.0.0.1:${receiver.port}/`))
  t.match(late, { outcome: 'no-answer', reason: 'connection-lost' })
  await receiver.untilIdle()
  t.equal(receiver.open.size, 0)
})
