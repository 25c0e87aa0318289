/** Every sentence of the tenant's console in Slovak. */
import { withBoundWords } from './bound-words.ts'
import type { ConsoleTexts } from './console-en.ts'
import { pluralIn } from './plural.ts'

const plural = pluralIn('sk')

const EVENTS = withBoundWords<ConsoleTexts['events']>({
  'case.created': 'Prípad vytvorený',
  'document.uploaded': 'Dokument prijatý',
  'document.rejected': 'Dokument odmietnutý',
  'participant.created': 'Osoba pridaná',
  'participant.invited': 'Pozvánka',
  'participant.viewed': 'Dokument zobrazený',
  'participant.otp_sent': 'Jednorazový kód odoslaný',
  'participant.otp_failed': 'Jednorazový kód neúspešný',
  'participant.otp_verified': 'Jednorazový kód potvrdený',
  'participant.consented': 'Súhlas udelený',
  'participant.signed': 'Podpísané',
  'participant.certificate_issued': 'Certifikát vydaný',
  'participant.signature_applied': 'Podpis vložený do dokumentu',
  'participant.downloaded': 'Podpísaný dokument stiahnutý',
  'case.finalised': 'Podpísaný dokument vytvorený',
  'case.completed': 'Prípad dokončený',
  'case.expired': 'Lehota prípadu uplynula',
  'case.cancelled': 'Prípad zrušený',
  'case.failed': 'Prípad zlyhal',
  'participant.certificate_revoked': 'Certifikát zrušený',
})

const STATUSES = withBoundWords<ConsoleTexts['statuses']>({
  NEW: 'Čaká na dokument',
  IN_PROGRESS: 'Podpisuje sa',
  DONE: 'Dokončený',
  UPLOAD_REJECTED: 'Dokument odmietnutý',
  EXPIRED: 'Po lehote',
  CANCELLED: 'Zrušený',
  FAILED: 'Zlyhal',
})

const SENTENCES = withBoundWords<Omit<ConsoleTexts, 'events' | 'statuses'>>({
  consoleName: 'Konzola',
  opening: 'Otvárame konzolu…',
  loading: 'Načítavame…',
  pages: 'Stránky konzoly',
  pageCases: 'Prípady',

  signInHeading: 'Prihlásenie do konzoly',
  signInLead: 'Vytvárajte prípady, sledujte, kto podpísal, a sťahujte podpísané dokumenty.',
  signInProvider: 'Prihlásiť sa účtom organizácie',
  signInLocal: 'Otvoriť konzolu',
  signInLocalText: 'Táto služba beží iba na vašom počítači a vydáva vlastné tokeny.',
  signInTenant: 'Zákazník (tenant)',
  signInToken: 'Token (bearer)',
  signInTokenText: 'Poskytovateľ identity nie je nastavený. Vložte token svojho zákazníka.',
  signInWithToken: 'Prihlásiť sa',
  signInFailed: 'Prihlásenie sa nepodarilo. Skúste to znova.',
  signInExpired: 'Vaše prihlásenie vypršalo alebo neplatí. Prihláste sa znova.',
  signOut: 'Odhlásiť sa',

  search: 'Hľadať podľa názvu, mena alebo e-mailu',
  filterStatus: 'Stav',
  filterAll: 'Všetky',
  casesFound: (count) =>
    plural(count, {
      one: `${count} prípad`,
      few: `${count} prípady`,
      other: `${count} prípadov`,
    }),
  casesCut: 'Prípadov je viac; nájdete ich výberom stavu.',
  casesNone: 'Zatiaľ tu nie sú prípady.',

  allCases: 'Všetky prípady',
  progress: 'Podpisy',
  signedOf: (signed, total) => `podpísané: ${signed} z ${total}`,
  until: (time) => `do ${time}`,
  reason: 'Dôvod:',
  people: 'Osoby',
  notSigned: 'Ešte nepodpísané',
  signedAt: (time) => `Podpísané ${time}`,
  remind: 'Pripomenúť',
  remindPerson: (name) => `Pripomenúť: ${name}`,
  reminded: 'Pozvánka sa odošle znova.',
  copyLink: 'Kopírovať odkaz',
  copyLinkOf: (name) => `Kopírovať odkaz: ${name}`,
  copied: 'Skopírované',
  documents: 'Dokumenty',
  original: 'Pôvodný dokument',
  signedPdf: 'Podpísaný dokument',
  evidence: 'Záznam o podpise',
  download: 'Stiahnuť',
  kilobytes: (count) => `${count} kB`,
  cancelCase: 'Zrušiť prípad',
  keepCase: 'Ponechať prípad',
  cancelHeading: 'Zrušiť tento prípad?',
  cancelText: 'Nikto ho už nebude môcť podpísať. Pozvaní dostanú správu.',
  cancelReason: 'Dôvod (nepovinný, pre pozvaných)',
  trail: 'Priebeh',
  trailFault: 'Záznam udalostí niekto zmenil mimo služby. Zobrazené sú iba platné položky.',

  faultUnreachable: 'Služba je nedostupná. Skontrolujte pripojenie.',
  faultTooMany: 'Požiadaviek bolo priveľa. Skúste to o minútu.',
  faultNotFound: 'Toto (už) neexistuje.',
  faultOther: (code) => `Služba to odmietla (${code}).`,
  faultAlreadySigned: 'Táto osoba už podpísala.',
  faultNotActive: 'Prípad sa medzitým skončil.',
  faultKioskUnavailable: 'Kiosku sa nepodarilo poslať správu. Skúste to znova.',
  faultRemindedOften: 'Tejto osobe odišlo priveľa pripomienok. Skúste to o hodinu.',
  faultNotInPerson: 'Tento prípad sa nepodpisuje osobne.',
  faultNotReady: 'Dokument sa ešte kontroluje. Skúste to o chvíľu.',
  faultRedelivered: 'Tento webhook sa už doručoval najviac, koľko sa dá.',
  faultUnknownDevice: 'Tento kiosk už neexistuje.',
  faultWebhookPending: 'Tento webhook sa ešte doručuje.',
})

export const CONSOLE_SLOVAK: ConsoleTexts = { ...SENTENCES, events: EVENTS, statuses: STATUSES }
