/** The status of a case: its phase, its documents, and whether it was erased. */
import { Type, type Static } from '@sinclair/typebox'
import * as limits from '../limits.ts'
import { Condition } from '../resources.ts'
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
  size: Type.Integer({ minimum: 0, description: 'Octets' }),
})

const PublishedIds = Type.Object(
  {
    id: uuid('Id of the participant, the path segment of the signing link'),
    signatureFieldIds: Type.Optional(
      Type.Array(text(limits.MAXIMUM_NAME_LENGTH, 'Id of a signature field'), {
        maxItems: limits.MAXIMUM_FIELDS_PER_PARTICIPANT,
        description: 'Ids of the fields; absent when the definition contains all of them',
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
    description: 'annotation: requested; retention: the retention time of its tenant is over',
  }),
  retentionDays: Type.Optional(RetentionDays),
}
export const ErasureRule = Type.Object(erasureRule)
export type ErasureRule = Static<typeof ErasureRule>

export const Erasure = Type.Object(
  {
    ...erasureRule,
    decidedAt: timestamp('Since when the documents of the case are not available any more'),
    erasedAt: Type.Optional(timestamp('When the erasure was complete')),
  },
  { description: 'Erasure of the documents and personal values of the case' },
)
export type Erasure = Static<typeof Erasure>

export const CaseStatus = Type.Object(
  {
    phase: stringEnum(PHASES, { description: 'State of the case, for display' }),
    observedGeneration: Type.Integer({
      minimum: 0,
      description: 'Generation that was last reconciled',
    }),
    signed: Type.Optional(text(16, 'Number of signatures and of participants, such as 1/2')),
    conditions: Type.Array(Condition, {
      maxItems: 16,
      description: 'Progress and faults of the case',
    }),
    createdAt: Type.Optional(
      timestamp('When the case was created, once an applied case is accepted'),
    ),
    participants: Type.Optional(
      Type.Array(PublishedIds, {
        maxItems: limits.MAXIMUM_PARTICIPANTS,
        description: 'Ids in the order of the definition, for a case that was applied',
      }),
    ),
    document: Type.Optional(
      Type.Object(
        {
          ...StoredDocument.properties,
          pageCount: Type.Integer({ minimum: 1, description: 'Pages' }),
          acceptedAt: timestamp('When the upload was accepted'),
        },
        { description: 'The accepted upload, frozen under a key that no URL can write' },
      ),
    ),
    rejectedAt: Type.Optional(timestamp('When the upload was rejected')),
    rejectReason: Type.Optional(text(limits.MAXIMUM_REASON_LENGTH, 'Why')),
    rejectedSha256: Type.Optional(sha256('Digest of the rejected upload')),
    expiredAt: Type.Optional(timestamp('When the case expired')),
    cancelledAt: Type.Optional(timestamp('When the tenant cancelled')),
    cancelReason: Type.Optional(text(limits.MAXIMUM_REASON_LENGTH, 'Why')),
    failedAt: Type.Optional(timestamp('When signing failed')),
    failureReason: Type.Optional(text(limits.MAXIMUM_REASON_LENGTH, 'Why')),
    completedAt: Type.Optional(timestamp('When both documents were ready')),
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
    trail: Type.Optional(trailHead('The newest audit entry when the status was last written')),
    erasure: Type.Optional(Erasure),
  },
  { description: 'Observed state; written only by the controller' },
)
export type CaseStatus = Static<typeof CaseStatus>
