import t from 'tap'
import { ServiceError } from '../../../domain/errors.ts'
import { DeliveryRefusedError } from '../../../domain/ports/delivery-refused.ts'
import { KeyRefusedError } from '../../../domain/ports/signing.ts'
import { PrometheusMetrics } from '../../../adapters/prometheus/registry.ts'
import { measured, measuredHttp } from '../../../runtime/cluster/measured.ts'
import { reportProcess } from '../../../runtime/cluster/process-metrics.ts'
import { RecordingMetrics } from '../../fixtures/recording-metrics.ts'

const METRIC = 'sigcase_dependency_call_duration_seconds'

/** A port with a private member, which a careless wrapper cannot reach. */
class Port {
  readonly #answer: number
  readonly name = 'port'

  constructor(answer: number) {
    this.#answer = answer
  }

  get size(): number {
    return this.#answer
  }

  async get(error?: Error): Promise<number> {
    if (error) throw error
    return this.#answer
  }

  describe(): string {
    return `answers ${this.#answer}`
  }
}

function world() {
  const metrics = new RecordingMetrics()
  const port = measured(new Port(7), { system: 'objects', methods: ['get'], metrics })
  return { metrics, port }
}

t.test('a wrapped port is the port, and only its calls are measured', async (t) => {
  const { metrics, port } = world()
  t.ok(port instanceof Port)
  t.equal(port.describe(), 'answers 7')
  t.equal(port.size, 7)
  t.equal(port.name, 'port')
  t.same(metrics.of(METRIC), {})
  t.equal(await port.get(), 7)
  t.same(metrics.of(METRIC), { '{system="objects",operation="get",outcome="ok"}': 1 })
})

t.test('a failure is measured by its kind, and passed on', async (t) => {
  const outcomes = [
    [new ServiceError('TIMEOUT'), 'timeout'],
    [new ServiceError('BODY_TOO_LARGE'), 'refused'],
    [new KeyRefusedError('SIGNING_KEY_DENIED', 'no'), 'refused'],
    [new DeliveryRefusedError('no', 'sender'), 'refused'],
    [Object.assign(new Error('conflict'), { status: 409 }), 'refused'],
    [new Error('broken'), 'error'],
  ] as const
  for (const [error, outcome] of outcomes) {
    const { metrics, port } = world()
    await t.rejects(port.get(error), error)
    const series = `{system="objects",operation="get",outcome="${outcome}"}`
    t.same(metrics.of(METRIC), { [series]: 1 })
  }
})

t.test('an operation can be named by the arguments', async (t) => {
  const metrics = new RecordingMetrics()
  const port = measured(
    { send: async (method: string) => method },
    { system: 'api-server', methods: ['send'], metrics, operationOf: (_, [method]) => `${method}` },
  )
  await port.send('PUT')
  t.same(metrics.of(METRIC), { '{system="api-server",operation="PUT",outcome="ok"}': 1 })
})

t.test('outgoing requests are measured by their result, without the address', async (t) => {
  const metrics = new RecordingMetrics()
  const results = [
    { outcome: 'answered', status: 500, headers: {}, body: new Uint8Array(), truncated: false },
    { outcome: 'refused', reason: 'address-forbidden' },
    { outcome: 'no-answer', reason: 'timeout' },
    { outcome: 'no-answer', reason: 'tls-failed' },
  ]
  const http = measuredHttp(
    {
      send: async () => ({ ...results.shift(), durationMs: 5 }) as never,
      close: async () => {},
    },
    metrics,
  )
  const request = {
    url: 'https://tenant.example/secret',
    method: 'POST',
    headers: {},
    timeoutMs: 1,
    maximumResponseOctets: 1,
  } as const
  while (results.length > 0) await http.send(request)
  t.same(
    Object.keys(metrics.of(METRIC)),
    ['ok', 'refused', 'timeout', 'error'].map(
      (outcome) => `{system="http",operation="POST",outcome="${outcome}"}`,
    ),
  )
})

t.test('every component reports its process', async (t) => {
  const metrics = new PrometheusMetrics('api')
  reportProcess(metrics)
  const text = await metrics.text()
  t.match(text, /^process_resident_memory_bytes \d+$/m)
  t.match(text, /^process_uptime_seconds \d/m)
  const cpuSeconds = (from: string) => Number(/^process_cpu_seconds_total (\S+)$/m.exec(from)?.[1])
  t.ok(cpuSeconds(text) > 0)
  t.ok(cpuSeconds(await metrics.text()) >= cpuSeconds(text), 'a counter does not add up twice')
  t.ok(cpuSeconds(await metrics.text()) < cpuSeconds(text) + 5)
})
