/** What the chart refuses, and how it says so. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import t from 'tap'
import { ChartValues } from '../../../dev/chart/values.ts'
import {
  CHART,
  example,
  exampleFiles,
  helm,
  render,
  ROOT,
  tryRender,
  withHelm,
} from '../../fixtures/chart.ts'

const chartFile = () => readFileSync(join(CHART, 'Chart.yaml'), 'utf8')

/** Values of different paths that the schema refuses, each with the line that helm then prints. */
const REFUSED_BY_SCHEMA: readonly (readonly [set: string, says: RegExp])[] = [
  ['replicas=3', /Additional property replicas is not allowed/],
  ['api.replica=3', /api: Additional property replica is not allowed/],
  ['api.replicas=two', /api\.replicas: Invalid type\. Expected: integer, given: string/],
  ['images.node.tag=9', /images\.node\.tag: Invalid type\. Expected: string, given: integer/],
  ['baseUrl=sign.example.com', /^- baseUrl: Does not match pattern/],
  ['logLevel=loud', /logLevel must be one of the following: "trace"/],
  ['worker.runtime=bun', /runtime must be one of the following: "deno", "node"/],
  ['images.node.digest=latest', /images\.node\.digest: Does not match pattern/],
  ['googleCloud.bucket=Upper', /googleCloud\.bucket: Does not match pattern/],
  ['googleCloud.keys.seal=seal', /googleCloud\.keys\.seal: Does not match pattern/],
  ['mail.server=smtps://me:secret@host', /mail\.server: Does not match pattern/],
  ['networkPolicy.forbiddenCidrs={ten}', /forbiddenCidrs\.0: Does not match pattern/],
  ['networkPolicy.apiServer.cidrs={10.0.0.0/33}', /apiServer\.cidrs\.0: Does not match pattern/],
  ['limits.egressAllow={10.0.0.0/99}', /egressAllow\.0: Does not match pattern/],
  ['limits.trustedProxies={everybody}', /trustedProxies\.0: Does not match pattern/],
  ['keyring.secretNamePrefix=Upper', /keyring\.secretNamePrefix: Does not match pattern/],
  ['worker.terminationGracePeriodSeconds=5', /Must be greater than or equal to 30/],
  ['api.shutdownDelaySeconds=-1', /shutdownDelaySeconds: Must be greater than or equal to 0/],
  ['worker.podDisruptionBudget.unhealthyPodEvictionPolicy=Never', /EvictionPolicy must be one of/],
  ['api.topologySpread.zones=Always', /zones must be one of the following: "ScheduleAnyway"/],
  ['googleCloud.storageEndpoint=storage', /googleCloud\.storageEndpoint: Does not match pattern/],
  ['vault.keys.seal=seal', /vault\.keys\.seal: Does not match pattern/],
  ['s3.addressing=none', /addressing must be one of the following: "path", "host"/],
  ['api.resources.request.cpu=1', /api\.resources: Additional property request is not allowed/],
  ['worker.resources.limits.memory=2GB', /resources\.limits\.memory: Does not match pattern/],
  ['worker.reader.resources.requests.cpu=', /reader\.resources\.requests\.cpu: Does not match/],
  ['redis.trial.resources.requests.cpu=lots', /trial\.resources\.requests\.cpu: Does not match/],
]

/** Further values that cannot be used, with what helm then says. */
const REFUSED: readonly (readonly [set: string, says: RegExp])[] = [
  ['api.replicas=0', /api\.replicas: Must be greater than or equal to 1/],
  ['baseUrl=https://sign.example.com/?a=b', /baseUrl: Does not match pattern/],
  // Kubernetes accepts only exceptions that are in the range of the peer, which is 0.0.0.0/0.
  ['networkPolicy.forbiddenCidrs={fd00::/8}', /forbiddenCidrs\.0: Does not match pattern/],
  ['networkPolicy.apiServer.cidrs={10.0.0.256/32}', /cidrs\.0: Does not match pattern/],
  ['networkPolicy.apiServer.cidrs={fd00::/129}', /cidrs\.0: Does not match pattern/],
  ['googleCloud.lifecycleHook.enabled=true', /lifecycleHook\.serviceAccountName is required/],
  ['api.terminationGracePeriodSeconds=44', /must be at least 35 above api\.shutdownDelaySeconds/],
  ['api.shutdownDelaySeconds=11', /must be at least 35 above api\.shutdownDelaySeconds/],
  ['redis.trial.enabled=true', /redis\.trial\.enabled and redis\.address\.secretName exclude/],
  ['redis.address.secretName=', /redis\.address\.secretName is required: the Secret with the URL/],
  ['googleCloud.keys.timeStampAuthority=', /timeStampAuthority is required, or timeStamps\.urls/],
  ['timeStamps.urls={https://tsa.example.com}', /timeStamps\.rootsConfigMapName is required/],
  ['trustedLists.url=https://lists.example.eu', /trustedLists\.anchorsConfigMapName is required/],
  ['googleCloud.loadBalancer.enabled=true', /requires ingress\.enabled or gateway\.enabled/],
  [
    'redis.trial.enabled=true,redis.address.secretName=,redis.authoritiesConfigMapName=ca',
    /redis\.authoritiesConfigMapName is not for redis\.trial/,
  ],
  ['vault.address=https://vault', /vault\.address and googleCloud\.keys exclude each other/],
  ['googleCloud.keys.seal=', /googleCloud\.keys\.seal and .* are required, or vault\.address/],
  ['googleCloud.bucket=', /googleCloud\.bucket is required, or s3\.bucket/],
  ['s3.bucket=other', /s3\.bucket and googleCloud\.bucket exclude each other/],
  ['googleCloud.bucket=,s3.bucket=other', /set one of s3\.credentials\.api\.secretName and/],
  ['sms.token.secretName=sms', /sms\.address\.secretName is required/],
  ['gateway.enabled=true', /gateway\.parentRefs is required with gateway\.enabled/],
  ['gateway.create=true', /gateway\.create requires gateway\.enabled/],
  ['api.autoscaling.minReplicas=99', /api\.autoscaling\.minReplicas is above maxReplicas/],
  ['api.podLabels.helm\\.sh/chart=x', /api\.podLabels: helm\.sh.chart is a label of the chart/],
]

/** Amounts that Kubernetes accepts. */
const QUANTITIES = ['1', '0.5', '250m', '1.5Gi', '128974848', '129e6', '1E3', '.5', '2k']

interface Described {
  description?: string
  default?: unknown
  properties?: Record<string, Described>
}

/** Every value with its path. */
const described = (schema: Described, path = ''): [string, Described][] => [
  [path, schema],
  ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    described(member, path === '' ? name : `${path}.${name}`),
  ),
]

/** Words that a reader would have to decode. */
const UNCLEAR = /^(Of|From|By|For|Which|Such as) |\b(wanted|nobody|whoever|told of|stands for)\b/i

t.test('each value has a description that says what it is', async (t) => {
  const values = readFileSync(join(CHART, 'values.yaml'), 'utf8')
  for (const [path, { description = '' }] of described(ChartValues)) {
    t.match(description, /^[A-Z`]/, `${path}: a description`)
    t.notMatch(description, UNCLEAR, `${path}: ${description}`)
  }
  t.match(values, /^ *# URL of the server, without .*\. Required, for example:$/m)
  t.match(values, /^# Minimum log level\nlogLevel: info$/m)
})

await withHelm(() => {
  const values = example('minimal')

  t.test('the chart has no fault that helm finds', async (t) => {
    for (const file of exampleFiles()) {
      const { status, stdout } = helm('lint', '--strict', CHART, '--values', file)
      t.equal(status, 0, stdout)
    }
  })

  t.test('without values it says what is required', async (t) => {
    const { status, stderr } = helm('template', CHART, '--kube-version', '1.33')
    t.not(status, 0)
    for (const fault of ['baseUrl is required', 'from is required', 'server is required']) {
      t.match(stderr, fault)
    }
  })

  t.test('the schema refuses values with their name', async (t) => {
    t.equal(tryRender({ values }).status, 0)
    // A run takes 0.08 s of CPU time.
    const { status, stderr } = tryRender({ values, set: REFUSED_BY_SCHEMA.map(([set]) => set) })
    t.not(status, 0)
    const lines = stderr.split('\n')
    for (const [set, says] of REFUSED_BY_SCHEMA) {
      t.equal(lines.filter((line) => says.test(line)).length, 1, set)
    }
  })

  t.test('values that cannot be used are refused with their name', async (t) => {
    for (const [set, says] of REFUSED) {
      const { status, stderr } = tryRender({ values, set: [set] })
      t.not(status, 0, set)
      t.match(stderr, says, set)
    }
  })

  t.test('resources are quantities of Kubernetes, and defaults can be removed', async (t) => {
    for (const quantity of QUANTITIES) {
      const set = [`api.resources.requests.cpu=${quantity},api.resources.limits.memory=null`]
      const { status, stderr } = tryRender({ values, set })
      t.equal(status, 0, stderr)
    }
  })

  t.test('Kubernetes from before the rules of custom resources is refused', async (t) => {
    const { status, stderr } = tryRender({ values, kubernetes: '1.24.0' })
    t.not(status, 0)
    t.match(stderr, /incompatible with Kubernetes v1\.24\.0/)
    t.ok(render({ values, kubernetes: '1.25.0' }).length > 0)
    t.ok(render({ values, kubernetes: '1.33.4-gke.100' }).length > 0)
  })

  t.test('the documents name the oldest Kubernetes that the chart accepts', async (t) => {
    const [, oldest] = /^kubeVersion: ">=(\d+\.\d+)\.0-0"$/m.exec(chartFile()) ?? []
    for (const page of ['design.md', 'how-to/install-on-a-cluster.md']) {
      const text = readFileSync(join(ROOT, 'docs', page), 'utf8')
      t.match(text, `Kubernetes ${oldest} or newer`, page)
    }
  })

  t.test('a chart above this one may pass what is for all', async (t) => {
    t.equal(tryRender({ values, set: ['global.region=eu'] }).status, 0)
  })

  t.test('the versions of chart and service are those of the repository', async (t) => {
    const chart = load(chartFile()) as Record<string, string>
    const { version } = JSON.parse(readFileSync(join(CHART, '../../package.json'), 'utf8')) as {
      version: string
    }
    t.equal(chart.version, version)
    t.equal(chart.appVersion, version)
  })
})
