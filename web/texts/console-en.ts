/** Every sentence of the tenant's console in English. */
import { pluralIn } from './plural.ts'

const plural = pluralIn('en')

export const CONSOLE_ENGLISH = {
  consoleName: 'Console',
  opening: 'Opening the console…',
  loading: 'Loading…',
  showMore: 'Show more',
  pages: 'Pages of the console',
  menu: 'Menu',
  pageCases: 'Cases',

  signInHeading: 'Sign in to the console',
  signInLead: 'Create cases, follow who has signed, and download signed documents.',
  signInProvider: 'Sign in with your organisation',
  signInLocal: 'Open the console',
  signInLocalText: 'This service runs on your machine only and issues its own tokens.',
  signInTenant: 'Tenant',
  signInToken: 'Bearer token',
  signInTokenText: 'No identity provider is configured. Paste a token of your tenant.',
  signInWithToken: 'Sign in',
  signInFailed: 'You could not be signed in. Please try again.',
  signInExpired: 'Your sign-in has expired or is not valid. Please sign in again.',
  signOut: 'Sign out',
  signedOut: 'You are signed out of the console. At your organisation you may still be signed in.',
  signOutProvider: 'Sign out at your organisation too',

  search: 'Search by title, name or e-mail',
  filterStatus: 'Status',
  filterAll: 'All',
  filterFrom: 'Created from',
  filterUntil: 'Created until',
  order: 'Order',
  orderNewest: 'Newest first',
  orderOldest: 'Oldest first',
  orderPartly: 'Only the cases that were read are in this order.',
  casesFound: (count: number) => plural(count, { one: `${count} case`, other: `${count} cases` }),
  casesSome: (count: number) =>
    plural(count, {
      one: `${count} case, and there may be more.`,
      other: `${count} cases, and there may be more.`,
    }),
  casesCut: (count: number) => `Not all cases are shown, only ${count}.`,
  casesNone: 'There are no cases yet.',
  statuses: {
    NEW: 'Waiting for the document',
    IN_PROGRESS: 'Being signed',
    DONE: 'Done',
    UPLOAD_REJECTED: 'Document rejected',
    EXPIRED: 'Expired',
    CANCELLED: 'Cancelled',
    FAILED: 'Failed',
  },

  allCases: 'All cases',
  progress: 'Signatures',
  signedOf: (signed: number, total: number) => `${signed} of ${total} signed`,
  until: (time: string) => `until ${time}`,
  reason: 'Reason:',
  reasonOfService: 'Reason:',
  details: 'Details:',
  rejections: {
    TOO_SMALL: 'The file is too small to be a PDF. Upload the whole document in a new case.',
    TOO_LARGE: 'The file is larger than 25 MB. Save a smaller PDF and upload it in a new case.',
    NOT_A_PDF: 'The file is not a PDF. Save the document as PDF and upload it in a new case.',
    DAMAGED: 'The PDF is damaged. Save or print it as a new PDF and upload that in a new case.',
    DAMAGED_AND_SIGNED:
      'The PDF is damaged and has signatures. Ask for an undamaged copy and upload it in a new ' +
      'case.',
    ENCRYPTED:
      'The PDF is protected by a password or permissions. Upload one without protection in a new ' +
      'case.',
    NO_PAGES: 'The PDF has no pages. Upload the right document in a new case.',
    DYNAMIC_FORM:
      'The PDF is a dynamic form, which cannot be signed. Print it to a new PDF (which loses the ' +
      'signatures that it has), and upload that in a new case.',
    SHOWN_DIFFERENTLY:
      'Other programs may show this document differently, so it cannot be signed. Print it to a ' +
      'new PDF (which loses the signatures that it has), and upload that in a new case.',
    SIGNING_FORBIDDEN:
      'The PDF does not permit further signatures. Ask for a version that does, or print it to a ' +
      'new PDF (which loses the signatures that it has), and upload that in a new case.',
    TOO_COMPLEX:
      'The PDF is too complex. Print it to a new PDF (which loses the signatures that it has), ' +
      'and upload that in a new case.',
    FIELD_MISPLACED:
      'A signature field does not fit on its page, or covers another one. Move it in a new case.',
    UNREADABLE:
      'The PDF could not be read. Print it to a new PDF (which loses the signatures that it ' +
      'has), and upload that in a new case.',
  },
  failures: {
    DOCUMENT_UNSIGNABLE:
      'The document cannot be signed as it is. Print it to a new PDF (which loses the signatures ' +
      'that it has), and upload that in a new case.',
    SIGNATURE_UNUSABLE:
      'A signature could not be placed in the document. Have the document signed in a new case.',
    DATA_CHANGED:
      'Data of the case were changed outside the service. Notify the operator of the service, ' +
      'then create the case again.',
    DATA_MISSING:
      'Data of the case are missing. Notify the operator of the service, then create the case ' +
      'again.',
    SIGNING_UNAVAILABLE:
      'The service could not sign for 24 hours after the last signature. Create the case again.',
    CERTIFICATE_REVOKED:
      'A certificate for signing is revoked. Ask the operator of the service when it can sign ' +
      'again, then create the case again.',
  },
  people: 'People',
  notSigned: 'Not signed yet',
  signedAt: (time: string) => `Signed ${time}`,
  remind: 'Remind',
  remindPerson: (name: string) => `Remind ${name}`,
  reminded: 'The invitation will be sent again.',
  copyLink: 'Copy link',
  copyLinkOf: (name: string) => `Copy link of ${name}`,
  copied: 'The link was copied.',
  copyRefused: 'Your browser did not copy the link. Copy it from here:',
  documents: 'Documents',
  original: 'Original document',
  signedPdf: 'Signed document',
  evidence: 'Evidence',
  download: 'Download',
  kilobytes: (count: string) => `${count} KB`,
  carried:
    'The document that you uploaded already has signatures, and not all of them are in order. ' +
    'It can be signed nevertheless.',
  carriedFaults: {
    SIGNATURE_BROKEN: 'The signature is not valid.',
    CHANGED_AFTER_SIGNING: 'The document was changed after this signature.',
    SIGNATURES_NOT_CHECKED: 'The signatures could not be checked in time.',
  },
  cancelCase: 'Cancel the case',
  keepCase: 'Keep the case',
  cancelHeading: 'Cancel this case?',
  cancelText: 'Nobody can sign it any more. People who were invited get a message.',
  cancelReason: 'Reason (optional, for the people who were invited)',
  trail: 'What happened',
  trailCut: (count: number) => `Only the newest ${count} events are shown.`,
  trailFault: 'The audit trail was changed outside of the service. Only valid entries are shown.',
  events: {
    'case.created': 'Case created',
    'document.uploaded': 'Document accepted',
    'document.rejected': 'Document rejected',
    'participant.created': 'Person added',
    'participant.invited': 'Invitation',
    'participant.viewed': 'Document viewed',
    'participant.otp_sent': 'One-time code sent',
    'participant.otp_failed': 'Wrong one-time code',
    'participant.otp_verified': 'One-time code confirmed',
    'participant.consented': 'Consent given',
    'participant.signed': 'Signed',
    'participant.declined': 'Does not want to sign',
    'participant.certificate_issued': 'Certificate issued',
    'participant.signature_applied': 'Signature put into the document',
    'participant.downloaded': 'Signed document downloaded',
    'case.finalised': 'Signed document created',
    'case.completed': 'Case done',
    'case.expired': 'Case expired',
    'case.cancelled': 'Case cancelled',
    'case.failed': 'Case failed',
    'participant.certificate_revoked': 'Certificate revoked',
  },
  eventMailRefused: 'The mail server refused the invitation',
  eventReminderRefused: 'The mail server refused the reminder',
  eventReminder: 'Reminder',
  eventCodeNotSent: 'One-time code could not be sent',
  eventWrongPin: 'Wrong PIN',
  eventSenderNotNotified: 'the message to the sender was refused',

  pageCreate: 'New case',
  createLike: 'New case with these people and places',
  createLikeThis: 'People and places are those of the earlier case. Choose the document.',
  createKept: 'What you entered before you signed in is here again. Choose the document again.',
  document: 'Document',
  documentDrop: 'Drop a PDF here',
  documentChoose: 'Choose a PDF',
  documentOther: 'Choose another PDF',
  documentBroken: 'This file cannot be shown as a PDF.',
  documentMissing: 'Choose a PDF first.',
  title: 'Title',
  personNumber: (number: number) => `Person ${number}`,
  firstName: 'Given name',
  lastName: 'Family name',
  email: 'E-mail',
  phone: 'Phone (optional)',
  language: 'Language',
  personAdd: 'Add a person',
  personRemove: (number: number) => `Remove person ${number}`,
  paste: 'Paste a list',
  pasteHeading: 'Paste people',
  pasteHow: 'One person on each line: Jana Nova <jana@example.com>, or columns of a spreadsheet',
  pasteFound: (count: number) =>
    plural(count, { one: `${count} person found`, other: `${count} people found` }),
  pasteUnread: (count: number) =>
    plural(count, {
      one: `${count} line has no e-mail address and is left out:`,
      other: `${count} lines have no e-mail address and are left out:`,
    }),
  pasteAdd: 'Add these people',
  options: 'Options',
  deadline: 'Deadline',
  secondFactor: 'One-time code',
  secondFactorNone: 'No code',
  secondFactorEmail: 'By e-mail',
  secondFactorSms: 'By text message',
  inPerson: 'Sign in person, on a kiosk; nobody gets an invitation',
  kiosk: 'Kiosk',
  kioskLater: 'Choose later',
  senderName: 'Name of the sender (optional)',
  replyTo: 'Address for replies (optional)',
  fieldsHeading: 'Where they sign',
  fieldsHow: 'Click a page or draw a rectangle. Without a field, people choose a place themselves.',
  fieldsLater: 'The pages appear here once you choose a PDF.',
  fieldsFor: 'Fields for',
  fieldAdd: (page: number) => `Add a field on page ${page}`,
  fieldsOverlap: (pages: string, count: number) =>
    `Fields overlap on ${count === 1 ? 'page' : 'pages'} ${pages}: ` +
    'one signature would cover another.',
  fieldOf: (name: string, page: number) => `${name}: field on page ${page}`,
  fieldRemove: (name: string, page: number) => `Remove the field of ${name} on page ${page}`,
  fieldHint:
    'Keys: arrows move a field, Shift with arrows changes its size, ' +
    'Page Up and Page Down change the page, Delete removes it.',
  pageOf: (page: number, count: number) => `Page ${page} of ${count}`,
  send: 'Send',
  sending: 'Sending…',
  sent: 'Sent',
  rulesBroken: 'Please check the marked fields.',
  ruleRequired: 'Please fill this in.',
  ruleFormat: 'This is not valid.',
  ruleLength: 'This is too long.',
  ruleFuture: 'This must be in the future.',
  ruleInside: 'A field is outside of its page or too small.',
  rulePhone: 'This is not a phone number.',
  ruleOther: (message: string) => `The service answered: ${message}.`,

  pageStatistics: 'Statistics',
  statisticsWeeks: (count: number) => `The last ${count} weeks, each from Monday to Sunday.`,
  statisticsOver: (count: number) =>
    plural(count, { one: `Counted over ${count} case.`, other: `Counted over ${count} cases.` }),
  statisticsCut: 'The tenant has more cases; they are not counted.',
  statisticsWebhooksCut: (count: number) =>
    `Only the ${count} oldest webhooks that were not delivered are counted.`,
  statisticsWeek: 'Week from',
  statisticsNone: 'none',
  measures: {
    sent: 'Sent',
    signed: 'Signed by everyone',
    medianMs: 'Median time to sign',
    rejected: 'Documents rejected',
    undelivered: 'Webhooks not delivered',
  },
  measureTexts: {
    sent: 'Cases whose document was accepted, by the day of their creation',
    signed: 'Cases by the day of their last signature',
    medianMs: 'From the creation of a case to its last signature',
    rejected: 'Cases by the day of their creation',
    undelivered: 'Refused or given up, by the day of the event',
  },

  pageWebhooks: 'Webhooks',
  webhooksText: 'Webhooks that your endpoint refused, or that all attempts failed to deliver.',
  webhooksCut: (count: number) => `Not all webhooks are shown, only the ${count} oldest.`,
  webhooksAllDelivered: 'Every webhook was delivered or is still being delivered.',
  webhooksNoneYet: 'No webhook is due yet.',
  webhooks: {
    'participant-signed': 'A person signed',
    'case-completed': 'The case is done',
    'case-failed': 'The case failed',
    'case-expired': 'The case expired',
    'case-cancelled': 'The case was cancelled',
  },
  deliveryStates: {
    pending: 'Being delivered',
    delivered: 'Delivered',
    failed: 'Refused',
    dead: 'Given up',
  },
  answered: (status: number) => `answer ${status}`,
  noAnswer: (reason: string) => `no answer (${reason})`,
  nextAttempt: (time: string) => `Next attempt ${time}`,
  redeliver: 'Deliver again',
  redelivered: 'It will be delivered again.',

  pageDevices: 'Kiosks',
  devices: 'Registered kiosks',
  devicesCut: (count: number) => `Not all kiosks are shown, only ${count}.`,
  devicesNone: 'There are no kiosks yet.',
  deviceNew: 'New kiosk',
  deviceName: 'Name, such as the place where it is',
  deviceRegister: 'Register',
  deviceRemove: 'Remove',
  deviceRemoveHeading: (name: string) => `Remove the kiosk ${name}?`,
  deviceRemoveText: 'It ends what it shows, and has to be paired again before it can be used.',
  deviceKeep: 'Keep the kiosk',
  deviceConnected: 'Connected',
  deviceAway: 'Not connected',
  registeredOn: (day: string) => `Registered on ${day}`,
  pairHeading: (name: string) => `Pair ${name}`,
  pairText:
    'Scan the QR code with the kiosk, or type the pairing code there. They are shown only now, ' +
    'and everyone who has them can see what the kiosk shows.',
  pairCode: 'Pairing code',
  pairCodeText: 'Type it at /kiosk. It works once, for ten minutes.',
  pairCodeNew: 'New pairing code',
  pairQr: (name: string) => `QR code that pairs ${name}`,
  pairToken: 'Show the token to type it',
  demo: 'Show a demo',
  demoTitle: 'Demo contract',
  handOver: 'Open on the kiosk',
  handedOver: 'The case was sent to the kiosk.',
  handedOverLater:
    'The kiosk is not connected. It opens the case if it connects within ten minutes.',
  kioskAway: (name: string) => `${name} (not connected)`,

  faultUnreachable: 'The service cannot be reached. Check your connection.',
  faultTimeout: 'The service took too long to answer. Try again in a moment.',
  faultIndexRequired: 'This service has no index of cases.',
  faultTooMany: 'There were too many requests. Try again in a minute.',
  faultNotFound: 'This does not exist (any more).',
  faultOther: (code: string) => `The service refused this (${code}).`,
  faultAlreadySigned: 'This person has signed already.',
  faultNotActive: 'The case has ended in the meantime.',
  faultKioskUnavailable: 'The kiosk could not be notified. Try again.',
  faultRemindedOften: 'This person was reminded too often. Try again in an hour.',
  faultNotInPerson: 'This case is not signed in person.',
  faultNotReady: 'The document is still being checked. Try again in a moment.',
  faultRedelivered: 'This webhook cannot be redelivered again: the limit is reached.',
  faultUnknownDevice: 'This kiosk does not exist any more.',
  faultWebhookPending: 'This webhook is still being delivered.',
}

/** What every language of the console has to say. */
export type ConsoleTexts = typeof CONSOLE_ENGLISH
