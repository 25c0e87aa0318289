/** The spec of a case: its definition and creation, the signatures since, and its cancellation. */
import { Type, type Static } from '@sinclair/typebox'
import * as limits from '../limits.ts'
import { sha256, stringEnum, text, timestamp, uuid } from '../schema-parts.ts'
import { CaseDefinition } from './definition.ts'
import { extent, Rectangle } from './rectangle.ts'
import { trailHead } from './trail-head.ts'

/** Where a request came from. */
const origin = {
  ip: text(64, 'IP address of the caller'),
  userAgent: Type.Optional(
    text(limits.MAXIMUM_USER_AGENT_LENGTH, 'User-Agent header of the caller'),
  ),
}

const Creation = Type.Object(
  {
    at: timestamp('When the case was created'),
    ip: Type.Optional(origin.ip),
    userAgent: origin.userAgent,
  },
  { description: 'When and from where the case was created' },
)

export const SignatureFact = Type.Object(
  {
    factId: uuid('Id of this fact'),
    participantId: uuid('Participant who signed'),
    signedAt: timestamp('When the signature was accepted'),
    documentSha256: sha256('Digest of the document that was signed'),
    consent: Type.Object(
      {
        textVersion: text(
          limits.MAXIMUM_NAME_LENGTH,
          'Version of the consent text that the participant accepted',
        ),
        acceptedAt: timestamp('When the participant accepted it, by the clock of the client'),
      },
      { description: 'Consent of the participant' },
    ),
    client: Type.Optional(
      Type.Object(
        {
          timezone: Type.Optional(text(limits.MAXIMUM_NAME_LENGTH, 'IANA time zone of the client')),
          language: Type.Optional(text(limits.MAXIMUM_NAME_LENGTH, 'Language of the client')),
          screen: Type.Optional(
            Type.Object(
              {
                width: Type.Number({ minimum: 0, maximum: 100_000, description: 'CSS pixels' }),
                height: Type.Number({ minimum: 0, maximum: 100_000, description: 'CSS pixels' }),
              },
              { description: 'Screen of the client' },
            ),
          ),
          viewedAllPages: Type.Optional(
            Type.Boolean({ description: 'Whether the client showed every page' }),
          ),
        },
        { description: 'Data that the client reported about itself' },
      ),
    ),
    drawing: Type.Object(
      {
        mediaType: stringEnum(['image/png', 'image/jpeg', 'image/svg+xml'], {
          description: 'Media type of the drawing; image/svg+xml contains only path data',
        }),
        sha256: sha256('SHA-256 of the drawing, also its key in the object store'),
      },
      { description: 'The drawn signature, kept in the object store' },
    ),
    fieldIds: Type.Optional(
      Type.Array(text(limits.MAXIMUM_NAME_LENGTH, 'Id of a signature field'), {
        minItems: 1,
        maxItems: limits.MAXIMUM_FIELDS_PER_PARTICIPANT,
        description: 'Predefined signature fields that show the drawing',
      }),
    ),
    rectangles: Type.Optional(
      Type.Array(Rectangle, {
        minItems: 1,
        maxItems: limits.MAXIMUM_FIELDS_PER_PARTICIPANT,
        description: 'Rectangles chosen by the participant that show the drawing',
      }),
    ),
    pageSize: Type.Optional(
      Type.Object(
        {
          width: extent('Width of the page on the screen'),
          height: extent('Height of the page on the screen'),
        },
        { description: 'Size of the displayed page when the participant chose the rectangles' },
      ),
    ),
    ...origin,
    trail: trailHead('Newest entry of the audit trail when the API accepted the signature'),
    signature: Type.Object(
      {
        kid: text(limits.MAXIMUM_NAME_LENGTH, 'Id of the API key that made the signature'),
        value: Type.String({
          // As `sha256` above: `$` must not match before a newline.
          pattern: '^[0-9a-f]{128}$',
          maxLength: 128,
          description:
            'Ed25519 signature (RFC 8032) over this fact, its tenant and its case, in hex',
        }),
      },
      { description: 'Signature of the API; the service ignores facts without a valid one' },
    ),
  },
  { description: 'Record of one signature of a participant' },
)
export type SignatureFact = Static<typeof SignatureFact>

export const Cancellation = Type.Object(
  {
    at: timestamp('When the tenant cancelled the case'),
    reason: Type.Optional(text(limits.MAXIMUM_REASON_LENGTH, 'Reason for the cancellation')),
    ip: Type.Optional(origin.ip),
    userAgent: origin.userAgent,
  },
  { description: 'Cancellation by the tenant' },
)
export type Cancellation = Static<typeof Cancellation>

export const InvitationRequest = Type.Object(
  {
    requestId: uuid('Id of this request'),
    participantId: uuid('Participant to invite again'),
    at: timestamp('When the tenant requested it'),
    ...origin,
  },
  { description: 'Request of the tenant for another invitation' },
)
export type InvitationRequest = Static<typeof InvitationRequest>

export const CaseSpec = Type.Object(
  {
    definition: CaseDefinition,
    creation: Creation,
    signatures: Type.Array(SignatureFact, {
      maxItems: limits.MAXIMUM_SIGNATURE_FACTS,
      description: 'Signatures; entries can only be added',
    }),
    invitations: Type.Optional(
      Type.Array(InvitationRequest, {
        maxItems: limits.MAXIMUM_INVITATION_REQUESTS,
        description: 'Additional invitations that the tenant requested',
      }),
    ),
    uploadRequestedAt: Type.Optional(timestamp('When the tenant last requested a new upload URL')),
    cancellation: Type.Optional(Cancellation),
  },
  { description: 'Definition of the case, and what people stated since' },
)
export type CaseSpec = Static<typeof CaseSpec>
