/**
 * Domains for tap: an error that nothing catches belongs to the test that runs. The package
 * `async-hook-domain` follows every promise to find the test, which took up to two thirds of the
 * CPU time of a file with many promises. Tests of one process run one after the other.
 */
import { executionAsyncResource } from 'node:async_hooks'
import process from 'node:process'

type OnError = (error: unknown, event?: string) => unknown

/** The part of a test of tap that is used here. */
interface RunningTest {
  /** 0 before it starts. */
  start: bigint
}

/** In order of their creation: a test comes after the one that contains it. */
const domains: Domain[] = []

/** Calls the domain of the test that runs. @returns whether there is one */
function report(error: unknown, event?: string): boolean {
  const domain = domains.findLast(({ hasStarted }) => hasStarted)
  if (domain === undefined) return false
  try {
    domain.onerror(error, event)
    return true
  } catch (thrown) {
    domain.destroy()
    if (report(thrown)) return true
    throw thrown
  }
}

/** Whether a test handles such errors itself. */
const isHandled = (): boolean =>
  process.hasUncaughtExceptionCaptureCallback() || process.listenerCount('uncaughtException') > 0

function onUncaughtException(error: unknown, event: string): void {
  if (isHandled() || !report(error, event)) return
  // The error has been reported: the process goes on.
  process.setUncaughtExceptionCaptureCallback(() =>
    process.setUncaughtExceptionCaptureCallback(null),
  )
}

const emit = process.emit

/** A listener would hide the rejections from tests that look for them. */
function emitOrReport(event: string, ...values: unknown[]): boolean {
  const isOurs = event === 'unhandledRejection' && process.listenerCount(event) === 0
  if (isOurs && !isHandled() && report(values[0], event)) return true
  return Reflect.apply(emit, process, [event, ...values]) as boolean
}

/** Receives the errors of one test, from its start until {@link destroy}. */
export class Domain {
  readonly onerror: OnError
  /** Absent for the domain of the process. */
  readonly #test: RunningTest | undefined

  constructor(onerror: OnError) {
    this.onerror = onerror
    this.#test = (executionAsyncResource() as { test?: RunningTest }).test
    if (domains.length === 0) {
      process.on('uncaughtExceptionMonitor', onUncaughtException)
      process.emit = emitOrReport as typeof process.emit
    }
    domains.push(this)
  }

  /** tap creates the tests of a file when it loads, and starts one after the other. */
  get hasStarted(): boolean {
    return this.#test === undefined || this.#test.start !== 0n
  }

  /** Ends it: later errors belong to the test that contains this one. */
  destroy(): void {
    const index = domains.indexOf(this)
    if (index === -1) return
    domains.splice(index, 1)
    if (domains.length > 0) return
    process.off('uncaughtExceptionMonitor', onUncaughtException)
    process.emit = emit
  }
}
