/**
 * Replaces add-ons of a cluster with one process in the node's namespaces: DNS, NetworkPolicies,
 * and the proxy for programs of the machine. `node node-services.ts <folder of
 * certificates>`
 */
import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveNames } from './dns.ts'
import { serveProxy } from './http-proxy.ts'
import { listReader } from './kube-client.ts'
import { NODE_ADDRESS, PROXY_SOCKET } from './layout.ts'
import { rulesFor } from './network-policies.ts'
import type { Endpoints, Namespace, NetworkPolicy, Pod, Service } from './objects.ts'

const POLL_MS = 500

const list = listReader(process.argv[2] ?? '')
let names: { services: Service[]; endpoints: Endpoints[] } = { services: [], endpoints: [] }
let applied = ''

/** Whether policies apply to the pod: it has an address of its own, and runs. */
function isSubject({ spec, status }: Pod): boolean {
  const hasEnded = status.phase === 'Succeeded' || status.phase === 'Failed'
  return status.podIP !== undefined && spec.hostNetwork !== true && !hasEnded
}

async function readOnce(): Promise<void> {
  const [services, endpoints, policies, pods, namespaces] = await Promise.all([
    list<Service>('/api/v1/services'),
    list<Endpoints>('/api/v1/endpoints'),
    list<NetworkPolicy>('/apis/networking.k8s.io/v1/networkpolicies'),
    list<Pod>('/api/v1/pods'),
    list<Namespace>('/api/v1/namespaces'),
  ])
  names = { services, endpoints }
  const rules = rulesFor({ policies, pods: pods.filter(isSubject), namespaces })
  if (rules === applied) return
  execFileSync('nft', ['-f', '-'], { input: rules })
  applied = rules
}

serveProxy(PROXY_SOCKET)
serveNames(NODE_ADDRESS, () => names)
// Ends with the node's namespaces.
for (;;) {
  await readOnce().catch((error: unknown) => console.error(error))
  await sleep(POLL_MS)
}
