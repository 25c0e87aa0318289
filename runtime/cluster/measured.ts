/** Measures the calls of ports, duration and outcome, and makes spans of them. */
import { ServiceError } from '../../domain/errors.ts'
import { DeliveryRefusedError } from '../../domain/ports/delivery-refused.ts'
import type { Metrics } from '../../domain/ports/metrics.ts'
import type { OutboundHttp } from '../../domain/ports/outbound-http.ts'
import { KeyRefusedError } from '../../domain/ports/signing.ts'
import type { Tracer } from '../../domain/ports/tracing.ts'
import { traced, tracedHttp, type TracedSystem } from '../tracing/traced-ports.ts'
import { wrapCalls, type Call } from '../tracing/wrap-calls.ts'

/** Values of the label `system`. */
export type System = Exclude<TracedSystem, 'sandbox'>

const METRIC = 'sigcase_dependency_call_duration_seconds'
const MILLISECONDS_PER_SECOND = 1_000
/** Status codes from here on are failures of the API server; lower ones answer the request. */
const REFUSED_FROM = 400

export interface MeasuredOptions<T> {
  system: System
  /** Methods of `port` that make a call; each returns a promise. */
  methods: readonly (keyof T & string)[]
  metrics: Metrics
  /** Absent: calls are measured only. */
  tracer?: Tracer | undefined
  /** Name of the operation; by default the method. */
  operationOf?(method: string, args: readonly unknown[]): string
}

function outcomeOf(error: unknown): string {
  if (error instanceof ServiceError) return error.code === 'TIMEOUT' ? 'timeout' : 'refused'
  if (error instanceof KeyRefusedError || error instanceof DeliveryRefusedError) return 'refused'
  // The API server processed the request, as with a conflict.
  const { status } = Object(error) as { status?: unknown }
  return typeof status === 'number' && status >= REFUSED_FROM ? 'refused' : 'error'
}

/**
 * Wraps a port so that each call of the given methods is measured. All other members are those of
 * the port, also for `instanceof`.
 */
export function measured<T extends object>(
  port: T,
  { system, methods, metrics, tracer, operationOf = (method) => method }: MeasuredOptions<T>,
): T {
  const wrap =
    (method: string, call: Call): Call =>
    async (...args) => {
      const startedMs = performance.now()
      const end = (outcome: string) => {
        const labels = { system, operation: operationOf(method, args), outcome }
        metrics.observe(METRIC, labels, (performance.now() - startedMs) / MILLISECONDS_PER_SECOND)
      }
      try {
        const result = await call(...args)
        end('ok')
        return result
      } catch (error) {
        end(outcomeOf(error))
        throw error
      }
    }
  return wrapCalls(traced(port, { system, methods, tracer, operationOf }), methods, wrap)
}

/** Measures requests of the guarded client, which reports failures as results. */
export function measuredHttp(
  client: OutboundHttp,
  metrics: Metrics,
  tracer?: Tracer,
): OutboundHttp {
  const http = tracedHttp(client, tracer)
  return {
    async send(request) {
      const result = await http.send(request)
      const reason = result.outcome === 'no-answer' ? result.reason : undefined
      const outcome = result.outcome === 'answered' ? 'ok' : result.outcome
      const labels = {
        system: 'http',
        operation: request.method,
        outcome: outcome === 'no-answer' ? (reason === 'timeout' ? 'timeout' : 'error') : outcome,
      }
      metrics.observe(METRIC, labels, result.durationMs / MILLISECONDS_PER_SECOND)
      return result
    },
    close: () => http.close(),
  }
}
