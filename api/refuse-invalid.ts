/** Refuses an invalid request where the route says so: after what must be refused before it. */
import type { FastifyRequest } from 'fastify'
import { ValidationError } from '../domain/errors.ts'
import { NotFoundError, problemsOf } from './errors.ts'

/** @throws ValidationError with every problem; NotFoundError when the path itself is malformed */
export function refuseInvalid({ validationError }: FastifyRequest): void {
  if (!validationError) return
  if (validationError.validationContext === 'params') throw new NotFoundError('Case')
  throw new ValidationError(problemsOf(validationError))
}
