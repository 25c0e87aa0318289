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
  'participant.otp_failed': 'Nesprávny jednorazový kód',
  'participant.otp_verified': 'Jednorazový kód potvrdený',
  'participant.consented': 'Súhlas udelený',
  'participant.signed': 'Podpísané',
  'participant.declined': 'Osoba nechce podpísať',
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

const WEBHOOKS = withBoundWords<ConsoleTexts['webhooks']>({
  'participant-signed': 'Osoba podpísala',
  'case-completed': 'Prípad je dokončený',
  'case-failed': 'Prípad zlyhal',
  'case-expired': 'Lehota prípadu uplynula',
  'case-cancelled': 'Prípad bol zrušený',
})

const DELIVERY_STATES = withBoundWords<ConsoleTexts['deliveryStates']>({
  pending: 'Doručuje sa',
  delivered: 'Doručený',
  failed: 'Odmietnutý',
  dead: 'Nedoručený',
})

const CARRIED_FAULTS = withBoundWords<ConsoleTexts['carriedFaults']>({
  SIGNATURE_BROKEN: 'Podpis nie je platný.',
  CHANGED_AFTER_SIGNING: 'Dokument bol po tomto podpise zmenený.',
  SIGNATURES_NOT_CHECKED: 'Podpisy sa nepodarilo včas overiť.',
})

const MEASURES = withBoundWords<ConsoleTexts['measures']>({
  sent: 'Odoslané',
  signed: 'Podpísali všetci',
  medianMs: 'Medián času do podpisu',
  rejected: 'Odmietnuté dokumenty',
  undelivered: 'Nedoručené webhooky',
})

const MEASURE_TEXTS = withBoundWords<ConsoleTexts['measureTexts']>({
  sent: 'Prípady s prijatým dokumentom podľa dňa vytvorenia',
  signed: 'Prípady podľa dňa posledného podpisu',
  medianMs: 'Od vytvorenia prípadu po posledný podpis',
  rejected: 'Prípady podľa dňa vytvorenia',
  undelivered: 'Odmietnuté alebo vzdané, podľa dňa udalosti',
})

const REJECTIONS = withBoundWords<ConsoleTexts['rejections']>({
  TOO_SMALL: 'Súbor je na PDF príliš malý. Nahrajte celý dokument v novom prípade.',
  TOO_LARGE: 'Súbor je väčší ako 25 MB. Uložte menšie PDF a nahrajte ho v novom prípade.',
  NOT_A_PDF: 'Súbor nie je PDF. Uložte dokument ako PDF a nahrajte ho v novom prípade.',
  DAMAGED: 'PDF je poškodené. Uložte alebo vytlačte ho ako nové PDF a to nahrajte v novom prípade.',
  DAMAGED_AND_SIGNED:
    'PDF je poškodené a obsahuje podpisy. Vyžiadajte si nepoškodenú kópiu a nahrajte ju v novom ' +
    'prípade.',
  ENCRYPTED: 'PDF je chránené heslom alebo oprávneniami. Nahrajte v novom prípade PDF bez ochrany.',
  NO_PAGES: 'PDF nemá žiadne strany. Nahrajte v novom prípade správny dokument.',
  DYNAMIC_FORM:
    'PDF je dynamický formulár, ktorý sa nedá podpísať. Vytlačte ho do nového PDF (doterajšie ' +
    'podpisy sa tým stratia) a to nahrajte v novom prípade.',
  SHOWN_DIFFERENTLY:
    'Iné programy môžu tento dokument zobraziť inak, preto sa nedá podpísať. Vytlačte ho do ' +
    'nového PDF (doterajšie podpisy sa tým stratia) a to nahrajte v novom prípade.',
  SIGNING_FORBIDDEN:
    'PDF nedovoľuje ďalšie podpisy. Vyžiadajte si verziu, do ktorej sa dajú pridať. Ak taká nie ' +
    'je, vytlačte dokument do nového PDF (doterajšie podpisy sa tým stratia). Nahrajte ho ' +
    'v novom prípade.',
  TOO_COMPLEX:
    'PDF je príliš zložité. Vytlačte ho do nového PDF (doterajšie podpisy sa tým stratia) a to ' +
    'nahrajte v novom prípade.',
  FIELD_MISPLACED:
    'Podpisové pole sa nezmestí na svoju stranu alebo zakrýva iné. Presuňte ho v novom prípade.',
  UNREADABLE:
    'PDF sa nepodarilo prečítať. Vytlačte ho do nového PDF (doterajšie podpisy sa tým stratia) ' +
    'a to nahrajte v novom prípade.',
})

const FAILURES = withBoundWords<ConsoleTexts['failures']>({
  DOCUMENT_UNSIGNABLE:
    'Dokument sa v tejto podobe nedá podpísať. Vytlačte ho do nového PDF (doterajšie podpisy sa ' +
    'tým stratia) a to nahrajte v novom prípade.',
  SIGNATURE_UNUSABLE:
    'Jeden z podpisov sa do dokumentu nepodarilo umiestniť. Dajte dokument podpísať v novom ' +
    'prípade.',
  DATA_CHANGED:
    'Údaje prípadu niekto zmenil mimo služby. Upozornite prevádzkovateľa služby a vytvorte ' +
    'prípad znova.',
  DATA_MISSING: 'Údaje prípadu chýbajú. Upozornite prevádzkovateľa služby a vytvorte prípad znova.',
  SIGNING_UNAVAILABLE:
    'Služba nemohla podpisovať 24 hodín po poslednom podpise. Vytvorte prípad znova.',
  CERTIFICATE_REVOKED:
    'Certifikát na podpisovanie je zrušený. Spýtajte sa prevádzkovateľa služby, kedy bude môcť ' +
    'podpisovať, a potom vytvorte prípad znova.',
})

const LISTS = {
  events: EVENTS,
  statuses: STATUSES,
  webhooks: WEBHOOKS,
  deliveryStates: DELIVERY_STATES,
  carriedFaults: CARRIED_FAULTS,
  rejections: REJECTIONS,
  failures: FAILURES,
  measures: MEASURES,
  measureTexts: MEASURE_TEXTS,
}

const SENTENCES = withBoundWords<Omit<ConsoleTexts, keyof typeof LISTS>>({
  consoleName: 'Konzola',
  opening: 'Otvárame konzolu…',
  loading: 'Načítavame…',
  showMore: 'Zobraziť ďalšie',
  pages: 'Stránky konzoly',
  menu: 'Ponuka',
  pageCases: 'Prípady',

  signInHeading: 'Prihlásenie do konzoly',
  signInLead: 'Vytvárajte prípady, sledujte, kto podpísal, a sťahujte podpísané dokumenty.',
  signInProvider: 'Prihlásiť sa účtom organizácie',
  signInLocal: 'Otvoriť konzolu',
  signInLocalText: 'Táto služba beží iba na vašom počítači a vydáva vlastné tokeny.',
  signInTenant: 'Zákazník služby (tenant)',
  signInToken: 'Token (bearer)',
  signInTokenText:
    'Poskytovateľ identity nie je nastavený. Vložte token zákazníka služby (tenanta).',
  signInWithToken: 'Prihlásiť sa',
  signInFailed: 'Prihlásenie sa nepodarilo. Skúste to znova.',
  signInExpired: 'Platnosť vášho prihlásenia uplynula. Prihláste sa znova.',
  signOut: 'Odhlásiť sa',
  signedOut: 'Z konzoly ste odhlásení. Vo svojej organizácii môžete byť stále prihlásení.',
  signOutProvider: 'Odhlásiť sa aj v organizácii',

  search: 'Hľadať podľa názvu, mena alebo e-mailu',
  filterStatus: 'Stav',
  filterAll: 'Všetky',
  filterFrom: 'Vytvorené od',
  filterUntil: 'Vytvorené do',
  order: 'Poradie',
  orderNewest: 'Od najnovších',
  orderOldest: 'Od najstarších',
  orderPartly: 'V tomto poradí sú len načítané prípady.',
  casesFound: (count) =>
    plural(count, {
      one: `${count} prípad`,
      few: `${count} prípady`,
      other: `${count} prípadov`,
    }),
  casesSome: (count) =>
    plural(count, {
      one: `${count} prípad, možno aj viac.`,
      few: `${count} prípady, možno aj viac.`,
      other: `${count} prípadov, možno aj viac.`,
    }),
  casesCut: (count) => `Nie sú zobrazené všetky prípady, iba časť (${count}).`,
  casesNone: 'Zatiaľ tu nie sú prípady.',

  allCases: 'Všetky prípady',
  progress: 'Podpisy',
  signedOf: (signed, total) => `podpísané: ${signed} z ${total}`,
  until: (time) => `do ${time}`,
  reason: 'Dôvod:',
  reasonOfService: 'Dôvod (v angličtine):',
  details: 'Podrobnosti (v angličtine):',
  people: 'Osoby',
  notSigned: 'Ešte nepodpísané',
  signedAt: (time) => `Podpísané ${time}`,
  remind: 'Pripomenúť',
  remindPerson: (name) => `Pripomenúť: ${name}`,
  reminded: 'Pozvánka sa odošle znova.',
  copyLink: 'Kopírovať odkaz',
  copyLinkOf: (name) => `Kopírovať odkaz: ${name}`,
  copied: 'Odkaz je skopírovaný.',
  copyRefused: 'Prehliadač odkaz neskopíroval. Skopírujte ho odtiaľto:',
  documents: 'Dokumenty',
  original: 'Pôvodný dokument',
  signedPdf: 'Podpísaný dokument',
  evidence: 'Záznam o podpise',
  download: 'Stiahnuť',
  kilobytes: (count) => `${count} kB`,
  carried:
    'Nahraný dokument už obsahuje podpisy a nie všetky sú v poriadku. Podpísať sa dá aj tak.',
  cancelCase: 'Zrušiť prípad',
  keepCase: 'Ponechať prípad',
  cancelHeading: 'Zrušiť tento prípad?',
  cancelText: 'Nikto ho už nebude môcť podpísať. Pozvaní dostanú správu.',
  cancelReason: 'Dôvod (nepovinný, pre pozvaných)',
  trail: 'Priebeh',
  trailCut: (count: number) => `Zobrazené sú len najnovšie udalosti (${count}).`,
  trailFault: 'Záznam udalostí niekto zmenil mimo služby. Zobrazené sú iba platné položky.',
  eventMailRefused: 'Poštový server odmietol pozvánku',
  eventReminderRefused: 'Poštový server odmietol pripomienku',
  eventReminder: 'Pripomienka',
  eventCodeNotSent: 'Jednorazový kód sa nepodarilo odoslať',
  eventWrongPin: 'Nesprávny PIN',
  eventSenderNotNotified: 'správa odosielateľovi bola odmietnutá',

  pageCreate: 'Nový prípad',
  createLike: 'Nový prípad s týmito osobami a miestami podpisov',
  createLikeThis: 'Osoby a miesta podpisov sú z predošlého prípadu. Vyberte dokument.',
  createKept: 'Údaje, ktoré ste zadali pred prihlásením, sú späť. Dokument vyberte znova.',
  document: 'Dokument',
  documentDrop: 'Presuňte sem PDF',
  documentChoose: 'Vybrať PDF',
  documentOther: 'Vybrať iné PDF',
  documentBroken: 'Tento súbor sa nedá zobraziť ako PDF.',
  documentMissing: 'Najprv vyberte PDF.',
  title: 'Názov',
  personNumber: (number) => `${number}. osoba`,
  firstName: 'Meno',
  lastName: 'Priezvisko',
  email: 'E-mailová adresa',
  phone: 'Telefón (nepovinný)',
  language: 'Jazyk',
  personAdd: 'Pridať osobu',
  personRemove: (number) => `Odstrániť ${number}. osobu`,
  paste: 'Vložiť zoznam',
  pasteHeading: 'Vložiť osoby',
  pasteHow: 'Na každom riadku jedna osoba: Jana Nová <jana@example.com>; prípadne stĺpce tabuľky',
  pasteFound: (count) =>
    plural(count, {
      one: `Našla sa ${count} osoba`,
      few: `Našli sa ${count} osoby`,
      other: `Našlo sa ${count} osôb`,
    }),
  pasteUnread: (count) =>
    plural(count, {
      one: `${count} riadok nemá e-mailovú adresu a vynechá sa:`,
      few: `${count} riadky nemajú e-mailovú adresu a vynechajú sa:`,
      other: `${count} riadkov nemá e-mailovú adresu a vynechá sa:`,
    }),
  pasteAdd: 'Pridať tieto osoby',
  options: 'Možnosti',
  deadline: 'Lehota',
  secondFactor: 'Jednorazový kód',
  secondFactorNone: 'Bez kódu',
  secondFactorEmail: 'E-mailom',
  secondFactorSms: 'Správou SMS',
  inPerson: 'Podpis osobne na kiosku; pozvánky sa neposielajú',
  kiosk: 'Kiosk na podpis',
  kioskLater: 'Vybrať neskôr',
  senderName: 'Meno odosielateľa (nepovinné)',
  replyTo: 'Adresa na odpovede (nepovinná)',
  fieldsHeading: 'Kde sa podpíšu',
  fieldsHow: 'Kliknite na stranu alebo nakreslite obdĺžnik. Bez poľa si miesto zvolí každý sám.',
  fieldsLater: 'Strany sa zobrazia, keď vyberiete PDF.',
  fieldsFor: 'Polia pre',
  fieldAdd: (page) => `Pridať pole na stranu ${page}`,
  fieldsOverlap: (pages, count) =>
    `Polia sa prekrývajú na ${count === 1 ? 'strane' : 'stranách'} ${pages}: ` +
    'jeden podpis by zakryl druhý.',
  fieldOf: (name, page) => `${name}: pole na strane ${page}`,
  fieldRemove: (name, page) => `Odstrániť pole na strane ${page}: ${name}`,
  fieldHint:
    'Klávesy: šípky pole posunú, Shift so šípkami mení veľkosť, ' +
    'Page Up a Page Down menia stranu, Delete pole odstráni.',
  pageOf: (page, count) => `Strana ${page} z ${count}`,
  send: 'Odoslať',
  sending: 'Odosielame…',
  sent: 'Odoslané',
  rulesBroken: 'Skontrolujte označené polia.',
  ruleRequired: 'Vyplňte toto pole.',
  ruleFormat: 'Toto nie je platné.',
  ruleLength: 'Toto je príliš dlhé.',
  ruleFuture: 'Toto musí byť v budúcnosti.',
  ruleInside: 'Pole je mimo strany alebo je primalé.',
  rulePhone: 'Toto nie je telefónne číslo.',
  ruleOther: (message) => `Odpoveď služby: ${message}.`,

  pageStatistics: 'Štatistiky',
  statisticsWeeks: (count) => `Posledné týždne (${count}), každý od pondelka do nedele.`,
  statisticsOver: (count) =>
    plural(count, {
      one: `Spočítané z ${count} prípadu.`,
      other: `Spočítané z ${count} prípadov.`,
    }),
  statisticsCut: 'Ďalšie prípady sa nezapočítali.',
  statisticsWebhooksCut: (count) => `Spočítané sú iba najstaršie nedoručené webhooky (${count}).`,
  statisticsWeek: 'Týždeň od',
  statisticsNone: 'žiadne',

  pageWebhooks: 'Webhooky',
  webhooksText: 'Webhooky, ktoré váš systém odmietol alebo ktoré sa nepodarilo doručiť.',
  webhooksCut: (count) => `Nie sú zobrazené všetky webhooky, iba najstaršie (${count}).`,
  webhooksAllDelivered: 'Každý webhook je doručený alebo sa ešte doručuje.',
  webhooksNoneYet: 'Zatiaľ tu nie je webhook na doručenie.',
  answered: (status) => `odpoveď ${status}`,
  noAnswer: (reason) => `bez odpovede (${reason})`,
  nextAttempt: (time) => `Ďalší pokus ${time}`,
  redeliver: 'Doručiť znova',
  redelivered: 'Doručí sa znova.',

  pageDevices: 'Kiosky',
  devices: 'Registrované kiosky',
  devicesCut: (count) => `Nie sú zobrazené všetky kiosky, iba časť (${count}).`,
  devicesNone: 'Zatiaľ tu nie sú kiosky.',
  deviceNew: 'Nový kiosk',
  deviceName: 'Názov, napríklad miesto, kde stojí',
  deviceRegister: 'Registrovať',
  deviceRemove: 'Odstrániť',
  deviceRemoveHeading: (name) => `Odstrániť kiosk ${name}?`,
  deviceRemoveText: 'Ukončí, čo zobrazuje, a pred ďalším použitím ho treba znova spárovať.',
  deviceKeep: 'Ponechať kiosk',
  deviceConnected: 'Pripojený',
  deviceAway: 'Nepripojený',
  registeredOn: (day) => `Registrovaný ${day}`,
  pairHeading: (name) => `Spárovať ${name}`,
  pairText:
    'Naskenujte kioskom QR kód alebo na ňom zadajte párovací kód. Zobrazia sa iba teraz ' +
    'a každý, kto ich má, uvidí to, čo kiosk.',
  pairCode: 'Párovací kód',
  pairCodeText: 'Zadajte ho na stránke /kiosk. Funguje raz a platí desať minút.',
  pairCodeNew: 'Nový párovací kód',
  pairQr: (name) => `QR kód na spárovanie: ${name}`,
  pairToken: 'Zobraziť token na prepísanie',
  demo: 'Ukážka',
  demoTitle: 'Ukážková zmluva',
  handOver: 'Otvoriť na kiosku',
  handedOver: 'Prípad sme poslali kiosku.',
  handedOverLater: 'Kiosk nie je pripojený. Prípad otvorí, ak sa pripojí do desiatich minút.',
  kioskAway: (name) => `${name} (nepripojený)`,

  faultUnreachable: 'Služba je nedostupná. Skontrolujte pripojenie.',
  faultTimeout: 'Služba neodpovedala včas. Skúste to o chvíľu.',
  faultIndexRequired: 'Táto služba nemá index prípadov.',
  faultTooMany: 'Požiadaviek bolo priveľa. Skúste to o minútu.',
  faultNotFound: 'Toto (už) neexistuje.',
  faultOther: (code) => `Služba to odmietla (${code}).`,
  faultAlreadySigned: 'Táto osoba už podpísala.',
  faultNotActive: 'Prípad sa medzitým skončil.',
  faultKioskUnavailable: 'Kiosku sa nepodarilo poslať správu. Skúste to znova.',
  faultRemindedOften: 'Tejto osobe odišlo priveľa pripomienok. Skúste to o hodinu.',
  faultNotInPerson: 'Tento prípad sa nepodpisuje osobne.',
  faultNotReady: 'Dokument sa ešte kontroluje. Skúste to o chvíľu.',
  faultRedelivered: 'Počet opakovaných doručení tohto webhooku je vyčerpaný.',
  faultUnknownDevice: 'Tento kiosk už neexistuje.',
  faultWebhookPending: 'Tento webhook sa ešte doručuje.',
})

export const CONSOLE_SLOVAK: ConsoleTexts = { ...SENTENCES, ...LISTS }
