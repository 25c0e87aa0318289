/**
 * What the routes' schemas have in common: ids in paths, and the refusals that a route can answer.
 */
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { codeAnswer, MessageAnswer, ValidationAnswer } from '../domain/contract/answers.ts'
import { errorExample, VALIDATION_EXAMPLE } from '../domain/contract/examples.ts'
import { ERRORS, type ErrorCode } from '../domain/errors.ts'
import { uuid } from '../domain/schema-parts.ts'

export const CASE_PARAMS = Type.Object({ caseId: uuid('`id` of the case') })
export const DELIVERY_PARAMS = Type.Object({
  ...CASE_PARAMS.properties,
  eventId: uuid('`id` of the webhook'),
})
const PARTICIPANT_PARAMS = Type.Object({
  participantId: uuid('Path segment of the signing link'),
})

/** Of routes that go through a case to one of its participants. */
export const CASE_PARTICIPANT_PARAMS = Type.Object({
  ...CASE_PARAMS.properties,
  participantId: uuid('`id` of the participant'),
})

export const DEVICE_PARAMS = Type.Object({ deviceId: uuid('As registration answered it') })

/** The schema with a value that it takes and a sentence, for those who read the documentation. */
export function shownBy<T extends TSchema>(schema: T, example: Static<T>, description?: string): T {
  return { ...schema, examples: [example], ...(description === undefined ? {} : { description }) }
}

/** Refusals that have no code. */
const CODELESS = {
  validation: { status: 400, schema: ValidationAnswer, example: VALIDATION_EXAMPLE },
  unauthorized: { status: 401, schema: MessageAnswer, example: { message: 'Unauthorized' } },
  forbidden: {
    status: 403,
    schema: MessageAnswer,
    example: { message: 'Forbidden' },
    sentence: 'The token is valid and names no tenant',
  },
  'not-found': {
    status: 404,
    schema: Type.String(),
    example: 'Case not found',
    sentence: 'No such case, participant, device or event',
  },
  throttled: {
    status: 429,
    schema: MessageAnswer,
    example: { message: 'Too many requests' },
  },
  unexpected: {
    status: 500,
    schema: MessageAnswer,
    example: { message: 'Internal Server Error' },
  },
} as const

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request breaks rules; every problem is listed',
  401: 'The token is missing, invalid, or not good for this yet',
  413: 'The body is too large',
  415: 'The body is not application/json, or was compressed',
  429: 'Too many requests in a minute (a `message` alone), or what the code says: retry later',
  500: 'An unexpected failure; what it was is logged',
}

export type Refusal = keyof typeof CODELESS | ErrorCode

/** What every route that takes a body can answer to it. */
export const BODY_REFUSALS = ['validation', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const

/** What every route of tenants can answer. */
export const TENANT_REFUSALS = [
  'unauthorized',
  'forbidden',
  'throttled',
  'unexpected',
  'TIMEOUT',
] as const

/** What every route that anybody can call can answer. */
export const PUBLIC_REFUSALS = ['throttled', 'unexpected', 'TIMEOUT'] as const

/** What every route of participants is documented with (specification 5.2, 5.3). */
export const PARTICIPANT_COMMON = {
  tags: ['participants'],
  security: [{ signingLink: [] }],
  params: PARTICIPANT_PARAMS,
  headers: Type.Object({
    'Service-Otp-Session': Type.Optional(
      Type.String({ description: '`otpSession`, for a case with `multiFactorType`' }),
    ),
    'Service-Pin': Type.Optional(
      Type.String({ description: 'The PIN, for a case with one; UTF-8', deprecated: true }),
    ),
    'Service-Embedding-Origin': Type.Optional(
      Type.String({
        description:
          'The signing page sends it when it is in a frame: the origin of the site around it',
      }),
    ),
  }),
}

/** What every route of participants can answer. */
export const PARTICIPANT_REFUSALS = [
  'unauthorized',
  'not-found',
  'EMBEDDING_NOT_ALLOWED',
  'CASE_NOT_ACTIVE',
  'LINK_EXPIRED',
  ...PUBLIC_REFUSALS,
] as const

/** What every route can answer that needs the PIN of a case. */
export const PIN_REFUSALS = ['PIN_LOCKED', 'PIN_REQUIRED'] as const

interface Answer {
  status: number
  example: unknown
  /** What the code says to people. */
  sentence?: string
}

const isCodeless = (refusal: Refusal): refusal is keyof typeof CODELESS => refusal in CODELESS

function answerOf(refusal: Refusal): Answer {
  if (isCodeless(refusal)) return CODELESS[refusal]
  const { status, message } = ERRORS[refusal]
  return { status, example: errorExample(refusal), sentence: message }
}

function schemaOf(refusals: readonly Refusal[]): TSchema {
  const codes = refusals.filter((refusal) => !isCodeless(refusal))
  const codeless = refusals.filter(isCodeless).map((refusal) => CODELESS[refusal].schema)
  const all: TSchema[] = codes.length > 0 ? [...codeless, codeAnswer(codes)] : codeless
  return all.length === 1 ? (all[0] as TSchema) : Type.Union(all)
}

const RETRY_AFTER = {
  'retry-after': {
    type: 'integer',
    description: 'Seconds until another attempt can succeed, where that is known',
  },
}

/** Whether one of the answers says when to try again. */
const tellsWhen = (refusals: readonly Refusal[]) =>
  refusals.some(
    (refusal) =>
      refusal === 'throttled' || 'retryAfterSeconds' in (answerOf(refusal).example as object),
  )

function described(status: number, refusals: readonly Refusal[]) {
  const answers = refusals.map(answerOf)
  const sentences = answers.flatMap(({ sentence }) => sentence ?? [])
  const examples = Object.fromEntries(
    refusals.map((refusal, index) => [refusal, { value: answers[index]?.example }]),
  )
  const isText = status === 404 && refusals.every(isCodeless)
  const mediaType = isText ? 'text/plain' : 'application/json'
  return {
    description: [DESCRIPTIONS[status], ...sentences].filter(Boolean).join('. '),
    ...(status !== 404 && tellsWhen(refusals) ? { headers: RETRY_AFTER } : {}),
    content: { [mediaType]: { schema: schemaOf(refusals), examples } },
  }
}

/** Response schemas of the refusals that a route can answer, by status. */
export function refusals(...all: readonly Refusal[]): Record<number, unknown> {
  const statuses = [...new Set(all.map((refusal) => answerOf(refusal).status))].sort()
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      described(
        status,
        all.filter((refusal) => answerOf(refusal).status === status),
      ),
    ]),
  )
}
