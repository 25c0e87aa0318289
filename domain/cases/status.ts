/** What the system made of a case: its phase, its documents, and whether it was erased. */
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
        description: 'Ids of the fields; left out when the definition states each of them',
      }),
    ),
  },
  { description: 'Ids of one participant' },
)

const ERASURE_RULES = ['annotation', 'retention'] as const

export const RetentionDays = Type.Integer({
  minimum: 1,
  maximum: limits.MAXIMUM_RETENTION_DAYS,
  description: 'Days after its end for which a case is kept; without it, for ever',
})

/** By what rule the objects of a case are erased. */
const erasureRule = {
  rule: stringEnum(ERASURE_RULES, {
    description:
      'annotation: somebody asked for it; retention: the time that its tenant set is over',
  }),
  retentionDays: Type.Optional(RetentionDays),
}
export const ErasureRule = Type.Object(erasureRule)
export type ErasureRule = Static<typeof ErasureRule>

export const Erasure = Type.Object(
  {
    ...erasureRule,
    decidedAt: timestamp('Since when nothing of the case is given out any more'),
    erasedAt: Type.Optional(timestamp('When nothing was left')),
  },
  { description: 'That the documents and personal values of the case are erased' },
)
export type Erasure = Static<typeof Erasure>

export const CaseStatus = Type.Object(
  {
    phase: stringEnum(PHASES, { description: 'For people; nothing branches on it' }),
    observedGeneration: Type.Integer({ minimum: 0, description: 'Generation that was acted upon' }),
    signed: Type.Optional(text(16, 'Participants who signed, of all')),
    conditions: Type.Array(Condition, {
      maxItems: 16,
      description: 'Progress, and faults that were found',
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
    failedAt: Type.Optional(timestamp('When signing was given up')),
    failureReason: Type.Optional(text(limits.MAXIMUM_REASON_LENGTH, 'Why')),
    completedAt: Type.Optional(timestamp('When both results were there')),
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
  { description: 'What the system made of it; written by the controller alone' },
)
export type CaseStatus = Static<typeof CaseStatus>
