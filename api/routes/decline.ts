/** Participants' route for those who do not want to sign (decision 215). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { decline } from '../../application/cases/decline.ts'
import { refuseSecondSignature } from '../../application/cases/sign.ts'
import { requireFactor } from '../../application/second-factor/require-factor.ts'
import { DeclineInput } from '../../domain/contract/decline-input.ts'
import * as examples from '../../domain/contract/examples.ts'
import type { ApiDeps } from '../deps.ts'
import { participantRequestOf, participantRoute } from '../participant-route.ts'
import {
  BODY_REFUSALS,
  PARTICIPANT_COMMON,
  PARTICIPANT_REFUSALS,
  PIN_REFUSALS,
  refusals,
  shownBy,
} from '../route-schemas.ts'

const DECLINE_SCHEMA = {
  ...PARTICIPANT_COMMON,
  operationId: 'decline',
  summary: 'State that the participant does not want to sign',
  body: shownBy(DeclineInput, examples.DECLINE_INPUT),
  response: {
    200: Type.Unsafe<undefined>({
      type: 'null',
      description: 'The statement is recorded; the response has no body',
    }),
    ...refusals(
      ...PARTICIPANT_REFUSALS,
      ...PIN_REFUSALS,
      ...BODY_REFUSALS,
      'ALREADY_SIGNED',
      'ALREADY_DECLINED',
      'OTP_REQUIRED',
    ),
  },
}

/** Requires what a signature requires: the statement counts as the participant's. */
export const declineRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    participantRoute(app, deps)

    app.post(
      '/participant/:participantId/decline',
      {
        // Refusals of the case go before those of the body, which is not read for them.
        async onRequest(request) {
          refuseSecondSignature(request.visit, deps)
          await requireFactor(participantRequestOf(request), deps)
        },
        schema: DECLINE_SCHEMA,
      },
      async (request, reply) => {
        await decline(participantRequestOf(request), request.body, deps)
        return reply.code(200).send()
      },
    )
  }
