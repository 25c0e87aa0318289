/**
 * What a tenant can ask of a running case beyond the specification: another upload URL, another
 * invitation (decision 2).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { assertAwaitsUpload } from '../../domain/cases/refusals.ts'
import { InvitationAnswer, UploadAnswer } from '../../domain/contract/answers.ts'
import * as examples from '../../domain/contract/examples.ts'
import type { ApiDeps } from '../deps.ts'
import { originOf } from '../origin.ts'
import { inviteAgain } from '../../application/cases/invite-again.ts'
import {
  BODY_REFUSALS,
  CASE_PARAMS,
  CASE_PARTICIPANT_PARAMS,
  refusals,
  shownBy,
  TENANT_REFUSALS,
} from '../route-schemas.ts'
import { tenantRoute } from '../tenant-route.ts'
import { presignFurtherUpload } from '../../application/cases/upload.ts'

const common = { tags: ['cases'], security: [{ tenant: [] }] }

const renewal = {
  ...common,
  operationId: 'renewUpload',
  summary: 'Get another upload URL while the case is NEW',
  params: CASE_PARAMS,
  response: {
    200: shownBy(UploadAnswer, examples.UPLOAD_ANSWER, 'Where to upload'),
    ...refusals(
      ...BODY_REFUSALS,
      ...TENANT_REFUSALS,
      'not-found',
      'CASE_NOT_ACTIVE',
      'DOCUMENT_ALREADY_UPLOADED',
    ),
  },
}

const invitation = {
  ...common,
  operationId: 'inviteAgain',
  summary: 'Send the invitation to a participant again',
  params: CASE_PARTICIPANT_PARAMS,
  response: {
    202: shownBy(InvitationAnswer, examples.INVITATION_ANSWER, 'The mail will be sent'),
    ...refusals(
      ...BODY_REFUSALS,
      ...TENANT_REFUSALS,
      'not-found',
      'CASE_NOT_ACTIVE',
      'ALREADY_SIGNED',
      'PARTICIPANT_NOT_READY',
      'INVITATION_RATE_LIMITED',
    ),
  },
}

/** What a tenant may ask for again while the case waits for it. */
export const caseActionRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    tenantRoute(app, deps)

    app.post('/cases/:caseId/upload', { schema: renewal }, async ({ tenant, params }) => {
      const key = { tenant, caseId: params.caseId }
      const upload = await presignFurtherUpload(key, deps, ({ view }) => assertAwaitsUpload(view))
      return { upload }
    })

    app.post(
      '/cases/:caseId/participants/:participantId/invitation',
      { schema: invitation },
      async (request, reply) => {
        const { tenant, params } = request
        const { caseId, participantId } = params
        const asked = { participantId, origin: originOf(request) }
        return reply.code(202).send(await inviteAgain({ tenant, caseId }, asked, deps))
      },
    )
  }
