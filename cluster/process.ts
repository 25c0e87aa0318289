/** How a process on a cluster lives: it starts, works, and drains when it is told to end. */
import process from 'node:process'
import { pino, type Logger } from 'pino'
import { closeInTurn, type Closing } from '../adapters/closings.ts'
import { ConfigError, type Environment } from '../config/reader.ts'
import type { LogLevel } from '../config/service.ts'
import { describeError } from '../domain/describe-error.ts'
import type { Timers } from '../domain/ports/timers.ts'
import { systemTimers } from '../adapters/system-timers.ts'

/** Shorter than the time that a cluster gives a process to end, which is 30 seconds. */
const DRAIN_LIMIT_MS = 28_000

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

/** Drains once, and ends in time whatever hangs: every job can be done again. */
function endOnSignal(closings: readonly Closing[], log: Logger): void {
  let ending = false
  const end = async () => {
    if (ending) return
    ending = true
    log.info('draining')
    systemTimers.after(DRAIN_LIMIT_MS, () => process.exit(0))
    await closeInTurn(closings, log)
    log.info('drained')
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end())
}

/** Runs the process until it is told to end; one that cannot start says why and ends with 1. */
export async function runProcess<C extends { logLevel: LogLevel }>({
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
    endOnSignal(closings, log)
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
