/** Schemas of the responses to participants (specification 2.9, 2.11, 4.7 to 4.11). */
import { Type, type Static } from '@sinclair/typebox'
import { LANGUAGES, MULTI_FACTOR_TYPES } from '../cases/definition.ts'
import { Rectangle } from '../cases/rectangle.ts'
import { CONSENT_VERSIONS } from '../consent.ts'
import { stringEnum, timestamp, uuid } from '../schema-parts.ts'
import { caseStatus, multiFactorType, optional, ownPlaces, string } from './answer-parts.ts'
import { documentProperties, participantCore } from './answers.ts'

const SigningParticipantAnswer = Type.Object(participantCore, {
  description: 'The participant whose signing link was used',
})

const ConsentTextAnswer = Type.Object(
  {
    version: stringEnum(CONSENT_VERSIONS, {
      description: 'Value of `consent.textVersion` in the signing request',
    }),
    text: string('The text that the participant accepts'),
  },
  { description: 'Text of the consent in one language' },
)

const ConsentTextsAnswer = Type.Object(
  {
    sk: { ...ConsentTextAnswer, description: 'In Slovak' },
    en: { ...ConsentTextAnswer, description: 'In English' },
  },
  { description: 'By language. The version also identifies the language of the text' },
)

const NamedSenderAnswer = Type.Object(
  { name: string('Name of the sender') },
  { description: 'The sender; absent when the tenant gave no name' },
)

const CaseSummaryAnswer = Type.Object(
  {
    id: uuid('Id of the case'),
    title: string('Title of the case'),
    validUntil: timestamp('Deadline for all signatures'),
    ownPlaces: ownPlaces(),
  },
  { description: 'The case, as its participants see it' },
)

const ParticipantCountsAnswer = Type.Object(
  {
    total: Type.Integer({ description: 'Number of participants' }),
    signed: Type.Integer({ description: 'Number of participants who have signed' }),
  },
  { description: 'Participants of the case, without their names' },
)

const PlacesAnswer = Type.Object(
  {
    number: optional(
      Type.Integer({
        description:
          'Another number for each participant who chooses a place, from 0: a page derives from ' +
          'it the place that it suggests. Absent with predefined fields',
      }),
    ),
    taken: Type.Array(Rectangle, {
      description:
        'Where other participants signed or have predefined fields. Empty while a one-time code ' +
        'or PIN is missing',
    }),
  },
  { description: 'What a page needs to suggest a place at which no other participant signs' },
)

const ShownDocumentAnswer = Type.Object(
  { ...documentProperties, pageCount: Type.Integer({ description: 'Number of pages' }) },
  { description: 'The original document; the signed one with DONE' },
)

export const CaseDefinitionAnswer = Type.Object(
  {
    status: caseStatus(),
    multiFactorType: multiFactorType(),
    otpRequired: Type.Boolean({
      description: 'Whether a one-time code is missing; the document then has no `url`',
    }),
    pinRequired: Type.Boolean({
      description: 'Whether the PIN is missing; the document then has no `url`',
    }),
    case: CaseSummaryAnswer,
    participant: SigningParticipantAnswer,
    participants: ParticipantCountsAnswer,
    places: optional(PlacesAnswer),
    sender: optional(NamedSenderAnswer),
    document: ShownDocumentAnswer,
    language: stringEnum(LANGUAGES, { description: 'Language of the participant' }),
    consentText: { ...ConsentTextAnswer, description: 'In the language of the participant' },
    consentTexts: ConsentTextsAnswer,
  },
  { description: 'A case as one of its participants sees it' },
)
export type CaseDefinitionAnswer = Static<typeof CaseDefinitionAnswer>

const colour = (description: string) =>
  Type.String({ pattern: '^#[0-9a-f]{6}$', maxLength: 7, description })

const ColourPairAnswer = Type.Object(
  { background: colour('Background of a button'), text: colour('Text on the background') },
  { description: 'Colours with a contrast of at least 4.5:1 to each other and to the page' },
)

const BrandColoursAnswer = Type.Object(
  {
    light: { ...ColourPairAnswer, description: 'In the light theme' },
    dark: { ...ColourPairAnswer, description: 'In the dark theme' },
  },
  { description: 'Colours of buttons, made of the colour that the tenant chose' },
)

const LogoAnswer = Type.Object(
  {
    url: string('Data URL of a PNG or JPEG that the service has checked'),
    width: Type.Integer({ description: 'Width in pixels' }),
    height: Type.Integer({ description: 'Height in pixels' }),
  },
  { description: 'Logo of the tenant' },
)

export const BrandingAnswer = Type.Object(
  {
    sender: optional(NamedSenderAnswer),
    language: optional(
      stringEnum(LANGUAGES, { description: 'Language of the participant; absent for a kiosk' }),
    ),
    colours: optional(BrandColoursAnswer),
    logo: optional(LogoAnswer),
  },
  { description: 'How the pages of the case look; what the tenant did not choose is absent' },
)
export type BrandingAnswer = Static<typeof BrandingAnswer>

export const LinkAnswer = Type.Object(
  { url: string('Presigned link for a download without a token, valid for 15 minutes') },
  { description: 'A link to a document' },
)

export const CodeSentAnswer = Type.Object(
  {
    channel: stringEnum(MULTI_FACTOR_TYPES, { description: 'How the code was sent' }),
    destination: string('Where the code was sent, masked'),
    expiresAt: timestamp('When the code expires, ten minutes after it was sent'),
  },
  { description: 'A one-time code that was sent' },
)
export type CodeSentAnswer = Static<typeof CodeSentAnswer>

export const CodeVerifiedAnswer = Type.Object(
  {
    otpSession: string('Value of the header `Service-Otp-Session`'),
    expiresAt: timestamp('When the session expires, 30 minutes after the code was checked'),
  },
  { description: 'A session that gives access to the document and to signing' },
)
export type CodeVerifiedAnswer = Static<typeof CodeVerifiedAnswer>

/** The schemas of this file by the names that the OpenAPI document gives them. */
export const PARTICIPANT_SCHEMAS = {
  BrandColourPair: ColourPairAnswer,
  BrandColours: BrandColoursAnswer,
  Branding: BrandingAnswer,
  BrandingLogo: LogoAnswer,
  CaseDefinition: CaseDefinitionAnswer,
  CaseDefinitionCase: CaseSummaryAnswer,
  CaseDefinitionDocument: ShownDocumentAnswer,
  CaseDefinitionParticipant: SigningParticipantAnswer,
  CaseDefinitionSender: NamedSenderAnswer,
  CodeSent: CodeSentAnswer,
  CodeVerified: CodeVerifiedAnswer,
  ConsentText: ConsentTextAnswer,
  ConsentTexts: ConsentTextsAnswer,
  DocumentLink: LinkAnswer,
  ParticipantCounts: ParticipantCountsAnswer,
  SignaturePlaces: PlacesAnswer,
} as const
