/** Makes a span of each request of the API. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Span, Tracer } from '../domain/ports/tracing.ts'
import { logTrace } from './logging.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent when nothing is traced. */
    span?: Span
  }
}

const FIRST_SERVER_ERROR = 500
/** The only route whose `traceparent` counts: tenants follow their cases through the service. */
const CREATE_ROUTE = '/cases'

/**
 * Whether the request is an operation of the documented API. Pages, health checks and streams are
 * not traced.
 */
function isOperation({ routeOptions }: FastifyRequest): boolean {
  const { schema, config, url } = routeOptions
  const { operationId } = Object(schema) as { operationId?: unknown }
  const isHealthCheck = url === '/healthz' || url === '/readyz'
  return operationId !== undefined && !config.isEventStream && !isHealthCheck
}

/** The parent that a tenant may choose for the request that creates a case. */
function parentOf({ method, routeOptions, headers }: FastifyRequest): string | undefined {
  if (method !== 'POST' || routeOptions.url !== CREATE_ROUTE) return undefined
  const { traceparent } = headers
  return typeof traceparent === 'string' ? traceparent : undefined
}

function startSpan(request: FastifyRequest, tracer: Tracer): Span {
  const { method } = request
  const route = request.routeOptions.url ?? ''
  const options = {
    kind: 'server',
    attributes: { 'http.request.method': method, 'http.route': route },
    parent: parentOf(request),
    isFromOutside: true,
  } as const
  return tracer.outside(() => tracer.start(`${method} ${route}`, options))
}

/** Makes a span of each request, which is active in all later hooks and in the handler. */
export function traceRequests(app: FastifyInstance, tracer: Tracer | undefined): void {
  if (!tracer) return
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isOperation(request)) return done()
    const span = startSpan(request, tracer)
    request.span = span
    logTrace(request, span)
    span.within(done)
  })
  // The body arrives in events of the connection, outside of the span.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.span) request.span.within(done)
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { span } = request
    span?.set({ 'http.response.status_code': reply.statusCode })
    if (reply.statusCode >= FIRST_SERVER_ERROR) span?.fail(undefined)
    span?.end()
    done()
  })
}
