/** Builds the messages with a one-time code: a mail or a text message. */
import type { Language, ParticipantDefinition } from '../cases/definition.ts'
import type { SignatureCase } from '../cases/signature-case.ts'
import type { Mail } from '../ports/mailer.ts'
import { CODE_TEXTS } from './code-texts.ts'
import { instantIn } from './dates.ts'
import { htmlPart, textPart, type MailBody } from './html.ts'
import { envelopeOf, subjectTitle, valuesOf } from './render.ts'
import { MAIL_TEXTS } from './texts.ts'

export interface CodeMailInput {
  /** Event id of the code. */
  sendId: string
  code: string
  expiresAt: Date
  signatureCase: SignatureCase
  /** The recipient. */
  participant: ParticipantDefinition
  /** IANA name of the tenant's zone; without it, the default. */
  timeZone?: string | undefined
}

/**
 * Builds the mail. Only the two body parts contain the code, because mail servers log subjects. The
 * mail has no link, so that it gives no access by itself.
 */
export function codeMail(input: CodeMailInput): Mail {
  const { sendId, code, expiresAt, signatureCase, participant, timeZone } = input
  const { language } = participant
  const texts = CODE_TEXTS[language]
  const { greeting, replyGoesTo, noReply } = MAIL_TEXTS[language]
  const values = { ...valuesOf(signatureCase, participant, timeZone), host: '' }
  const until = instantIn({ language, timeZone }, expiresAt.toISOString())
  const body: MailBody = {
    heading: texts.heading(),
    paragraphs: [greeting(values), texts.codeFor(values)],
    code: { value: code, notes: [texts.worksUntil(until), texts.keepItSecret()] },
    footer: [
      texts.why(values),
      values.replyTo === undefined ? noReply(values) : replyGoesTo(values),
    ],
  }
  return {
    id: sendId,
    ...envelopeOf(signatureCase, participant),
    subject: texts.subject(subjectTitle(signatureCase.spec.definition.title)),
    text: textPart(body),
    html: htmlPart(language, body),
  }
}

/** Returns the text of the text message. */
export function codeSms(language: Language, code: string): string {
  return CODE_TEXTS[language].sms(code)
}
