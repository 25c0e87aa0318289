/** Reads the number of etcd writes from the metrics of an API server. */
import { get } from 'node:https'
import { text } from 'node:stream/consumers'
import type { ControlPlane } from '../../dev/control-plane/start.ts'

/** `etcd_request_duration_seconds_count{operation="update",type="*core.Secret"} 12`. */
const COUNT = /^etcd_request_duration_seconds_count\{operation="(\w+)",type="([^"]*)"\} (\S+)$/gm
const WRITES = new Set(['create', 'update', 'delete'])
/** Leases, which are renewed at a steady rate independent of cases. */
const LEASES = /Lease$/

async function metricsOf({ url, ca, adminToken }: ControlPlane): Promise<string> {
  const headers = { authorization: `Bearer ${adminToken}` }
  return new Promise((resolve, reject) => {
    const request = get(`${url}/metrics`, { ca, headers, agent: false }, (response) => {
      text(response).then(resolve, reject)
    })
    request.on('error', reject)
  })
}

/** Counts writes. @returns counts by kind of object, such as `Secret` */
export async function etcdWrites(plane: ControlPlane): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const [, operation = '', type = '', count] of (await metricsOf(plane)).matchAll(COUNT)) {
    if (!WRITES.has(operation) || LEASES.test(type)) continue
    const kind = type.split('.').at(-1) ?? type
    counts.set(kind, (counts.get(kind) ?? 0) + Number(count))
  }
  return counts
}
