/** The names under which the OpenAPI document lists schemas, for generated clients. */
import {
  AUTH_TYPES,
  DeviceReference,
  LANGUAGES,
  MULTI_FACTOR_TYPES,
} from '../domain/cases/definition.ts'
import { AUDIT_EVENT_TYPES } from '../domain/audit/entry.ts'
import { DELIVERY_STATES } from '../domain/cases/webhook-attempts.ts'
import { PHASES } from '../domain/cases/status.ts'
import { CONSENT_VERSIONS } from '../domain/consent.ts'
import { WEBHOOK_TYPES } from '../domain/cases/webhooks.ts'
import { ANSWER_SCHEMAS } from '../domain/contract/answers.ts'
import { CancelInput } from '../domain/contract/cancel-input.ts'
import { CASE_INPUT_SCHEMAS } from '../domain/contract/case-input.ts'
import { CodeInput } from '../domain/contract/code-input.ts'
import { DeclineInput } from '../domain/contract/decline-input.ts'
import { DELIVERY_SCHEMAS } from '../domain/contract/delivery-answers.ts'
import { DEVICE_SCHEMAS } from '../domain/contract/device.ts'
import { PARTICIPANT_SCHEMAS } from '../domain/contract/participant-answers.ts'
import { PROBLEM_SCHEMAS } from '../domain/contract/problem.ts'
import { SIGNING_SCHEMAS } from '../domain/contract/signing-input.ts'
import { REPORT_SCHEMAS } from '../domain/contract/validation-report.ts'
import {
  VerificationInput,
  VerificationUploadInput,
} from '../domain/contract/verification-input.ts'
import { WEBHOOK_SCHEMAS } from '../domain/contract/webhook-body.ts'
import { stringEnum } from '../domain/schema-parts.ts'
import { CANARY_OUTCOMES } from '../application/cases/signing-availability.ts'
import { GRAPHQL_SCHEMAS } from './routes/graphql.ts'
import { HEALTH_SCHEMAS } from './routes/health.ts'
import { PKI_SCHEMAS } from './routes/pki.ts'

/** Enumerations that several schemas use. */
const ENUMERATIONS = {
  AuditEventType: stringEnum(AUDIT_EVENT_TYPES, { description: 'Type of an audit event' }),
  CallbackAuthType: stringEnum(AUTH_TYPES, { description: 'Authentication of webhook requests' }),
  CanaryOutcome: stringEnum(CANARY_OUTCOMES, { description: 'Result of the newest canary' }),
  CaseStatus: stringEnum(PHASES, { description: 'Status of a case' }),
  ConsentTextVersion: stringEnum(CONSENT_VERSIONS, { description: 'Version of a consent text' }),
  DeliveryState: stringEnum(DELIVERY_STATES, { description: 'State of the delivery' }),
  Language: stringEnum(LANGUAGES, { description: 'Language of pages and mails' }),
  MultiFactorType: stringEnum(MULTI_FACTOR_TYPES, { description: 'Channel of one-time codes' }),
  WebhookType: stringEnum(WEBHOOK_TYPES, { description: 'Type of a webhook' }),
} as const

export const NAMED_SCHEMAS: Readonly<Record<string, object>> = {
  ...ENUMERATIONS,
  ...ANSWER_SCHEMAS,
  ...CASE_INPUT_SCHEMAS,
  ...DELIVERY_SCHEMAS,
  ...DEVICE_SCHEMAS,
  ...GRAPHQL_SCHEMAS,
  ...HEALTH_SCHEMAS,
  ...PARTICIPANT_SCHEMAS,
  ...PKI_SCHEMAS,
  ...PROBLEM_SCHEMAS,
  ...REPORT_SCHEMAS,
  ...SIGNING_SCHEMAS,
  ...WEBHOOK_SCHEMAS,
  CancelInput,
  CodeInput,
  DeclineInput,
  DeviceReference,
  VerificationInput,
  VerificationUploadInput,
}
