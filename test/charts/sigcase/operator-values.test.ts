/** Values that operators of shared clusters need, and what the chart makes of them. */
import t from 'tap'
import {
  example,
  find,
  podOf,
  render,
  withHelm,
  type Container,
  type Manifest,
  type PodSpec,
} from '../../fixtures/chart.ts'

const COMPONENTS = ['api', 'controller', 'worker'] as const
const POLICY_SINCE = '1.27.0'

interface Spread {
  topologyKey: string
  whenUnsatisfiable: string
  maxSkew: number
  matchLabelKeys?: string[]
}

function deployment(manifests: readonly Manifest[], component: string) {
  const { spec } = find(manifests, 'Deployment', `sigcase-${component}`)
  const { template } = spec as {
    template: {
      metadata: { labels: Record<string, string> }
      spec: PodSpec & { topologySpreadConstraints: Spread[]; priorityClassName?: string }
    }
  }
  return template
}

/** Variables of a container that are set in the manifest itself. */
const variablesOf = ({ env = [] }: Container) =>
  Object.fromEntries(env.map(({ name, value }) => [name, value]))

await withHelm(() => {
  const minimal = example('minimal')

  t.test('pods have the labels and the priority that the operator gives', async (t) => {
    const { metadata, spec } = deployment(render({ values: example('full') }), 'api')
    t.equal(metadata.labels['example.com/cost-centre'], 'signing')
    t.equal(metadata.labels['app.kubernetes.io/component'], 'api', 'beside those of the chart')
    t.equal(spec.priorityClassName, 'business-critical')
    const plain = deployment(render({ values: minimal }), 'api').spec
    t.notOk('priorityClassName' in plain)
  })

  t.test('pods are spread over zones and nodes', async (t) => {
    const spreadOf = (values: string, component: string) =>
      deployment(render({ values }), component).spec.topologySpreadConstraints.map(
        ({ topologyKey, whenUnsatisfiable }) => [topologyKey, whenUnsatisfiable],
      )
    for (const component of COMPONENTS) {
      t.same(spreadOf(minimal, component), [
        ['kubernetes.io/hostname', 'ScheduleAnyway'],
        ['topology.kubernetes.io/zone', 'ScheduleAnyway'],
      ])
    }
    t.same(spreadOf(example('full'), 'api')[1], ['topology.kubernetes.io/zone', 'DoNotSchedule'])
  })

  t.test('pods of an old revision do not count for the spread of the new one', async (t) => {
    const keysOf = (kubernetes: string) =>
      deployment(render({ values: minimal, kubernetes }), 'api').spec.topologySpreadConstraints.map(
        ({ matchLabelKeys }) => matchLabelKeys,
      )
    t.same(keysOf('1.27.0'), [['pod-template-hash'], ['pod-template-hash']])
    t.same(keysOf('1.26.9'), [undefined, undefined], 'older API servers do not know the member')
  })

  t.test('pods that are not ready do not block the drain of a node', async (t) => {
    const policyOf = (values: string, component: string, kubernetes: string) =>
      find(render({ values, kubernetes }), 'PodDisruptionBudget', `sigcase-${component}`).spec
    t.match(policyOf(minimal, 'api', POLICY_SINCE), { unhealthyPodEvictionPolicy: 'AlwaysAllow' })
    t.match(policyOf(example('full'), 'worker', POLICY_SINCE), {
      unhealthyPodEvictionPolicy: 'IfHealthyBudget',
    })
    const older = policyOf(minimal, 'api', '1.26.9') as object
    t.notOk('unhealthyPodEvictionPolicy' in older, 'older API servers do not know the member')
  })

  t.test('volumes of the operator are mounted, and Deno may read them', async (t) => {
    const { containers, volumes = [] } = deployment(
      render({ values: example('full') }),
      'worker',
    ).spec
    const [worker, reader] = containers as [Container, Container]
    t.ok(volumes.some(({ name }) => name === 'authorities'))
    t.match(
      worker.volumeMounts?.find(({ name }) => name === 'authorities'),
      { mountPath: '/authorities' },
    )
    t.notOk(reader.volumeMounts?.some(({ name }) => name === 'authorities'), 'the reader has none')
    const readable = worker.args?.find((one) => one.startsWith('--allow-read='))?.split(/[=,]/)
    t.ok(readable?.includes('/authorities'))
    t.ok(readable?.includes('/app'))
  })

  t.test('a variable of the operator replaces the one of the chart', async (t) => {
    const variables = ['POD_NAME', 'REDIS_URL', 'SHUTDOWN_GRACE_MS', 'SOME_OTHER']
    const set = COMPONENTS.flatMap((component) =>
      variables.map((name) => `${component}.environment.${name}=own`),
    )
    const manifests = render({ values: minimal, set })
    for (const component of COMPONENTS) {
      const { env = [] } = deployment(manifests, component).spec.containers[0] as Container
      for (const name of variables) {
        // Server-side apply refuses a list with the same name twice.
        t.same(
          env.filter((one) => one.name === name),
          [{ name, value: 'own' }],
          `${component}: ${name}`,
        )
      }
    }
  })

  t.test('a private authority of Redis reaches every component', async (t) => {
    const manifests = render({ values: example('full') })
    const { data } = find(manifests, 'ConfigMap', 'sigcase-environment')
    t.match(data, { REDIS_CA_FILE: '/etc/sigcase/redis/ca.pem' })
    for (const component of COMPONENTS) {
      const { volumes = [], containers } = deployment(manifests, component).spec
      t.match(
        volumes.find(({ name }) => name === 'redis'),
        { configMap: { name: 'sigcase-redis-authorities' } },
      )
      t.match(
        containers[0]?.volumeMounts?.find(({ name }) => name === 'redis'),
        { mountPath: '/etc/sigcase/redis', readOnly: true },
      )
    }
  })

  t.test('API and controller reach the index of cases, each by its own role', async (t) => {
    const manifests = render({ values: example('full') })
    const policies = render({ values: example('full'), set: ['networkPolicy.indexPort=5433'] })
    for (const component of COMPONENTS) {
      const { volumes = [], containers } = deployment(manifests, component).spec
      const url = containers[0]?.env?.find(({ name }) => name === 'INDEX_URL')
      const volume = volumes.find(({ name }) => name === 'index')
      const { spec } = find(policies, 'NetworkPolicy', `sigcase-${component}`)
      const { egress } = spec as { egress: { ports?: { port: unknown }[] }[] }
      const mayConnect = egress.some(({ ports }) => ports?.some(({ port }) => port === 5433))
      t.equal(mayConnect, component !== 'worker', component)
      if (component === 'worker') {
        t.equal(url ?? volume, undefined)
        continue
      }
      const secretKeyRef = { name: `sigcase-index-${component}`, key: 'url' }
      t.match(url, { valueFrom: { secretKeyRef } })
      t.match(volume, { configMap: { name: 'sigcase-index-authorities' } })
    }
    const half = { values: minimal, set: ['index.api.secretName=x'] }
    t.throws(() => render(half), /index.controller.secretName are set together/)
  })

  t.test('the hook of the bucket asks the same store as the components', async (t) => {
    const set = [
      'googleCloud.lifecycleHook.enabled=true',
      'googleCloud.lifecycleHook.serviceAccountName=bucket',
    ]
    const hookOf = (more: string[]) => {
      const manifests = render({ values: minimal, set: [...set, ...more] })
      const pod = podOf(find(manifests, 'Job', 'sigcase-bucket-rules')) as PodSpec
      const { data } = find(manifests, 'ConfigMap', 'sigcase-environment')
      const [container] = pod.containers as [Container]
      const names = container.env?.map(({ name }) => name)
      t.same(names, [...new Set(names)], 'each variable once')
      return { hook: variablesOf(container), data }
    }
    t.same(hookOf([]).hook, { GCS_BUCKET: 'example-sigcase' })
    const { hook, data } = hookOf([
      'googleCloud.storageEndpoint=http://storage:4443',
      'googleCloud.lifecycleHook.environment.HTTPS_PROXY=http://proxy:3128',
      'googleCloud.lifecycleHook.environment.GCS_BUCKET=own',
    ])
    t.same(hook, {
      GCS_BUCKET: 'own',
      GCS_ENDPOINT: 'http://storage:4443',
      HTTPS_PROXY: 'http://proxy:3128',
    })
    t.match(data, { GCS_ENDPOINT: 'http://storage:4443' })
  })

  t.test("Google's load balancers let streams of kiosks last", async (t) => {
    const kinds = (manifests: readonly Manifest[]) =>
      manifests.map(({ kind }) => kind).filter((kind) => /BackendConfig|Policy$/.test(kind))
    t.notOk(kinds(render({ values: minimal })).includes('BackendConfig'))
    const full = render({ values: example('full') })
    t.match(find(full, 'BackendConfig', 'sigcase-api').spec, {
      timeoutSec: 3600,
      healthCheck: { requestPath: '/healthz', port: 8080 },
    })
    t.match(find(full, 'Service', 'sigcase-api').metadata.annotations, {
      'cloud.google.com/backend-config': '{"default": "sigcase-api"}',
      'cloud.google.com/neg': '{"ingress": true}',
    })
    const gateway = render({ values: example('gateway') })
    const targetRef = { group: '', kind: 'Service', name: 'sigcase-api' }
    t.match(find(gateway, 'GCPBackendPolicy', 'sigcase-api').spec, {
      default: { timeoutSec: 1200 },
      targetRef,
    })
    t.match(find(gateway, 'HealthCheckPolicy', 'sigcase-api').spec, {
      default: { config: { httpHealthCheck: { port: 8080, requestPath: '/healthz' } } },
      targetRef,
    })
    t.notOk(kinds(gateway).includes('BackendConfig'))
    t.notOk('annotations' in find(gateway, 'Service', 'sigcase-api').metadata)
  })
})
