/** Builds the mail that notifies the sender of a case that a participant does not want to sign. */
import type { Language, ParticipantDefinition } from '../cases/definition.ts'
import type { SignatureCase } from '../cases/signature-case.ts'
import { MAXIMUM_NAME_LENGTH, MAXIMUM_REASON_LENGTH } from '../limits.ts'
import type { Mail } from '../ports/mailer.ts'
import { htmlPart, textPart, type MailBody } from './html.ts'
import { SERVICE_NAME, subjectTitle, valuesOf } from './render.ts'
import { inSentence, plainAddress, shortened, singleLine } from './safe-text.ts'
import { sk, type MailValues } from './texts.ts'

export interface DeclineMailInput {
  /** Event id of the audit entry. */
  eventId: string
  signatureCase: SignatureCase
  /** Who does not want to sign. */
  participant: ParticipantDefinition
  /** Address of the sender: `sender.replyTo`. */
  to: string
  reason?: string | undefined
}

type Sentence = (values: Omit<MailValues, 'host'>) => string

interface DeclineTexts {
  subject: (title: string) => string
  heading: Sentence
  declined: Sentence
  reason: Sentence
  withoutReason: Sentence
  whatNext: Sentence
  why: Sentence
  replyGoesTo: Sentence
}

const TEXTS: Readonly<Record<Language, DeclineTexts>> = {
  sk: {
    subject: (title) => sk`Nechce podpísať: ${title}`,
    heading: ({ name }) => sk`${name} nechce dokument podpísať`,
    declined: ({ name, title }) =>
      sk`Na podpisovej stránke dokumentu „${title}“ oznámila osoba ${name}, že ho nechce podpísať.`,
    reason: ({ reason = '' }) => sk`Dôvod: ${reason}`,
    withoutReason: () => sk`Dôvod neuviedla.`,
    whatNext: () =>
      sk`Podpisovanie tým nie je zrušené: kým neuplynie lehota, dokument sa ešte dá podpísať. Ak ` +
      sk`ho už podpísať netreba, prípad zrušte.`,
    why: ({ replyTo = '' }) =>
      sk`Túto správu dostávate na adresu ${replyTo}, pretože je pri dokumente uvedená ako adresa ` +
      sk`odosielateľa.`,
    replyGoesTo: ({ name, email }) =>
      sk`Ak na správu odpoviete, odpoveď dostane ${name} na adresu ${email}.`,
  },
  en: {
    subject: (title) => `Does not want to sign: ${title}`,
    heading: ({ name }) => `${name} does not want to sign the document`,
    declined: ({ name, title }) =>
      `On the signing page of the document “${title}”, ${name} stated that they do not want to ` +
      'sign it.',
    reason: ({ reason = '' }) => `Reason: ${reason}`,
    withoutReason: () => 'They gave no reason.',
    whatNext: () =>
      'This does not cancel the signing: until the deadline, the document can still be signed. ' +
      'If it does not have to be signed any more, cancel the case.',
    why: ({ replyTo = '' }) =>
      `You received this message at ${replyTo} because it is the address of the sender of this ` +
      'document.',
    replyGoesTo: ({ name, email }) =>
      `If you reply to this message, your answer goes to ${name} at ${email}.`,
  },
}

/** Builds the mail in the language of the participant; the sender of a case has none. */
export function declineMail(input: DeclineMailInput): Mail {
  const { eventId, signatureCase, participant, to, reason } = input
  const { title, sender } = signatureCase.spec.definition
  const { language, firstName, lastName, email } = participant
  const texts = TEXTS[language]
  const { reason: _cancelled, ...known } = valuesOf(signatureCase, participant, undefined)
  const said = inSentence(shortened(reason ?? '', MAXIMUM_REASON_LENGTH))
  const values = { ...known, ...(said === '' ? {} : { reason: said }) }
  const body: MailBody = {
    heading: texts.heading(values),
    paragraphs: [
      texts.declined(values),
      (said === '' ? texts.withoutReason : texts.reason)(values),
      texts.whatNext(values),
    ],
    footer: [texts.why(values), texts.replyGoesTo(values)],
  }
  const name = shortened(singleLine(`${firstName} ${lastName}`), 2 * MAXIMUM_NAME_LENGTH + 1)
  return {
    id: eventId,
    fromName: SERVICE_NAME,
    replyTo: { name, address: plainAddress(email) },
    to: { name: singleLine(sender?.name ?? ''), address: plainAddress(to) },
    language,
    subject: texts.subject(subjectTitle(title)),
    text: textPart(body),
    html: htmlPart(language, body),
  }
}
