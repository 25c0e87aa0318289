/** Participants' routes of one-time codes: send, check (specification 4.10, 4.11). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CodeSentAnswer, CodeVerifiedAnswer } from '../../domain/contract/participant-answers.ts'
import { CodeInput } from '../../domain/contract/code-input.ts'
import * as examples from '../../domain/contract/examples.ts'
import type { ApiDeps } from '../deps.ts'
import { participantRequestOf, participantRoute } from '../participant-route.ts'
import {
  BODY_REFUSALS,
  PARTICIPANT_COMMON,
  PARTICIPANT_REFUSALS,
  refusals,
  shownBy,
} from '../route-schemas.ts'
import { assertCanSend, sendCode } from '../../application/second-factor/send-code.ts'
import { assertCanVerify, verifyCode } from '../../application/second-factor/verify-code.ts'

const SEND_CODE_SCHEMA = {
  ...PARTICIPANT_COMMON,
  operationId: 'sendCode',
  summary: 'Send a one-time code; it replaces the one before',
  response: {
    200: shownBy(CodeSentAnswer, examples.CODE_SENT_ANSWER, 'The code is on its way'),
    ...refusals(
      ...PARTICIPANT_REFUSALS,
      ...BODY_REFUSALS,
      'OTP_NOT_REQUIRED',
      'OTP_NO_DESTINATION',
      'OTP_RATE_LIMITED',
      'OTP_CHANNEL_UNAVAILABLE',
      'OTP_DESTINATION_REFUSED',
      'OTP_SENDER_REFUSED',
    ),
  },
}

const VERIFY_CODE_SCHEMA = {
  ...PARTICIPANT_COMMON,
  operationId: 'verifyCode',
  summary: 'Check a one-time code; the right one is used up',
  body: shownBy(CodeInput, examples.CODE_INPUT),
  response: {
    200: shownBy(
      CodeVerifiedAnswer,
      examples.CODE_VERIFIED_ANSWER,
      'The session that opens the document and lets sign',
    ),
    ...refusals(
      ...PARTICIPANT_REFUSALS,
      ...BODY_REFUSALS,
      'OTP_INVALID',
      'OTP_NOT_REQUIRED',
      'OTP_NOT_REQUESTED',
      'OTP_EXPIRED',
      'OTP_LOCKED',
    ),
  },
}

/** Refusals of the case go before those of the body. */
export const codeRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    participantRoute(app, deps)

    app.post(
      '/participant/:participantId/otp',
      {
        // Refusals of the case go before those of the body, which is not read for them.
        onRequest: ({ visit }) => assertCanSend(visit, deps),
        schema: SEND_CODE_SCHEMA,
      },
      (request) => sendCode(participantRequestOf(request), deps),
    )

    app.post(
      '/participant/:participantId/otp/verify',
      {
        onRequest: ({ visit }) => assertCanVerify(visit, deps),
        schema: VERIFY_CODE_SCHEMA,
      },
      (request) => verifyCode(participantRequestOf(request), request.body.code, deps),
    )
  }
