/** How a process on a cluster lives: it starts, works, and drains when it is told to end. */
import process from 'node:process'
import { pino, type Logger } from 'pino'
import { closeInTurn, type Closing } from '../adapters/closings.ts'
import { endOnSignals } from '../adapters/end-on-signals.ts'
import { ConfigError, type Environment } from '../config/reader.ts'
import type { LogLevel } from '../config/service.ts'
import type { ShutdownTimes } from '../config/shutdown.ts'
import { describeError } from '../domain/describe-error.ts'
import type { Timers } from '../domain/ports/timers.ts'
import { systemTimers } from '../adapters/system-timers.ts'

/** What a process starts with. */
export interface ProcessParts {
  log: Logger
  /** The clock that everything heeds. */
  timers: Timers
  /** Gets what ends each part, before those that were opened earlier. */
  closings: Closing[]
}

export interface ProcessOptions<C> {
  /** `api`, `controller` or `worker`. */
  component: string
  environment: Environment
  /** @throws ConfigError */
  readConfig(environment: Environment): C
  start(config: C, parts: ProcessParts): Promise<void>
}

/** Drains at the first signal, and ends in time whatever hangs: every job can be done again. */
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
    onCut: (reason) => log.warn({ reason }, 'the process ends before it is drained'),
  })
}

/** Runs the process until it is told to end; one that cannot start says why and ends with 1. */
export async function runProcess<C extends { logLevel: LogLevel; shutdown: ShutdownTimes }>({
  component,
  environment,
  readConfig,
  start,
}: ProcessOptions<C>): Promise<void> {
  const closings: Closing[] = []
  let log: Logger | undefined
  try {
    const config = readConfig(environment)
    const base = { component }
    log = pino({ level: config.logLevel, base, serializers: { err: describeError } })
    drainOnSignal(closings, config.shutdown, log)
    await start(config, { log, timers: systemTimers, closings })
    log.info('ready')
  } catch (error) {
    if (log) {
      log.fatal({ err: error }, 'the process cannot start')
      await closeInTurn(closings, log)
    } else {
      const text = error instanceof ConfigError ? error.message : String(error)
      process.stderr.write(`${text}\n`)
    }
    process.exit(1)
  }
}
