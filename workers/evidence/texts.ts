/** What the evidence PDF says: the keys here, the words in `texts-sk.ts` and `texts-en.ts`. */
import { bindAllWords } from '../../domain/bound-words.ts'
import type { AuditActor, AuditEventType } from '../../domain/audit/entry.ts'
import type { InfoKey } from '../../pades/index.ts'
import type { Language } from '../../domain/cases/definition.ts'
import { ENGLISH } from './texts-en.ts'
import { SLOVAK } from './texts-sk.ts'

/** Values for the sentence of an event; a value that was erased or never recorded is absent. */
export interface EventValues {
  /** Name of the participant whom the event concerns. */
  name?: string
  title?: string
  pageCount?: number
  consentVersion?: string
  /** Days after the invitation; present for a reminder. */
  reminder?: number
  /** The mail server refused the mail for good. */
  isRefused?: boolean
  /** Why a participant does not want to sign, in their words. */
  statedReason?: string
  /** Present for `participant.otp_failed`; absent means that a wrong code was entered. */
  failure?: 'wrongPin' | 'notSent'
}

/** Where a signature is on a page, from its upper left corner. */
export interface PlaceValues {
  page: number
  left: number
  top: number
  width: number
  height: number
  /** Millimetres, or hundredths of the width and height of the page. */
  unit: 'mm' | '%'
}

/** How a participant reached the signing page. */
export type Identification = 'mailedLink' | 'handedLink' | 'unsentLink' | 'inPerson'

/** Where the participants of a case signed. */
export type Manner = 'remote' | 'inPerson' | 'eitherWay'

export interface EvidenceTexts {
  documentTitle: string
  footer: (caseId: string) => string
  logo: {
    /** Alternative text. */
    of: (sender: string | undefined) => string
    chosenBySender: string
  }
  about: {
    title: string
    text: (values: {
      title: string
      baseUrl: string
      createdAt: string
      /** IANA name of the zone of the local times; undefined where they are those of UTC. */
      timeZone: string | undefined
      participants: number
    }) => string
  }
  document: {
    heading: string
    name: string
    nameSpelled: string
    pages: string
    sizeBefore: string
    digestBefore: string
    /** Label for a document that others had signed. */
    signaturesBefore: string
    notJudged(count: number): string
    sizeAfter: string
    digestAfter: string
    level: string
    note: string
  }
  case: {
    heading: string
    id: string
    tenant: string
    sender: string
    created: string
    createdFrom: string
    validUntil: string
    documentAccepted: string
    lastSignature: string
    finalised: string
    manner: string
    manners: Readonly<Record<Manner, string>>
  }
  participants: {
    heading: string
    intro: string
    /** Note about letters that the font lacks. */
    lettersLacking: string
    nameSpelled: string
    email: string
    phone: string
    language: string
    languages: Readonly<Record<Language, string>>
    identifiedBy: string
    identification: Readonly<Record<Identification, string>>
    oneTimeCode: string
    codeVerified: (time: string) => string
    codeSentTo: (destination: string) => string
    pin: string
    pinEntered: string
    consent: string
    consentFile: (version: string, file: string) => string
    consentAccepted: string
    byClientClock: (time: string) => string
    /** Used when the device's clock deviates too much from the time of receipt. */
    byDeviatingClock: (time: string) => string
    opened: string
    openingNotRecorded: string
    signed: string
    timeStamped: string
    timeStampedBy: string
    pictureOf: (name: string) => string
    places: string
    placeOnPage: (place: PlaceValues) => string
    place: string
    /** Used when the fact contains `rectangles`. */
    ownPlace: string
    visiblePart: string
    infos: Readonly<Record<InfoKey, string>>
    ip: string
    userAgent: string
    client: string
    viewedAllPages: string
    drawing: string
    certificateSubject: string
    certificateSerial: string
    certificateIssuer: string
  }
  yes: string
  no: string
  notReported: string
  bytes: (size: number) => string
  number: (value: number) => string
  timeline: {
    heading: string
    intro: string
    actors: Readonly<Record<AuditActor, string>>
    ip: (ip: string) => string
    certificate: (serial: string) => string
    entries: string
    head: string
  }
  events: Readonly<Record<AuditEventType, (values: EventValues) => string>>
  consent: {
    heading: string
    intro: string
    version: (version: string, language: Language) => string
  }
  verification: {
    heading: string
    intro: string
    byPageHeading: string
    byPage: string
    byPageCaution: string
    codeOf: (address: string) => string
    byReaderHeading: string
    byReader: string
    rootDigest: string
    byToolHeading: string
    byTool: string
    command: string
    byHandHeading: string
    byHand: string
    attachmentsHeading: string
    attachment: string
    contents: string
    auditFile: string
    rootFile: string
    consentFile: (version: string, language: Language) => string
  }
  glossary: {
    heading: string
    term: string
    meaning: string
    entries: readonly (readonly [term: string, meaning: string])[]
  }
}

export const EVIDENCE_TEXTS: Readonly<Record<Language, EvidenceTexts>> = {
  sk: bindAllWords(SLOVAK),
  en: ENGLISH,
}
