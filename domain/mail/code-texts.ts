/** Texts of the messages with a one-time code, in both languages. */
import type { Language } from '../cases/definition.ts'
import { sk, type MailValues } from './texts.ts'

type Values = Omit<MailValues, 'host'>

export interface CodeTexts {
  subject: (title: string) => string
  heading: () => string
  codeFor: (values: Values) => string
  worksUntil: (expiresAt: string) => string
  keepItSecret: () => string
  why: (values: Values) => string
  /**
   * A single message: at most 70 characters, the limit beyond the GSM alphabet (3GPP TS 23.038).
   */
  sms: (code: string) => string
}

const SLOVAK: CodeTexts = {
  subject: (title) => sk`Kód na podpis: ${title}`,
  heading: () => sk`Váš jednorazový kód`,
  codeFor: ({ title }) => sk`na podpisovej stránke dokumentu „${title}“ zadajte tento kód:`,
  worksUntil: (expiresAt) =>
    sk`Kód platí do ${expiresAt} a dá sa použiť raz. Ak požiadate o nový, tento prestane platiť.`,
  keepItSecret: () =>
    sk`Nikomu ho neposielajte ani nediktujte. Ak ste o kód nežiadali, nemusíte nič robiť.`,
  why: ({ email }) =>
    sk`Túto správu dostávate na adresu ${email}, pretože na vašej podpisovej stránke niekto ` +
    sk`požiadal o kód.`,
  sms: (code) => `Kód na podpis: ${code}. Platí 10 minút, nikomu ho neposielajte.`,
}

const ENGLISH: CodeTexts = {
  subject: (title) => `Your signing code: ${title}`,
  heading: () => 'Your one-time code',
  codeFor: ({ title }) => `On the signing page of the document “${title}”, enter this code:`,
  worksUntil: (expiresAt) =>
    `The code works once, until ${expiresAt}. If you ask for a new one, this one stops working.`,
  keepItSecret: () =>
    'Do not share this code with anyone. If you did not ask for a code, you do not need to do ' +
    'anything.',
  why: ({ email }) =>
    `You received this message at ${email} because somebody asked for a code on your signing page.`,
  sms: (code) => `Your signing code: ${code}. Valid 10 minutes, do not share it.`,
}

export const CODE_TEXTS: Readonly<Record<Language, CodeTexts>> = { sk: SLOVAK, en: ENGLISH }
