/** Schemas of the responses to tenants (specification 2.1 to 2.4, 2.7). */
import { Type, type Static } from '@sinclair/typebox'
import { AUDIT_EVENT_TYPES } from '../audit/entry.ts'
import { documentWarnings, DocumentWarning } from '../cases/document-warnings.ts'
import { failureCode } from '../cases/failure-codes.ts'
import { rejectCode } from '../cases/reject-codes.ts'
import { AUTH_TYPES, DeviceReference, LANGUAGES, Sender } from '../cases/definition.ts'
import { Rectangle } from '../cases/rectangle.ts'
import { stringEnum, timestamp, uuid } from '../schema-parts.ts'
import {
  caseStatus,
  hexDigest,
  multiFactorType,
  nextCursor,
  optional,
  ownPlaces,
  string,
} from './answer-parts.ts'

export const documentProperties = {
  name: string('File name of the document'),
  size: optional(Type.Number({ description: 'Size in bytes; absent before the upload' })),
  sha256: optional(hexDigest('the document; absent before the upload')),
  url: optional(
    string('Presigned link for a download without a token, valid for 15 minutes; get it anew'),
  ),
  level: optional(string('PAdES level (ETSI EN 319 142-1), of signed documents')),
}

export const DocumentAnswer = Type.Object(
  { ...documentProperties, warnings: documentWarnings },
  { description: 'A PDF of the case' },
)
export type DocumentAnswer = Static<typeof DocumentAnswer>

const FieldAnswer = Type.Object(
  { id: string('Id of the field, unique for its participant'), ...Rectangle.properties },
  { description: 'Predefined signature field; the origin is the top left corner of the page' },
)

const PARTICIPANT_STATUSES = ['UNSIGNED', 'SIGNED'] as const
export const participantCore = {
  id: uuid('Id of the participant, a path segment of the signing link'),
  firstName: string('Given name'),
  lastName: string('Family name'),
  language: stringEnum(LANGUAGES, { description: 'Language of pages and mails' }),
  notify: Type.Boolean({ description: 'Whether the service sends mails to the participant' }),
  status: stringEnum(PARTICIPANT_STATUSES, { description: 'Whether the participant has signed' }),
  signedAt: optional(timestamp('When the participant signed; set with SIGNED')),
  signatureFields: Type.Array(FieldAnswer, {
    description: 'Predefined signature fields; empty when the participant chooses the place',
  }),
}

export const ParticipantAnswer = Type.Object(
  {
    ...participantCore,
    email: string('Address for mails'),
    phone: optional(string('Phone number for one-time codes')),
    signerUrl: string(
      'Signing link. Everyone who has it can act as the participant: keep it secret',
    ),
  },
  { description: 'A person who signs, as the tenant sees them' },
)
export type ParticipantAnswer = Static<typeof ParticipantAnswer>

/** The callback without credentials and signing secret. */
const CallbackAnswer = Type.Object(
  {
    url: string('URL that receives the webhooks'),
    authType: stringEnum(AUTH_TYPES, { description: 'Authentication of webhook requests' }),
    data: optional(
      Type.Object(
        {},
        { additionalProperties: true, description: 'Free-form data, returned in every webhook' },
      ),
    ),
  },
  { description: 'Receiver of webhooks; credentials and the signing secret are never returned' },
)

const SenderAnswer = Type.Object(Sender.properties, {
  description: 'Sender of the mails to participants',
})

export const CaseAnswer = Type.Object(
  {
    id: uuid('Id of the case'),
    title: string('Title of the case and of its documents'),
    status: caseStatus(),
    rejectCode: optional(rejectCode()),
    rejectReason: optional(string('Why the upload was rejected; set with UPLOAD_REJECTED')),
    expiredAt: optional(timestamp('When the case expired; set with EXPIRED')),
    cancelledAt: optional(timestamp('When the tenant cancelled the case; set with CANCELLED')),
    cancelReason: optional(string('Reason that the tenant gave; set with CANCELLED')),
    failedAt: optional(timestamp('When the case failed; set with FAILED')),
    failureCode: optional(failureCode()),
    failureReason: optional(string('Why the document could not be signed; set with FAILED')),
    created: timestamp('When the case was created'),
    validUntil: timestamp('Deadline for all signatures'),
    quickSign: Type.Boolean({
      description: 'Whether participants sign in person; they get no invitations',
    }),
    ownPlaces: ownPlaces(),
    multiFactorType: multiFactorType(),
    callback: optional(CallbackAnswer),
    sender: optional(SenderAnswer),
    device: optional(DeviceReference),
    originalDocument: { ...DocumentAnswer, description: 'The document as it was uploaded' },
    signedDocument: optional({ ...DocumentAnswer, description: 'The signed PDF; set with DONE' }),
    evidenceDocument: optional({
      ...DocumentAnswer,
      description: 'The sealed summary of the evidence; set with DONE',
    }),
    participants: Type.Array(ParticipantAnswer, { description: 'The people who sign' }),
  },
  { description: 'A signature case as its tenant sees it' },
)
export type CaseAnswer = Static<typeof CaseAnswer>

const uploadProperties = {
  type: stringEnum(['PUT'], { description: 'HTTP method of the upload' }),
  url: string(
    'Presigned URL, valid for one hour. Send the PDF (1 KB to 25 MB) without a token and with ' +
      '`Content-Type: application/pdf`',
  ),
}
const Upload = Type.Object(uploadProperties, { description: 'Where to upload the PDF' })

export const UploadAnswer = Type.Object(
  { upload: Upload },
  { description: 'Another upload URL of a case' },
)

const VerificationUpload = Type.Object(
  {
    ...uploadProperties,
    headers: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Headers that the PUT must send unchanged, including `Content-Type`',
    }),
  },
  { description: 'Where to upload the PDF that is to be verified' },
)

export const VerificationUploadAnswer = Type.Object(
  { key: uuid('Names the upload in `POST /verify`'), upload: VerificationUpload },
  { description: 'An upload URL for verification' },
)
export type VerificationUploadAnswer = Static<typeof VerificationUploadAnswer>

export const CreatedAnswer = Type.Object(
  {
    case: CaseAnswer,
    upload: optional({
      ...Upload,
      description:
        'Where to upload the PDF. Absent when the `Idempotency-Key` belongs to a case that is no ' +
        'longer NEW',
    }),
  },
  { description: 'The new case and the upload URL of its document' },
)

export const CasesAnswer = Type.Object(
  {
    cases: Type.Array(CaseAnswer, {
      description: 'Cases in the order of their ids, without links to documents',
    }),
    nextCursor: nextCursor(),
  },
  { description: 'A page of cases' },
)

/** The mail is sent asynchronously. */
export const InvitationAnswer = Type.Object(
  { caseId: uuid('Id of the case'), participantId: uuid('Id of the invited participant') },
  { description: 'An accepted request for an invitation' },
)

export const EventAnswer = Type.Object(
  {
    eventId: uuid('Id of the event'),
    type: stringEnum(AUDIT_EVENT_TYPES, { description: 'What happened' }),
    occurredAt: timestamp('When it happened; never earlier than the previous event of the trail'),
    actor: stringEnum(['tenant', 'participant', 'system'], { description: 'Who caused it' }),
    participantId: optional(string('Participant whom the event is about')),
    ip: optional(string('IP address of the request that caused the event')),
    userAgent: optional(string('`User-Agent` of the request that caused the event')),
    documentSha256: optional(hexDigest('the document that the event is about')),
    data: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'Details of the event; its members depend on `type`',
      },
    ),
  },
  { description: 'An event of the audit trail' },
)

/** The entry at which a trail failed verification (decision 171). */
export const TrailFaultAnswer = Type.Object(
  {
    sequence: Type.Integer({ description: 'Place in the trail, from 1, counted from the oldest' }),
    fault: string('What is wrong, such as `wrongMac` or `missingHead`'),
  },
  {
    description:
      'Present when the trail was changed outside the service; `events` has only the valid entries',
  },
)

export const EventsAnswer = Type.Object(
  {
    events: Type.Array(EventAnswer, { description: 'Events, newest first' }),
    nextCursor: nextCursor(),
    trailFault: optional(TrailFaultAnswer),
  },
  { description: 'A page of the audit trail' },
)

/** The schemas of this file by the names that the OpenAPI document gives them. */
export const ANSWER_SCHEMAS = {
  AuditEvent: EventAnswer,
  AuditTrailPage: EventsAnswer,
  Callback: CallbackAnswer,
  Case: CaseAnswer,
  CaseList: CasesAnswer,
  CreatedCase: CreatedAnswer,
  Document: DocumentAnswer,
  DocumentWarning,
  Invitation: InvitationAnswer,
  Participant: ParticipantAnswer,
  Sender: SenderAnswer,
  SignatureField: FieldAnswer,
  TrailFault: TrailFaultAnswer,
  Upload,
  UploadLink: UploadAnswer,
  VerificationUpload: VerificationUploadAnswer,
  VerificationUploadLink: VerificationUpload,
} as const
