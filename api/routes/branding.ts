/** Participants' route for the look that the tenant of the case chose (decision 226). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { BrandingAnswer } from '../../domain/contract/participant-answers.ts'
import * as examples from '../../domain/contract/examples.ts'
import { orTimeout } from '../../application/cases/read-case.ts'
import type { ApiDeps } from '../deps.ts'
import { participantRoute } from '../participant-route.ts'
import { presentBranding } from '../present/branding.ts'
import { PARTICIPANT_COMMON, PUBLIC_REFUSALS, refusals, shownBy } from '../route-schemas.ts'

const BRANDING_SCHEMA = {
  ...PARTICIPANT_COMMON,
  operationId: 'getBranding',
  summary: 'Read the look of the case',
  response: {
    200: shownBy(BrandingAnswer, examples.BRANDING_ANSWER, 'What the tenant of the case chose'),
    ...refusals('unauthorized', 'not-found', 'EMBEDDING_NOT_ALLOWED', ...PUBLIC_REFUSALS),
  },
}

/** Needs no second factor. It also answers after the end of a case, whose pages show the look. */
export const brandingRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    participantRoute(app, deps)

    app.get(
      '/participant/:participantId/branding',
      { config: { isOpenAfterEnd: true }, schema: BRANDING_SCHEMA },
      async ({ visit: { seen, participant } }) => {
        const { branding } = deps
        const look = branding ? await orTimeout(() => branding.read(seen.key.tenant)) : {}
        const { language } = participant.definition
        const { sender } = seen.signatureCase.spec.definition
        return { ...presentBranding(look, sender?.name), language }
      },
    )
  }
