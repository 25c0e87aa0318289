/** Traces go to a collector, or are lost without harm; on Node and on Deno. */
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { OpenTelemetryTracer, type TracerOptions } from '../../../adapters/opentelemetry/tracer.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { freePorts } from '../../../adapters/shared/free-ports.ts'
import { openCollector } from '../../fixtures/trace-collector.ts'
import { until } from '../../fixtures/until.ts'
import { watchCores } from '../../fixtures/busy.ts'

const GIVEN = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const GIVEN_TRACE = '0af7651916cd43dd8448eb211c80319c'
/** Below it the process is not held up by a collector. */
const CLOSE_LIMIT_MS = 3_000

const tracerTo = (endpoint: string, more: Partial<TracerOptions> = {}) =>
  new OpenTelemetryTracer({
    endpoint,
    share: 1,
    component: 'worker',
    random: () => 0.5,
    onFailed: () => undefined,
    onSucceeded: () => undefined,
    ...more,
  })

async function world(t: Test, more: Partial<TracerOptions> = {}) {
  const collector = await openCollector(t)
  const tracer = tracerTo(collector.endpoint, more)
  return { collector, tracer }
}

t.test('spans arrive with their parents, attributes and service', async (t) => {
  const { collector, tracer } = await world(t)
  const attributes = { 'sigcase.job': 'intake', 'sigcase.attempt': 2 }
  const done = await tracer.span('outer', { attributes }, async (outer) => {
    await wait(1)
    t.equal(tracer.active()?.traceparent, outer.traceparent, 'also after an await')
    return tracer.span('inner', { kind: 'client' }, async () => 7)
  })
  t.equal(done, 7)
  t.equal(tracer.active(), undefined)
  await tracer.close()
  const [inner, outer] = collector.spans
  t.same(
    collector.spans.map(({ name }) => name),
    ['inner', 'outer'],
  )
  t.equal(inner?.parentSpanId, outer?.spanId)
  t.equal(inner?.traceId, outer?.traceId)
  t.equal(outer?.parentSpanId, '')
  t.same(outer?.attributes, attributes)
  t.equal(outer?.service, 'sigcase-worker')
  t.equal(outer?.isFailed, false)
})

t.test('parallel work has its own active span', async (t) => {
  const { tracer } = await world(t)
  const seen = await Promise.all(
    [1, 2, 3].map((attempt) =>
      tracer.span('work', { attributes: { 'sigcase.attempt': attempt } }, async (span) => {
        await wait(5)
        return tracer.active() === span
      }),
    ),
  )
  t.same(seen, [true, true, true])
  const inside = await tracer.span('work', {}, async () => tracer.outside(() => tracer.active()))
  t.equal(inside, undefined, 'work outside of the span has none')
  await tracer.close()
})

t.test('a span continues the trace of a message', async (t) => {
  const { collector, tracer } = await world(t)
  await tracer.span('job', { parent: GIVEN }, async (span) => {
    t.match(span.traceparent, new RegExp(`^00-${GIVEN_TRACE}-[0-9a-f]{16}-01$`))
  })
  await tracer.close()
  t.match(collector.spans, [{ traceId: GIVEN_TRACE, parentSpanId: 'b7ad6b7169203331' }])
})

t.test('a text that is not a traceparent starts a trace', async (t) => {
  const { collector, tracer } = await world(t)
  const invalid = [
    '',
    'x',
    GIVEN.toUpperCase(),
    GIVEN.replace('00-', 'ff-'),
    `${GIVEN}-more`,
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `00-${GIVEN_TRACE}-${'0'.repeat(16)}-01`,
  ]
  for (const parent of invalid) tracer.start('job', { parent }).end()
  const later = tracer.start('job', { parent: `${GIVEN.replace('00-', 'cc-')}-more` })
  t.equal(later.traceId, GIVEN_TRACE, 'a later version of the format is understood')
  await tracer.close()
  t.equal(collector.spans.length, invalid.length)
  t.ok(collector.spans.every(({ parentSpanId }) => parentSpanId === ''))
  t.notOk(collector.spans.some(({ traceId }) => traceId === GIVEN_TRACE))
})

t.test('a failure is the code or the class of the error, never its message', async (t) => {
  const { collector, tracer } = await world(t)
  const secret = 'jana@example.com'
  const errors = [new ServiceError('TIMEOUT'), new TypeError(secret), { name: secret }, secret]
  for (const error of errors) {
    await t.rejects(tracer.span('work', {}, () => Promise.reject(error)))
  }
  await tracer.close()
  const words = collector.spans.map(({ attributes }) => attributes['error.type'])
  t.same(words, ['TIMEOUT', 'TypeError', 'unknown', 'unknown'])
  t.ok(collector.spans.every(({ isFailed }) => isFailed))
  t.notMatch(collector.bodies.join(''), secret)
})

t.test('the share decides about new traces, and messages of the service keep it', async (t) => {
  const { collector, tracer } = await world(t, { share: 0.5, random: () => 0.5 })
  const span = tracer.start('not exported')
  t.match(span.traceparent, /-00$/)
  tracer.start('child of it', { parent: span.traceparent }).end()
  span.within(() => tracer.start('child in it').end())
  span.end()
  tracer.start('sampled before', { parent: GIVEN }).end()
  await tracer.close()
  t.same(
    collector.spans.map(({ name }) => name),
    ['sampled before'],
  )
})

t.test('a client chooses the ids of its trace, but not whether it is exported', async (t) => {
  const none = await world(t, { share: 0 })
  const span = none.tracer.start('request', { parent: GIVEN, isFromOutside: true })
  t.match(span.traceparent, new RegExp(`^00-${GIVEN_TRACE}-[0-9a-f]{16}-00$`))
  span.end()
  await none.tracer.close()
  t.same(none.collector.spans, [])
  const all = await world(t)
  const parent = GIVEN.replace(/01$/, '00')
  all.tracer.start('request', { parent, isFromOutside: true }).end()
  await all.tracer.close()
  t.match(all.collector.spans, [{ traceId: GIVEN_TRACE }])
})

t.test('links, a start in the past, and long values', async (t) => {
  const { collector, tracer } = await world(t)
  const attributes = { 'sigcase.tenant': 'x'.repeat(1_000) }
  const span = tracer.start('work', { attributes, startedAgoMs: 500 })
  span.link(GIVEN)
  span.link('not a traceparent')
  span.end()
  await tracer.close()
  const [found] = collector.spans
  t.same(found?.links, [GIVEN_TRACE])
  t.ok(Number(found?.endMs) - Number(found?.startMs) >= 499)
  t.equal(found?.attributes['sigcase.tenant'], 'x'.repeat(128))
})

t.test('a collector that refuses is reported, and work goes on', async (t) => {
  let failures = 0
  let successes = 0
  const { collector, tracer } = await world(t, {
    onFailed: () => void failures++,
    onSucceeded: () => void successes++,
  })
  collector.status = 400
  t.equal(await tracer.span('work', {}, async () => 7), 7)
  await until(() => failures === 1)
  collector.status = 200
  await tracer.span('later work', {}, async () => 8)
  await until(() => successes === 1)
  t.same([failures, successes], [1, 1])
  t.same(
    collector.spans.map(({ name }) => name),
    ['later work'],
  )
  await tracer.close()
})

t.test('nobody waits for a collector that is away or silent', async (t) => {
  const [port] = await freePorts(1)
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const sockets = new Set<{ destroy(): void }>()
  silent.on('connection', (socket) => sockets.add(socket))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  for (const one of [port, (silent.address() as AddressInfo).port]) {
    const tracer = tracerTo(`http://127.0.0.1:${one}`)
    t.equal(await tracer.span('work', {}, async () => 7), 7)
    const isBusy = watchCores()
    const startedMs = performance.now()
    await tracer.close()
    t.ok(performance.now() - startedMs < CLOSE_LIMIT_MS || isBusy())
  }
})

t.test('the queue of spans is limited', async (t) => {
  const { collector, tracer } = await world(t)
  for (let made = 0; made < 10_000; made++) tracer.start('work').end()
  await tracer.close()
  t.ok(collector.spans.length > 0)
  t.ok(collector.spans.length <= 2_048 + 512, `${collector.spans.length} of 10000 arrived`)
})
