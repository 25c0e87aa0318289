/** Schemas of error responses (specification 7). */
import { Type } from '@sinclair/typebox'
import { MULTI_FACTOR_TYPES } from '../cases/definition.ts'
import { PHASES } from '../cases/status.ts'
import { ERRORS, type ErrorCode } from '../errors.ts'
import { stringEnum } from '../schema-parts.ts'

const ErrorCodeAnswer = stringEnum(Object.keys(ERRORS) as ErrorCode[], {
  description:
    'Machine-readable code of the error. New codes can be added; treat an unknown code by the ' +
    'HTTP status',
})

const DeliveryRefusal = Type.Object(
  {
    channel: stringEnum(MULTI_FACTOR_TYPES, {
      description: 'Channel over which the code was sent',
    }),
    refused: stringEnum(['recipient', 'sender'], {
      description: 'recipient: the address or number; sender: the service itself',
    }),
    answer: Type.Optional(
      Type.Integer({ description: 'SMTP reply code or HTTP status, where there was one' }),
    ),
  },
  { description: 'How the mail server or SMS gateway refused the message' },
)

/** An error with a code, and the details that it may carry. */
const ProblemAnswer = Type.Object(
  {
    code: ErrorCodeAnswer,
    message: Type.String({ description: 'Text for people; it may change, so act on `code`' }),
    status: Type.Optional(
      stringEnum(PHASES, { description: 'Status of the case that caused the error' }),
    ),
    senderName: Type.Optional(
      Type.String({ description: 'Name of the sender of the case, for the participant' }),
    ),
    attemptsLeft: Type.Optional(
      Type.Integer({ description: 'Remaining attempts before the code or PIN is locked' }),
    ),
    retryAfterSeconds: Type.Optional(
      Type.Number({ description: 'Seconds after which another attempt can succeed' }),
    ),
    data: Type.Optional(DeliveryRefusal),
  },
  { description: 'An error with a machine-readable code' },
)

/** A 401 or 403 for a token, a 429 for too many requests, or an unexpected failure. */
const MessageAnswer = Type.Object(
  { message: Type.String({ description: 'Text for people; it may change' }) },
  { description: 'An error without a code; act on the HTTP status' },
)

const ValidationProblem = Type.Object(
  {
    instancePath: Type.String({
      description: 'JSON Pointer to the invalid value in the request; empty for the whole',
    }),
    keyword: Type.String({
      description: 'The violated rule, such as `required`, `format`, `maxLength` or `insidePage`',
    }),
    params: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'Details of the rule, such as `missingProperty` or `limit`',
      },
    ),
    message: Type.String({ description: 'Text for people; it may change' }),
  },
  { description: 'One violated rule' },
)

export const ValidationAnswer = Type.Object(
  {
    message: Type.String({ description: 'Text for people; it may change' }),
    validationErrors: Type.Array(ValidationProblem, {
      description: 'Every violated rule, at most 1,000',
    }),
  },
  { description: 'The request violates rules' },
)

/** The schemas of this file by the names that the OpenAPI document gives them. */
export const PROBLEM_SCHEMAS = {
  DeliveryRefusal,
  ErrorCode: ErrorCodeAnswer,
  MessageProblem: MessageAnswer,
  Problem: ProblemAnswer,
  ValidationError: ValidationProblem,
  ValidationProblem: ValidationAnswer,
} as const
