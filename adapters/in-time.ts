/** The patience that adapters have with a server for which somebody waits. */
import { ServiceError } from '../domain/errors.ts'

/** Such a server answers within milliseconds; whoever asked may retry. */
const ANSWER_LIMIT_MS = 2_000

/** @throws ServiceError TIMEOUT when the work fails or takes longer than two seconds */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`no answer within ${ANSWER_LIMIT_MS} ms`)),
    ANSWER_LIMIT_MS,
  )
  try {
    return await Promise.race([work, late.promise])
  } catch (cause) {
    throw new ServiceError('TIMEOUT', {}, { cause })
  } finally {
    clearTimeout(timer)
  }
}
