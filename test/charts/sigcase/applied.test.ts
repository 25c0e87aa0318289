/** Renderings at a real API server, and against published schemas of what it does not serve. */
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { Gateway, HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1'
import { BackendConfig } from '@kubernetes-models/gke/cloud.google.com/v1'
import { GCPBackendPolicy, HealthCheckPolicy } from '@kubernetes-models/gke/networking.gke.io/v1'
import {
  PrometheusRule,
  ServiceMonitor,
} from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Agent, request } from 'undici'
import type { ApiServer } from '../../../adapters/kubernetes/api-server.ts'
import type { ControlPlane } from '../../../dev/control-plane/start.ts'
import { DEFINITIONS, makeNamespaces, withCluster } from '../../fixtures/kubernetes-api.ts'
import {
  example,
  exampleFiles,
  find,
  HOME,
  render,
  ROOT,
  withHelm,
  type Manifest,
  type Rendering,
} from '../../fixtures/chart.ts'

/** The oldest Kubernetes of the chart; the API server does not know newer fields. */
const renderForOldest = (rendering: Rendering) => render({ ...rendering, kubernetes: '1.25.0' })

/** The test server is older than these, or they belong to others: published schemas judge them. */
const MODELS: Readonly<Record<string, { model: new (data: never) => Model; module: string }>> = {
  'autoscaling/v2 HorizontalPodAutoscaler': {
    model: HorizontalPodAutoscaler,
    module: 'kubernetes-models/autoscaling/v2',
  },
  'policy/v1 PodDisruptionBudget': {
    model: PodDisruptionBudget,
    module: 'kubernetes-models/policy/v1',
  },
  'gateway.networking.k8s.io/v1 Gateway': {
    model: Gateway,
    module: '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1',
  },
  'gateway.networking.k8s.io/v1 HTTPRoute': {
    model: HTTPRoute,
    module: '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1',
  },
  'cloud.google.com/v1 BackendConfig': {
    model: BackendConfig,
    module: '@kubernetes-models/gke/cloud.google.com/v1',
  },
  'networking.gke.io/v1 GCPBackendPolicy': {
    model: GCPBackendPolicy,
    module: '@kubernetes-models/gke/networking.gke.io/v1',
  },
  'networking.gke.io/v1 HealthCheckPolicy': {
    model: HealthCheckPolicy,
    module: '@kubernetes-models/gke/networking.gke.io/v1',
  },
  'monitoring.coreos.com/v1 PrometheusRule': {
    model: PrometheusRule,
    module: '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
  },
  'monitoring.coreos.com/v1 ServiceMonitor': {
    model: ServiceMonitor,
    module: '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
  },
}

interface Model {
  validate(): void
}

const kindOf = ({ apiVersion, kind }: Manifest) => `${apiVersion} ${kind}`
/** They come and go by themselves, and a Pod cannot be changed. */
const isHook = ({ metadata }: Manifest) => metadata.annotations?.['helm.sh/hook'] !== undefined
const isDefinition = ({ kind }: Manifest) => kind === 'CustomResourceDefinition'
const isServed = (manifest: Manifest) => MODELS[kindOf(manifest)] === undefined

/** What the published validators find: types, bounds and missing members. */
function schemaFault(manifest: Manifest): string | undefined {
  const model = MODELS[kindOf(manifest)]?.model
  try {
    if (model) new model(manifest as never).validate()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Members that no published type has, which validators let pass: the compiler finds them. */
function unknownMembers(manifests: readonly Manifest[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-chart-'))
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    const lines = manifests.map((manifest, index) => {
      const { module } = MODELS[kindOf(manifest)] as { module: string }
      const value = JSON.stringify(manifest)
      return `import type { I${manifest.kind} as T${index} } from '${module}'
export const m${index}: T${index} = ${value}`
    })
    writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const { stdout } = spawnSync(
      join(ROOT, 'node_modules/.bin/tsc'),
      ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', 'manifests.ts'],
      { cwd: folder, encoding: 'utf8' },
    )
    return stdout.trim()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** How a kind is spelt in paths; the server is asked. */
async function findPath(
  { url, adminToken }: ControlPlane,
  dispatcher: Agent,
  { apiVersion, kind, metadata }: Manifest,
): Promise<string> {
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`
  const headers = { authorization: `Bearer ${adminToken}` }
  const { statusCode, body } = await request(url + root, { dispatcher, headers })
  const { resources = [] } = (await body.json()) as {
    resources?: { kind: string; name: string; namespaced: boolean }[]
  }
  const found = resources.find((one) => one.kind === kind && !one.name.includes('/'))
  if (statusCode !== 200 || !found) throw new Error(`the server has no ${apiVersion} ${kind}`)
  const within = found.namespaced ? `/namespaces/${metadata.namespace}` : ''
  return `${root}${within}/${found.name}/${metadata.name}`
}

/**
 * Definitions go another way: this server's own schema of them is older than rules, which it drops.
 */
async function upgradeDefinition(admin: ApiServer, definition: Manifest): Promise<void> {
  const path = `${DEFINITIONS}/${definition.metadata.name}`
  await admin.send({ method: 'PATCH', path, body: definition })
}

/** Server-side apply, which refuses members that a kind does not have. @returns what is wrong */
async function apply(plane: ControlPlane, dispatcher: Agent, manifest: Manifest, dryRun: boolean) {
  const path = await findPath(plane, dispatcher, manifest)
  const { statusCode, body } = await request(plane.url + path, {
    dispatcher,
    method: 'PATCH',
    query: { fieldManager: 'helm', ...(dryRun ? { dryRun: 'All' } : {}) },
    headers: {
      authorization: `Bearer ${plane.adminToken}`,
      'content-type': 'application/apply-patch+yaml',
    },
    body: JSON.stringify(manifest),
  })
  const text = await body.text()
  return statusCode < 300 ? undefined : `${kindOf(manifest)} ${manifest.metadata.name}: ${text}`
}

async function checkApplied(
  t: Test,
  manifests: readonly Manifest[],
  one: (manifest: Manifest) => Promise<string | undefined>,
) {
  for (const manifest of manifests) {
    t.equal(await one(manifest), undefined, `${manifest.kind} ${manifest.metadata.name}`)
  }
}

const FURTHER = [
  'worker.runtime=node,serviceMonitor.enabled=true',
  'gateway.enabled=true,gateway.parentRefs[0].name=shared,gateway.parentRefs[0].namespace=infra',
  'googleCloud.lifecycleHook.enabled=true,googleCloud.lifecycleHook.serviceAccountName=bucket',
]

await withHelm(async () => {
  const renderings = [
    ...exampleFiles().map((values) => renderForOldest({ values })),
    ...FURTHER.map((set) => renderForOldest({ values: example('minimal'), set: [set] })),
  ]

  t.test('kinds of others and of newer servers have the published shape', async (t) => {
    const others = renderings.flat().filter((one) => !isServed(one))
    t.same([...new Set(others.map(kindOf))].sort(), Object.keys(MODELS).sort(), 'each kind is met')
    for (const one of others) t.equal(schemaFault(one), undefined, `${one.kind}`)
    t.equal(unknownMembers(others), '')
  })

  t.test('a shape that is not the published one is found', async (t) => {
    const manifests = renderForOldest({ values: example('full') })
    const scaler = find(manifests, 'HorizontalPodAutoscaler', 'sigcase-api')
    const spec = scaler.spec as object
    t.match(schemaFault({ ...scaler, spec: { ...spec, maxReplicas: 'ten' } }), /maxReplicas/)
    t.match(unknownMembers([{ ...scaler, spec: { ...spec, atMost: 3 } }]), /atMost/)
  })

  await withCluster(async ({ plane, admin }) => {
    const dispatcher = new Agent({ connect: { ca: plane.ca } })
    t.teardown(() => dispatcher.close())
    await makeNamespaces(admin, [HOME])

    t.test('an API server takes every kind that it serves', async (t) => {
      for (const manifests of renderings) {
        const served = manifests.filter((one) => isServed(one) && !isDefinition(one))
        t.ok(served.length > 10)
        await checkApplied(t, served, (one) => apply(plane, dispatcher, one, true))
      }
    })

    t.test('it refuses a member that a kind does not have', async (t) => {
      const manifests = renderForOldest({ values: example('minimal') })
      const service = find(manifests, 'Service', 'sigcase-api')
      const wrong = { ...service, spec: { ...(service.spec as object), selectors: {} } }
      t.match(await apply(plane, dispatcher, wrong, true), /selectors/)
    })

    t.test('a release is installed, and upgraded to other values', async (t) => {
      const really = (one: Manifest) => apply(plane, dispatcher, one, false)
      for (const values of ['minimal', 'full']) {
        const manifests = renderForOldest({ values: example(values) }).filter((one) => !isHook(one))
        for (const one of manifests.filter(isDefinition)) await upgradeDefinition(admin, one)
        const others = manifests.filter((one) => isServed(one) && !isDefinition(one))
        await checkApplied(t, others, really)
      }
      const definition = await admin.send<Manifest>({
        path: `${DEFINITIONS}/signaturecases.sigcase.dev`,
      })
      t.match(definition.metadata.annotations, { 'helm.sh/resource-policy': 'keep' })
      t.match(definition.status, { storedVersions: ['v1'] })
      const { spec } = await admin.send<{ spec: { template: { spec: object } } }>({
        path: `/apis/apps/v1/namespaces/${HOME}/deployments/sigcase-worker`,
      })
      t.match(spec.template.spec, { containers: [{ image: /sigcase-deno:1\.2\.3$/ }] })
    })
  })
})
