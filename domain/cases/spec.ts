/** The spec of a case: definition, creation, facts and cancellation. */
import { Type, type Static } from '@sinclair/typebox'
import * as limits from '../limits.ts'
import { sha256, stringEnum, text, timestamp, uuid } from '../schema-parts.ts'
import { CaseDefinition } from './definition.ts'
import { extent, Rectangle } from './rectangle.ts'
import { trailHead } from './trail-head.ts'

/** Origin of a request. */
const origin = {
  ip: text(64, 'Address of the caller'),
  userAgent: Type.Optional(text(limits.MAXIMUM_USER_AGENT_LENGTH, 'User-Agent of the caller')),
}

const Creation = Type.Object(
  {
    at: timestamp('When the case was created'),
    ip: Type.Optional(origin.ip),
    userAgent: origin.userAgent,
  },
  { description: 'Who created the case, and when' },
)

export const SignatureFact = Type.Object(
  {
    factId: uuid('Id of this fact'),
    participantId: uuid('Who signed'),
    signedAt: timestamp('When the signature was accepted'),
    documentSha256: sha256('Digest of the document that was signed'),
    consent: Type.Object(
      {
        textVersion: text(limits.MAXIMUM_NAME_LENGTH, 'Version of the accepted consent text'),
        acceptedAt: timestamp('When it was accepted, by the clock of the client'),
      },
      { description: 'What the participant agreed to' },
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
            Type.Boolean({ description: 'Whether every page was shown' }),
          ),
        },
        { description: 'Data that the client reported about itself' },
      ),
    ),
    drawing: Type.Object(
      {
        mediaType: stringEnum(['image/png', 'image/jpeg', 'image/svg+xml'], {
          description: 'What the drawing is; image/svg+xml holds path data alone',
        }),
        sha256: sha256('Digest of the drawing, which is also its key'),
      },
      { description: 'The drawn signature, kept in the object store' },
    ),
    fieldIds: Type.Optional(
      Type.Array(text(limits.MAXIMUM_NAME_LENGTH, 'Id of a field'), {
        minItems: 1,
        maxItems: limits.MAXIMUM_FIELDS_PER_PARTICIPANT,
        description: 'Predefined fields that the drawing goes to',
      }),
    ),
    rectangles: Type.Optional(
      Type.Array(Rectangle, {
        minItems: 1,
        maxItems: limits.MAXIMUM_FIELDS_PER_PARTICIPANT,
        description: "The participant's own rectangles that the drawing goes to",
      }),
    ),
    pageSize: Type.Optional(
      Type.Object(
        {
          width: extent('Width of the page that the rectangles were drawn on'),
          height: extent('Height of the page that the rectangles were drawn on'),
        },
        { description: 'Page as displayed when the rectangles were drawn' },
      ),
    ),
    ...origin,
    trail: trailHead('The newest audit entry when the signature was accepted'),
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
      { description: 'Signature of the API: a fact without a valid one is ignored' },
    ),
  },
  { description: 'One signature, as a participant gave it' },
)
export type SignatureFact = Static<typeof SignatureFact>

export const Cancellation = Type.Object(
  {
    at: timestamp('When the tenant cancelled'),
    reason: Type.Optional(text(limits.MAXIMUM_REASON_LENGTH, 'Why')),
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
    at: timestamp('Time of the request'),
    ...origin,
  },
  { description: 'Request of the tenant for one more invitation' },
)
export type InvitationRequest = Static<typeof InvitationRequest>

export const CaseSpec = Type.Object(
  {
    definition: CaseDefinition,
    creation: Creation,
    signatures: Type.Array(SignatureFact, {
      maxItems: limits.MAXIMUM_SIGNATURE_FACTS,
      description: 'Signatures; they can only be added',
    }),
    invitations: Type.Optional(
      Type.Array(InvitationRequest, {
        maxItems: limits.MAXIMUM_INVITATION_REQUESTS,
        description: 'Further invitations that the tenant asked for',
      }),
    ),
    uploadRequestedAt: Type.Optional(timestamp('When the tenant last asked for a new upload URL')),
    cancellation: Type.Optional(Cancellation),
  },
  { description: 'Definition, and facts that people stated' },
)
export type CaseSpec = Static<typeof CaseSpec>
