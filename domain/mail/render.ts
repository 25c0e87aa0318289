/** Builds the mails of a case: invitation, reminder, completion, cancellation, expiry, failure. */
import { documentNames } from '../cases/document-names.ts'
import type { MailType } from '../cases/due-mails.ts'
import type { ParticipantDefinition } from '../cases/definition.ts'
import type { SignatureCase } from '../cases/signature-case.ts'
import { MAXIMUM_NAME_LENGTH, MAXIMUM_REASON_LENGTH } from '../limits.ts'
import type { Mail } from '../ports/mailer.ts'
import type { BrandColours } from '../tenants/branding.ts'
import { secondFactorOf } from '../second-factor/factor.ts'
import { instantIn } from './dates.ts'
import { htmlPart, textPart, type MailBody } from './html.ts'
import { inSentence, plainAddress, shortened, singleLine } from './safe-text.ts'
import { MAIL_TEXTS, type MailValues } from './texts.ts'

/** Mail clients show about this many characters of a subject. */
const MAXIMUM_SUBJECT_TITLE_LENGTH = 60
/** Sender name when the tenant gave none. */
export const SERVICE_NAME = 'sigcase'

export interface MailInput {
  /** Event id of the mail. */
  eventId: string
  type: MailType
  signatureCase: SignatureCase
  /** The recipient. */
  participant: ParticipantDefinition
  /** `{base_url}/sign/{participantId}#<token>` */
  signingUrl: string
  now: Date
  /** IANA name of the tenant's zone; without it, the default. */
  timeZone?: string | undefined
  /** Colours that the tenant chose. */
  colours?: BrandColours | undefined
  /**
   * For a completion: the signed PDF, when it is attached (`MAXIMUM_MAIL_ATTACHMENT_BYTES`, no
   * second factor). Otherwise the mail says until when the link works.
   */
  signedPdf?: Uint8Array
}

/** Values for the texts of every mail of the case; each is one sanitised line. */
export function valuesOf(
  signatureCase: SignatureCase,
  participant: ParticipantDefinition,
  timeZone: string | undefined,
): Omit<MailValues, 'host'> {
  const { title, sender, validUntil } = signatureCase.spec.definition
  const { reason } = signatureCase.spec.cancellation ?? {}
  return {
    title: inSentence(title),
    name: inSentence(`${participant.firstName} ${participant.lastName}`),
    email: plainAddress(participant.email),
    ...(sender?.name === undefined ? {} : { sender: inSentence(sender.name) }),
    ...(sender?.replyTo === undefined ? {} : { replyTo: plainAddress(sender.replyTo) }),
    until: instantIn({ language: participant.language, timeZone }, validUntil),
    ...(reason === undefined
      ? {}
      : { reason: inSentence(shortened(reason, MAXIMUM_REASON_LENGTH)) }),
  }
}

/**
 * Whether the link of a completed case still works; it does until `validUntil` (specification 7,
 * LINK_EXPIRED).
 */
function linkWorks({ signatureCase, now }: MailInput): boolean {
  return now.getTime() < Date.parse(signatureCase.spec.definition.validUntil)
}

type Message = Pick<MailBody, 'paragraphs' | 'action'>

/** Sentences about where to get the signed document. */
function whereabouts(input: MailInput, values: MailValues): string[] {
  const texts = MAIL_TEXTS[input.participant.language]
  const works = linkWorks(input)
  if (input.signedPdf) {
    return [texts.documentAttached(values), ...(works ? [texts.alsoDownloadUntil(values)] : [])]
  }
  if (secondFactorOf(input.signatureCase.spec.definition) === undefined) {
    return [works ? texts.downloadUntil(values) : texts.downloadOver(values)]
  }
  return works
    ? [texts.downloadUntil(values), texts.downloadIsGuarded(values)]
    : [texts.guardedDownloadOver(values)]
}

function messageOf(input: MailInput, values: MailValues): Message {
  const texts = MAIL_TEXTS[input.participant.language]
  const url = input.signingUrl
  const leadsTo = texts.linkLeadsTo(values)
  switch (input.type) {
    case 'invitation':
      return {
        paragraphs: [texts.askedToSign(values), texts.signUntil(values)],
        action: {
          label: texts.signButton(values),
          url,
          notes: [leadsTo, texts.linkIsPersonal(values)],
        },
      }
    case 'reminder':
      return {
        paragraphs: [texts.remindedToSign(values), texts.signUntil(values)],
        action: {
          label: texts.signButton(values),
          url,
          notes: [leadsTo, texts.linkIsPersonal(values), texts.remindersStop(values)],
        },
      }
    case 'completion': {
      const works = linkWorks(input)
      const notes = [leadsTo, texts.linkIsPersonal(values)]
      return {
        paragraphs: [
          texts.everybodySigned(values),
          whereabouts(input, values).join(' '),
          texts.keepTheFile(values),
        ],
        ...(works ? { action: { label: texts.downloadButton(values), url, notes } } : {}),
      }
    }
    case 'cancellation': {
      const reason = values.reason ? [texts.cancelReason(values)] : []
      return { paragraphs: [texts.cancelled(values), ...reason, texts.nothingLeftToDo(values)] }
    }
    case 'expiry':
      return { paragraphs: [texts.expired(values), texts.expiredAdvice(values)] }
    case 'failure':
      return { paragraphs: [texts.failed(values), texts.expiredAdvice(values)] }
  }
}

function replyToOf({ name, replyTo }: { name?: string; replyTo?: string }): Pick<Mail, 'replyTo'> {
  if (replyTo === undefined) return {}
  return { replyTo: { name: singleLine(name ?? ''), address: plainAddress(replyTo) } }
}

/** Sender, recipient and language of every mail of the case. */
export function envelopeOf(
  signatureCase: SignatureCase,
  { firstName, lastName, email, language }: ParticipantDefinition,
): Pick<Mail, 'fromName' | 'replyTo' | 'to' | 'language'> {
  const { sender = {} } = signatureCase.spec.definition
  return {
    fromName: singleLine(sender.name ?? '') || SERVICE_NAME,
    ...replyToOf(sender),
    to: {
      name: shortened(singleLine(`${firstName} ${lastName}`), 2 * MAXIMUM_NAME_LENGTH + 1),
      address: plainAddress(email),
    },
    language,
  }
}

/** Shortens the title for the subject. */
export const subjectTitle = (title: string) =>
  shortened(singleLine(title), MAXIMUM_SUBJECT_TITLE_LENGTH)

/**
 * Builds one mail in the language of the participant. Names, titles and reasons are untrusted: each
 * becomes one line without control or direction characters, escaped in HTML.
 */
export function renderMail(input: MailInput): Mail {
  const { eventId, type, signatureCase, participant, timeZone, signedPdf } = input
  const { title } = signatureCase.spec.definition
  const { language } = participant
  const texts = MAIL_TEXTS[language]
  const { host } = new URL(input.signingUrl)
  const values: MailValues = { ...valuesOf(signatureCase, participant, timeZone), host }
  const message = messageOf(input, values)
  const answer = values.replyTo === undefined ? texts.noReply : texts.replyGoesTo
  const body: MailBody = {
    heading: texts.heading[type](values),
    ...message,
    paragraphs: [texts.greeting(values), ...message.paragraphs],
    buttonColour: input.colours?.light.background,
    footer: [texts.why[type](values), answer(values)],
  }
  return {
    id: eventId,
    ...envelopeOf(signatureCase, participant),
    subject: texts.subject[type](subjectTitle(title)),
    text: textPart(body),
    html: htmlPart(language, body),
    ...(signedPdf
      ? {
          attachments: [
            { name: documentNames(title).signed, mediaType: 'application/pdf', bytes: signedPdf },
          ],
        }
      : {}),
  }
}
