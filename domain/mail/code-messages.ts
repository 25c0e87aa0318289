/** Makes the messages that bring a one-time code: a mail, or one short message. */
import type { Language, ParticipantDefinition } from '../cases/definition.ts'
import type { SignatureCase } from '../cases/signature-case.ts'
import type { Mail } from '../ports/mailer.ts'
import { CODE_TEXTS } from './code-texts.ts'
import { instantIn } from './dates.ts'
import { htmlPart, textPart, type MailBody } from './html.ts'
import { envelopeOf, subjectTitle, valuesOf } from './render.ts'
import { MAIL_TEXTS } from './texts.ts'

export interface CodeMailInput {
  /** Event id of the sending. */
  sendId: string
  code: string
  expiresAt: Date
  signatureCase: SignatureCase
  /** Who gets it. */
  participant: ParticipantDefinition
}

/**
 * The code stands in the two parts alone: servers on the way write subjects into their logs. There
 * is no link, so that the mail opens nothing to whoever reads it.
 */
export function codeMail(input: CodeMailInput): Mail {
  const { sendId, code, expiresAt, signatureCase, participant } = input
  const { language } = participant
  const texts = CODE_TEXTS[language]
  const { greeting, replyGoesTo, noReply } = MAIL_TEXTS[language]
  const values = { ...valuesOf(signatureCase, participant), host: '' }
  const until = instantIn(language, expiresAt.toISOString())
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

/** The text of the short message. */
export function codeSms(language: Language, code: string): string {
  return CODE_TEXTS[language].sms(code)
}
