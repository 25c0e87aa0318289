/** Measures the calls of ports: duration and outcome. */
import { ServiceError } from '../../domain/errors.ts'
import { DeliveryRefusedError } from '../../domain/ports/delivery-refused.ts'
import type { Metrics } from '../../domain/ports/metrics.ts'
import type { OutboundHttp } from '../../domain/ports/outbound-http.ts'
import { KeyRefusedError } from '../../domain/ports/signing.ts'

/** Values of the label `system`. */
export type System = 'objects' | 'api-server' | 'kms' | 'tsa' | 'smtp' | 'sms' | 'http'

const METRIC = 'sigcase_dependency_call_duration_seconds'
const MILLISECONDS_PER_SECOND = 1_000
/** Status codes from here on are failures of the API server; lower ones answer the request. */
const REFUSED_FROM = 400

export interface MeasuredOptions<T> {
  system: System
  /** Methods of `port` that make a call; each returns a promise. */
  methods: readonly (keyof T & string)[]
  metrics: Metrics
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

type Call = (...args: unknown[]) => Promise<unknown>

/**
 * Wraps a port so that each call of the given methods is measured. All other members are those of
 * the port, also for `instanceof`.
 */
export function measured<T extends object>(
  port: T,
  { system, methods, metrics, operationOf = (method) => method }: MeasuredOptions<T>,
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
  // Methods use private members of the port itself, so they are bound to it.
  const bound = new Map<string | symbol, unknown>()
  return new Proxy(port, {
    get(target, name) {
      if (bound.has(name)) return bound.get(name)
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      const method = value.bind(target) as Call
      const isCall = methods.some((one) => one === name)
      const made = isCall ? wrap(String(name), method) : method
      bound.set(name, made)
      return made
    },
  })
}

/** Measures requests of the guarded client, which reports failures as results. */
export function measuredHttp(http: OutboundHttp, metrics: Metrics): OutboundHttp {
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
