/** Every sentence of the pages in English; the other languages have the same members. */
import { pluralIn } from './plural.ts'

const plural = pluralIn('en')
const pages = (count: number) => plural(count, { one: 'page', other: 'pages' })
const tries = (count: number) => plural(count, { one: 'try', other: 'tries' })
const seconds = (count: number) => plural(count, { one: 'second', other: 'seconds' })
const fields = (count: number) => plural(count, { one: 'field', other: 'fields' })

/** Who signed a document, and the day of the seal or of the last signature. */
interface Signers {
  who: string
  /** Absent when it is not proven. */
  day: string | undefined
  isOne: boolean
}

export const ENGLISH = {
  languageName: 'English',
  languageSwitch: 'Language',
  serviceName: 'sigcase',
  logoOf: (sender: string | undefined) =>
    sender === undefined ? 'Logo of the sender' : `Logo of ${sender}`,

  loading: 'Opening the document…',
  loadingLong: 'This takes longer than usual. Your connection may be slow.',
  dialogLoading: 'One moment, the next step is loading…',
  tryAgain: 'Try again',
  close: 'Close',
  cancel: 'Cancel',
  back: 'Back',

  asksYou: (sender: string) => `${sender} asks you to sign`,
  youAreAsked: 'You are asked to sign',
  signingAs: 'Signing as',
  signUntil: 'Sign until',
  progress: 'Signatures',
  progressOf: (signed: number, total: number) => `${signed} of ${total} signed`,
  documentSize: 'Document',
  pageCount: (count: number) => `${count} ${pages(count)}`,

  codeHeading: 'First, confirm that it is you',
  codeWhy:
    'The sender protects this document with a one-time code. The document opens once you have ' +
    'entered it.',
  codeByEmail: 'We will send the code by e\u2011mail.',
  codeBySms: 'We will send the code by text message.',
  codeSend: 'Send me the code',
  codeSentEmail: (destination: string) =>
    `We sent a six-digit code by e\u2011mail to ${destination}`,
  codeSentSms: (destination: string) =>
    `We sent a six-digit code by text message to ${destination}`,
  codeLabel: 'Six-digit code',
  codeSubmit: 'Confirm',
  codeValidFor: (time: string) => `The code works for another ${time}.`,
  codeIsOver: 'The code has expired. Request a new code.',
  codeResend: 'Request a new code',
  codeResendIn: (time: string) => `You can request a new code in ${time}.`,
  codeIncomplete: 'Please enter all six digits.',
  codeWrong: (left: number) => `This code is not correct. You have ${left} ${tries(left)} left.`,
  codeLocked: 'There were too many wrong codes. Request a new code.',
  codeLimited: 'Too many codes were sent. Please wait before you request another one.',
  codeNoDestination: 'The sender did not say where to send your code. Please contact the sender.',
  codeRefused: 'The code cannot be delivered to you. Please contact the sender.',
  codeNoChannel: 'Codes cannot be sent this way at the moment. Please contact the sender.',
  codeAgain: 'Your confirmation has expired. Please confirm again; what you entered is kept.',

  pinHeading: 'Enter the PIN',
  pinWhy: 'The sender protects this document with a PIN, which you received in another way.',
  pinLabel: 'PIN',
  pinSubmit: 'Open the document',
  pinWrong: (left: number) => `This PIN is not correct. You have ${left} ${tries(left)} left.`,
  pinClosed:
    'There were too many wrong PINs. Please ask the sender to invite you again; then you can ' +
    'try again.',
  pinLocked: (time: string) => `There were too many wrong PINs. Please try again in ${time}.`,

  documentRegion: 'Document',
  pageLabel: (page: number, count: number) => `Page ${page} of ${count}`,
  pageCounter: (page: number, count: number) => `${page} / ${count}`,
  pageFailed: 'This page could not be loaded.',
  otherDocument:
    'The document that was loaded is not the one that was sent to you for signing. Please do not ' +
    'sign it, and tell the sender.',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  zoomTools: 'Size of the page',
  reviewed: (seen: number, count: number) => `Viewed ${seen} of ${count} ${pages(count)}`,

  fieldToSign: (position: number, count: number) => `Sign here, field ${position} of ${count}`,
  fieldSigned: (position: number, count: number) =>
    `Your signature is here, field ${position} of ${count}; change it`,
  fieldShort: 'Sign here',
  fieldsLeft: (count: number) => `${count} ${fields(count)} left to sign`,
  allFieldsDone: 'Your signature is in place. The document is not signed yet.',
  signedLine: (time: string) => `Signed ${time}`,
  nextField: 'Next field',
  placeHint: 'You sign at the end of the document, or where you click or tap.',
  placeHere: 'Create your signature',
  placeAgain: 'Place the signature',
  placeMove:
    'Drag it, or move it with the arrow keys. Shift and the arrow keys change its size, Page Up ' +
    'and Page Down its page, Delete removes it.',
  placeTaken: 'This place is taken',
  placeTakenText:
    'Another participant signs there. Your signature is at a free place now. Look at it, then ' +
    'continue.',
  placeTakenShow: 'Show my signature',
  placeRemove: 'Remove this place',
  typeStyles: 'Style',
  typeStyle: (position: number) => `Style ${position}`,
  finish: 'Continue to signing',

  more: 'More',
  pageNumber: (count: number) => `Page number, of ${count}`,
  goToPage: (page: number) => `Go to page ${page}`,
  thumbnails: 'Pages',
  search: 'Search in the document',
  searching: 'Searching…',
  searchNone: 'Not found',
  searchAt: (position: number, count: number) => `${position} of ${count}`,
  searchBefore: 'Previous match',
  searchNext: 'Next match',
  searchClose: 'Close the search',
  documentDownload: 'Download the document',
  documentPrint: 'Print the document',
  paperHint:
    'The pages of the document are not printed this way. Press the button with three dots ' +
    '(More) above them; from there you can print or download the document.',
  documentPreparing: 'Preparing the document…',
  documentPreparingFailed: 'The document could not be loaded. Please try again.',
  phone: 'Sign on your phone',
  phoneText: 'Point the camera of your phone at the code. The same document opens there.',
  phoneCode: 'QR code with your signing link',
  phonePersonal: 'The code contains your personal link. Do not show it to other people.',
  safety: 'Is this safe?',
  safetySender: (sender: string) =>
    `The sender of this document goes by the name ${sender}; we have not verified that name. If ` +
    'you do not expect the document, ask the sender in a way that you know, not by replying to ' +
    'the e\u2011mail.',
  safetyAnySender:
    'Somebody uploaded this document and named you as a signer. If you do not know who did, do ' +
    'not sign it.',
  safetyHost: (host: string) =>
    `This page is at ${host}. Check that the address bar of your browser shows this address.`,
  safetyNothing: 'You do not need an account. This page never asks for a password or for payment.',
  safetyOpening: 'Reading the document does not bind you. Only the last button signs it.',
  decline: 'I do not want to sign',
  declineText:
    'This is recorded once, and the sender can see it. The document stays open: you can still ' +
    'sign it until the deadline, and only the sender can cancel the signing.',
  declineReason: 'Reason (optional; the sender reads it)',
  declineSend: 'Send to the sender',
  declineFailed: 'This could not be sent. Please try again.',
  declineRefused:
    'You have stated before that you do not want to sign, and the sender can see that. Only the ' +
    'first statement is recorded: this reason was not sent. Write to the sender instead.',
  declineSent: 'Your statement is recorded',
  declineSentText:
    'The sender can see that you do not want to sign. There is nothing left for you to do.',
  leave: 'Leave the page?',
  leaveText: 'The document is not signed yet.',
  leaveGo: 'Leave',
  leaveStay: 'Stay here',
  finishTools: 'Signing',

  dialogHeading: 'Your signature',
  methods: 'How to sign',
  draw: 'Draw',
  type: 'Type',
  upload: 'Upload',
  saved: 'Saved',
  drawHint: 'Sign here with a finger, pen or mouse',
  drawLabel: 'Drawing area for your signature; with the keyboard, use “Type” instead',
  drawClear: 'Clear',
  drawUndo: 'Undo',
  drawEmpty: 'Please draw your signature; a dot is not enough.',
  typeLabel: 'Your name',
  typeEmpty: 'Please type your name.',
  typeNoFont:
    'This device has no font for this name. Draw your signature, or type your name in other ' +
    'letters.',
  typePreview: 'Preview of the typed signature',
  uploadLabel: 'Choose a picture of your signature',
  uploadHint: 'PNG or JPEG, up to 5 MB',
  uploadPreview: 'Preview of your picture',
  uploadEmpty: 'Please choose a picture.',
  uploadWrongType: 'This is not a PNG or JPEG picture.',
  uploadTooLarge: 'This picture is larger than 5 MB.',
  uploadBroken: 'This picture could not be read. Please choose another.',
  saveSignature: 'Save this signature on this device',
  saveWhere: (host: string) =>
    `Only this browser keeps it, for the pages of ${host}. Do not save it on a shared device.`,
  saveFailed:
    'Your browser could not save the signature. You can use it without saving; press the button ' +
    'again.',
  savedPreview: 'Your saved signature',
  savedWhere: (host: string) =>
    `Only this browser keeps it, for the pages of ${host}. We receive it when you sign with it.`,
  savedForget: 'Remove the saved signature',
  savedForgotten: 'The saved signature was removed from this browser.',
  useSignature: 'Use this signature',

  consentHeading: 'Sign the document',
  consentShort: 'I know the content of the document and I want to sign it electronically.',
  consentMissing: 'Please tick that you agree.',
  notAllReviewed: (seen: number, count: number) =>
    `You have viewed ${seen} of ${count} ${pages(count)}. You can go back and read the rest.`,
  allReviewed: 'You have viewed all pages.',
  signDocument: 'Sign document',
  signing: 'Signing…',
  signOffline:
    'There is no connection. Your signature is kept on this device, and we’ll keep trying to ' +
    'send it.',
  signFailed: 'The signature could not be sent. It is kept; please try again.',
  signUnavailable:
    'Signing is not available at the moment. Your signature is kept; try again soon.',
  placeRefused: 'You cannot sign at this place. Please go back and move your signature.',
  signRefused: 'This signature could not be used. Please create it again.',

  doneHeading: 'You have signed',
  doneAt: (time: string) => `Signed on ${time}`,
  doneNext:
    'The others still have to sign. When everybody has, we will e\u2011mail you the signed ' +
    'document or a link to it.',
  doneNextUnmailed:
    'The others still have to sign. When everybody has, you can download the signed document ' +
    'here: open this page again then.',
  doneNow: 'Everybody has signed. The document is being completed; this takes a moment.',
  doneReady: 'Everybody has signed. The signed document is ready.',
  download: 'Download the signed document',
  downloadFailed: 'The download did not work. Please try again.',
  doneKeep: 'Keep the PDF file: a printed copy does not hold the electronic signatures.',
  doneClose: 'You can close this page.',

  linkHeading: 'This link does not work (yet)',
  linkText: 'Perhaps it was copied only in part, or the document is still being prepared.',
  linkAdvice: 'Open it from the e\u2011mail once more. If that does not help, contact the sender.',
  expiredHeading: 'The time to sign is over',
  expiredText:
    'At least one signature was missing at the deadline, so the document can no longer be signed.',
  cancelledHeading: 'The signing was cancelled',
  cancelledText: 'The sender has cancelled it. There is nothing left for you to do.',
  failedHeading: 'The document could not be completed',
  failedText: 'Everybody has signed, but the signed document could not be made.',
  rejectedHeading: 'The document cannot be signed',
  rejectedText: 'The file that was uploaded could not be used. The sender has to send a new one.',
  linkExpiredHeading: 'This link has expired',
  linkExpiredText:
    'Everybody has signed. The time in which you could download the document is over.',
  notEmbeddableHeading: 'This document cannot be signed here',
  notEmbeddableText: 'The sender did not allow this site to show it. Open it in its own window.',
  openInWindow: 'Open in its own window',
  unavailableHeading: 'We cannot be reached at the moment',
  unavailableText: 'Nothing is lost. Please try again in a moment.',
  offlineHeading: 'There is no connection',
  offlineText: 'Your device seems to have no connection. Nothing is lost.',
  askSender: (sender: string) => `If you have questions, please contact the sender (${sender}).`,
  askAnySender: 'If you have questions, please contact the person who asked you to sign.',

  homeLead:
    'Electronic signatures on one PDF: people read, consent and sign; everybody gets proof.',
  homeMailbox: 'Mailbox',
  homeMailboxText: 'Mails that were “sent”: open an invitation and sign.',
  homeGraphql: 'Try GraphQL',
  homeGraphqlText: 'Write queries and subscriptions and run them.',
  homeConsole: 'Console',
  homeConsoleText: 'Create a case and follow who has signed.',
  homeVerify: 'Check a signed PDF',
  homeVerifyText: 'Who signed, when, and whether it was changed since.',
  homeDocs: 'API documentation',
  homeDocsText: 'Every request and answer, to try out.',
  homeStart: 'A first case',
  homeStartText: 'In a terminal, in the folder of the service, with any PDF:',

  mailboxHeading: 'Mailbox',
  mailboxText: 'The service on one machine keeps its mails here instead of sending them.',
  mailboxEmpty: 'There is no mail yet. Cases with quickSign send no invitations.',
  mailboxFailed: 'The mails could not be read.',

  kioskPairHeading: 'This kiosk is not paired',
  kioskPairText: 'Enter the pairing code of this device, or its token.',
  kioskPairLabel: 'Pairing code or token',
  kioskPairSubmit: 'Pair',
  kioskPairWrong: 'This code or token does not work. A code works once, for ten minutes.',
  kioskPairLimited: 'There were too many tries. Please wait ten minutes, and try again.',
  kioskPairUnanswered:
    'The service did not answer. Check the connection of this device, and try again.',
  kioskReplaced: 'This kiosk was opened on another screen.',
  kioskReplacedUse: 'Use this screen',
  kioskReady: 'Your document will open here',
  kioskNotReady: 'This screen cannot open documents at the moment',
  kioskConnected: 'Connected',
  kioskLostIdle: 'No connection. We’ll keep trying.',
  kioskLost: 'No connection. What you entered is kept, and we’ll keep trying.',
  kioskConnecting: 'Connecting…',
  // The isolates keep the question mark behind a name of a right-to-left script.
  kioskGreeting: (name: string) => `Are you \u2068${name}\u2069?`,
  kioskGreetingDocument: (title: string) => `Are you here to sign “\u2068${title}\u2069”?`,
  kioskYes: 'Yes, that is me',
  kioskYesDocument: 'Yes',
  kioskNo: 'No',
  kioskOther: 'The previous document was closed. Another one was opened.',
  kioskStill: 'Are you still there?',
  kioskStillText: (count: number) =>
    `Without an answer this document closes in ${count} ${seconds(count)}.`,
  kioskStay: 'I am still here',
  kioskLeave: 'Close the document',
  kioskExit: 'Close without signing',
  kioskExitHeading: 'Close the document?',
  kioskExitText: 'It is not signed then, and what you entered is deleted from this device.',
  kioskSignOffline:
    'There is no connection, and we’ll keep trying to send your signature. Please stay here ' +
    'until this screen thanks you.',
  kioskThanks: 'Thank you, you have signed',
  kioskThanksText:
    'When everybody has signed, we will e\u2011mail you the signed document or a link to it.',
  kioskThanksUnmailed: 'Your signature is recorded. There is nothing left for you to do.',
  kioskClosed: 'The document was closed',
  kioskClosedText: 'It can no longer be signed. Please ask the staff.',
  kioskDigits: 'Digits',
  kioskDelete: 'Delete the last digit',
  verifyTitle: 'Check a signed PDF',
  verifyLead: 'See who signed a document, when, and whether it was changed since.',
  verifyDrop: 'Drop a PDF here',
  verifyDropOr: 'or',
  verifyChoose: 'Choose a PDF',
  verifyChooseHint: 'Up to 25 MB',
  verifyPrivacy:
    'Your file is deleted as soon as it is checked, and in any case within two hours. ' +
    'No copy is kept.',
  verifyUploading: 'Uploading…',
  verifyUploadedPart: (part: number) => `${part}% uploaded`,
  verifyChecking: 'Checking the signatures…',
  verifyCheckingText: 'Uploaded. Checking takes a few seconds.',
  verifyProgress: 'Progress',
  verifyAnother: 'Check another PDF',
  verifyOneOnly: 'Please choose one file at a time.',
  verifyForgotten: 'Your file is already deleted; no copy was kept.',

  verifyTooLargeHeading: 'This file is too large',
  verifyTooLargeText: 'Files up to 25 MB can be checked.',
  verifyNotPdfHeading: 'This is not a PDF',
  verifyNotPdfText: 'Electronic signatures are checked in PDF files. Please choose another file.',
  verifyUnreadableHeading: 'This PDF cannot be read',
  verifyUnreadableText: 'The file seems to be damaged. Ask the sender for another copy of it.',
  verifyGoneHeading: 'The file could not be opened',
  verifyGoneText: 'Perhaps it was moved, or it is a folder. Please choose it again.',
  verifyLimitedHeading: 'A moment, please',
  verifyLimitedText:
    'Many documents were checked from here. Please try again later, in an hour at the latest.',
  verifyOfflineHeading: 'There is no connection',
  verifyOfflineText: 'The service could not be reached. Check your connection and try again.',
  verifyUnavailableHeading: 'The check did not finish',
  verifyUnavailableText: 'The service is busy. Please try again in a moment.',

  verdictSignedAndSealed: ({ who, day }: Signers) =>
    `Signed by ${who}, sealed${day === undefined ? '' : ` on ${day}`}, not changed since`,
  verdictSigned: ({ who, day }: Signers) =>
    `Signed by ${who}${day === undefined ? '' : `, last on ${day}`}, not changed since`,
  verdictSealed: (day: string | undefined) =>
    `Sealed${day === undefined ? '' : ` on ${day}`}, not changed since`,
  verdictUnsigned: 'This PDF has no electronic signature',
  verdictUnsignedText:
    'A picture of a signature is not an electronic signature. If the document was printed and ' +
    'scanned, ask for the original file.',
  verdictChanged: 'This document was changed after it was signed',
  verdictChangedStamped: 'This document was changed after it was time-stamped',
  verdictChangedText: 'Do not rely on it. Ask the sender for the original file.',
  verdictInvalid: 'A signature in this document is not valid',
  verdictInvalidText: 'Do not rely on it. Details are below, with the signature.',
  verdictUntrusted: 'Not changed since it was signed, but we cannot tell who signed',
  verdictUntrustedText:
    'Anybody can make a certificate in any name. The issuer of the one used here is unknown to us.',
  verdictUncertain: 'Not everything about the signatures can be confirmed',
  verdictUncertainText: 'Details are below, with the signature.',
  remarkBytesAfter: 'Bytes that nobody signed follow the end of this document.',
  remarkIssuedEarlier:
    'This service issued an earlier state of this document. More was added afterwards.',
  issuedHere: 'This service issued this document.',
  verdictQualified: (count: number): string =>
    count === 1
      ? 'Under EU law (eIDAS), this is a qualified electronic signature.'
      : 'Under EU law (eIDAS), these are qualified electronic signatures.',
  verdictNotQualified: (count: number): string =>
    count === 1
      ? 'Under EU law (eIDAS), this is not a qualified electronic signature.'
      : 'Under EU law (eIDAS), these are not qualified electronic signatures.',
  verdictPartlyQualified:
    'Under EU law (eIDAS), not all of them are qualified electronic signatures; see below.',
  verdictQualificationUnknown: (count: number): string =>
    count === 1
      ? 'Whether this is a qualified electronic signature under EU law (eIDAS) was not established.'
      : 'Whether these are qualified electronic signatures under EU law (eIDAS) was not ' +
        'established.',

  changesHeading: 'What was changed',
  changesAfter: (name: string, time: string) => `After the signature of ${name} (${time})`,
  changesAfterStamp: (time: string) => `After the time-stamp of the document (${time})`,
  changesInside: (name: string) =>
    `The part of the file that ${name} signed is no longer the one that was signed.`,
  changesInsideStamp:
    'The part of the file that the time-stamp of the document covers was changed afterwards.',
  changesInsideText: 'It was overwritten inside the file, so its former content is unknown.',
  changesUnlisted: 'The document was changed in a way that is not permitted.',
  changeObjects: (list: string) => `in the file: object ${list}`,
  changesOpenSigned: 'Open as it was signed',
  changesOpenStamped: 'Open as it was time-stamped',
  changesOpenPresent: 'Open as it is now',
  changesOpenHint: 'Both open in tabs of their own, so that you can compare them.',

  signaturesHeading: 'Signatures',
  signatureUnknown: 'Unknown',
  signatureOfPerson: 'Signature',
  signatureSeal: 'Seal of an organisation',
  signatureTimeStamp: 'Time-stamp of the document',
  statePassed: 'Valid',
  stateIndeterminate: 'Cannot be confirmed',
  stateFailed: 'Not valid',
  signatureWhen: 'When',
  signatureTimeClaimed: 'by the clock of the signer; not proven',
  signatureTimeUnknown: 'No time is given',
  signatureLevel: 'Level',
  levelB: 'Proves who signed what.',
  levelT: 'Its time is proven, too.',
  levelLt: 'It contains what is needed to check it later.',
  levelLta: 'Made to be checked for many years.',
  signatureTrust: 'Trust',
  trustOwn: 'Issued by this service',
  trustList: 'On the trusted lists of the EU',
  trustNobody: 'Issuer unknown to us',
  signatureQualification: 'Under EU law',
  qualifiedSignature: 'Qualified electronic signature',
  notQualifiedSignature: 'Not a qualified electronic signature',
  notQualifiedSeal: 'Not a qualified electronic seal',
  qualificationUnknown: 'Not established',
  qualifiedSeal: 'Qualified electronic seal',
  qualificationOther: (level: string) =>
    /-QC$/.test(level)
      ? `Advanced, based on a qualified certificate (${level})`
      : `Not qualified (${level})`,
  signatureChecked: 'What was checked',
  checkGood: 'yes',
  checkBad: 'no',
  checkUnknown: 'not known',
  checkUnchanged: 'The document is as it was signed',
  checkTrusted: 'The issuer of the certificate is trusted',
  checkNotRevoked: 'The certificate was not revoked',
  checkRevokedLater: 'The certificate was revoked only after the signature',
  checkTimeProven: 'A time-stamp proves the time',
  checkTimeOwn: 'The time is from the clock of this service',

  whyFormat: 'The signature does not conform to the standard.',
  whyHash: 'What was signed was changed afterwards.',
  whyCrypto: 'The signature was not made with the key of this certificate, or it was changed.',
  whyNotYetValid: 'It was made before the certificate was valid.',
  whyAmbiguous: 'Programs may show different content of this file, so it cannot be confirmed.',
  whyOddlyWritten:
    'Some programs may not find this signature in the file, so it cannot be confirmed.',
  whyModified: 'The document was changed afterwards in a way that signatures do not permit.',
  whyConstraints: 'The signature or the document was made in a way that cannot be relied on.',
  whyNoCertificate: 'The certificate of the signer is missing.',
  whyWeak: 'It was made with a method that is no longer secure.',
  whyMethodUnknown: 'It was made with a method that we cannot check.',
  whyNoChain: 'The issuer of the certificate is unknown to us: anybody could have made it.',
  whyChain: 'The certificate, or that of its issuer, may not be used for this.',
  whyExpired: 'The certificate had expired, and nothing proves that the signature is older.',
  whyOrder: 'A time-stamp names a time that cannot be right.',
  whyRevoked: 'The certificate was revoked, and nothing proves that the signature is older.',
  whyAuthorityRevoked:
    'The authority of the certificate was revoked, and its data about it may be forged.',
  whyTryLater: 'Whether the certificate was revoked cannot be established now. Try again later.',
  whySecondJudge: 'Two independent checks of the signature do not come to the same result.',
  whyOther: 'It could not be confirmed.',
  infoCoversContent: 'The visible part of this signature lies over text of the page.',
  infoOverlaps: 'The visible parts of this signature and of another one overlap.',

  reportHeading: 'Full report',
  reportKeep: 'Keep the report',
  reportDownload: 'Download report (JSON)',
  reportDownloadPdf: 'Download report (PDF)',
  reportPrint: 'Print',
  reportPdfHint: 'For the PDF, your file is uploaded and checked once more, then deleted again.',
  reportPdfWorking: 'Preparing the PDF…',
  reportPdfSaved: 'The PDF was downloaded.',
  reportCheckedAt: 'Checked',
  reportSize: 'Size',
  reportBytes: (bytes: string) => `${bytes} bytes`,
  reportRevisions: 'Revisions',
  reportUnsignedTail: 'Bytes at the end that nobody signed',
  reportPolicy: 'Rules',
  reportDigest: 'SHA-256',
  reportRaw: 'Report as JSON',
}

/** What every language has to say. */
export type Texts = typeof ENGLISH
