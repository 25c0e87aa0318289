/** `/verify`: the public verification of signed PDFs (specification 4.12, 4.13). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { VerificationUploadAnswer } from '../../domain/contract/answers.ts'
import * as examples from '../../domain/contract/examples.ts'
import { ValidationReport } from '../../domain/contract/validation-report.ts'
import {
  VerificationInput,
  VerificationUploadInput,
} from '../../domain/contract/verification-input.ts'
import { JSON_TYPE, PDF_TYPE, XML_TYPE } from '../../domain/media-types.ts'
import { FairQueue } from '../../application/limits/fair-queue.ts'
import type { ApiDeps } from '../deps.ts'
import { originOf } from '../origin.ts'
import { chooseReportFormat, REPORT_FILES } from '../report-format.ts'
import { BODY_REFUSALS, PUBLIC_REFUSALS, refusals, shownBy } from '../route-schemas.ts'
import { callerOf, throttlePublic } from '../throttle.ts'
import { abortWhenAnswered } from '../answer-signal.ts'
import {
  presignVerificationUpload,
  verify,
  VERIFICATION_TURNS,
} from '../../application/verification/verify.ts'

const tags = ['verification']

/** The network that counts as one caller. */
const addressOf = (request: FastifyRequest) => callerOf(originOf(request).ip)

/** Octets of a file, which the API passes on as they are. */
const file = (description: string) => ({
  schema: Type.Unsafe<Uint8Array>({ type: 'string', format: 'binary', description }),
})

const REPORT_ANSWER = {
  description: 'The validation report, in the form that `Accept` names; JSON by default',
  headers: {
    'content-disposition': {
      type: 'string',
      description: 'A file name to save an XML or PDF report under',
    },
  },
  content: {
    [JSON_TYPE]: { schema: ValidationReport, example: examples.VALIDATION_REPORT },
    [XML_TYPE]: file('The report as XML (ETSI TS 119 102-2), without a signature'),
    [PDF_TYPE]: file('The report to print, in English, without a signature'),
  },
}

const VERIFY_SCHEMA = {
  tags,
  operationId: 'verify',
  summary: 'Validate every signature of an uploaded PDF; the upload is deleted afterwards',
  body: shownBy(VerificationInput, examples.VERIFICATION_INPUT),
  response: {
    200: REPORT_ANSWER,
    ...refusals(
      ...PUBLIC_REFUSALS,
      ...BODY_REFUSALS,
      'DOCUMENT_NOT_FOUND',
      'DOCUMENT_TOO_LARGE',
      'NOT_A_PDF',
      'UNREADABLE_DOCUMENT',
    ),
  },
}

/** Public, within the limit of an address; the PDF itself goes to the object store. */
export const verificationRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const turns = new FairQueue(VERIFICATION_TURNS)
    throttlePublic(app, deps)

    app.post(
      '/verify/uploads',
      {
        schema: {
          tags,
          operationId: 'uploadForVerification',
          summary: 'A URL to upload a PDF to that is to be verified',
          body: shownBy(VerificationUploadInput, examples.VERIFICATION_UPLOAD_INPUT),
          response: {
            200: shownBy(
              VerificationUploadAnswer,
              examples.VERIFICATION_UPLOAD_ANSWER,
              'PUT the PDF, at most 25 MB or `size`, with the `headers` of `upload`',
            ),
            ...refusals(...PUBLIC_REFUSALS, ...BODY_REFUSALS, 'UPLOAD_SIZE_REQUIRED'),
          },
        },
      },
      (request) => {
        const { size } = request.body
        return presignVerificationUpload({ address: addressOf(request), size }, deps)
      },
    )

    app.post('/verify', { schema: VERIFY_SCHEMA }, async (request, reply) => {
      const caller = { address: addressOf(request), awaited: abortWhenAnswered(reply) }
      const asked = { verificationId: request.body.key }
      const format = chooseReportFormat(request.headers.accept)
      if (format === 'json') return verify({ ...asked, format }, caller, deps, turns)
      const octets = await verify({ ...asked, format }, caller, deps, turns)
      const { mediaType, fileName } = REPORT_FILES[format]
      reply.header('content-disposition', `attachment; filename="${fileName}"`)
      return reply.type(mediaType).send(octets)
    })
  }
