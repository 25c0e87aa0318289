/** One trace of a whole case, as a collector receives it. */
import t, { type Test } from 'tap'
import { openReceiver } from '../../conformance/receiver.ts'
import { isOnCluster, openFreshWorld, openWorld } from '../../conformance/world.ts'
import { Kiosk } from '../../fixtures/kiosk.ts'
import { openCollector } from '../../fixtures/trace-collector.ts'
import { until } from '../../fixtures/until.ts'

t.setTimeout(300_000)

const CREATE = 'POST /cases'

/** For both tests of traces: a service on a cluster costs seconds of CPU time. */
const collector = await openCollector(t)
const world = await openFreshWorld(t, {
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  EGRESS_ALLOW: '127.0.0.1/32',
})

async function openKiosk(t: Test): Promise<{ kiosk: Kiosk; deviceId: string }> {
  const registered = await world.asTenant('POST', '/tenant/devices', { body: { name: 'Desk' } })
  const { deviceId, token } = registered.json
  const kiosk = new Kiosk(world.url, { deviceId, headers: { authorization: `Bearer ${token}` } })
  t.teardown(() => kiosk.source.close())
  return { kiosk: await kiosk.began(), deviceId }
}

t.test('the trace of a case reaches the kiosk that shows it', async (t) => {
  const { kiosk, deviceId } = await openKiosk(t)
  await world.inProgress({ quickSign: true, device: { deviceId } })
  t.match(await kiosk.nextEvent(1), { type: 'device.open_case' })
  const received = await collector.until(({ name }) => name === 'kiosk receive')
  // Processes send their spans at different times.
  await until(() => collector.pathTo(received).length === 4)
  t.equal(
    collector.pathTo(received).join(' > '),
    `${CREATE} > reconcile > job kiosk > kiosk receive`,
  )
})

t.test('the work for a case is one trace, from its creation to its webhook', async (t) => {
  const receiver = await openReceiver(t)
  const callback = { url: receiver.address('inbox'), authType: 'NONE' }
  const made = await world.done({ callback })
  const isOfCase = ({ attributes }: { attributes: Record<string, unknown> }) =>
    attributes['sigcase.case_id'] === made.id
  const create = await collector.until((span) => span.name === CREATE && isOfCase(span))
  const inTrace = ({ traceId }: { traceId: string }) => traceId === create.traceId
  await world.until('the webhook', async () => (receiver.at('inbox').length > 1 ? true : undefined))
  await collector.until((span) => span.name === 'job trail-seal')
  await world.close()
  const paths = new Set(
    collector.spans.filter(inTrace).map((span) => collector.pathTo(span).join(' > ')),
  )
  const expected = [
    CREATE,
    `${CREATE} > reconcile`,
    `${CREATE} > reconcile > job intake`,
    `${CREATE} > reconcile > job intake > sandbox inspect`,
    `${CREATE} > reconcile > job intake > objects putIfAbsent`,
    `${CREATE} > reconcile > job notify > smtp send`,
    `${CREATE} > reconcile > job finalise > finalise sign > kms sign`,
    `${CREATE} > reconcile > job finalise > finalise sign > tsa stamp`,
    `${CREATE} > reconcile > job finalise > finalise validate-own-output > sandbox validateSigned`,
    `${CREATE} > reconcile > job webhook > webhook attempt > http POST`,
    `${CREATE} > reconcile > job trail-seal`,
  ]
  for (const path of expected) t.ok(paths.has(path), path)
  t.equal(create.parentSpanId, '')
  const services = new Set(collector.spans.map(({ service }) => String(service)))
  const cluster = ['sigcase-api', 'sigcase-controller', 'sigcase-worker']
  t.same([...services].toSorted(), isOnCluster() ? cluster : ['sigcase-service'])
  const [sign] = collector.named('POST /participant/:participantId/signature')
  t.not(sign?.traceId, create.traceId, 'the request of a person has a trace of its own')
  t.same(sign?.links, [create.traceId])
  const attempt = collector.named('webhook attempt').filter(inTrace)
  const headers = receiver.at('inbox').map(({ headers }) => headers['traceparent'])
  t.same(
    headers.toSorted(),
    attempt.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`).toSorted(),
    'each webhook names the span of its attempt',
  )
  const bodies = collector.bodies.join('\n')
  for (const secret of ['Zmluva', 'Jana', 'Nov', 'example.com', 'inbox', 'eyJ', '127.0.0.1']) {
    t.notMatch(bodies, secret, `spans do not contain ${secret}`)
  }
})

/** On a cluster, `test/conformance/6-events.test.ts` looks at the headers of its webhooks. */
const skip = isOnCluster() && 'it would need another cluster'

t.test('without a collector nothing leaves the service', { skip }, async (t) => {
  const receiver = await openReceiver(t)
  const world = await openWorld(t, { EGRESS_ALLOW: '127.0.0.1/32' })
  await world.cancelled({ callback: { url: receiver.address('inbox'), authType: 'NONE' } })
  const delivery = await world.until('the webhook', async () => receiver.at('inbox')[0])
  t.equal(delivery.headers['traceparent'], undefined)
})
