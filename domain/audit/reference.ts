/** Reference of the audit event types: cause, actors and members. */
import type { AuditActor, AuditEventType } from './entry.ts'

/** A member name that ends in `?` is optional. */
export interface AuditEventReference {
  causedBy: string
  actors: readonly AuditActor[]
  /** Members of the event other than `data`; members that are not listed are absent. */
  members: Readonly<Record<string, string>>
  /** Members of `data`, each with a note. */
  data: Readonly<Record<string, string>>
}

const SIGNED_PDF = { documentSha256: 'of the signed PDF' }
const FROM = { ip: '', 'userAgent?': '' }
const BY_PARTICIPANT = { participantId: '', ...FROM }
const CODE = {
  factor: '`code`',
  channel: '`EMAIL` or `SMS`',
  'destination?': 'masked',
}

/** In the order of specification 6.1. */
export const AUDIT_REFERENCE: Readonly<Record<AuditEventType, AuditEventReference>> = {
  'case.created': {
    causedBy: '`POST /cases`',
    actors: ['tenant'],
    members: FROM,
    data: { title: '', validUntil: '', quickSign: '', participants: 'how many' },
  },
  'document.uploaded': {
    causedBy: 'intake accepted the upload',
    actors: ['tenant'],
    members: { documentSha256: '' },
    data: { size: '', pageCount: '' },
  },
  'document.rejected': {
    causedBy: 'intake rejected the upload',
    actors: ['system'],
    members: { 'documentSha256?': 'unless the file was too large to read' },
    data: { reason: '' },
  },
  'participant.created': {
    causedBy: '`POST /cases`, for each participant',
    actors: ['tenant'],
    members: { participantId: '' },
    data: {
      ...{ firstName: '', lastName: '', email: '', language: '', notify: '' },
      'phone?': 'if one was given',
    },
  },
  'participant.invited': {
    causedBy:
      'an invitation or a reminder was sent, or refused for good by the mail server (decision ' +
      '50); `POST …/invitation` asked for it (decision 2)',
    actors: ['system', 'tenant'],
    members: { participantId: '', 'ip?': 'of the requester', 'userAgent?': 'of the requester' },
    data: {
      channel: '`EMAIL`',
      destination: 'masked',
      'reminder?': 'days after the invitation; for a reminder',
      'requestedAt?': 'when the tenant requested it',
      'refused?': '`recipient`; of a mail that was refused for good and not sent',
      'answer?': 'of a mail that was refused for good: reply code of SMTP',
    },
  },
  'participant.viewed': {
    causedBy:
      '`GET …/caseDefinition` with the second factor (decision 40), once an hour and address ' +
      '(decision 141)',
    actors: ['participant'],
    members: { ...BY_PARTICIPANT, 'documentSha256?': 'of the document shown' },
    data: { 'embeddingOrigin?': 'site around the signing page, if it was in a frame' },
  },
  'participant.otp_sent': {
    causedBy: '`POST …/otp`, before the code goes out',
    actors: ['participant'],
    members: BY_PARTICIPANT,
    data: CODE,
  },
  'participant.otp_failed': {
    causedBy: 'a wrong code or PIN; or a code that could not be sent',
    actors: ['participant'],
    members: BY_PARTICIPANT,
    data: {
      factor: '`code` or `pin`',
      'channel?': 'of a code',
      'destination?': 'of a code, masked',
      'reason?': '`not_sent`: the sending is withdrawn',
      'refused?':
        'of a code that was refused for good: `recipient` (the address or number) or `sender` ' +
        '(the service)',
      'answer?': 'of a code that was refused for good: reply code of SMTP or status of HTTP',
    },
  },
  'participant.otp_verified': {
    causedBy: '`POST …/otp/verify` with the right code',
    actors: ['participant'],
    members: BY_PARTICIPANT,
    data: CODE,
  },
  'participant.consented': {
    causedBy: '`POST …/signature`',
    actors: ['participant'],
    members: { ...BY_PARTICIPANT, documentSha256: '' },
    data: {
      textVersion: 'names the words, since 2026-11-22 also the language',
      acceptedAt: 'by the clock of the client',
    },
  },
  'participant.signed': {
    causedBy: '`POST …/signature`',
    actors: ['participant'],
    members: { ...BY_PARTICIPANT, documentSha256: '' },
    data: { drawing: '`mediaType`, `sha256`', 'client?': 'as it was sent' },
  },
  'participant.declined': {
    causedBy: '`POST …/decline`, once (decision 215)',
    actors: ['participant'],
    members: BY_PARTICIPANT,
    data: {
      'reason?': 'if one was given',
      'channel?': '`EMAIL`; if the sender was notified',
      'destination?': 'masked address of the sender; if the sender was notified',
      'refused?': 'of a mail that was refused for good: `recipient` or `sender` (the service)',
    },
  },
  'participant.certificate_issued': {
    causedBy: 'finalising',
    actors: ['system'],
    members: { participantId: '', ...SIGNED_PDF },
    data: {
      subject: '',
      certificateSerial: '',
      certificateSha256: '',
      notBefore: '',
      notAfter: '',
    },
  },
  'participant.signature_applied': {
    causedBy: 'finalising',
    actors: ['system'],
    members: { participantId: '', ...SIGNED_PDF },
    data: {
      fieldName: '',
      'furtherFieldNames?': 'on a PDF that others had signed (decision 4)',
      certificateSerial: '',
      timeStampedAt: '',
      level: '',
    },
  },
  'participant.downloaded': {
    causedBy: '`GET …/signedDocument`, once an hour and address (decision 141)',
    actors: ['participant'],
    members: { ...BY_PARTICIPANT, ...SIGNED_PDF },
    data: { 'embeddingOrigin?': 'site around the signing page, if it was in a frame' },
  },
  'case.finalised': {
    causedBy: 'finalising',
    actors: ['system'],
    members: SIGNED_PDF,
    data: { size: '', level: '', originalSha256: '' },
  },
  'case.completed': {
    causedBy: 'both documents are stored',
    actors: ['system'],
    members: SIGNED_PDF,
    data: {},
  },
  'case.expired': {
    causedBy: '`validUntil` passed',
    actors: ['system'],
    members: {},
    data: {},
  },
  'case.cancelled': {
    causedBy: '`DELETE /cases/{caseId}`, or a cancellation written into the resource',
    actors: ['tenant'],
    members: { 'ip?': '', 'userAgent?': '' },
    data: { 'reason?': 'if one was given' },
  },
  'case.failed': {
    causedBy: 'the document could not be signed',
    actors: ['system'],
    members: {},
    data: { reason: '' },
  },
  'participant.certificate_revoked': {
    causedBy:
      'no signed PDF contains a certificate that was issued for the case: its run lost a race or ' +
      'was cut off, or the case became FAILED or CANCELLED in the meantime',
    actors: ['system'],
    members: { participantId: '' },
    data: { certificateSerial: '', revokedAt: 'its `notBefore`', reason: 'as in the CRL' },
  },
}
