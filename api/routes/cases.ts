/** Tenants' routes: create, read and cancel a case (specification 4.1 to 4.3). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { newCase } from '../../domain/cases/create.ts'
import { uploadKey } from '../../domain/cases/keys.ts'
import { assertCancellable } from '../../domain/cases/refusals.ts'
import { CaseAnswer, CreatedAnswer } from '../../domain/contract/answers.ts'
import { CaseInput } from '../../domain/contract/case-input.ts'
import { MAXIMUM_REASON_LENGTH, UPLOAD_URL_LIFE_MS } from '../../domain/limits.ts'
import type { ApiDeps } from '../deps.ts'
import { changeSpec, readCase, seeCase } from '../read-case.ts'
import { refuseInvalid } from '../refuse-invalid.ts'
import { originOf } from '../origin.ts'
import { presentCase } from '../present/case.ts'
import { tenantRoute } from '../tenant-route.ts'
import { CASE_PARAMS, errorAnswers } from '../route-schemas.ts'

const PDF_TYPE = 'application/pdf'
/** Fifty participants with fifty fields each, and room to spare. */
const BODY_LIMIT_BYTES = 2 * 1024 * 1024

const CancelInput = Type.Union([
  Type.Null(),
  Type.Object({
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: MAXIMUM_REASON_LENGTH })),
  }),
])

async function presignUpload(
  key: { tenant: string; caseId: string },
  { objects, now }: Pick<ApiDeps, 'objects' | 'now'>,
) {
  const expiresAt = new Date(now().getTime() + UPLOAD_URL_LIFE_MS)
  const url = await objects.presignPut(uploadKey(key), { contentType: PDF_TYPE, expiresAt })
  return { type: 'PUT' as const, url }
}

/** The body that DELETE may come without. */
async function absentBodyIsNull(request: FastifyRequest): Promise<void> {
  request.body ??= null
}

export const caseRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { cases, now, randomUuid } = deps
    tenantRoute(app, deps)

    app.post(
      '/cases',
      {
        bodyLimit: BODY_LIMIT_BYTES,
        schema: {
          operationId: 'createCase',
          tags: ['cases'],
          summary: 'Create a case',
          security: [{ tenant: [] }],
          body: CaseInput,
          response: { 200: CreatedAnswer, ...errorAnswers('validation', 401, 403, 503) },
        },
      },
      async (request) => {
        const key = { tenant: request.tenant, caseId: randomUuid() }
        const creation = { at: now().toISOString(), ...originOf(request) }
        const created = await cases.create(newCase(key.tenant, key.caseId, request.body, creation))
        return {
          case: await presentCase(seeCase(created, deps), deps),
          upload: await presignUpload(key, deps),
        }
      },
    )

    app.get(
      '/cases/:caseId',
      {
        schema: {
          operationId: 'getCase',
          tags: ['cases'],
          summary: 'Read a case',
          security: [{ tenant: [] }],
          params: CASE_PARAMS,
          response: { 200: CaseAnswer, ...errorAnswers(401, 403, 404, 503) },
        },
      },
      async (request) => {
        const { caseId } = request.params
        return presentCase(await readCase({ tenant: request.tenant, caseId }, deps), deps)
      },
    )

    app.delete(
      '/cases/:caseId',
      {
        attachValidation: true,
        preValidation: absentBodyIsNull,
        schema: {
          operationId: 'cancelCase',
          tags: ['cases'],
          summary: 'Cancel a case that is NEW or IN_PROGRESS',
          security: [{ tenant: [] }],
          params: CASE_PARAMS,
          body: CancelInput,
          response: {
            200: CaseAnswer,
            ...errorAnswers('validation', 401, 403, 404, 409, 503),
          },
        },
      },
      async (request) => {
        const key = { tenant: request.tenant, caseId: request.params.caseId }
        const seen = await changeSpec(key, deps, ({ view, signatureCase }) => {
          assertCancellable(view)
          refuseInvalid(request)
          const reason = request.body?.reason
          const cancellation = {
            at: now().toISOString(),
            ...(reason === undefined ? {} : { reason }),
            ...originOf(request),
          }
          return { ...signatureCase.spec, cancellation }
        })
        return presentCase(seen, deps)
      },
    )
  }
