/**
 * Participants' routes: the case definition, signing, the signed document (specification 4.7 to
 * 4.9).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { CaseDefinitionAnswer, LinkAnswer } from '../../domain/contract/participant-answers.ts'
import * as examples from '../../domain/contract/examples.ts'
import { FairQueue } from '../../application/limits/fair-queue.ts'
import { SigningInput } from '../../domain/contract/signing-input.ts'
import { JSON_TYPE } from '../../domain/media-types.ts'
import { acceptWeights } from '../accept.ts'
import type { ApiDeps } from '../deps.ts'
import { problemsOf } from '../errors.ts'
import { originOf } from '../origin.ts'
import { participantRequestOf, participantRoute } from '../participant-route.ts'
import { presentCaseDefinition } from '../present/case-definition.ts'
import {
  BODY_REFUSALS,
  PARTICIPANT_COMMON,
  PARTICIPANT_REFUSALS,
  PIN_REFUSALS,
  refusals,
  shownBy,
} from '../route-schemas.ts'
import { downloadSignedDocument, viewCase } from '../../application/cases/record-visit.ts'
import { requireFactor } from '../../application/second-factor/require-factor.ts'
import {
  acceptSignature,
  DRAWING_TURNS,
  refuseSecondSignature,
} from '../../application/cases/sign.ts'
import { abortWhenAnswered } from '../answer-signal.ts'

/** A drawing of 512 KB in JSON, and room for what comes with it. */
const SIGNING_BODY_LIMIT_BYTES = 1024 * 1024

/** Whether the client asks for the link as JSON rather than to be led to it. */
function wantsJson(accept = ''): boolean {
  return (acceptWeights(accept).get(JSON_TYPE) ?? 0) > 0
}

/** No body: JSON Schema has no word for it, and the documentation leaves `null` out. */
const NO_BODY = Type.Unsafe<undefined>({
  type: 'null',
  description: 'The signature counts; the response has no body',
})

const REDIRECTION = Type.Null({
  description: 'By default: the document lies at `Location`',
  headers: {
    location: { type: 'string', format: 'uri', description: 'Presigned link, 15 minutes' },
  },
})

const GET_CASE_DEFINITION_SCHEMA = {
  ...PARTICIPANT_COMMON,
  operationId: 'getCaseDefinition',
  summary: 'Read the case as one of its participants',
  response: {
    200: shownBy(
      CaseDefinitionAnswer,
      examples.CASE_DEFINITION_ANSWER,
      'What the participant may see of the case',
    ),
    ...refusals(...PARTICIPANT_REFUSALS, ...PIN_REFUSALS),
  },
}

const GET_SIGNED_DOCUMENT_SCHEMA = {
  ...PARTICIPANT_COMMON,
  operationId: 'getSignedDocument',
  summary: 'Download the signed document',
  response: {
    200: shownBy(LinkAnswer, examples.LINK_ANSWER, 'With `Accept: application/json`'),
    302: REDIRECTION,
    ...refusals(...PARTICIPANT_REFUSALS, ...PIN_REFUSALS, 'NOT_COMPLETED', 'OTP_REQUIRED'),
  },
}

const SIGN_SCHEMA = {
  ...PARTICIPANT_COMMON,
  operationId: 'sign',
  summary: 'Sign',
  body: shownBy(SigningInput, examples.SIGNING_INPUT),
  response: {
    200: NO_BODY,
    ...refusals(
      ...PARTICIPANT_REFUSALS,
      ...PIN_REFUSALS,
      ...BODY_REFUSALS,
      'ALREADY_SIGNED',
      'OTP_REQUIRED',
      'SIGNING_UNAVAILABLE',
    ),
  },
}

/** What is shown or given out is in the trail before it is answered. */
export const participantRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const drawingTurns = new FairQueue(DRAWING_TURNS)
    participantRoute(app, deps)

    app.get(
      '/participant/:participantId/caseDefinition',
      {
        schema: GET_CASE_DEFINITION_SCHEMA,
      },
      async (request) => {
        const { seen, participant } = request.visit
        const missing = await viewCase(participantRequestOf(request), deps)
        return presentCaseDefinition(seen, participant, missing, deps)
      },
    )

    app.get(
      '/participant/:participantId/signedDocument',
      {
        schema: GET_SIGNED_DOCUMENT_SCHEMA,
      },
      async (request, reply) => {
        const url = await downloadSignedDocument(participantRequestOf(request), deps)
        if (wantsJson(request.headers.accept)) return { url }
        return reply.redirect(url, 302)
      },
    )

    app.post(
      '/participant/:participantId/signature',
      {
        // Refusals of the case go before those of the body, which is not read for them.
        async onRequest(request) {
          refuseSecondSignature(request.visit, deps)
          await requireFactor(participantRequestOf(request), deps)
        },
        attachValidation: true,
        bodyLimit: SIGNING_BODY_LIMIT_BYTES,
        schema: SIGN_SCHEMA,
      },
      async (request, reply) => {
        const { body, validationError, visit } = request
        const problems = problemsOf(validationError ?? {})
        const signing = {
          body,
          problems,
          origin: originOf(request),
          awaited: abortWhenAnswered(reply),
        }
        await acceptSignature(visit, signing, deps, drawingTurns)
        return reply.code(200).send()
      },
    )
  }
