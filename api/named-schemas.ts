/** The names under which the OpenAPI document lists schemas, for generated clients. */
import * as answers from '../domain/contract/answers.ts'
import { CaseInput, ParticipantInput } from '../domain/contract/case-input.ts'
import * as devices from '../domain/contract/device.ts'
import { SigningInput } from '../domain/contract/signing-input.ts'
import { ValidationReport } from '../domain/contract/validation-report.ts'

export const NAMED_SCHEMAS = {
  AuditEvent: answers.EventAnswer,
  AuditTrailPage: answers.EventsAnswer,
  Case: answers.CaseAnswer,
  CaseDefinition: answers.CaseDefinitionAnswer,
  CaseInput,
  CodeSent: answers.CodeSentAnswer,
  CodeVerified: answers.CodeVerifiedAnswer,
  CreatedCase: answers.CreatedAnswer,
  Delivery: answers.DeliveryAnswer,
  DeviceInput: devices.DeviceInput,
  Document: answers.DocumentAnswer,
  MessageProblem: answers.MessageAnswer,
  Participant: answers.ParticipantAnswer,
  ParticipantInput,
  RegisteredDevice: devices.RegisteredDeviceAnswer,
  SignatureField: answers.FieldAnswer,
  SigningInput,
  ValidationProblem: answers.ValidationAnswer,
  ValidationReport,
} as const
