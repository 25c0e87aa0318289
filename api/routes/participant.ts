/** Participants' routes: the case definition, signing, the signed document (specification 4.7 to 4.9). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { AuditEvent, AuditEventType } from '../../domain/audit/entry.ts'
import { outcomeKey } from '../../domain/cases/keys.ts'
import type { ParticipantView } from '../../domain/cases/lifecycle.ts'
import { auditEvent } from '../../domain/cases/owed.ts'
import {
  assertCompleted,
  assertOpenToParticipants,
  isLinkActive,
} from '../../domain/cases/refusals.ts'
import { CaseDefinitionAnswer, LinkAnswer } from '../../domain/contract/answers.ts'
import { SigningInput } from '../../domain/contract/signing-input.ts'
import { DOWNLOAD_URL_LIFE_MS } from '../../domain/limits.ts'
import { authenticateParticipant, refuseInactiveLink } from '../authentication.ts'
import type { ApiDeps } from '../deps.ts'
import { NotFoundError } from '../errors.ts'
import { originOf } from '../origin.ts'
import { presentCaseDefinition } from '../present/case-definition.ts'
import { documentNames } from '../present/document-names.ts'
import { readCase, recordEvents, type SeenCase } from '../read-case.ts'
import { refuseInvalid } from '../refuse-invalid.ts'
import { errorAnswers, PARTICIPANT_PARAMS } from '../route-schemas.ts'
import { acceptSignature } from '../sign.ts'

/** A drawing of 512 KB in JSON, and room for what comes with it. */
const SIGNING_BODY_LIMIT_BYTES = 1024 * 1024
/** `2026-11-21T09`: what a participant does is recorded once in an hour and from an address. */
const HOUR_LENGTH = 13

type ParticipantRequest = FastifyRequest<{ Params: { participantId: string } }>

interface SeenParticipant {
  seen: SeenCase
  participant: ParticipantView
}

/**
 * The case and the participant whose link was used, in the order of refusals of design 6.
 * @throws AuthenticationError, NotFoundError, ServiceError CASE_NOT_ACTIVE, LINK_EXPIRED
 */
async function readParticipant(
  request: ParticipantRequest,
  deps: ApiDeps,
): Promise<SeenParticipant> {
  const { participantId } = request.params
  const { tenant, caseId } = await authenticateParticipant(request, participantId, deps)
  const seen = await readCase({ tenant, caseId }, deps)
  const participant = seen.view.participants.find(
    ({ definition }) => definition.id === participantId,
  )
  if (!participant) throw new NotFoundError('Participant')
  if (!isLinkActive(seen.view)) refuseInactiveLink()
  const { definition } = seen.signatureCase.spec
  assertOpenToParticipants(seen.view, definition, deps.now().getTime())
  return { seen, participant }
}

function visitEvent(
  type: AuditEventType,
  request: ParticipantRequest,
  { seen, participant }: SeenParticipant,
  documentSha256: string | undefined,
  now: Date,
): AuditEvent {
  const occurredAt = now.toISOString()
  const origin = originOf(request)
  return auditEvent(seen.key.caseId, type, {
    occurredAt,
    actor: 'participant',
    participantId: participant.definition.id,
    ...origin,
    ...(documentSha256 === undefined ? {} : { documentSha256 }),
    occurrence: `${occurredAt.slice(0, HOUR_LENGTH)} ${origin.ip}`,
  })
}

const common = {
  tags: ['participants'],
  security: [{ signingLink: [] }],
  params: PARTICIPANT_PARAMS,
}

export const participantRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { objects, now } = deps

    app.get(
      '/participant/:participantId/caseDefinition',
      {
        schema: {
          ...common,
          operationId: 'getCaseDefinition',
          summary: 'Read the case as one of its participants',
          response: { 200: CaseDefinitionAnswer, ...errorAnswers(401, 404, 410, 503) },
        },
      },
      async (request) => {
        const found = await readParticipant(request, deps)
        const { document, signedDocument } = found.seen.signatureCase.status ?? {}
        const sha256 = (signedDocument ?? document)?.sha256
        const viewed = visitEvent('participant.viewed', request, found, sha256, now())
        await recordEvents(found.seen, [viewed], deps)
        return presentCaseDefinition(found.seen, found.participant, deps)
      },
    )

    app.get(
      '/participant/:participantId/signedDocument',
      {
        schema: {
          ...common,
          operationId: 'getSignedDocument',
          summary: 'Download the signed document',
          response: {
            200: LinkAnswer,
            302: Type.Null({ description: 'Location is a presigned link, 15 minutes' }),
            ...errorAnswers(401, 404, 409, 410, 503),
          },
        },
      },
      async (request, reply) => {
        const found = await readParticipant(request, deps)
        const { key, signatureCase, view } = found.seen
        assertCompleted(view)
        const sha256 = signatureCase.status?.signedDocument?.sha256
        const downloaded = visitEvent('participant.downloaded', request, found, sha256, now())
        await recordEvents(found.seen, [downloaded], deps)
        const url = await objects.presignGet(outcomeKey(key), {
          expiresAt: new Date(now().getTime() + DOWNLOAD_URL_LIFE_MS),
          downloadName: documentNames(signatureCase.spec.definition.title).signed,
        })
        if (wantsJson(request.headers.accept)) return { url }
        return reply.redirect(url, 302)
      },
    )

    app.post(
      '/participant/:participantId/signature',
      {
        attachValidation: true,
        bodyLimit: SIGNING_BODY_LIMIT_BYTES,
        schema: {
          ...common,
          operationId: 'sign',
          summary: 'Sign',
          body: SigningInput,
          response: {
            200: Type.Null({ description: 'The signature counts' }),
            ...errorAnswers('validation', 401, 404, 409, 410, 503),
          },
        },
      },
      async (request, reply) => {
        const found = await readParticipant(request, deps)
        await acceptSignature(found.seen.key, found.participant.definition, deps, {
          origin: originOf(request),
          readInput() {
            refuseInvalid(request)
            return request.body
          },
        })
        return reply.code(200).send(null)
      },
    )
  }

/** Whether the client asks for the link as JSON rather than to be led to it. */
function wantsJson(accept = ''): boolean {
  return accept.split(',').some((part) => part.split(';')[0]?.trim() === 'application/json')
}
