/** Time limits of requests to servers for which a caller waits. */
import { clearImmediate, setImmediate } from 'node:timers'
import { ServiceError } from '../../domain/errors.ts'

/** Such a server normally responds within milliseconds, and the caller may retry. */
const ANSWER_LIMIT_MS = 2_000

/**
 * Calls `run` after the input that has already arrived was read. After the event loop was busy, due
 * timers run first; a time limit would end a request whose response is in the socket.
 *
 * @returns a function that cancels the call
 */
export function afterArrivedInput(run: () => void): () => void {
  const immediate = setImmediate(run)
  return () => clearImmediate(immediate)
}

/** @throws any error of the work; Error when it takes longer */
export async function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const expire = () => late.reject(new Error(`no answer within ${limitMs} ms`))
  const timer = setTimeout(() => afterArrivedInput(expire), limitMs)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Runs work with a signal that aborts it after the limit. The timer ends with the work; that of
 * `AbortSignal.timeout` makes an exception seconds after each request that was answered.
 */
export async function withDeadline<T>(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const expire = () => controller.abort(new Error(`no answer within ${limitMs} ms`))
  const timer = setTimeout(() => afterArrivedInput(expire), limitMs)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * @throws ServiceError TIMEOUT when the work fails or takes longer than the limit (by default two
 *   seconds)
 */
export async function inTime<T>(work: Promise<T>, limitMs = ANSWER_LIMIT_MS): Promise<T> {
  try {
    return await within(work, limitMs)
  } catch (cause) {
    throw new ServiceError('TIMEOUT', {}, { cause })
  }
}
