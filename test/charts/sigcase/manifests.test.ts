/** What must hold of every rendering, over a matrix of values. */
import { load } from 'js-yaml'
import t, { type Test } from 'tap'
import { KEY_GRANTS } from '../../../domain/key-grants.ts'
import { definitionFiles } from '../../../dev/crds/definition.ts'
import { aggregatedRoles, installedManifests } from '../../../dev/rbac/manifests.ts'
import {
  example,
  exampleFiles,
  find,
  HOME,
  podOf,
  render,
  withHelm,
  type Container,
  type Manifest,
  type PodSpec,
} from '../../fixtures/chart.ts'

/** Asks nothing but the process. */
const LIFE = '/healthz'
const COMPONENTS = ['api', 'controller', 'worker'] as const

/** One switch after the other, on top of the required values. */
const SWITCHES = [
  'crds.install=false',
  'worker.runtime=node',
  'networkPolicy.enabled=false',
  'networkPolicy.metadataServer.enabled=false',
  'serviceMonitor.enabled=true',
  'prometheusRule.enabled=true',
  'dashboard.enabled=true',
  'ingress.enabled=true',
  'gateway.enabled=true,gateway.parentRefs[0].name=shared',
  'gateway.enabled=true,gateway.create=true,gateway.className=example',
  'api.autoscaling.enabled=true',
  'worker.autoscaling.enabled=true',
  'redis.address.secretName=,redis.trial.enabled=true',
  'googleCloud.lifecycleHook.enabled=true,googleCloud.lifecycleHook.serviceAccountName=bucket',
  'googleCloud.credentials.api.secretName=google-api',
  'googleCloud.credentials.lifecycleHook.secretName=google-hook',
  'admissionPolicy.enabled=false',
  'aggregatedRoles.enabled=true',
  'googleCloud.storageEndpoint=http://storage:4443',
  'redis.authoritiesConfigMapName=redis-authorities',
  'googleCloud.loadBalancer.enabled=true,ingress.enabled=true',
  'api.podDisruptionBudget.enabled=false',
  'sms.address.secretName=sms',
  'api.replicas=7,controller.replicas=1,worker.replicas=50',
  'api.shutdownDelaySeconds=60,api.terminationGracePeriodSeconds=120',
  'api.shutdownDelaySeconds=0,worker.terminationGracePeriodSeconds=3600',
]

interface Projected {
  name: string
  projected: { sources: { secret: { name: string; items: { path: string }[] } }[] }
}

interface Case {
  name: string
  manifests: Manifest[]
}

const containersOf = ({ containers, initContainers = [] }: PodSpec): Container[] => [
  ...containers,
  ...initContainers,
]

function pods(manifests: readonly Manifest[]): { name: string; pod: PodSpec }[] {
  return manifests.flatMap((manifest) => {
    const pod = podOf(manifest)
    return pod ? [{ name: `${manifest.kind} ${manifest.metadata.name}`, pod }] : []
  })
}

function componentPod(manifests: readonly Manifest[], component: string): PodSpec {
  return podOf(find(manifests, 'Deployment', `sigcase-${component}`)) as PodSpec
}

/** The environment of a container: names and values, `undefined` for Secrets and fields. */
function environmentOf(manifests: readonly Manifest[], container: Container) {
  const shared = (container.envFrom ?? []).flatMap(({ configMapRef }) => {
    const { data } = find(manifests, 'ConfigMap', `${configMapRef?.name}`)
    return Object.entries(data as Record<string, string>)
  })
  const own = (container.env ?? []).map(({ name, value }) => [name, value] as const)
  return [...shared, ...own]
}

/** The roles that are there for people, without the labels of the chart. */
const isAggregated = ({ metadata }: Manifest) =>
  Object.keys(metadata.labels ?? {}).some((label) => label.includes('/aggregate-to-'))

/** Without what helm and the chart add to every object. */
function bare({ metadata, ...rest }: Manifest) {
  const { labels: _labels, annotations: _annotations, ...named } = metadata
  return { ...rest, metadata: named }
}

/** Helm has an order of its own. */
const sorted = (manifests: readonly Manifest[]) =>
  manifests.toSorted((a, b) => placeOf(a).localeCompare(placeOf(b)))

const placeOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`

const RBAC_KINDS = /^(ServiceAccount|(Cluster)?Role(Binding)?)$/

function checkSecurity(t: Test, name: string, pod: PodSpec): void {
  const seccompProfile = { type: 'RuntimeDefault' }
  const security = pod.securityContext as { runAsUser?: number }
  t.match(security, { runAsNonRoot: true, seccompProfile }, `${name}: security of the pod`)
  t.ok(Number(security.runAsUser) > 0, `${name}: not root`)
  t.notOk('hostNetwork' in pod || 'hostPID' in pod || 'hostIPC' in pod, `${name}: no host`)
  for (const container of containersOf(pod)) {
    const expected = {
      allowPrivilegeEscalation: false,
      privileged: false,
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      capabilities: { drop: ['ALL'] },
      seccompProfile,
    }
    const { runAsUser = 1, ...rest } = container.securityContext as { runAsUser?: number }
    t.ok(runAsUser > 0, `${name}: ${container.name} is not root`)
    t.same(rest, expected, `${name}: security of ${container.name}`)
    const resources = container.resources as { requests: object; limits: object }
    for (const amounts of [resources.requests, resources.limits]) {
      t.hasProps(amounts, ['memory', 'ephemeral-storage'], `${name}: ${container.name}`)
    }
  }
  const mounts = containersOf(pod).flatMap(({ volumeMounts = [] }) => volumeMounts)
  const mounted = [...new Set(mounts.map((mount) => mount.name))].sort()
  const volumes = (pod.volumes ?? []).map((volume) => volume.name).sort()
  t.same(mounted, volumes, `${name}: what is mounted is there, and nothing else`)
}

await withHelm(() => {
  const minimal = example('minimal')
  const cases: Case[] = [
    ...exampleFiles().map((values) => ({
      name: values.split('/').at(-1) as string,
      manifests: render({ values }),
    })),
    ...SWITCHES.map((set) => ({ name: set, manifests: render({ values: minimal, set: [set] }) })),
  ]

  t.test('every container runs without rights on its node', async (t) => {
    for (const { name, manifests } of cases) {
      const all = pods(manifests)
      t.ok(all.length >= COMPONENTS.length, name)
      for (const { name: whose, pod } of all) checkSecurity(t, `${name}: ${whose}`, pod)
    }
  })

  t.test('a process ends before its pod is killed, and its requests before that', async (t) => {
    for (const { name, manifests } of cases) {
      for (const component of COMPONENTS) {
        const pod = componentPod(manifests, component)
        const periodMs = 1_000 * Number(pod.terminationGracePeriodSeconds)
        for (const container of pod.containers) {
          const settings = Object.fromEntries(environmentOf(manifests, container))
          const { SHUTDOWN_DELAY_MS = '0', SHUTDOWN_GRACE_MS } = settings
          t.equal(Number(SHUTDOWN_DELAY_MS) + Number(SHUTDOWN_GRACE_MS), periodMs - 5_000, name)
          t.notOk('lifecycle' in container, 'the delay is the own one of the process')
          const isApi = component === 'api'
          t.equal('SHUTDOWN_DELAY_MS' in settings, isApi, `${name}: ${component}`)
          t.ok(Number(SHUTDOWN_GRACE_MS) >= (isApi ? 30_000 : 25_000), `${name}: ${component}`)
        }
      }
    }
  })

  t.test('accounts and roles are those of the table of rights', async (t) => {
    for (const { name, manifests } of cases) {
      const rendered = manifests.filter(
        (one) => RBAC_KINDS.test(one.kind) && !isAggregated(one),
      )
      t.same(sorted(rendered.map(bare)), sorted(installedManifests(HOME)), name)
    }
  })

  t.test('people get rights on cases only when the operator says so', async (t) => {
    t.notOk(render({ values: minimal }).some(isAggregated), 'not by themselves')
    const rendered = render({ values: minimal, set: ['aggregatedRoles.enabled=true'] })
    const roles = rendered.filter(isAggregated)
    t.same(sorted(roles.map(bare)), sorted(aggregatedRoles().map(bare)))
    for (const role of aggregatedRoles()) {
      t.match(find(roles, 'ClusterRole', role.metadata.name).metadata.labels, role.metadata.labels)
    }
    const rules = roles.flatMap((role) => role.rules as { resources: string[]; verbs: string[] }[])
    const resources = new Set(rules.flatMap((rule) => rule.resources))
    t.same([...resources].sort(), ['kioskdevices', 'signaturecases'], 'no Secret and no status')
    const view = find(roles, 'ClusterRole', 'sigcase-view').rules as { verbs: string[] }[]
    t.same(view.flatMap(({ verbs }) => verbs), ['get', 'list', 'watch'], 'who views only reads')
  })

  t.test('only the components have an account, each its own', async (t) => {
    for (const { name, manifests } of cases) {
      for (const { name: whose, pod } of pods(manifests)) {
        const component = COMPONENTS.find((one) => whose === `Deployment sigcase-${one}`)
        // A worker's own container has its token by a volume: the reader beside it has none.
        const isForAll = component !== undefined && component !== 'worker'
        t.equal(pod.automountServiceAccountToken, isForAll, `${name}: ${whose}`)
        if (component) t.equal(pod.serviceAccountName, `sigcase-${component}`)
      }
    }
  })

  t.test('each component has the keys that it is granted and no others', async (t) => {
    for (const { name, manifests } of cases) {
      for (const component of COMPONENTS) {
        const { volumes = [] } = componentPod(manifests, component)
        const keyring = volumes.find((volume) => volume.name === 'keyring') as Projected | undefined
        const mounted = (keyring?.projected.sources ?? []).map(({ secret }) => {
          const [{ path } = { path: '' }] = secret.items
          t.equal(secret.items.length, 1)
          t.equal(path, `${secret.name.replace('sigcase-keyring-', '')}.json`, name)
          return path
        })
        const granted = KEY_GRANTS[component].filter((set) => set !== 'object-url')
        t.same(mounted, granted.map((set) => `${set}.json`), `${name}: ${component}`)
        const secrets = volumes.filter((volume) => 'secret' in volume).map((volume) => volume.name)
        const ofStores = ['google', 's3-credentials', 'vault-token']
        const others = secrets.filter((volume) => !ofStores.includes(volume))
        t.same(others, [], `${name}: ${component}`)
      }
    }
  })

  t.test('only workers know the signing keys', async (t) => {
    for (const { name, manifests } of cases) {
      const isVault = name === 'own-values.yaml'
      const { data } = find(manifests, 'ConfigMap', 'sigcase-environment')
      t.notMatch(JSON.stringify(data), /KMS_|VAULT_/, name)
      for (const component of COMPONENTS) {
        const text = JSON.stringify(componentPod(manifests, component))
        const isWorker = component === 'worker'
        const variable = isVault ? 'VAULT_SEAL_KEY' : 'KMS_SEAL_KEY'
        const value = isVault ? 'sigcase-seal:1' : 'cryptoKeyVersions'
        t.equal(text.includes(variable), isWorker, `${name}: ${component}`)
        t.equal(text.includes(value), isWorker, `${name}: ${component}`)
      }
    }
  })

  t.test('definitions are the generated ones, and stay when the release goes', async (t) => {
    const expected = definitionFiles().map(([, text]) => load(text) as Manifest)
    const rendered = render({ values: minimal }).filter(
      ({ kind }) => kind === 'CustomResourceDefinition',
    )
    t.same(sorted(rendered).map(bare), sorted(expected))
    for (const { metadata } of rendered) {
      t.equal(metadata.annotations?.['helm.sh/resource-policy'], 'keep', metadata.name)
    }
  })

  t.test('secrets are neither in a ConfigMap nor in the manifests', async (t) => {
    // The console is a public client (RFC 6749, 2.1), which has no secret.
    const paths = ['AWS_WEB_IDENTITY_TOKEN_FILE', 'VAULT_TOKEN_FILE']
    const secret = /^(?!CONSOLE_OIDC_).*(PASSWORD|TOKEN|SECRET|SMS_GATEWAY_URL|SMTP_USER)/
    for (const { name, manifests } of cases) {
      t.notOk(
        manifests.some(({ kind }) => kind === 'Secret'),
        `${name}: no Secret is made`,
      )
      for (const { data } of manifests.filter(({ kind }) => kind === 'ConfigMap')) {
        const variables = Object.entries(data as Record<string, string>)
        t.notOk(variables.some(([variable]) => secret.test(variable)), name)
        t.notOk(variables.some(([, value]) => /:\/\/[^/]*@/.test(value)), name)
        // The Redis of a trial has no password.
        const redis = variables.find(([variable]) => variable === 'REDIS_URL')?.[1]
        t.ok([undefined, 'redis://sigcase-redis:6379'].includes(redis), name)
      }
      for (const { pod } of pods(manifests)) {
        for (const { env = [] } of containersOf(pod)) {
          const plain = env.filter((one) => one.value !== undefined && !paths.includes(one.name))
          const settings = plain.filter((one) => secret.test(one.name))
          t.same(settings, [], `${name}: secrets come from a Secret`)
        }
      }
    }
  })

  t.test('a variable is set once, and as a text', async (t) => {
    for (const { name, manifests } of cases) {
      for (const component of COMPONENTS) {
        const [container] = componentPod(manifests, component).containers as [Container]
        const settings = environmentOf(manifests, container)
        const names = settings.map(([variable]) => variable)
        t.same(names, [...new Set(names)], `${name}: ${component}`)
        const values = settings.map(([, value]) => value)
        t.ok(values.every((value) => value === undefined || typeof value === 'string'))
      }
    }
  })

  t.test('only workers hold signing keys, and only the API serves the SMS gateway', async (t) => {
    const manifests = render({ values: example('full') })
    const namesOf = (component: string) => {
      const [container] = componentPod(manifests, component).containers as [Container]
      return environmentOf(manifests, container).map(([variable]) => variable)
    }
    const having = (part: string) =>
      COMPONENTS.filter((component) => namesOf(component).some((name) => name.startsWith(part)))
    t.same(having('KMS_'), ['worker'])
    t.same(having('SMS_GATEWAY_'), ['api'])
    t.same(having('SMTP_'), ['api', 'worker'])
    t.same(having('REDIS_URL'), COMPONENTS)
    t.same(having('GCS_BUCKET'), COMPONENTS)
  })

  t.test('a worker on Deno sees the variables that it is given alone', async (t) => {
    for (const { name, manifests } of cases) {
      const [container] = componentPod(manifests, 'worker').containers as [Container]
      const { args = [] } = container
      if (args[0] !== 'run') continue
      const settings = environmentOf(manifests, container).map(([variable]) => variable)
      const allowed = args.find((one) => one.startsWith('--allow-env='))?.split('=')[1]?.split(',')
      const ofCluster = ['KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT']
      t.same(allowed, [...settings, ...ofCluster].sort(), name)
      t.notOk(args.includes('-A') || args.includes('--allow-all'), name)
      t.notOk(
        args.some((one) => one.startsWith('--allow-run') || one.startsWith('--allow-ffi')),
        `${name}: it starts no program`,
      )
      t.ok(args.includes('--no-prompt') && args.includes('--ignore-env'), name)
      t.equal(args.at(-1), 'runtime/dist/worker.js')
    }
    const node = componentPod(render({ values: minimal, set: ['worker.runtime=node'] }), 'worker')
    t.same(node.containers[0]?.args, ['runtime/dist/worker.js'])
    t.match(node.containers[0]?.image, /^sigcase-node:/)
  })

  t.test('documents are read beside a worker without its account and its secrets', async (t) => {
    for (const { name, manifests } of cases) {
      const pod = componentPod(manifests, 'worker')
      const [worker, reader] = pod.containers as [Container, Container]
      t.equal(pod.automountServiceAccountToken, false, name)
      const mountsOf = ({ volumeMounts = [] }: Container) => volumeMounts.map((one) => one.name)
      t.ok(mountsOf(worker).includes('account'), `${name}: the worker has its account`)
      t.same(mountsOf(reader), ['reader-temporary', 'reader'], `${name}: the reader has none`)
      t.notOk('envFrom' in reader, `${name}: and no variables of others`)
      const variables = new Map(environmentOf(manifests, reader))
      t.same([...variables.keys()], ['READER_SOCKET', 'LOG_LEVEL', 'SHUTDOWN_GRACE_MS'])
      const settings = new Map(environmentOf(manifests, worker)).get('READER_SOCKET')
      t.equal(settings, variables.get('READER_SOCKET'), `${name}: they meet at one socket`)
      const user = (pod.securityContext as { runAsUser: number }).runAsUser
      t.not((reader.securityContext as { runAsUser: number }).runAsUser, user, 'as another user')
      t.equal(reader.args?.at(-1), 'runtime/dist/reader.js')
      t.match(reader.image, /sigcase-deno/, 'on Deno, also beside a worker on Node')
    }
  })

  t.test('each component is watched by probes on a port that it has', async (t) => {
    for (const { name, manifests } of cases) {
      for (const component of COMPONENTS) {
        const [container] = componentPod(manifests, component).containers as [Container]
        const ports = (container.ports ?? []).map((port) => port.name)
        const paths = { startupProbe: LIFE, livenessProbe: LIFE, readinessProbe: '/readyz' }
        for (const [probe, path] of Object.entries(paths)) {
          const { httpGet } = container[probe] as { httpGet: { port: string; path: string } }
          t.ok(ports.includes(httpGet.port), `${name}: ${component} ${probe}`)
          t.equal(httpGet.path, path, 'an outage elsewhere starts no pod again')
        }
      }
    }
  })
})
