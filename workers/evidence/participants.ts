/** The section of the evidence about the people who signed. */
import { eventOf } from '../../domain/audit/entry.ts'
import type { ParticipantView } from '../../domain/cases/lifecycle.ts'
import type { Language } from '../../domain/cases/definition.ts'
import type { SignatureFact } from '../../domain/cases/spec.ts'
import { acceptedLanguage } from '../../domain/consent.ts'
import { secondFactorOf } from '../../domain/second-factor/factor.ts'
import { maskContact } from '../../domain/mask.ts'
import { isShownWhole, type Block } from '../../pades/index.ts'
import { entriesBeforeSignature, identificationOf } from './identification.ts'
import type { Evidence, EvidenceSigner } from './input.ts'
import { signatureFigure } from './pictures.ts'
import { rows, spelled, type Row } from './rows.ts'
import type { EvidenceTexts } from './texts.ts'
import { utcAndLocal } from './utc.ts'

/** More than an automatically set clock deviates and a slow connection delays. */
const CLIENT_CLOCK_TOLERANCE_MS = 5 * 60 * 1000

type FileName = (version: string, language: Language) => string

function clientLine(client: SignatureFact['client'], texts: EvidenceTexts): string | undefined {
  if (!client) return undefined
  const { timezone, language, screen } = client
  const size = screen && `${texts.number(screen.width)} × ${texts.number(screen.height)}`
  return [timezone, language, size].filter((part) => part !== undefined).join(' · ') || undefined
}

function yesOrNo(texts: EvidenceTexts, value: boolean | undefined): string {
  if (value === undefined) return texts.notReported
  return value ? texts.yes : texts.no
}

/** When the trail first records, before the signature, that the person opened the document. */
function openedRow(evidence: Evidence, participant: ParticipantView): Row {
  const { opened, openingNotRecorded } = evidence.texts.participants
  const before = entriesBeforeSignature(evidence, participant)
  const viewed = before.find(({ type }) => type === 'participant.viewed')
  return [opened, viewed ? utcAndLocal(viewed.occurredAt, evidence) : openingNotRecorded]
}

/**
 * The consent time by the participant's device, marked when that clock deviates from the receipt.
 */
function consentTime(evidence: Evidence, { consent, signedAt }: SignatureFact): string {
  const { byClientClock, byDeviatingClock } = evidence.texts.participants
  const deviationMs = Math.abs(Date.parse(consent.acceptedAt) - Date.parse(signedAt))
  const isFar = deviationMs > CLIENT_CLOCK_TOLERANCE_MS
  return (isFar ? byDeviatingClock : byClientClock)(utcAndLocal(consent.acceptedAt, evidence))
}

/** The code that opened the session of the signature: the last that was right before it. */
function codeRow(evidence: Evidence, participant: ParticipantView): Row {
  const { openings, texts } = evidence
  const { oneTimeCode, codeVerified, codeSentTo } = texts.participants
  const before = entriesBeforeSignature(evidence, participant)
  const verified = before.findLast(({ type }) => type === 'participant.otp_verified')
  if (!verified) return [oneTimeCode, undefined]
  const { destination } = eventOf(verified, openings[verified.eventId]).data
  const verifiedText = codeVerified(utcAndLocal(verified.occurredAt, evidence))
  if (typeof destination !== 'string') return [oneTimeCode, verifiedText]
  return [oneTimeCode, `${verifiedText}, ${codeSentTo(destination)}`]
}

/** Rows about the second factor; without it no signature of the case was accepted. */
function secondFactorRows(evidence: Evidence, participant: ParticipantView): Row[] {
  const { pin, pinEntered } = evidence.texts.participants
  switch (secondFactorOf(evidence.input.signatureCase.spec.definition)) {
    case 'code':
      return [codeRow(evidence, participant)]
    case 'pin':
      return [[pin, pinEntered]]
    default:
      return []
  }
}

function signatureRows(
  evidence: Evidence,
  participant: ParticipantView,
  signature: SignatureFact,
  fileName: FileName,
): Row[] {
  const { texts } = evidence
  const words = texts.participants
  const { consent, client, drawing, rectangles, fieldIds } = signature
  const consentLanguage = acceptedLanguage(consent.textVersion, participant.definition.language)
  const file = fileName(consent.textVersion, consentLanguage)
  return [
    openedRow(evidence, participant),
    ...secondFactorRows(evidence, participant),
    [words.consent, words.consentFile(consent.textVersion, file)],
    [words.consentAccepted, consentTime(evidence, signature)],
    [words.signed, utcAndLocal(signature.signedAt, evidence)],
    [words.ip, signature.ip],
    [words.userAgent, signature.userAgent ?? texts.notReported],
    [words.client, clientLine(client, texts)],
    [words.viewedAllPages, yesOrNo(texts, client?.viewedAllPages)],
    [words.place, rectangles && !fieldIds ? words.ownPlace : undefined],
    [words.drawing, drawing.sha256, 'mono'],
  ]
}

/** Adds spaces between the parts of a distinguished name (RFC 4514), so that it can wrap. */
const spaced = (name: string) => name.replace(/(?<!\\),(?=[A-Za-z0-9.]+=)/g, ', ')

function certificateRows(evidence: Evidence, signer: EvidenceSigner | undefined): Row[] {
  if (!signer) return []
  const words = evidence.texts.participants
  const infos = signer.infos?.map((key) => words.infos[key]).join('; ')
  return [
    [words.visiblePart, infos || undefined],
    [words.timeStamped, signer.timeStampedAt && utcAndLocal(signer.timeStampedAt, evidence)],
    [words.timeStampedBy, signer.timeStampedBy && spaced(signer.timeStampedBy)],
    [words.certificateSubject, spaced(signer.certificateSubject)],
    [words.certificateSerial, signer.certificateSerial, 'mono'],
    [words.certificateIssuer, spaced(signer.issuer)],
  ]
}

function oneParticipant(
  evidence: Evidence,
  position: number,
  participant: ParticipantView,
  fileName: FileName,
): Block[] {
  const { definition, signature } = participant
  const { input, texts } = evidence
  const words = texts.participants
  const { firstName, lastName, email, phone, language } = definition
  const signer = input.signers.find(({ participantId }) => participantId === definition.id)
  return [
    { kind: 'heading', level: 2, text: `${position}. ${firstName} ${lastName}` },
    rows([
      spelled(words.nameSpelled, `${firstName} ${lastName}`),
      [words.email, maskContact(email)],
      [words.phone, phone && maskContact(phone)],
      [words.language, words.languages[language]],
      [words.identifiedBy, words.identification[identificationOf(evidence, participant)]],
      ...(signature ? signatureRows(evidence, participant, signature, fileName) : []),
      ...certificateRows(evidence, signer),
    ]),
    ...signatureFigure(evidence, participant),
  ]
}

/** Builds one table of facts per participant. */
export function participantBlocks(evidence: Evidence, fileName: FileName): Block[] {
  const { participants } = evidence.input.view
  const { heading, intro, lettersLacking } = evidence.texts.participants
  const { title } = evidence.input.signatureCase.spec.definition
  const names = participants.flatMap(({ definition: { firstName, lastName } }) => [
    firstName,
    lastName,
  ])
  const isLacking = ![title, ...names].every(isShownWhole)
  return [
    { kind: 'heading', level: 1, text: heading },
    { kind: 'paragraph', text: intro },
    ...(isLacking ? [{ kind: 'paragraph' as const, text: lettersLacking }] : []),
    ...participants.flatMap((participant, index) =>
      oneParticipant(evidence, index + 1, participant, fileName),
    ),
  ]
}
