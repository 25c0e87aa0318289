/** Starts the control plane in the namespaces of the first node. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSuccess, runInNode, startInNode, waitFor } from './in-node.ts'
import { CRD_LAYER_PORT, FIRST_NODE, PKI, READY_LIMIT_MS } from './layout.ts'
import {
  apiServer,
  controllerManager,
  crdLayer,
  etcd,
  scheduler,
  type Places,
} from './node-programs.ts'
import type { Programs } from './programs.ts'

/** Runs kubectl as the administrator. @returns its output @throws Error when it fails */
export const kubectl = (programs: Programs, ...args: string[]) =>
  runInNode(programs, ['kubectl', `--kubeconfig=${PKI}/admin.kubeconfig`, ...args])

/** Creates or updates objects. */
export async function apply(programs: Programs, ...objects: readonly object[]): Promise<void> {
  const file = join(FIRST_NODE.state, 'apply.json')
  const list = { apiVersion: 'v1', kind: 'List', items: objects }
  writeFileSync(file, JSON.stringify(list))
  await kubectl(programs, 'apply', '--filename', file)
}

/** Starts etcd, the API server, the controller manager and the scheduler. */
export async function startControlPlane(programs: Programs, places: Places): Promise<void> {
  startInNode(programs, 'etcd', etcd(places))
  const server = startInNode(programs, 'kube-apiserver', apiServer(places))
  const isReady = () => isSuccess(kubectl(programs, 'get', '--raw=/readyz'))
  await waitFor('kube-apiserver', READY_LIMIT_MS, isReady, server)
  startInNode(programs, 'kube-controller-manager', controllerManager(places))
  startInNode(programs, 'kube-scheduler', scheduler(places))
}

/** Describes a Service whose endpoint is a program of the node. */
export function nodeService(
  name: string,
  clusterIP: string | undefined,
  ports: readonly object[],
): object[] {
  const metadata = { name, namespace: 'kube-system' }
  const addresses = [{ ip: FIRST_NODE.address }]
  const endpointPorts = ports.map((port) => {
    const { targetPort, ...rest } = port as { targetPort: number }
    return { ...rest, port: targetPort }
  })
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { ...(clusterIP && { clusterIP }), ports },
    },
    {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata,
      subsets: [{ addresses, ports: endpointPorts }],
    },
  ]
}

/**
 * Has the API server of 1.20 pass custom resources to the layer of a newer Kubernetes, which checks
 * their rules (CEL). It must be registered before the first definition is made.
 */
export async function startCrdLayer(
  programs: Programs,
  places: Places,
  program: string,
): Promise<void> {
  const daemon = startInNode(programs, 'crd-layer', crdLayer(places, program))
  const url = [
    `--server=https://${FIRST_NODE.address}:${CRD_LAYER_PORT}`,
    '--tls-server-name=crd-layer.kube-system.svc',
  ]
  const isReady = () => isSuccess(kubectl(programs, ...url, 'get', '--raw=/readyz'))
  await waitFor('the CRD layer', READY_LIMIT_MS, isReady, daemon)
  const service = { name: 'crd-layer', namespace: 'kube-system' }
  const caBundle = readFileSync(join(PKI, 'ca.crt')).toString('base64')
  await apply(
    programs,
    ...nodeService('crd-layer', undefined, [
      { port: 443, targetPort: CRD_LAYER_PORT, protocol: 'TCP' },
    ]),
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1.sigcase.dev' },
      spec: {
        group: 'sigcase.dev',
        version: 'v1',
        groupPriorityMinimum: 1000,
        versionPriority: 100,
        caBundle,
        service,
      },
    },
  )
  const patch = {
    metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': null } },
    spec: { caBundle, service: { ...service, port: 443 } },
  }
  const name = 'apiservice/v1.apiextensions.k8s.io'
  await kubectl(programs, 'patch', name, '--type=merge', '--patch', JSON.stringify(patch))
  await kubectl(programs, 'wait', '--for=condition=Available', name, '--timeout=60s')
}
