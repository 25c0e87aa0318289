/** Tenants' routes: create, read and cancel a case (specification 4.1 to 4.3). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { newCase } from '../../domain/cases/create.ts'
import { uploadKey } from '../../domain/cases/keys.ts'
import { assertCancellable } from '../../domain/cases/refusals.ts'
import { pinOf, secretsOf } from '../../domain/cases/secrets.ts'
import { CaseAnswer, CreatedAnswer } from '../../domain/contract/answers.ts'
import { CaseInput } from '../../domain/contract/case-input.ts'
import { CancelInput } from '../../domain/contract/cancel-input.ts'
import * as examples from '../../domain/contract/examples.ts'
import { knownMembers } from '../../domain/contract/known-members.ts'
import { UPLOAD_URL_LIFE_MS } from '../../domain/limits.ts'
import type { ApiDeps } from '../deps.ts'
import { assertRegistered } from '../devices/open.ts'
import { changeSpec, readCase, seeCase } from '../read-case.ts'
import { originOf } from '../origin.ts'
import { presentCase } from '../present/case.ts'
import { tenantRoute } from '../tenant-route.ts'
import { BODY_REFUSALS, CASE_PARAMS, refusals, shownBy, TENANT_REFUSALS } from '../route-schemas.ts'

const PDF_TYPE = 'application/pdf'
/** Fifty participants with fifty fields each, and room to spare. */
const BODY_LIMIT_BYTES = 2 * 1024 * 1024

async function presignUpload(
  key: { tenant: string; caseId: string },
  { objects, now }: Pick<ApiDeps, 'objects' | 'now'>,
) {
  const expiresAt = new Date(now().getTime() + UPLOAD_URL_LIFE_MS)
  const url = await objects.presignPut(uploadKey(key), { contentType: PDF_TYPE, expiresAt })
  return { type: 'PUT' as const, url }
}

/** The body that DELETE may come without. */
async function absentBodyIsEmpty(request: FastifyRequest): Promise<void> {
  request.body ??= {}
}

export const caseRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { cases, now, pins, randomUuid } = deps
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
          body: shownBy(CaseInput, examples.CASE_INPUT),
          response: {
            200: shownBy(CreatedAnswer, examples.CREATED_ANSWER, 'The case, and where to upload'),
            ...refusals(...BODY_REFUSALS, 'UNKNOWN_DEVICE', ...TENANT_REFUSALS),
          },
        },
      },
      async (request) => {
        const key = { tenant: request.tenant, caseId: randomUuid() }
        const creation = { at: now().toISOString(), ...originOf(request) }
        const input = knownMembers(CaseInput, request.body)
        const { device } = input
        if (device) await assertRegistered(key.tenant, device, deps)
        const pin = pinOf(input)
        const secrets = secretsOf(input, pin === undefined ? pin : await pins.hash(pin))
        if (secrets) await deps.secrets.create(key, secrets)
        const created = await cases.create(newCase(key.tenant, key.caseId, input, creation))
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
          response: {
            200: shownBy(CaseAnswer, examples.DONE_CASE_ANSWER, 'The case as it reads now'),
            ...refusals(...TENANT_REFUSALS, 'not-found'),
          },
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
        // Refusals of the case go before those of the body, which is not read for them.
        async onRequest({ tenant, params }) {
          assertCancellable((await readCase({ tenant, caseId: params.caseId }, deps)).view)
        },
        preValidation: absentBodyIsEmpty,
        schema: {
          operationId: 'cancelCase',
          tags: ['cases'],
          summary: 'Cancel a case that is NEW or IN_PROGRESS',
          security: [{ tenant: [] }],
          params: CASE_PARAMS,
          body: shownBy(CancelInput, examples.CANCEL_INPUT),
          response: {
            200: shownBy(CaseAnswer, examples.CANCELLED_CASE_ANSWER, 'The cancelled case'),
            ...refusals(...BODY_REFUSALS, ...TENANT_REFUSALS, 'not-found', 'CASE_NOT_CANCELLABLE'),
          },
        },
      },
      async (request) => {
        const key = { tenant: request.tenant, caseId: request.params.caseId }
        const seen = await changeSpec(key, deps, ({ view, signatureCase }) => {
          assertCancellable(view)
          const { reason } = request.body
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
