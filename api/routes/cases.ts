/** Tenants' routes: create, read and cancel a case (specification 4.1 to 4.3). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { assertCancellable } from '../../domain/cases/refusals.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { CaseAnswer, CreatedAnswer } from '../../domain/contract/answers.ts'
import { CaseInput } from '../../domain/contract/case-input.ts'
import { CancelInput } from '../../domain/contract/cancel-input.ts'
import * as examples from '../../domain/contract/examples.ts'
import { knownMembers } from '../../domain/contract/known-members.ts'
import { MAXIMUM_IDEMPOTENCY_KEY_LENGTH } from '../../domain/limits.ts'
import { createCase, repeatOrThrow } from '../../application/cases/create-case.ts'
import type { ApiDeps } from '../deps.ts'
import { problemsOf } from '../errors.ts'
import { cancelCase } from '../../application/cases/cancel-case.ts'
import { readCase, observeCase } from '../../application/cases/read-case.ts'
import { logIds } from '../logging.ts'
import { originOf } from '../origin.ts'
import { presentCase } from '../present/case.ts'
import { tenantRoute } from '../tenant-route.ts'
import { BODY_REFUSALS, CASE_PARAMS, refusals, shownBy, TENANT_REFUSALS } from '../route-schemas.ts'
import { presignFurtherUpload, presignUpload } from '../../application/cases/upload.ts'

/** Fifty participants with fifty fields each, and room to spare. */
const BODY_LIMIT_BYTES = 2 * 1024 * 1024

const CREATE_HEADERS = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAXIMUM_IDEMPOTENCY_KEY_LENGTH,
      // Visible ASCII: what every client and proxy passes on as it is.
      pattern: '^[!-~]*$',
      description: 'Names the request: with the same key and body the same case is answered',
    }),
  ),
  traceparent: Type.Optional(
    Type.String({
      description:
        'W3C Trace Context: the trace of the case continues this one, if the service exports ' +
        'traces. A malformed value is ignored',
    }),
  ),
})

const CREATE_CASE_SCHEMA = {
  operationId: 'createCase',
  tags: ['cases'],
  summary: 'Create a case',
  security: [{ tenant: [] }],
  headers: CREATE_HEADERS,
  body: shownBy(CaseInput, examples.CASE_INPUT),
  response: {
    200: shownBy(
      CreatedAnswer,
      examples.CREATED_ANSWER,
      'The case, and where to upload; the case alone when an `Idempotency-Key` finds one ' +
        'that is no longer NEW',
    ),
    ...refusals(...BODY_REFUSALS, 'UNKNOWN_DEVICE', ...TENANT_REFUSALS, 'IDEMPOTENCY_KEY_REUSED'),
  },
}

const GET_CASE_SCHEMA = {
  operationId: 'getCase',
  tags: ['cases'],
  summary: 'Read a case',
  security: [{ tenant: [] }],
  params: CASE_PARAMS,
  response: {
    200: shownBy(CaseAnswer, examples.DONE_CASE_ANSWER, 'The case as it reads now'),
    ...refusals(...TENANT_REFUSALS, 'not-found'),
  },
}

const CANCEL_CASE_SCHEMA = {
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
}

/** @throws the problems of a request, unless its only one is that its deadline has passed */
function assertAtMostOverdue({ validationError }: Pick<FastifyRequest, 'validationError'>): void {
  const problems = problemsOf(validationError ?? {})
  if (problems.some(({ keyword }) => keyword !== 'future')) throw validationError
}

async function presentCreated(signatureCase: SignatureCase, isNew: boolean, deps: ApiDeps) {
  const seen = observeCase(signatureCase, deps)
  const answer = { case: await presentCase(seen, deps) }
  if (isNew) return { ...answer, upload: await presignUpload(seen.key, deps) }
  if (seen.view.phase !== 'NEW') return answer
  return { ...answer, upload: await presignFurtherUpload(seen.key, deps, () => {}) }
}

/** A case that an `Idempotency-Key` finds is answered as it reads now, with 200 like a new one. */
export const caseRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { now } = deps
    tenantRoute(app, deps)

    app.post(
      '/cases',
      {
        attachValidation: true,
        bodyLimit: BODY_LIMIT_BYTES,
        schema: CREATE_CASE_SCHEMA,
      },
      async (request) => {
        const { tenant, headers, body, validationError } = request
        assertAtMostOverdue(request)
        const asked = {
          tenant,
          idempotencyKey: headers['idempotency-key'],
          input: knownMembers(CaseInput, body),
          creation: { at: now().toISOString(), ...originOf(request) },
        }
        const { signatureCase, isNew } = validationError
          ? await repeatOrThrow(asked, validationError, deps)
          : await createCase(asked, deps)
        logIds(request, { caseId: signatureCase.metadata.name })
        return presentCreated(signatureCase, isNew, deps)
      },
    )

    app.get(
      '/cases/:caseId',
      {
        schema: GET_CASE_SCHEMA,
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
        schema: CANCEL_CASE_SCHEMA,
      },
      async (request) => {
        const key = { tenant: request.tenant, caseId: request.params.caseId }
        const { reason } = knownMembers(CancelInput, request.body)
        const seen = await cancelCase(key, { reason, origin: originOf(request) }, deps)
        return presentCase(seen, deps)
      },
    )
  }
