/**
 * What the routes' schemas have in common: ids in paths, and the refusals that a route can answer.
 */
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { uuid } from '../domain/schema-parts.ts'
import { mediaTypeOf, REFUSALS_MARK, statusOf } from './document/refusals.ts'
import type { Refusal } from './document/remedies.ts'

export const CASE_PARAMS = Type.Object({ caseId: uuid('`id` of the case') })
export const DELIVERY_PARAMS = Type.Object({
  ...CASE_PARAMS.properties,
  eventId: uuid('`id` of the webhook'),
})
const PARTICIPANT_PARAMS = Type.Object({
  participantId: uuid('Path segment of the signing link'),
})

/** Path parameters of routes for one participant of a case. */
export const CASE_PARTICIPANT_PARAMS = Type.Object({
  ...CASE_PARAMS.properties,
  participantId: uuid('`id` of the participant'),
})

export const DEVICE_PARAMS = Type.Object({ deviceId: uuid('As registration answered it') })

/** The schema with a value that it takes and a sentence, for those who read the documentation. */
export function shownBy<T extends TSchema>(schema: T, example: Static<T>, description?: string): T {
  return { ...schema, examples: [example], ...(description === undefined ? {} : { description }) }
}

/** What every route can answer to a body, also one that needs none; GET and HEAD read none. */
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

/**
 * Response schemas of the errors that a route can answer, by status. They only name the errors: the
 * OpenAPI document describes them, and error responses need no serializer.
 */
export function refusals(...all: readonly Refusal[]): Record<number, unknown> {
  const statuses = [...new Set(all.map(statusOf))].sort()
  return Object.fromEntries(
    statuses.map((status) => {
      const own = all.filter((refusal) => statusOf(refusal) === status)
      return [status, { content: { [mediaTypeOf(own)]: { schema: {}, [REFUSALS_MARK]: own } } }]
    }),
  )
}
