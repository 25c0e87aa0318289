/** Opens the exporter of traces, if there is one, and connects it with the log. */
import type { Logger } from 'pino'
import { systemTimers } from '../../adapters/shared/system-timers.ts'
import { FaultLog } from '../../domain/fault-log.ts'
import type { Tracer } from '../../domain/ports/tracing.ts'
import type { TracingConfig } from '../config/tracing.ts'
import { randomShare } from '../randomness.ts'

/** The parts of an open exporter. */
export interface Tracing {
  tracer: Tracer
  /** Adds the trace of the running work to a log line; an option of pino. */
  mixin(): object
  /** From now on, a collector that fails is a line in this log. */
  reportTo(log: Pick<Logger, 'info' | 'warn'>): void
  /** Exports the last spans, for a limited time. */
  close(): Promise<void>
}

/**
 * Opens the exporter. Its library is loaded only here, so a process without traces does not pay for
 * it.
 *
 * @returns undefined when no collector is configured
 */
export async function openTracing(
  config: TracingConfig | undefined,
  component: string,
): Promise<Tracing | undefined> {
  if (!config) return undefined
  const { OpenTelemetryTracer } = await import('../../adapters/opentelemetry/tracer.ts')
  let faults: FaultLog | undefined
  const tracer = new OpenTelemetryTracer({
    ...config,
    component,
    random: randomShare,
    onFailed: (error) => faults?.failed(error),
    onSucceeded: () => faults?.succeeded(),
  })
  return {
    tracer,
    mixin() {
      const traceId = tracer.active()?.traceId
      return traceId === undefined ? {} : { traceId }
    },
    reportTo(log) {
      faults = new FaultLog({ log, timers: systemTimers, message: 'traces could not be exported' })
    },
    close: () => tracer.close(),
  }
}
