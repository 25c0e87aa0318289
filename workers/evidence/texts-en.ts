/** English texts of the evidence PDF. */
import { DEFAULT_TIME_ZONE } from '../../domain/local-time.ts'
import type { EventValues, EvidenceTexts } from './texts.ts'

const NUMBER = new Intl.NumberFormat('en-GB')

function counted(count: number, one: string, many: string): string {
  return `${NUMBER.format(count)}\u00a0${count === 1 ? one : many}`
}

/** Prefixes an event with the name of the participant, if it concerns one. */
const of = ({ name }: EventValues, what: string) => (name === undefined ? what : `${name}: ${what}`)
const quoted = (text: string | undefined) => (text === undefined ? '' : ` “${text}”`)

/** Says which local time is beside UTC, if one is. */
function localTimeOf(timeZone: string | undefined): string {
  if (timeZone === undefined) return ''
  const place = timeZone === DEFAULT_TIME_ZONE ? 'Slovakia' : `the time zone ${timeZone}`
  return `, with the local time of ${place} beside them`
}

const UNITS = { mm: '\u00a0mm', '%': '%' }

const FAILURES = {
  wrongCode: 'a wrong code was entered',
  wrongPin: 'a wrong PIN was entered',
  notSent: 'sending the one-time code failed; the code was withdrawn',
}

function invitedText({ isRefused, reminder }: EventValues): string {
  const mail = reminder === undefined ? 'the invitation to sign' : 'a reminder to sign'
  return isRefused ? `the mail server refused ${mail}` : `${mail} was sent`
}

export const ENGLISH: EvidenceTexts = {
  documentTitle: 'Record of evidence of the signing of a document',
  footer: (caseId) => `Record of evidence, case ${caseId}`,
  logo: {
    of: (sender) => (sender === undefined ? 'Logo of the sender' : `Logo of ${sender}`),
    chosenBySender: 'The sender of the document chose this logo. It confirms nothing.',
  },
  about: {
    title: 'What this document is',
    text: ({ title, baseUrl, createdAt, timeZone, participants }) =>
      `This record shows who signed the document “${title}” electronically, when, and how. It ` +
      `was signed by ${counted(participants, 'person', 'people')}. The record was made ` +
      `automatically by the service sigcase (${baseUrl}) at ${createdAt}, after the last ` +
      'signature, from events that the service wrote down as they happened. The file carries the ' +
      'electronic seal of the service and a time-stamp, so that any later change is detectable. ' +
      `Times are in Coordinated Universal Time (UTC)${localTimeOf(timeZone)}.`,
  },
  document: {
    heading: 'Document',
    name: 'Title',
    nameSpelled: 'Letters of the title (Unicode)',
    pages: 'Pages',
    sizeBefore: 'Size before signing',
    digestBefore: 'SHA-256 before signing',
    signaturesBefore: 'Signatures before signing',
    notJudged: (count) =>
      `${NUMBER.format(count)}, not of this case; this record says nothing about them`,
    sizeAfter: 'Size after signing',
    digestAfter: 'SHA-256 after signing',
    level: 'Level of the signatures',
    note:
      'The signed file begins with exactly the bytes that the document had before signing; the ' +
      'signatures are appended to them. SHA-256 is a fingerprint computed from the content of a ' +
      'file: when a single character changes, the fingerprint differs.',
  },
  case: {
    heading: 'Case',
    id: 'Case number',
    tenant: 'Customer of the service',
    sender: 'Sender',
    created: 'Created',
    createdFrom: 'Created from IP address',
    validUntil: 'Could be signed until',
    documentAccepted: 'Document accepted',
    lastSignature: 'Last signature',
    finalised: 'Signed document sealed',
    manner: 'Manner of signing',
    manners: {
      remote: 'Remotely, through a personal signing link',
      inPerson: 'In person, in the presence of the sender (as the sender states)',
      eitherWay:
        'In person in the presence of the sender (as the sender states), or remotely through a ' +
        'personal signing link',
    },
  },
  participants: {
    heading: 'Signatories',
    intro:
      'From each person the service received a consent and the image of a signature. On the ' +
      'basis of that act the service made a one-time key for the person, issued a certificate ' +
      'in the person’s name for it and signed the document with that key; the key is not kept. ' +
      'The certificates were issued by the ' +
      'certification authority of the service. The signatures are not qualified electronic ' +
      'signatures within the meaning of Regulation (EU) No 910/2014 (eIDAS). Addresses and ' +
      'numbers that are masked here are shown in full in the attachment audit.json.',
    lettersLacking:
      'The font of this record does not contain all letters; \ufffd replaces a missing one. ' +
      'The numbers of the letters in Unicode are given, too. The full text is in the ' +
      'attachment audit.json and, for a person, in the certificate.',
    nameSpelled: 'Letters of the name (Unicode)',
    email: 'E-mail (masked)',
    phone: 'Telephone (masked)',
    language: 'Language',
    languages: { sk: 'Slovak', en: 'English' },
    identifiedBy: 'How identified',
    identification: {
      mailedLink:
        'Personal signing link sent to the e-mail address above; the sender knows the link too. ' +
        'The service did not check an identity document.',
      handedLink:
        'Personal signing link handed over by the sender. The service did not check an identity ' +
        'document.',
      unsentLink:
        'Personal signing link. The service has no record that it sent this link by e-mail ' +
        'before the signature. The service did not check an identity document.',
      inPerson:
        'In person by the sender, as the sender states and answers for. The service did not ' +
        'observe it and did not check an identity document.',
    },
    oneTimeCode: 'One-time code',
    codeVerified: (time) => `entered correctly ${time}`,
    codeSentTo: (destination) => `sent to ${destination}`,
    pin: 'PIN of the case',
    pinEntered: 'entered correctly with the signature',
    consent: 'Consent text',
    consentFile: (version, file) => `${version} (attachment ${file})`,
    consentAccepted: 'Consent given',
    byClientClock: (time) => `${time} (by the clock of the person’s device)`,
    byDeviatingClock: (time) =>
      `${time} (by the clock of the person’s device, which deviates from the time at which the ` +
      'service received the signature; the time of receipt is the reliable one)',
    opened: 'Document opened',
    openingNotRecorded:
      'the service has no record of the document being opened before it was signed',
    signed: 'Signature received by the service',
    timeStamped: 'Time-stamp of the signature',
    timeStampedBy: 'Time-stamp issued by',
    pictureOf: (name) => `Image of the signature of ${name}`,
    places: 'Image of the signature and its places in the signed document',
    placeOnPage: ({ page, left, top, width, height, unit }) =>
      `Page ${page}: ${left}${UNITS[unit]} from the left and ${top}${UNITS[unit]} from the top, ` +
      `${width}\u00a0×\u00a0${height}${UNITS[unit]}`,
    place: 'Place of the signature',
    ownPlace: 'chosen by the participant',
    visiblePart: 'Visible part of the signature',
    infos: {
      APPEARANCE_COVERS_CONTENT: 'lies over text of the page',
      APPEARANCE_OVERLAPS_SIGNATURE: 'overlaps with that of another signature',
    },
    ip: 'IP address',
    userAgent: 'Browser',
    client: 'Device (as it reported)',
    viewedAllPages: 'All pages were shown (as it reported)',
    drawing: 'SHA-256 of the signature image',
    certificateSubject: 'Certificate subject',
    certificateSerial: 'Certificate serial number',
    certificateIssuer: 'Certificate issuer',
  },
  yes: 'yes',
  no: 'no',
  notReported: 'not reported',
  number: (value) => NUMBER.format(value),
  bytes: (size) => counted(size, 'byte', 'bytes'),
  timeline: {
    heading: 'Timeline',
    intro:
      'Events are numbered in the order in which the service recorded them. Each entry holds the ' +
      'fingerprint of the one before, so that it is detectable when an entry was changed, left ' +
      'out, moved or inserted.',
    actors: { tenant: 'Sender', participant: 'Signatory', system: 'Service' },
    ip: (ip) => `IP ${ip}`,
    certificate: (serial) => `certificate ${serial}`,
    entries: 'Number of entries',
    head: 'Fingerprint of the last entry',
  },
  events: {
    'case.created': ({ title }) => `The case${quoted(title)} was created`,
    'document.uploaded': ({ pageCount }) =>
      pageCount === undefined
        ? 'The document was accepted'
        : `The document was accepted (${counted(pageCount, 'page', 'pages')})`,
    'document.rejected': () => 'The document was rejected',
    'participant.created': (values) => of(values, 'named as a signatory'),
    'participant.invited': (values) => of(values, invitedText(values)),
    'participant.viewed': (values) =>
      of(values, 'the document was opened through the signing link'),
    'participant.otp_sent': (values) => of(values, 'a one-time code was sent'),
    'participant.otp_failed': (values) => of(values, FAILURES[values.failure ?? 'wrongCode']),
    'participant.otp_verified': (values) => of(values, 'the one-time code was verified'),
    'participant.consented': (values) =>
      of(
        values,
        values.consentVersion === undefined
          ? 'consent to the electronic signature'
          : `consent to the electronic signature (text ${values.consentVersion})`,
      ),
    'participant.signed': (values) => of(values, 'the signature was received'),
    'participant.declined': (values) =>
      of(
        values,
        values.statedReason === undefined
          ? 'stated the wish not to sign'
          : `stated the wish not to sign; reason:${quoted(values.statedReason)}`,
      ),
    'participant.certificate_issued': (values) => of(values, 'a one-time certificate was issued'),
    'participant.signature_applied': (values) =>
      of(values, 'the signature with its time-stamp was put into the document'),
    'participant.downloaded': (values) => of(values, 'the signed document was downloaded'),
    'case.finalised': () => 'The signed document was sealed by the service',
    'case.completed': () => 'The case was completed',
    'case.expired': () => 'The time for signing ran out',
    'case.cancelled': () => 'The case was cancelled',
    'case.failed': () => 'The document could not be signed',
    'participant.certificate_revoked': (values) => of(values, 'an unused certificate was revoked'),
  },
  consent: {
    heading: 'Consent text',
    intro:
      'Before signing, each person consented to this text in the language in which they read it:',
    version: (version, language) =>
      `Text ${version}, in ${language === 'sk' ? 'Slovak' : 'English'}`,
  },
  verification: {
    heading: 'How to verify this record',
    intro:
      'The first of these ways needs the service; the others work without its help. Each of them ' +
      'shows whether the signed file was changed; the verification tool also checks this record, ' +
      'and that both belong together.',
    byPageHeading: 'On the verification page of the service',
    byPage:
      'Open this address, or scan the code, and choose the signed document or this record. The ' +
      'page says who signed or sealed it, when, and whether it was changed since.',
    byPageCaution: 'Make sure that the address is that of the service.',
    codeOf: (address) => `QR code with the address ${address}`,
    byReaderHeading: 'With a PDF reader',
    byReader:
      'Open the signed document and this record in a program that validates electronic ' +
      'signatures in PDF files. For every signature it should say that the document has not ' +
      'changed since, and for the last time-stamp that it covers the whole file, because some ' +
      'programs do not report what was appended later. Trust in the signatures derives from the ' +
      'root certificate of the service, ' +
      'whose fingerprint is below. Have the operator of the service confirm that fingerprint ' +
      'to you; do not take it from this file.',
    rootDigest: 'SHA-256 of the root certificate',
    byToolHeading: 'With the verification tool, without internet',
    byTool:
      'The tool is part of the source code of the service. It checks seals, time-stamps, ' +
      'signatures, the chain of entries and all fingerprints, and names the first that does not ' +
      'match. It also documents how the entries are chained, so that a program of another ' +
      'maker can check them.',
    command: 'Command',
    byHandHeading: 'By comparing fingerprints',
    byHand:
      'Every common operating system computes the SHA-256 fingerprint of the signed file. It ' +
      'must equal the fingerprint after signing in the section Document.',
    attachmentsHeading: 'Attachments of this PDF file',
    attachment: 'Attachment',
    contents: 'Content',
    auditFile: 'The entries of the timeline, with what is needed to verify their chain',
    rootFile: 'Root certificate of the service, whose fingerprint is shown above',
    consentFile: (version, language) =>
      `Consent text ${version} in ${language === 'sk' ? 'Slovak' : 'English'}`,
  },
  glossary: {
    heading: 'Terms',
    term: 'Term',
    meaning: 'Meaning',
    entries: [
      [
        'PAdES',
        'The European standard for electronic signatures in PDF files (ETSI EN 319 142). The ' +
          'signature is a part of the file and covers all of its content up to then.',
      ],
      [
        'Time-stamp',
        'Confirmation by a time-stamp authority that data existed at a point in time (RFC 3161). ' +
          'That time does not depend on the clock of the signatory.',
      ],
      [
        'Electronic seal',
        'The signature of the service. It shows that the file comes from the service and has not ' +
          'changed since.',
      ],
      [
        'Sender',
        'The customer of the service, who made the case and named the signatories and their ' +
          'addresses.',
      ],
      [
        'Certificate',
        'Confirmation by a certification authority of who owns the key of a signature.',
      ],
      ['UTC', 'Coordinated Universal Time, the same everywhere in the world.'],
    ],
  },
}
