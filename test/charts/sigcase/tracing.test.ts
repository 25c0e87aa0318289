/** The chart passes the collector to all processes, and lets them connect to it. */
import t from 'tap'
import { example, find, podOf, render, withHelm, type Manifest } from '../../fixtures/chart.ts'

const COMPONENTS = ['api', 'controller', 'worker'] as const
const ENDPOINT = 'http://otel-collector.monitoring:4318'

interface Rule {
  to?: object[]
  ports: { port: number | string }[]
}

function rulesOf(manifests: readonly Manifest[], component: string): Rule[] {
  const { spec } = find(manifests, 'NetworkPolicy', `sigcase-${component}`)
  return (spec as { egress: Rule[] }).egress
}

const toPort = (rules: readonly Rule[], target: number) =>
  rules.filter(({ ports }) => (ports ?? []).some(({ port }) => port === target))

const environmentOf = (manifests: readonly Manifest[]) =>
  find(manifests, 'ConfigMap', 'sigcase-environment')['data'] as Record<string, string>

await withHelm(() => {
  const values = example('minimal')

  t.test('nothing is set and nothing is opened without a collector', async (t) => {
    const manifests = render({ values })
    t.notMatch(Object.keys(environmentOf(manifests)).join(), 'OTEL')
    for (const component of COMPONENTS) t.same(toPort(rulesOf(manifests, component), 4318), [])
  })

  t.test('all processes get the collector, and may connect to it alone', async (t) => {
    const set = [
      `tracing.endpoint=${ENDPOINT}`,
      'tracing.collectorAt[0].podSelector.matchLabels.app=collector',
    ]
    const manifests = render({ values, set })
    t.match(environmentOf(manifests), {
      OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT,
      OTEL_TRACES_SAMPLER_ARG: /^1\.0*$/,
    })
    for (const component of COMPONENTS) {
      t.same(toPort(rulesOf(manifests, component), 4318), [
        { to: [{ podSelector: { matchLabels: { app: 'collector' } } }], ports: [{ port: 4318 }] },
      ])
    }
    const [worker] = podOf(find(manifests, 'Deployment', 'sigcase-worker'))?.containers ?? []
    const allowed = worker?.args?.find((one) => one.startsWith('--allow-env='))
    t.match(allowed, 'OTEL_EXPORTER_OTLP_ENDPOINT', 'a worker on Deno may read the variable')
  })

  t.test('the port is that of the URL, and peers are the pods of the cluster', async (t) => {
    const pods = [{ namespaceSelector: {} }]
    for (const [url, port] of [
      ['http://collector', 80],
      ['https://collector/base', 443],
      ['http://[2001:db8::1]:4318', 4318],
    ] as const) {
      const manifests = render({ values, set: [`tracing.endpoint=${url}`] })
      const rules = toPort(rulesOf(manifests, 'controller'), port)
      t.ok(
        rules.some(({ to }) => JSON.stringify(to) === JSON.stringify(pods)),
        url,
      )
    }
  })
})
