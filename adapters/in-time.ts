/** The patience that adapters have with a server for which somebody waits. */
import { ServiceError } from '../domain/errors.ts'

/** Such a server answers within milliseconds; whoever asked may retry. */
const ANSWER_LIMIT_MS = 2_000

/** @throws ServiceError TIMEOUT when the work fails or takes longer, by default two seconds */
export async function inTime<T>(work: Promise<T>, limitMs = ANSWER_LIMIT_MS): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${limitMs} ms`)), limitMs)
  try {
    return await Promise.race([work, late.promise])
  } catch (cause) {
    throw new ServiceError('TIMEOUT', {}, { cause })
  } finally {
    clearTimeout(timer)
  }
}
