/** Every sentence of the mails, in both languages; what is not here is not said. */
import { bindWords } from '../bound-words.ts'
import type { MailType } from '../cases/due-mails.ts'
import type { Language } from '../cases/definition.ts'

/** Values for the texts; each is one sanitised line. */
export interface MailValues {
  title: string
  /** Full name of the recipient. */
  name: string
  /** Address of the recipient. */
  email: string
  /** Name of the sender of the case, if the tenant gave one. */
  sender?: string
  replyTo?: string
  /** `validUntil` with its zone. */
  until: string
  /** Host of the link. */
  host: string
  /** Reason of the cancellation, if the tenant gave one. */
  reason?: string
}

type Sentence = (values: MailValues) => string

export interface MailTexts {
  subject: Readonly<Record<MailType, (title: string) => string>>
  heading: Readonly<Record<MailType, Sentence>>
  /** Why the recipient gets the mail. */
  why: Readonly<Record<MailType, Sentence>>
  greeting: Sentence
  askedToSign: Sentence
  remindedToSign: Sentence
  remindersStop: Sentence
  signUntil: Sentence
  signButton: Sentence
  linkIsPersonal: Sentence
  linkLeadsTo: Sentence
  everybodySigned: Sentence
  documentAttached: Sentence
  downloadUntil: Sentence
  /** Used together with the attachment. */
  alsoDownloadUntil: Sentence
  /** Used when the download requires a second factor. */
  downloadIsGuarded: Sentence
  /** Used when the document is too large to attach. */
  downloadOver: Sentence
  /** Used when the download requires a second factor and has ended. */
  guardedDownloadOver: Sentence
  keepTheFile: Sentence
  downloadButton: Sentence
  cancelled: Sentence
  cancelReason: Sentence
  nothingLeftToDo: Sentence
  expired: Sentence
  failed: Sentence
  expiredAdvice: Sentence
  replyGoesTo: Sentence
  noReply: Sentence
}

/** Slovak typography: a one-letter word must not end a line. Values are not changed. */
export function sk(words: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: words.map(bindWords) }, ...values)
}

const SLOVAK: MailTexts = {
  subject: {
    invitation: (title) => sk`Na podpis: ${title}`,
    reminder: (title) => sk`Pripomienka podpisu: ${title}`,
    completion: (title) => sk`Podpísané: ${title}`,
    cancellation: (title) => sk`Zrušené: ${title}`,
    expiry: (title) => sk`Lehota uplynula: ${title}`,
    failure: (title) => sk`Nepodarilo sa podpísať: ${title}`,
  },
  heading: {
    invitation: () => sk`Dokument čaká na váš podpis`,
    reminder: () => sk`Dokument stále čaká na váš podpis`,
    completion: () => sk`Dokument je podpísaný`,
    cancellation: () => sk`Podpisovanie bolo zrušené`,
    expiry: () => sk`Lehota na podpis uplynula`,
    failure: () => sk`Dokument sa nepodarilo podpísať`,
  },
  why: {
    invitation: ({ email }) =>
      sk`Túto správu dostávate na adresu ${email}, pretože ste uvedení medzi osobami, ktoré majú ` +
      sk`tento dokument podpísať.`,
    reminder: ({ email }) =>
      sk`Túto správu dostávate na adresu ${email}, pretože sme vám poslali pozvánku na podpis ` +
      sk`tohto dokumentu a ešte ste ho nepodpísali.`,
    completion: ({ email }) =>
      sk`Túto správu dostávate na adresu ${email}, pretože ste tento dokument podpísali.`,
    cancellation: ({ email }) =>
      sk`Túto správu dostávate na adresu ${email}, pretože sme vám poslali pozvánku na podpis ` +
      sk`tohto dokumentu.`,
    expiry: ({ email }) =>
      sk`Túto správu dostávate na adresu ${email}, pretože sme vám poslali pozvánku na podpis ` +
      sk`tohto dokumentu.`,
    failure: ({ email }) =>
      sk`Túto správu dostávate na adresu ${email}, pretože ste tento dokument podpísali.`,
  },
  greeting: ({ name }) => sk`Dobrý deň, ${name},`,
  askedToSign: ({ sender, title }) =>
    sender === undefined
      ? sk`prosíme vás o podpis dokumentu „${title}“.`
      : sk`${sender} vás žiada o podpis dokumentu „${title}“.`,
  remindedToSign: ({ sender, title }) =>
    sender === undefined
      ? sk`pripomíname vám, že dokument „${title}“ ešte čaká na váš podpis.`
      : sk`pripomíname vám, že dokument „${title}“ (odosielateľ: ${sender}) ešte čaká na váš ` +
        sk`podpis.`,
  remindersStop: () => sk`Keď dokument podpíšete, ďalšie pripomienky už nedostanete.`,
  signUntil: ({ until }) =>
    sk`Prečítať a podpísať ho môžete do ${until}. Netreba nič inštalovať ani si zakladať účet.`,
  signButton: () => sk`Prečítať a podpísať`,
  linkIsPersonal: () => sk`Odkaz je určený len vám, nikomu ho neposielajte.`,
  linkLeadsTo: ({ host }) => sk`Odkaz vedie na ${host}.`,
  everybodySigned: ({ title }) => sk`všetky podpisy sú hotové: dokument „${title}“ je podpísaný.`,
  documentAttached: () => sk`Podpísaný dokument nájdete v prílohe tejto správy.`,
  downloadUntil: ({ until }) => sk`Podpísaný dokument si môžete stiahnuť do ${until}.`,
  alsoDownloadUntil: ({ until }) => sk`Do ${until} si ho môžete aj stiahnuť.`,
  downloadIsGuarded: () => sk`Pred stiahnutím sa overíte rovnako ako pri podpise.`,
  guardedDownloadOver: ({ until }) =>
    sk`Odkaz na stiahnutie podpísaného dokumentu platil do ${until}. Ak dokument potrebujete, ` +
    sk`vyžiadajte si ho od toho, kto vás o podpis požiadal.`,
  downloadOver: ({ until }) =>
    sk`Podpísaný dokument je na prílohu priveľký a odkaz na jeho stiahnutie platil do ${until}. ` +
    sk`Ak ho potrebujete, vyžiadajte si ho od toho, kto vás o podpis požiadal.`,
  keepTheFile: () => sk`Uschovajte si súbor PDF: vytlačená kópia elektronické podpisy neobsahuje.`,
  downloadButton: () => sk`Stiahnuť podpísaný dokument`,
  cancelled: ({ sender, title }) =>
    sender === undefined
      ? sk`podpisovanie dokumentu „${title}“ bolo zrušené.`
      : sk`podpisovanie dokumentu „${title}“ (odosielateľ: ${sender}) bolo zrušené.`,
  cancelReason: ({ reason = '' }) => sk`Dôvod: ${reason}`,
  nothingLeftToDo: () => sk`Nemusíte už nič robiť. Odkaz na podpis prestal fungovať.`,
  expired: ({ title, until }) =>
    sk`dokument „${title}“ bolo možné podpísať do ${until}. Dovtedy ho nepodpísali všetci, preto ` +
    sk`podpísaný dokument nevznikne.`,
  failed: ({ title }) =>
    sk`všetci už dokument „${title}“ podpísali, služba však podpisy nedokázala vložiť do súboru ` +
    sk`PDF. Podpísaný dokument preto nevznikne a váš podpis nebude použitý.`,
  expiredAdvice: () =>
    sk`Odkaz na podpis už nefunguje. Ak je podpis stále potrebný, obráťte sa na toho, kto vás ` +
    sk`o podpis požiadal.`,
  replyGoesTo: ({ sender, replyTo = '' }) =>
    sender === undefined
      ? sk`Ak na správu odpoviete, odpoveď príde na adresu ${replyTo}.`
      : sk`Ak na správu odpoviete, odpoveď dostane ${sender} na adresu ${replyTo}.`,
  noReply: () =>
    sk`Správa bola odoslaná automaticky. S otázkami sa obráťte na toho, kto vás o podpis požiadal.`,
}

const ENGLISH: MailTexts = {
  subject: {
    invitation: (title) => `Please sign: ${title}`,
    reminder: (title) => `Reminder to sign: ${title}`,
    completion: (title) => `Signed: ${title}`,
    cancellation: (title) => `Cancelled: ${title}`,
    expiry: (title) => `Deadline passed: ${title}`,
    failure: (title) => `Could not be signed: ${title}`,
  },
  heading: {
    invitation: () => 'A document is waiting for your signature',
    reminder: () => 'A document is still waiting for your signature',
    completion: () => 'The document is signed',
    cancellation: () => 'The signing was cancelled',
    expiry: () => 'The deadline for signing has passed',
    failure: () => 'The document could not be signed',
  },
  why: {
    invitation: ({ email }) =>
      `You received this message at ${email} because you have been asked to sign this document.`,
    reminder: ({ email }) =>
      `You received this message at ${email} because we invited you to sign this document and ` +
      'you have not signed it yet.',
    completion: ({ email }) =>
      `You received this message at ${email} because you signed this document.`,
    cancellation: ({ email }) =>
      `You received this message at ${email} because we invited you to sign this document.`,
    expiry: ({ email }) =>
      `You received this message at ${email} because we invited you to sign this document.`,
    failure: ({ email }) =>
      `You received this message at ${email} because you signed this document.`,
  },
  greeting: ({ name }) => `Dear ${name},`,
  askedToSign: ({ sender, title }) =>
    sender === undefined
      ? `You are asked to sign the document “${title}”.`
      : `${sender} asks you to sign the document “${title}”.`,
  remindedToSign: ({ sender, title }) =>
    sender === undefined
      ? `This is a reminder that the document “${title}” is still waiting for your signature.`
      : `This is a reminder that the document “${title}” (sender: ${sender}) is still waiting ` +
        'for your signature.',
  remindersStop: () => 'Once you have signed, you will not get any more reminders.',
  signUntil: ({ until }) =>
    `You can read and sign it until ${until}. You do not need to install ` +
    'anything or create an account.',
  signButton: () => 'Read and sign',
  linkIsPersonal: () => 'This link is for you only; please do not share it.',
  linkLeadsTo: ({ host }) => `The link leads to ${host}.`,
  everybodySigned: ({ title }) => `Everyone has signed: the document “${title}” is complete.`,
  documentAttached: () => 'The signed document is attached to this message.',
  downloadUntil: ({ until }) => `You can download the signed document until ${until}.`,
  alsoDownloadUntil: ({ until }) => `You can also download it until ${until}.`,
  downloadIsGuarded: () =>
    'Before the download you will be asked to verify yourself as you did when signing.',
  guardedDownloadOver: ({ until }) =>
    `The link to the signed document worked until ${until}. If you need the document, please ` +
    'ask the person who asked you to sign.',
  downloadOver: ({ until }) =>
    `The signed document is too large to attach, and the link to it worked until ${until}. ` +
    'If you need it, please ask the person who asked you to sign.',
  keepTheFile: () =>
    'Please keep the PDF file: a printed copy does not hold the electronic signatures.',
  downloadButton: () => 'Download the signed document',
  cancelled: ({ sender, title }) =>
    sender === undefined
      ? `The signing of the document “${title}” was cancelled.`
      : `The signing of the document “${title}” (sender: ${sender}) was cancelled.`,
  cancelReason: ({ reason = '' }) => `Reason: ${reason}`,
  nothingLeftToDo: () => 'There is nothing left for you to do. The signing link no longer works.',
  expired: ({ title, until }) =>
    `The document “${title}” could be signed until ${until}. Not everybody had signed it by ` +
    'then, so there will be no signed document.',
  failed: ({ title }) =>
    `Everyone had signed the document “${title}”, but the service could not put the signatures ` +
    'into the PDF file. There will be no signed document, and your signature will not be used.',
  expiredAdvice: () =>
    'The signing link no longer works. If your signature is still needed, please contact the ' +
    'person who asked you for it.',
  replyGoesTo: ({ sender, replyTo = '' }) =>
    sender === undefined
      ? `If you reply to this message, your answer goes to ${replyTo}.`
      : `If you reply to this message, your answer goes to ${sender} at ${replyTo}.`,
  noReply: () =>
    'This message was sent automatically. If you have questions, please contact the person ' +
    'who asked you to sign.',
}

export const MAIL_TEXTS: Readonly<Record<Language, MailTexts>> = { sk: SLOVAK, en: ENGLISH }
