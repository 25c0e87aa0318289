/** Slovak texts of the evidence PDF. */
import { DEFAULT_TIME_ZONE } from '../../domain/local-time.ts'
import type { EventValues, EvidenceTexts } from './texts.ts'

const NUMBER = new Intl.NumberFormat('sk-SK')
const PLURAL = new Intl.PluralRules('sk')

/** Formats a count with its plural form: `1 strana, 2 strany, 5 strán`. */
function counted(count: number, one: string, few: string, many: string): string {
  const form = { one, few }[PLURAL.select(count) as 'one' | 'few'] ?? many
  return `${NUMBER.format(count)}\u00a0${form}`
}

/** The verb before a count: `podpísala 1 osoba`, `podpísali 2 osoby`, `podpísalo 5 osôb`. */
const signedByForm = (count: number) =>
  ({ one: 'podpísala', few: 'podpísali' })[PLURAL.select(count) as 'one' | 'few'] ?? 'podpísalo'

/** Prefixes an event with the name of the participant, if it concerns one. */
const of = ({ name }: EventValues, what: string) => (name === undefined ? what : `${name}: ${what}`)
const quoted = (text: string | undefined) => (text === undefined ? '' : ` „${text}“`)

/** Says which local time is beside UTC, if one is. */
function localTimeOf(timeZone: string | undefined): string {
  if (timeZone === undefined) return ''
  const place = timeZone === DEFAULT_TIME_ZONE ? 'na Slovensku' : `časového pásma ${timeZone}`
  return ` a vedľa neho v miestnom čase ${place}`
}

const FAILURES = {
  wrongCode: 'zadaný kód bol nesprávny',
  wrongPin: 'zadaný PIN bol nesprávny',
  notSent: 'jednorazový kód sa nepodarilo odoslať, preto bol zrušený',
}

function invitedText({ isRefused, reminder }: EventValues): string {
  if (reminder === undefined) {
    return isRefused
      ? 'poštový server pozvánku na podpis odmietol'
      : 'pozvánka na podpis bola odoslaná'
  }
  return isRefused
    ? 'poštový server pripomienku podpisu odmietol'
    : 'pripomienka podpisu bola odoslaná'
}

export const SLOVAK: EvidenceTexts = {
  documentTitle: 'Dôkazný záznam o podpísaní dokumentu',
  footer: (caseId) => `Dôkazný záznam, prípad ${caseId}`,
  logo: {
    of: (sender) => (sender === undefined ? 'Logo odosielateľa' : `Logo odosielateľa ${sender}`),
    chosenBySender: 'Toto logo si zvolil odosielateľ dokumentu. Nič nepotvrdzuje.',
  },
  about: {
    title: 'Čo je tento dokument',
    text: ({ title, baseUrl, createdAt, timeZone, participants }) =>
      `Tento záznam dokladá, kto, kedy a akým spôsobom elektronicky podpísal dokument ` +
      `„${title}“. Dokument ${signedByForm(participants)} ` +
      `${counted(participants, 'osoba', 'osoby', 'osôb')}. Záznam zostavila automaticky ` +
      `služba sigcase (${baseUrl}) ${createdAt}, po poslednom podpise, z udalostí, ktoré ` +
      'zapisovala v čase, keď nastali. Súbor je opatrený elektronickou pečaťou služby a časovou ' +
      'pečiatkou, takže každú neskoršiu zmenu možno zistiť. Časy sú uvedené v koordinovanom ' +
      `svetovom čase (UTC)${localTimeOf(timeZone)}.`,
  },
  document: {
    heading: 'Dokument',
    name: 'Názov',
    nameSpelled: 'Písmená názvu (Unicode)',
    pages: 'Počet strán',
    sizeBefore: 'Veľkosť pred podpísaním',
    digestBefore: 'SHA-256 pred podpísaním',
    signaturesBefore: 'Podpisy pred podpísaním',
    notJudged: (count) =>
      `${NUMBER.format(count)}, mimo tohto prípadu; tento záznam o nich nič nehovorí`,
    sizeAfter: 'Veľkosť po podpísaní',
    digestAfter: 'SHA-256 po podpísaní',
    level: 'Úroveň podpisov',
    note:
      'Podpísaný súbor sa začína presne tými istými bajtmi, aké mal dokument pred podpísaním; ' +
      'podpisy sú pripojené za ne. SHA-256 je odtlačok vypočítaný z obsahu súboru: po zmene čo i ' +
      'len jedného znaku je odtlačok iný.',
  },
  case: {
    heading: 'Prípad',
    id: 'Číslo prípadu',
    tenant: 'Zákazník služby',
    sender: 'Odosielateľ',
    created: 'Založený',
    createdFrom: 'Založený z adresy IP',
    validUntil: 'Podpísať bolo možné do',
    documentAccepted: 'Dokument prijatý',
    lastSignature: 'Posledný podpis',
    finalised: 'Podpísaný dokument uzavretý',
    manner: 'Spôsob podpisovania',
    manners: {
      remote: 'Na diaľku, cez osobný odkaz na podpis',
      inPerson: 'Osobne, v prítomnosti odosielateľa (podľa jeho údajov)',
      eitherWay:
        'Osobne v prítomnosti odosielateľa (podľa jeho údajov) alebo na diaľku cez osobný odkaz ' +
        'na podpis',
    },
  },
  participants: {
    heading: 'Podpisujúce osoby',
    intro:
      'Služba od každej osoby prijala súhlas a vyobrazenie podpisu. Na základe tohto úkonu ' +
      'služba pre ňu vytvorila jednorazový kľúč, vydala naň certifikát na jej meno a dokument ' +
      'týmto kľúčom podpísala; kľúč sa neuchováva. Certifikáty vydala certifikačná autorita ' +
      'služby. Nejde o kvalifikované elektronické podpisy podľa nariadenia (EÚ) č. 910/2014 ' +
      '(eIDAS). Adresy a čísla, ktoré sú tu skryté, sú celé v prílohe audit.json.',
    lettersLacking:
      'Písmo tohto záznamu nemá všetky písmená; kde niektoré chýba, je znak \ufffd. Taký údaj je ' +
      'uvedený aj číslami písmen podľa Unicode. Celý je v prílohe audit.json a meno osoby aj v ' +
      'certifikáte.',
    nameSpelled: 'Písmená mena (Unicode)',
    email: 'E-mail (skrytý)',
    phone: 'Telefón (skrytý)',
    language: 'Jazyk',
    languages: { sk: 'slovenčina', en: 'angličtina' },
    identifiedBy: 'Spôsob identifikácie',
    identification: {
      mailedLink:
        'Osobný odkaz na podpis poslaný na uvedený e-mail; odkaz pozná aj odosielateľ. Doklad ' +
        'totožnosti služba neoverovala.',
      handedLink:
        'Osobný odkaz na podpis, ktorý osobe odovzdal odosielateľ. Doklad totožnosti služba ' +
        'neoverovala.',
      unsentLink:
        'Osobný odkaz na podpis. Služba nemá záznam o tom, že by ho pred podpisom poslala ' +
        'e-mailom. Doklad totožnosti služba neoverovala.',
      inPerson:
        'Osobne u odosielateľa podľa jeho údajov; za identifikáciu osoby zodpovedá odosielateľ. ' +
        'Služba pri nej nebola a doklad totožnosti neoverovala.',
    },
    oneTimeCode: 'Jednorazový kód',
    codeVerified: (time) => `správne zadaný ${time}`,
    codeSentTo: (destination) => `poslaný na ${destination}`,
    pin: 'PIN prípadu',
    pinEntered: 'správne zadaný spolu s podpisom',
    consent: 'Znenie súhlasu',
    consentFile: (version, file) => `${version} (príloha ${file})`,
    consentAccepted: 'Súhlas vyjadrený',
    byClientClock: (time) => `${time} (podľa hodín zariadenia tejto osoby)`,
    byDeviatingClock: (time) =>
      `${time} (podľa hodín zariadenia tejto osoby, ktoré sa odchyľujú od času, keď služba ` +
      'podpis prijala; spoľahlivý je čas prijatia)',
    opened: 'Dokument otvorený',
    openingNotRecorded: 'o otvorení dokumentu pred podpisom nemá služba záznam',
    signed: 'Podpis prijatý službou',
    timeStamped: 'Časová pečiatka podpisu',
    timeStampedBy: 'Časovú pečiatku vydal',
    pictureOf: (name) => `Vyobrazenie podpisu: ${name}`,
    places: 'Vyobrazenie podpisu a jeho miesta v podpísanom dokumente',
    placeOnPage: ({ page, left, top, width, height, unit }) =>
      `Strana ${page}: ${left}\u00a0${unit} zľava a ${top}\u00a0${unit} zhora, ` +
      `${width}\u00a0×\u00a0${height}\u00a0${unit}`,
    place: 'Miesto podpisu',
    ownPlace: 'zvolil účastník',
    visiblePart: 'Viditeľná časť podpisu',
    infos: {
      APPEARANCE_COVERS_CONTENT: 'leží na texte strany',
      APPEARANCE_OVERLAPS_SIGNATURE: 'prekrýva sa s iným podpisom',
    },
    ip: 'Adresa IP',
    userAgent: 'Prehliadač',
    client: 'Zariadenie (podľa neho)',
    viewedAllPages: 'Všetky strany zobrazené (podľa neho)',
    drawing: 'SHA-256 vyobrazenia podpisu',
    certificateSubject: 'Držiteľ certifikátu',
    certificateSerial: 'Sériové číslo certifikátu',
    certificateIssuer: 'Vydavateľ certifikátu',
  },
  yes: 'áno',
  no: 'nie',
  notReported: 'neuvedené',
  number: (value) => NUMBER.format(value),
  bytes: (size) => counted(size, 'bajt', 'bajty', 'bajtov'),
  timeline: {
    heading: 'Priebeh',
    intro:
      'Udalosti sú očíslované v poradí, v akom ich služba zapísala. Každý zápis obsahuje ' +
      'odtlačok predchádzajúceho, takže zmenu, vynechanie, presun aj doplnenie zápisu možno ' +
      'zistiť.',
    actors: { tenant: 'Odosielateľ', participant: 'Podpisujúca osoba', system: 'Služba' },
    ip: (ip) => `IP ${ip}`,
    certificate: (serial) => `certifikát ${serial}`,
    entries: 'Počet zápisov',
    head: 'Odtlačok posledného zápisu',
  },
  events: {
    'case.created': ({ title }) => `Prípad${quoted(title)} bol založený`,
    'document.uploaded': ({ pageCount }) =>
      pageCount === undefined
        ? 'Dokument bol prijatý'
        : `Dokument bol prijatý (${counted(pageCount, 'strana', 'strany', 'strán')})`,
    'document.rejected': () => 'Dokument bol odmietnutý',
    'participant.created': (values) => of(values, 'pridanie medzi podpisujúce osoby'),
    'participant.invited': (values) => of(values, invitedText(values)),
    'participant.viewed': (values) => of(values, 'dokument bol otvorený cez odkaz na podpis'),
    'participant.otp_sent': (values) => of(values, 'jednorazový kód bol odoslaný'),
    'participant.otp_failed': (values) => of(values, FAILURES[values.failure ?? 'wrongCode']),
    'participant.otp_verified': (values) => of(values, 'jednorazový kód bol overený'),
    'participant.consented': (values) =>
      of(
        values,
        values.consentVersion === undefined
          ? 'súhlas s elektronickým podpisom'
          : `súhlas s elektronickým podpisom (znenie ${values.consentVersion})`,
      ),
    'participant.signed': (values) => of(values, 'podpis bol prijatý'),
    'participant.declined': (values) =>
      of(
        values,
        values.statedReason === undefined
          ? 'oznámenie, že dokument nechce podpísať'
          : `oznámenie, že dokument nechce podpísať; dôvod:${quoted(values.statedReason)}`,
      ),
    'participant.certificate_issued': (values) => of(values, 'jednorazový certifikát bol vydaný'),
    'participant.signature_applied': (values) =>
      of(values, 'podpis s časovou pečiatkou bol vložený do dokumentu'),
    'participant.downloaded': (values) => of(values, 'podpísaný dokument bol stiahnutý'),
    'case.finalised': () => 'Podpísaný dokument bol uzavretý pečaťou služby',
    'case.completed': () => 'Prípad bol dokončený',
    'case.expired': () => 'Lehota na podpis uplynula',
    'case.cancelled': () => 'Prípad bol zrušený',
    'case.failed': () => 'Dokument sa nepodarilo podpísať',
    'participant.certificate_revoked': (values) => of(values, 'nepoužitý certifikát bol zrušený'),
  },
  consent: {
    heading: 'Znenie súhlasu',
    intro:
      'Pred podpisom každá osoba vyjadrila súhlas s týmto znením v jazyku, v ktorom ho čítala:',
    version: (version, language) =>
      `Znenie ${version} v ${language === 'sk' ? 'slovenskom' : 'anglickom'} jazyku`,
  },
  verification: {
    heading: 'Ako záznam overiť',
    intro:
      'Prvý z nasledujúcich spôsobov potrebuje službu, ostatné nie. Každý odhalí zmenu ' +
      'podpísaného súboru; overovací nástroj overí aj tento záznam a súvislosti medzi súbormi.',
    byPageHeading: 'Na overovacej stránke služby',
    byPage:
      'Otvorte túto adresu alebo naskenujte kód a vyberte podpísaný dokument alebo tento záznam. ' +
      'Stránka uvedie, kto a kedy ho podpísal alebo opatril pečaťou a či sa odvtedy nezmenil.',
    byPageCaution: 'Presvedčte sa, že adresa patrí službe.',
    codeOf: (address) => `QR kód s adresou ${address}`,
    byReaderHeading: 'V čítačke PDF',
    byReader:
      'Otvorte podpísaný dokument aj tento záznam v programe, ktorý overuje elektronické podpisy ' +
      'v súboroch PDF. Program má pri každom podpise uviesť, že sa dokument odvtedy nezmenil, ' +
      'a pri poslednej časovej pečiatke, že pokrýva celý súbor, pretože niektoré programy ' +
      'neupozornia na to, čo bolo k súboru pripojené neskôr. ' +
      'Dôveryhodnosť podpisov sa odvodzuje od koreňového certifikátu služby, ktorého odtlačok je ' +
      'uvedený nižšie. Odtlačok si dajte potvrdiť od prevádzkovateľa služby, nie z tohto súboru.',
    rootDigest: 'SHA-256 koreňového certifikátu',
    byToolHeading: 'Overovacím nástrojom, bez pripojenia na internet',
    byTool:
      'Nástroj je súčasťou zdrojového kódu služby. Skontroluje pečate, časové pečiatky, podpisy, ' +
      'reťaz zápisov aj všetky odtlačky a pri prvom nesúlade uvedie, čo nesedí. Je v ňom opísané ' +
      'aj to, ako sú zápisy zreťazené, takže ich môže overiť aj program iného výrobcu.',
    command: 'Príkaz',
    byHandHeading: 'Porovnaním odtlačkov',
    byHand:
      'Odtlačok SHA-256 podpísaného súboru vypočíta každý bežný operačný systém. Musí sa ' +
      'zhodovať s odtlačkom po podpísaní, ktorý je uvedený v časti Dokument.',
    attachmentsHeading: 'Prílohy tohto súboru PDF',
    attachment: 'Príloha',
    contents: 'Obsah',
    auditFile: 'Zápisy z časti Priebeh s údajmi potrebnými na overenie ich reťaze',
    rootFile: 'Koreňový certifikát služby, ktorého odtlačok je uvedený vyššie',
    consentFile: (version, language) =>
      `Znenie súhlasu ${version} v ${language === 'sk' ? 'slovenskom' : 'anglickom'} jazyku`,
  },
  glossary: {
    heading: 'Vysvetlenie pojmov',
    term: 'Pojem',
    meaning: 'Význam',
    entries: [
      [
        'PAdES',
        'Európska norma pre elektronické podpisy v súboroch PDF (ETSI EN 319 142). Podpis je ' +
          'súčasťou súboru a pokrýva celý jeho dovtedajší obsah.',
      ],
      [
        'Časová pečiatka',
        'Potvrdenie autority časových pečiatok, že údaje v danom čase existovali (RFC 3161). Čas ' +
          'preto nezávisí od hodín podpisujúcej osoby.',
      ],
      [
        'Elektronická pečať',
        'Podpis služby. Dokladá, že súbor pochádza od nej a odvtedy sa nezmenil.',
      ],
      [
        'Odosielateľ',
        'Zákazník služby, ktorý prípad založil a určil podpisujúce osoby a ich adresy.',
      ],
      [
        'Certifikát',
        'Potvrdenie certifikačnej autority, komu patrí kľúč, ktorým bol podpis vytvorený.',
      ],
      [
        'UTC',
        'Koordinovaný svetový čas. Na Slovensku je v zime o 1 hodinu a v lete o 2 hodiny viac.',
      ],
    ],
  },
}
