/** Serves health checks and metrics of a process on a separate, cluster-internal port. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { formatFor } from '../../adapters/prometheus/openmetrics.ts'
import { listenHost } from '../../adapters/shared/listen-host.ts'
import type { ReadinessAnswer } from './readiness.ts'

const REQUEST_LIMIT_MS = 5_000
const PLAIN_TYPE = 'text/plain; charset=utf-8'

export interface Operations {
  /** Whether the process should get work. */
  readiness(): Promise<ReadinessAnswer>
  /**
   * Metrics in the Prometheus text format, version 0.0.4; a scraper that asks for OpenMetrics gets
   * them converted.
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
async function readAnswer(
  { url = '', headers }: IncomingMessage,
  { readiness, metrics }: Operations,
): Promise<Answer> {
  const path = url.split('?')[0]
  if (path === '/healthz') return plain(200, 'ok\n')
  if (path === '/metrics') return { status: 200, ...formatFor(headers.accept, await metrics()) }
  if (path !== '/readyz') return plain(404, 'not found\n')
  const { ready, text } = await readiness()
  return plain(ready ? 200 : 503, text)
}

async function answer(request: IncomingMessage, operations: Operations, response: ServerResponse) {
  const { status, type, text } = await readAnswer(request, operations).catch(() =>
    plain(503, 'not available\n'),
  )
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text)
}

/** A listening server; the caller closes it. */
export interface OperationsServer {
  port: number
  close(): Promise<void>
}

/** @param address with `port` 0 the system chooses a free port */
export async function serveOperations(
  address: { host: string; port: number },
  operations: Operations,
): Promise<OperationsServer> {
  const server: Server = createServer((request, response) => {
    void answer(request, operations, response)
  })
  server.requestTimeout = REQUEST_LIMIT_MS
  server.listen(address.port, listenHost(address.host))
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
