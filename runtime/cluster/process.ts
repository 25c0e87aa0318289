/** Runs a process on a cluster: starts it, and drains it on a signal. */
import process from 'node:process'
import { pino, type Logger } from 'pino'
import { closeInTurn, type Closing } from '../../adapters/shared/closings.ts'
import { endOnSignals } from '../../adapters/shared/end-on-signals.ts'
import { ConfigError, type Environment } from '../config/reader.ts'
import type { LogLevel } from '../config/service.ts'
import type { ShutdownTimes } from '../config/shutdown.ts'
import type { TracingConfig } from '../config/tracing.ts'
import { openTracing, type Tracing } from '../tracing/open-tracing.ts'
import { describeError } from '../../domain/describe-error.ts'
import type { Timers } from '../../domain/ports/timers.ts'
import type { Tracer } from '../../domain/ports/tracing.ts'
import { systemTimers } from '../../adapters/shared/system-timers.ts'

/** What a process starts with. */
export interface ProcessParts {
  log: Logger
  /** Clock and timers of the process. */
  timers: Timers
  /** Closing functions; each part is closed before those that were opened earlier. */
  closings: Closing[]
  /** Absent: nothing is traced. */
  tracer?: Tracer
}

/** What this file needs of the configuration of a process. */
interface CommonConfig {
  logLevel: LogLevel
  shutdown: ShutdownTimes
  tracing?: TracingConfig
}

export interface ProcessOptions<C> {
  /** `api`, `controller` or `worker`. */
  component: string
  environment: Environment
  /** @throws ConfigError */
  readConfig(environment: Environment): C
  start(config: C, parts: ProcessParts): Promise<void>
}

/**
 * Drains at the first signal, and exits in time even if a part hangs, because every job can be
 * repeated.
 */
function drainOnSignal(
  closings: readonly Closing[],
  { delayMs, graceMs }: ShutdownTimes,
  log: Logger,
): void {
  endOnSignals({
    limitMs: delayMs + graceMs,
    async close() {
      log.info('draining')
      await closeInTurn(closings, log)
      log.info('drained')
    },
    onCut: (reason) => log.warn({ reason }, 'process exits before it has drained'),
  })
}

/** Opens the log of the process; its lines have the trace of the work that writes them. */
function openLog(component: string, { logLevel }: CommonConfig, tracing?: Tracing): Logger {
  const log = pino({
    level: logLevel,
    base: { component },
    serializers: { err: describeError },
    ...(tracing && { mixin: tracing.mixin }),
  })
  tracing?.reportTo(log)
  return log
}

/**
 * Runs the process until a signal ends it. A process that cannot start logs the reason and exits
 * with code 1.
 */
export async function runProcess<C extends CommonConfig>({
  component,
  environment,
  readConfig,
  start,
}: ProcessOptions<C>): Promise<void> {
  const closings: Closing[] = []
  let log: Logger | undefined
  try {
    const config = readConfig(environment)
    const tracing = await openTracing(config.tracing, component)
    log = openLog(component, config, tracing)
    if (tracing) closings.push(() => tracing.close())
    drainOnSignal(closings, config.shutdown, log)
    const tracer = tracing && { tracer: tracing.tracer }
    await start(config, { log, timers: systemTimers, closings, ...tracer })
    log.info('ready')
  } catch (error) {
    if (log) {
      log.fatal({ err: error }, 'process cannot start')
      await closeInTurn(closings, log)
    } else {
      const text = error instanceof ConfigError ? error.message : String(error)
      process.stderr.write(`${text}\n`)
    }
    process.exit(1)
  }
}
