/**
 * Prometheus and Alertmanager as a pod, with what the chart creates for the Prometheus Operator:
 * this reads its ServiceMonitors and its PrometheusRule and makes configuration of them, as the
 * operator does.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { dump } from 'js-yaml'
import { EMULATORS } from '../../dev/pods/images.ts'
import { FIRST_NODE, HOME_NAMESPACE } from '../../dev/pods/layout.ts'
import { kubectl, NAMESPACE, until } from './cases.ts'
import { provideImage } from './provide-image.ts'

const IMAGE = 'localhost/monitoring:1'
const NAME = 'prometheus'
const OPERATOR_NAMESPACE = 'monitoring'
const IN_MONITORING = `--namespace=${OPERATOR_NAMESPACE}`
const URL = `http://${NAME}.${OPERATOR_NAMESPACE}`
const PORTS = { prometheus: 9090, alertmanager: 9093, helper: 8080 }
const HELPER = `http://127.0.0.1:${PORTS.helper}`
const USER = 65_534
const POLL_MS = 2_000
const GROUP = 'monitoring.coreos.com'
const API_SERVICE = `v1.${GROUP}`
const INTERVAL = '5s'

/** The Prometheus Operator brings these definitions; here no program acts on the resources. */
const definition = (plural: string, kind: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${GROUP}` },
  spec: {
    group: GROUP,
    names: { plural, kind },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
})
const KINDS = ['ServiceMonitor', 'PrometheusRule']
const DEFINITIONS = KINDS.map((kind) => definition(`${kind.toLowerCase()}s`, kind))

/** Leads requests for the group to the server of the definitions, as for the group sigcase.dev. */
async function serveGroup(): Promise<object> {
  const { spec } = await kubectl.get<{ spec: object }>('apiservice/v1.sigcase.dev')
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: API_SERVICE },
    spec: { ...spec, group: GROUP },
  }
}

/** Values of docs/how-to/monitor.md. */
export const MONITORING_VALUES = [
  'serviceMonitor.enabled=true',
  'prometheusRule.enabled=true',
  'dashboard.enabled=true',
]

/** Makes the namespace and the definitions that the chart needs with these values. */
export async function prepareMonitoring(): Promise<void> {
  await provideImage(IMAGE)
  const labels = { name: OPERATOR_NAMESPACE, 'kubernetes.io/metadata.name': OPERATOR_NAMESPACE }
  const metadata = { name: OPERATOR_NAMESPACE, labels }
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata }
  await kubectl.apply(namespace, await serveGroup(), ...DEFINITIONS)
  const names = DEFINITIONS.map((one) => `crd/${one.metadata.name}`)
  await kubectl.run('wait', '--for=condition=Established', ...names, '--timeout=60s')
  await until('the group is served', async () => {
    const path = `/apis/${GROUP}/v1`
    const served = await kubectl.run('get', '--raw', path).catch(() => '')
    return KINDS.every((kind) => served.includes(kind)) ? true : undefined
  })
}

interface ServiceMonitor {
  metadata: { name: string; namespace: string }
  spec: {
    selector: { matchLabels: Record<string, string> }
    endpoints: { port: string; path: string; interval: string }[]
  }
}

const labelOf = (name: string) => name.replaceAll(/[^A-Za-z0-9]/g, '_')

/** The configuration that the Prometheus Operator makes of an endpoint of a ServiceMonitor. */
function scrapeConfigs({ metadata, spec }: ServiceMonitor): object[] {
  const kept = Object.entries(spec.selector.matchLabels).map(([name, regex]) => ({
    action: 'keep',
    source_labels: [`__meta_kubernetes_service_label_${labelOf(name)}`],
    regex,
  }))
  const copy = (source: string, target: string) => ({
    source_labels: [`__meta_kubernetes_${source}`],
    target_label: target,
  })
  return spec.endpoints.map(({ port, path, interval }, index) => ({
    job_name: `serviceMonitor/${metadata.namespace}/${metadata.name}/${index}`,
    metrics_path: path,
    scrape_interval: interval,
    http_sd_configs: [
      { url: `${HELPER}/targets/${metadata.namespace}`, refresh_interval: INTERVAL },
    ],
    relabel_configs: [
      ...kept,
      {
        action: 'keep',
        source_labels: ['__meta_kubernetes_endpoint_port_name'],
        regex: port,
      },
      copy('namespace', 'namespace'),
      copy('service_name', 'service'),
      copy('pod_name', 'pod'),
      copy('service_name', 'job'),
    ],
  }))
}

async function configuration(): Promise<Record<string, string>> {
  const { items } = await kubectl.get<{ items: ServiceMonitor[] }>('servicemonitors', NAMESPACE)
  const { spec } = await kubectl.get<{ spec: object }>('prometheusrule/sigcase', NAMESPACE)
  const prometheus = {
    global: { evaluation_interval: INTERVAL },
    rule_files: ['/etc/monitoring/rules.yaml'],
    alerting: {
      alertmanagers: [{ static_configs: [{ targets: [`127.0.0.1:${PORTS.alertmanager}`] }] }],
    },
    scrape_configs: items.flatMap(scrapeConfigs),
  }
  const alertmanager = {
    route: { receiver: 'test', group_by: ['alertname'], group_wait: '0s', group_interval: '1s' },
    receivers: [
      {
        name: 'test',
        webhook_configs: [{ url: HELPER, send_resolved: true }],
      },
    ],
  }
  return {
    'prometheus.yaml': dump(prometheus),
    'rules.yaml': dump(spec),
    'alertmanager.yaml': dump(alertmanager),
  }
}

/**
 * Keeps what Alertmanager reports; GET answers with all reports so far. `/targets/NAMESPACE` finds
 * endpoints, with the labels of Prometheus: Debian's is built without discovery of Kubernetes.
 */
const HELPER_PROGRAM = `const reports = []
const { readFileSync } = require('node:fs')
const labelOf = (name) => name.replaceAll(/[^A-Za-z0-9]/g, '_')
async function targets(namespace) {
  const token = readFileSync('/var/run/secrets/kubernetes.io/serviceaccount/token', 'utf8')
  const base = 'https://kubernetes.default.svc.cluster.local/api/v1/namespaces/'
  const headers = { authorization: 'Bearer ' + token }
  const { items } = await (await fetch(base + namespace + '/endpoints', { headers })).json()
  return items.flatMap(({ metadata, subsets = [] }) =>
    subsets.flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }) =>
      [...addresses, ...notReadyAddresses].flatMap(({ ip, targetRef }) =>
        ports.map(({ name, port }) => ({
          targets: [ip + ':' + port],
          labels: {
            __meta_kubernetes_namespace: namespace,
            __meta_kubernetes_service_name: metadata.name,
            __meta_kubernetes_endpoint_port_name: name,
            __meta_kubernetes_pod_name: targetRef?.name ?? '',
            ...Object.fromEntries(
              Object.entries(metadata.labels ?? {}).map(([label, value]) => [
                '__meta_kubernetes_service_label_' + labelOf(label), value,
              ]),
            ),
          },
        })),
      ),
    ),
  )
}
require('node:http').createServer(async (request, response) => {
  const [, path, namespace] = request.url.split('/')
  if (path === 'targets') {
    response.setHeader('content-type', 'application/json')
    return response.end(JSON.stringify(await targets(namespace)))
  }
  if (request.method === 'GET') return response.end(JSON.stringify(reports))
  let body = ''
  request.on('data', (chunk) => { body += chunk })
  request.on('end', () => {
    reports.push(...JSON.parse(body).alerts)
    response.end()
  })
}).listen(${PORTS.helper})`

function pod(): object {
  const mount = { name: 'configuration', mountPath: '/etc/monitoring' }
  const data = { name: 'data', mountPath: '/data' }
  const container = (name: 'prometheus' | 'alertmanager', command: string[]) => ({
    name,
    image: IMAGE,
    imagePullPolicy: 'IfNotPresent',
    command,
    readinessProbe: {
      httpGet: { path: '/-/ready', port: PORTS[name] },
      periodSeconds: 1,
      timeoutSeconds: 5,
    },
    volumeMounts: [mount, data],
  })
  const containers = [
    container('prometheus', [
      'prometheus',
      '--config.file=/etc/monitoring/prometheus.yaml',
      '--storage.tsdb.path=/data/prometheus',
    ]),
    container('alertmanager', [
      'prometheus-alertmanager',
      '--config.file=/etc/monitoring/alertmanager.yaml',
      '--storage.path=/data/alertmanager',
      '--cluster.listen-address=',
    ]),
    {
      name: 'helper',
      image: EMULATORS,
      imagePullPolicy: 'IfNotPresent',
      args: ['--eval', HELPER_PROGRAM],
      env: [
        {
          name: 'NODE_EXTRA_CA_CERTS',
          value: '/var/run/secrets/kubernetes.io/serviceaccount/ca.crt',
        },
      ],
      readinessProbe: { tcpSocket: { port: PORTS.helper }, periodSeconds: 1, timeoutSeconds: 5 },
    },
  ]
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: NAME, namespace: OPERATOR_NAMESPACE, labels: { app: NAME } },
    spec: {
      nodeName: FIRST_NODE.name,
      enableServiceLinks: false,
      serviceAccountName: NAME,
      terminationGracePeriodSeconds: 0,
      securityContext: { runAsUser: USER, runAsGroup: USER, fsGroup: USER },
      containers,
      volumes: [
        { name: 'configuration', configMap: { name: NAME } },
        { name: 'data', emptyDir: {} },
      ],
    },
  }
}

/** The targets are found through the API server. */
function rights(): object[] {
  const metadata = { name: NAME, namespace: OPERATOR_NAMESPACE }
  const inHome = { name: NAME, namespace: HOME_NAMESPACE }
  const api = 'rbac.authorization.k8s.io'
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    {
      apiVersion: `${api}/v1`,
      kind: 'Role',
      metadata: inHome,
      rules: [
        {
          apiGroups: [''],
          resources: ['endpoints'],
          verbs: ['list'],
        },
      ],
    },
    {
      apiVersion: `${api}/v1`,
      kind: 'RoleBinding',
      metadata: inHome,
      roleRef: { apiGroup: api, kind: 'Role', name: NAME },
      subjects: [{ kind: 'ServiceAccount', ...metadata }],
    },
  ]
}

/** Starts both programs with what the release has now. */
export async function startMonitoring(): Promise<void> {
  const metadata = { name: NAME, namespace: OPERATOR_NAMESPACE }
  const ports = Object.entries(PORTS).map(([name, port]) => ({ name, port, targetPort: port }))
  await kubectl.run('delete', 'pod', NAME, IN_MONITORING, '--ignore-not-found')
  await kubectl.apply(
    ...rights(),
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: await configuration() },
    pod(),
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: { app: NAME }, ports } },
  )
  await kubectl.run('wait', '--for=condition=Ready', `pod/${NAME}`, IN_MONITORING, '--timeout=180s')
}

/** Removes what {@link prepareMonitoring} and {@link startMonitoring} made. */
export async function removeMonitoring(): Promise<void> {
  const names = DEFINITIONS.map((one) => `crd/${one.metadata.name}`)
  await kubectl.run('delete', ...names, `apiservice/${API_SERVICE}`, '--ignore-not-found')
  await kubectl.run('delete', `namespace/${OPERATOR_NAMESPACE}`, '--ignore-not-found')
  await kubectl.run('delete', NAMESPACE, `role/${NAME}`, `rolebinding/${NAME}`)
}

interface Report {
  status: 'firing' | 'resolved'
  labels: Record<string, string>
  annotations: Record<string, string>
}

/** @returns what Alertmanager reported so far, in order */
export async function reports(): Promise<Report[]> {
  const response = await fetch(`${URL}:${PORTS.helper}/`)
  return (await response.json()) as Report[]
}

/** Runs a query. @returns labels and values */
export async function query(text: string) {
  const answer = await fetch(
    `${URL}:${PORTS.prometheus}/api/v1/query?${new URLSearchParams({ query: text })}`,
  )
  const { data } = (await answer.json()) as {
    data: { result: { metric: Record<string, string>; value: [number, string] }[] }
  }
  return data.result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }))
}

/** Waits until the last report of the alert has this status. @returns seconds that it took */
export async function untilReported(
  alert: string,
  status: Report['status'],
  limitMs: number,
): Promise<number> {
  const startedMs = performance.now()
  await until(
    `${alert} is ${status}`,
    async () => {
      const last = (await reports()).findLast(({ labels }) => labels.alertname === alert)
      await sleep(POLL_MS)
      return last?.status === status ? true : undefined
    },
    limitMs,
  )
  return Math.round((performance.now() - startedMs) / 1000)
}
