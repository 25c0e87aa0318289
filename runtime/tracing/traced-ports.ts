/** Makes spans of the calls of ports. */
import type { JobKind, JobPayloads, JobQueue } from '../../domain/ports/jobs.ts'
import type { ObjectStore } from '../../domain/ports/object-store.ts'
import type { OutboundHttp } from '../../domain/ports/outbound-http.ts'
import type { PdfSandbox } from '../../domain/ports/pdf-sandbox.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { traceContextOf, type TraceContext, type Tracer } from '../../domain/ports/tracing.ts'
import { wrapCalls, type Call } from './wrap-calls.ts'

/** Values of the attribute `sigcase.system`, as in the metrics; and the sandbox. */
export type TracedSystem =
  'objects' | 'api-server' | 'index' | 'kms' | 'tsa' | 'smtp' | 'sms' | 'http' | 'sandbox'

/** Calls of an object store that leave the process on a cluster. */
export const STORE_CALLS = [
  'get',
  'stat',
  'putIfAbsent',
  'compareAndSwap',
  'list',
  'delete',
] as const satisfies (keyof ObjectStore)[]

export interface TracedOptions<T> {
  system: TracedSystem
  /** Methods of `port` that make a call; each returns a promise. */
  methods: readonly (keyof T & string)[]
  /** Absent: the port is returned as it is. */
  tracer: Tracer | undefined
  /** Name of the operation; by default the method. */
  operationOf?(method: string, args: readonly unknown[]): string
}

/**
 * Makes a span of each call of the given methods, within the active span. A call outside of a span
 * gets none: canaries, watches and checks of readiness would be traces without a case.
 */
export function traced<T extends object>(
  port: T,
  { system, methods, tracer, operationOf = (method) => method }: TracedOptions<T>,
): T {
  if (!tracer) return port
  return wrapCalls(port, methods, (method, call) => (...args: unknown[]) => {
    if (!tracer.active()) return call(...args)
    const operation = operationOf(method, args)
    const attributes = { 'sigcase.system': system, 'sigcase.operation': operation }
    const options = { kind: 'client', attributes } as const
    return tracer.span(`${system} ${operation}`, options, () => call(...args))
  })
}

/** Like {@link traced}, for the guarded client, which reports failures as results. */
export function tracedHttp(http: OutboundHttp, tracer: Tracer | undefined): OutboundHttp {
  if (!tracer) return http
  return {
    async send(request) {
      if (!tracer.active()) return http.send(request)
      const { method } = request
      const attributes = { 'sigcase.system': 'http', 'http.request.method': method }
      return tracer.span(`http ${method}`, { kind: 'client', attributes }, async (span) => {
        const result = await http.send(request)
        const { outcome } = result
        span.set({ 'sigcase.outcome': outcome === 'answered' ? outcome : result.reason })
        if (outcome === 'answered') span.set({ 'http.response.status_code': result.status })
        return result
      })
    },
    close: () => http.close(),
  }
}

/** Methods of the port that run a process or wait for one. */
const SANDBOX_CALLS = ['inspect', 'validate', 'validateSigned'] as const

/** Makes a span of each run of the sandbox. */
export const tracedSandbox = <S extends PdfSandbox>(sandbox: S, tracer: Tracer | undefined): S =>
  traced<PdfSandbox>(sandbox, { system: 'sandbox', methods: SANDBOX_CALLS, tracer }) as S

const caseAttributes = ({ tenant, caseId }: Partial<CaseKey>) => ({
  ...(tenant !== undefined && { 'sigcase.tenant': tenant }),
  ...(caseId !== undefined && { 'sigcase.case_id': caseId }),
})

type Handler = (payload: object) => Promise<void>

/** Runs a job in a span whose parent is the work that added the job. */
function inJobSpan(kind: JobKind, handler: Handler, tracer: Tracer): Handler {
  return async (payload) => {
    const { traceparent, ...rest } = payload as TraceContext & Partial<CaseKey>
    const attributes = { 'sigcase.job': kind, ...caseAttributes(rest) }
    const options = { kind: 'consumer', attributes, parent: traceparent } as const
    // A queue within the process may start the job while it ends another one.
    await tracer.outside(() => tracer.span(`job ${kind}`, options, () => handler(rest)))
  }
}

/** Makes a span of each job. The payload has the trace of the work that added the job. */
export function tracedJobs<Q extends JobQueue>(jobs: Q, tracer: Tracer | undefined): Q {
  if (!tracer) return jobs
  return wrapCalls(jobs, ['add', 'work'], (method, call: Call) => {
    if (method === 'work') {
      return (kind: JobKind, concurrency: number, handler: Handler) =>
        call(kind, concurrency, inJobSpan(kind, handler, tracer))
    }
    return (kind: JobKind, id: string, payload: JobPayloads[JobKind], ...rest: unknown[]) =>
      call(kind, id, { ...payload, ...traceContextOf(tracer) }, ...rest)
  })
}
