/** What the routes' schemas have in common. */
import { Type, type TSchema } from '@sinclair/typebox'
import { ErrorAnswer, MessageAnswer, ValidationAnswer } from '../domain/contract/answers.ts'

const uuid = () => Type.String({ format: 'uuid' })

export const CASE_PARAMS = Type.Object({ caseId: uuid() })
export const PARTICIPANT_PARAMS = Type.Object({ participantId: uuid() })

const TEXT = {
  description: 'No such case or participant',
  content: { 'text/plain': { schema: Type.String() } },
}

/** A description makes the answer readable in the documentation. */
const described = (schema: TSchema, description: string) => ({ ...schema, description })

const ANSWERS: Readonly<Record<number, unknown>> = {
  400: described(ErrorAnswer, 'The code says what is wrong'),
  401: described(MessageAnswer, 'The token is missing or invalid'),
  403: described(MessageAnswer, 'The token names no tenant'),
  404: TEXT,
  409: described(ErrorAnswer, 'The code says which state forbids it'),
  410: described(ErrorAnswer, 'CASE_NOT_ACTIVE or LINK_EXPIRED'),
  503: described(ErrorAnswer, 'TIMEOUT or SIGNING_UNAVAILABLE; retry'),
}

/** Response schemas of the errors that a route can answer; `validation` is its 400. */
export function errorAnswers(
  ...statuses: readonly (number | 'validation')[]
): Record<number, unknown> {
  const entries = statuses.map((status) =>
    status === 'validation'
      ? [400, described(ValidationAnswer, 'Every problem of the input')]
      : [status, ANSWERS[status]],
  )
  return Object.fromEntries(entries) as Record<number, unknown>
}
