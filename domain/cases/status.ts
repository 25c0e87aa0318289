/** The status of a case: its phase, its documents, and whether it was erased. */
import { Type, type Static } from '@sinclair/typebox'
import * as limits from '../limits.ts'
import { Condition } from '../resources.ts'
import { documentWarnings } from './document-warnings.ts'
import { failureCode } from './failure-codes.ts'
import { rejectCode } from './reject-codes.ts'
import { trailHead } from './trail-head.ts'
import { sha256, stringEnum, text, timestamp, uuid } from '../schema-parts.ts'

export const PHASES = [
  'NEW',
  'IN_PROGRESS',
  'DONE',
  'UPLOAD_REJECTED',
  'EXPIRED',
  'CANCELLED',
  'FAILED',
] as const
export type Phase = (typeof PHASES)[number]

const StoredDocument = Type.Object({
  sha256: sha256('Digest of the bytes'),
  size: Type.Integer({ minimum: 0, description: 'Size in bytes' }),
})

const PublishedIds = Type.Object(
  {
    id: uuid('Id of the participant, a path segment of the signing link'),
    signatureFieldIds: Type.Optional(
      Type.Array(text(limits.MAXIMUM_NAME_LENGTH, 'Id of a signature field'), {
        maxItems: limits.MAXIMUM_FIELDS_PER_PARTICIPANT,
        description: 'Ids of the signature fields; absent when the definition has all of them',
      }),
    ),
  },
  { description: 'Ids of one participant' },
)

const ERASURE_RULES = ['annotation', 'retention'] as const

export const RetentionDays = Type.Integer({
  minimum: 1,
  maximum: limits.MAXIMUM_RETENTION_DAYS,
  description: 'Days for which a case is kept after its end; absent: for ever',
})

/** The rule by which the objects of a case are erased. */
const erasureRule = {
  rule: stringEnum(ERASURE_RULES, {
    description: 'annotation: requested on the resource; retention: the retention period is over',
  }),
  retentionDays: Type.Optional(RetentionDays),
}
export const ErasureRule = Type.Object(erasureRule)
export type ErasureRule = Static<typeof ErasureRule>

export const Erasure = Type.Object(
  {
    ...erasureRule,
    decidedAt: timestamp('When the erasure began; documents are no longer available since then'),
    erasedAt: Type.Optional(timestamp('When all objects were removed')),
  },
  { description: 'Erasure of the documents and personal data of the case' },
)
export type Erasure = Static<typeof Erasure>

export const CaseStatus = Type.Object(
  {
    phase: stringEnum(PHASES, { description: 'State of the case' }),
    observedGeneration: Type.Integer({
      minimum: 0,
      description: 'Generation of the resource that this status describes',
    }),
    signed: Type.Optional(text(16, 'Number of participants who signed, and of all participants')),
    conditions: Type.Array(Condition, {
      maxItems: 16,
      description: 'Progress and problems of the case',
    }),
    createdAt: Type.Optional(timestamp('Creation time of an applied case that was accepted')),
    participants: Type.Optional(
      Type.Array(PublishedIds, {
        maxItems: limits.MAXIMUM_PARTICIPANTS,
        description: 'Ids of the participants of an applied case, in the order of the definition',
      }),
    ),
    document: Type.Optional(
      Type.Object(
        {
          ...StoredDocument.properties,
          pageCount: Type.Integer({ minimum: 1, description: 'Number of pages' }),
          acceptedAt: timestamp('When the upload was accepted'),
          warnings: documentWarnings,
        },
        { description: 'The accepted upload; its copy in the object store cannot be changed' },
      ),
    ),
    rejectedAt: Type.Optional(timestamp('When the upload was rejected')),
    rejectCode: Type.Optional(rejectCode()),
    rejectReason: Type.Optional(text(limits.MAXIMUM_REASON_LENGTH, 'Why the upload was rejected')),
    rejectedSha256: Type.Optional(sha256('Digest of the rejected upload')),
    expiredAt: Type.Optional(timestamp('When the case expired')),
    cancelledAt: Type.Optional(timestamp('When the tenant cancelled the case')),
    cancelReason: Type.Optional(text(limits.MAXIMUM_REASON_LENGTH, 'Why the case was cancelled')),
    failedAt: Type.Optional(timestamp('When the case failed')),
    failureCode: Type.Optional(failureCode()),
    failureReason: Type.Optional(text(limits.MAXIMUM_REASON_LENGTH, 'Why the case failed')),
    completedAt: Type.Optional(timestamp('When the signed PDF and the evidence PDF were complete')),
    signedDocument: Type.Optional(
      Type.Object(
        { ...StoredDocument.properties, level: text(32, 'PAdES level') },
        { description: 'The signed PDF' },
      ),
    ),
    evidenceDocument: Type.Optional(
      Type.Object(
        { ...StoredDocument.properties, level: text(32, 'PAdES level') },
        { description: 'The evidence PDF' },
      ),
    ),
    trail: Type.Optional(
      trailHead('Newest entry of the audit trail at the last write of the status'),
    ),
    erasure: Type.Optional(Erasure),
  },
  { description: 'Observed state of the case; only the controller writes it' },
)
export type CaseStatus = Static<typeof CaseStatus>
