/** Measures requests by route: rate, errors and duration. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from '../domain/ports/metrics.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response is a stream of events, whose duration says nothing about the service. */
    isEventStream?: boolean
  }
}

const MILLISECONDS_PER_SECOND = 1_000
/** Other methods are counted together, because a client can send any. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Labels from the templates of routes; the path itself has ids and is never a label. */
function labelsOf({ method, routeOptions }: FastifyRequest): { method: string; route: string } {
  return { method: METHODS.has(method) ? method : 'other', route: routeOptions.url ?? 'none' }
}

/** Counts a request by its status. */
export function countRequest(request: FastifyRequest, statusCode: number, metrics: Metrics): void {
  const status = `${Math.floor(statusCode / 100)}xx`
  metrics.count('sigcase_http_requests_total', { ...labelsOf(request), status })
}

function measure(request: FastifyRequest, reply: FastifyReply, metrics: Metrics): void {
  const labels = labelsOf(request)
  countRequest(request, reply.statusCode, metrics)
  if (request.routeOptions.config.isEventStream) return
  const seconds = reply.elapsedTime / MILLISECONDS_PER_SECOND
  metrics.observe('sigcase_http_request_duration_seconds', labels, seconds)
}

/** Measures every request of the server when it has been answered. */
export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    measure(request, reply, metrics)
    done()
  })
}
