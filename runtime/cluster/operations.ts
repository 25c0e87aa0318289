/** Serves health checks and metrics of a process on a separate, cluster-internal port. */
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ReadinessAnswer } from './readiness.ts'

const REQUEST_LIMIT_MS = 5_000
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
const PLAIN_TYPE = 'text/plain; charset=utf-8'

export interface Operations {
  /** Whether the process should get work. */
  readiness(): Promise<ReadinessAnswer>
  /**
   * Metrics in the Prometheus text format, version 0.0.4.
   *
   * @throws Error when they are not available
   */
  metrics(): Promise<string>
}

interface Answer {
  status: number
  type: string
  text: string
}

const plain = (status: number, text: string): Answer => ({ status, type: PLAIN_TYPE, text })

/**
 * The liveness answer depends only on the process: a restart does not help against an outage
 * elsewhere.
 */
async function answerOf(path: string, { readiness, metrics }: Operations): Promise<Answer> {
  if (path === '/healthz') return plain(200, 'ok\n')
  if (path === '/metrics') return { status: 200, type: METRICS_TYPE, text: await metrics() }
  if (path !== '/readyz') return plain(404, 'not found\n')
  const { ready, text } = await readiness()
  return plain(ready ? 200 : 503, text)
}

async function answer(path: string, operations: Operations, response: ServerResponse) {
  const { status, type, text } = await answerOf(path, operations).catch(() =>
    plain(503, 'not available\n'),
  )
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text)
}

/** A listening server; the caller closes it. */
export interface OperationsServer {
  port: number
  close(): Promise<void>
}

/** @param place with `port` 0 the system chooses a free port */
export async function serveOperations(
  place: { host: string; port: number },
  operations: Operations,
): Promise<OperationsServer> {
  const server: Server = createServer((request, response) => {
    void answer((request.url ?? '').split('?')[0] ?? '', operations, response)
  })
  server.requestTimeout = REQUEST_LIMIT_MS
  server.listen(place.port, place.host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
