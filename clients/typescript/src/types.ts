/** Types of the API. Made by `npm run generate` from api/openapi.json; do not edit. */

/** Version of the API that this client was made for. */
export const API_VERSION = '0.1.0'

/** Type of an audit event */
export type AuditEventType =
  | 'case.created'
  | 'document.uploaded'
  | 'document.rejected'
  | 'participant.created'
  | 'participant.invited'
  | 'participant.viewed'
  | 'participant.otp_sent'
  | 'participant.otp_failed'
  | 'participant.otp_verified'
  | 'participant.consented'
  | 'participant.signed'
  | 'participant.declined'
  | 'participant.certificate_issued'
  | 'participant.signature_applied'
  | 'participant.downloaded'
  | 'case.finalised'
  | 'case.completed'
  | 'case.expired'
  | 'case.cancelled'
  | 'case.failed'
  | 'participant.certificate_revoked'

/** Authentication of webhook requests */
export type CallbackAuthType = 'NONE' | 'BASIC' | 'API_KEY' | 'OAUTH_CLIENT_CREDENTIALS'

/** Result of the newest canary */
export type CanaryOutcome = 'passed' | 'failed' | 'absent' | 'stale'

/** Status of a case */
export type CaseStatus =
  'NEW' | 'IN_PROGRESS' | 'DONE' | 'UPLOAD_REJECTED' | 'EXPIRED' | 'CANCELLED' | 'FAILED'

/** Version of a consent text */
export type ConsentTextVersion =
  '2026-11' | '2026-11-22-sk' | '2026-11-22-en' | '2026-11-28-sk' | '2026-11-28-en'

/** State of the delivery */
export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'dead'

/** Language of pages and mails */
export type Language = 'sk' | 'en'

/** Channel of one-time codes */
export type MultiFactorType = 'SMS' | 'EMAIL'

/** Type of a webhook */
export type WebhookType =
  'participant-signed' | 'case-completed' | 'case-failed' | 'case-expired' | 'case-cancelled'

/** An event of the audit trail */
export interface AuditEvent {
  /** Id of the event */
  eventId: string
  /** What happened */
  type: AuditEventType
  /** When it happened; never earlier than the previous event of the trail */
  occurredAt: string
  /** Who caused it */
  actor: 'tenant' | 'participant' | 'system'
  /** Participant whom the event is about */
  participantId?: string
  /** IP address of the request that caused the event */
  ip?: string
  /** `User-Agent` of the request that caused the event */
  userAgent?: string
  /** SHA-256 of the document that the event is about, lower-case hexadecimal */
  documentSha256?: string
  /** Details of the event; its members depend on `type` */
  data: Record<string, unknown>
}

/** A page of the audit trail */
export interface AuditTrailPage {
  /** Events, newest first */
  events: AuditEvent[]
  /** Value of `cursor` for the next page; set while more items remain */
  nextCursor?: string
  trailFault?: TrailFault
}

/** Receiver of webhooks; credentials and the signing secret are never returned */
export interface Callback {
  /** URL that receives the webhooks */
  url: string
  authType: CallbackAuthType
  /** Free-form data, returned in every webhook */
  data?: Record<string, unknown>
}

/** A signature case as its tenant sees it */
export interface Case {
  /** Id of the case */
  id: string
  /** Title of the case and of its documents */
  title: string
  /** Status of the case */
  status: CaseStatus
  /** Why the upload was rejected, for programs; `rejectReason` is more exact */
  rejectCode?:
    | 'TOO_SMALL'
    | 'TOO_LARGE'
    | 'NOT_A_PDF'
    | 'DAMAGED'
    | 'DAMAGED_AND_SIGNED'
    | 'ENCRYPTED'
    | 'NO_PAGES'
    | 'DYNAMIC_FORM'
    | 'SHOWN_DIFFERENTLY'
    | 'SIGNING_FORBIDDEN'
    | 'TOO_COMPLEX'
    | 'FIELD_MISPLACED'
    | 'UNREADABLE'
  /** Why the upload was rejected; set with UPLOAD_REJECTED */
  rejectReason?: string
  /** When the case expired; set with EXPIRED */
  expiredAt?: string
  /** When the tenant cancelled the case; set with CANCELLED */
  cancelledAt?: string
  /** Reason that the tenant gave; set with CANCELLED */
  cancelReason?: string
  /** When the case failed; set with FAILED */
  failedAt?: string
  /** Why the document could not be signed, for programs; `failureReason` is more exact */
  failureCode?:
    | 'DOCUMENT_UNSIGNABLE'
    | 'SIGNATURE_UNUSABLE'
    | 'DATA_CHANGED'
    | 'DATA_MISSING'
    | 'SIGNING_UNAVAILABLE'
    | 'CERTIFICATE_REVOKED'
  /** Why the document could not be signed; set with FAILED */
  failureReason?: string
  /** When the case was created */
  created: string
  /** Deadline for all signatures */
  validUntil: string
  /** Whether participants sign in person; they get no invitations */
  quickSign: boolean
  /** Whether participants may choose where they sign */
  ownPlaces: boolean
  /** Channel of the one-time codes; absent when the case needs no code */
  multiFactorType?: MultiFactorType
  callback?: Callback
  sender?: Sender
  device?: DeviceReference
  /** The document as it was uploaded */
  originalDocument: Document
  /** The signed PDF; set with DONE */
  signedDocument?: Document
  /** The sealed summary of the evidence; set with DONE */
  evidenceDocument?: Document
  /** The people who sign */
  participants: Participant[]
}

/** A page of cases */
export interface CaseList {
  /** Cases in the order of their ids, without links to documents */
  cases: Case[]
  /** Value of `cursor` for the next page; set while more items remain */
  nextCursor?: string
}

/** The new case and the upload URL of its document */
export interface CreatedCase {
  case: Case
  /**
   * Where to upload the PDF. Absent when the `Idempotency-Key` belongs to a case that is no
   * longer NEW
   */
  upload?: Upload
}

/** A PDF of the case */
export interface Document {
  /** File name of the document */
  name: string
  /** Size in bytes; absent before the upload */
  size?: number
  /** SHA-256 of the document; absent before the upload, lower-case hexadecimal */
  sha256?: string
  /** Presigned link for a download without a token, valid for 15 minutes; get it anew */
  url?: string
  /** PAdES level (ETSI EN 319 142-1), of signed documents */
  level?: string
  /**
   * Problems of the signatures that the upload carried; absent when there are none. They do
   * not prevent signing
   */
  warnings?: DocumentWarning[]
}

/** A problem of a signature that the upload carried */
export interface DocumentWarning {
  /**
   * SIGNATURE_BROKEN: a signature or document time-stamp is not valid (EN 319 102-1:
   * FORMAT_FAILURE, HASH_FAILURE or SIG_CRYPTO_FAILURE); CHANGED_AFTER_SIGNING: the document
   * was changed after it in a way that is not known to be harmless; SIGNATURES_NOT_CHECKED:
   * the signatures could not be validated in time
   */
  code: 'SIGNATURE_BROKEN' | 'CHANGED_AFTER_SIGNING' | 'SIGNATURES_NOT_CHECKED'
  /** Name of the signature field, from the PDF */
  fieldName?: string
}

/** An accepted request for an invitation */
export interface Invitation {
  /** Id of the case */
  caseId: string
  /** Id of the invited participant */
  participantId: string
}

/** A person who signs, as the tenant sees them */
export interface Participant {
  /** Id of the participant, a path segment of the signing link */
  id: string
  /** Given name */
  firstName: string
  /** Family name */
  lastName: string
  language: Language
  /** Whether the service sends mails to the participant */
  notify: boolean
  /** Whether the participant has signed */
  status: 'UNSIGNED' | 'SIGNED'
  /** When the participant signed; set with SIGNED */
  signedAt?: string
  /** Predefined signature fields; empty when the participant chooses the place */
  signatureFields: SignatureField[]
  /** Address for mails */
  email: string
  /** Phone number for one-time codes */
  phone?: string
  /** Signing link. Everyone who has it can act as the participant: keep it secret */
  signerUrl: string
}

/** Sender of the mails to participants */
export interface Sender {
  /** Display name of the sender of mails */
  name?: string
  /** Reply-To address of mails */
  replyTo?: string
}

/** Predefined signature field; the origin is the top left corner of the page */
export interface SignatureField {
  /** Id of the field, unique for its participant */
  id: string
  /** Page number; the first page is 1 */
  page: number
  /** Distance from the left edge of the displayed page */
  x: number
  /** Distance from the top edge of the displayed page */
  y: number
  /** Width of the rectangle */
  width: number
  /** Height of the rectangle */
  height: number
  /** pt: 1/72 inch; fraction: fraction of the page width and height */
  unit: 'pt' | 'fraction'
}

/**
 * Present when the trail was changed outside the service; `events` has only the valid
 * entries
 */
export interface TrailFault {
  /** Place in the trail, from 1, counted from the oldest */
  sequence: number
  /** What is wrong, such as `wrongMac` or `missingHead` */
  fault: string
}

/** Where to upload the PDF */
export interface Upload {
  /** HTTP method of the upload */
  type: 'PUT'
  /**
   * Presigned URL, valid for one hour. Send the PDF (1 KB to 25 MB) without a token and with
   * `Content-Type: application/pdf`
   */
  url: string
}

/** Another upload URL of a case */
export interface UploadLink {
  upload: Upload
}

/** An upload URL for verification */
export interface VerificationUpload {
  /** Names the upload in `POST /verify` */
  key: string
  upload: VerificationUploadLink
}

/** Where to upload the PDF that is to be verified */
export interface VerificationUploadLink {
  /** HTTP method of the upload */
  type: 'PUT'
  /**
   * Presigned URL, valid for one hour. Send the PDF (1 KB to 25 MB) without a token and with
   * `Content-Type: application/pdf`
   */
  url: string
  /** Headers that the PUT must send unchanged, including `Content-Type` */
  headers: Record<string, string>
}

/** Postal address; stored, but not shown */
export interface Address {
  /** Country */
  country?: string
  /** City */
  city?: string
  /** Street and number */
  street?: string
  /** Postal code */
  zip?: string
}

/** Receiver of webhooks. The credentials depend on `authType`; they are never returned */
export interface CallbackInput {
  /** URL that receives the webhooks: http or https, publicly reachable */
  url: string
  /** Authentication of webhook requests, in addition to the signature */
  authType: CallbackAuthType
  /** User name of BASIC (no colon), or client id of OAuth */
  clientId?: string
  /** Password of BASIC, or client secret of OAuth */
  clientSecret?: string
  /** OAuth: https URL of the token endpoint (RFC 6749, 4.4) */
  tokenUrl?: string
  /** OAuth: `basic` sends the credentials in `Authorization`, `post` in the form; default basic */
  tokenAuthMethod?: 'basic' | 'post'
  /** OAuth: requested scope */
  scope?: string
  /** OAuth: requested audience */
  audience?: string
  /** API_KEY: name of the header that carries the key */
  apiKeyHeader?: string
  /** API_KEY: the key, in visible ASCII */
  apiKeyValue?: string
  /** Key of the HMAC in `Service-Signature`; use random characters */
  signingSecret?: string
  /** Free-form data of at most 16 KiB and 100 levels, returned unchanged in every webhook */
  data?: Record<string, unknown>
}

/** A new signature case */
export interface CaseInput {
  /**
   * Title of the document: one line, not blank, without control characters and direction
   * overrides
   */
  title: string
  /** Whether participants sign in person: they get no invitations */
  quickSign?: boolean
  /**
   * Whether participants may choose where they sign (`signatures` of the signing request).
   * With false, each participant must have `signatureFields`
   */
  ownPlaces?: boolean
  /** Deprecated. PIN of the case, used only without `multiFactorType`; use that instead */
  pin?: string
  /** Deadline for all signatures (RFC 3339), in the future */
  validUntil: string
  /** Channel of the one-time code that each participant must enter */
  multiFactorType?: MultiFactorType
  callback?: CallbackInput
  reminders?: Reminders
  sender?: SenderInput
  device?: DeviceReference
  /** The people who sign */
  participants: ParticipantInput[]
}

/** A person who signs */
export interface ParticipantInput {
  /** Given name: one line, not blank, without control characters and direction overrides */
  firstName: string
  /** Family name: one line, not blank, without control characters and direction overrides */
  lastName: string
  /** Address for invitations, codes and the signed document */
  email: string
  /** Six to fifteen digits with optional + and common separators */
  phone?: string
  /** Free text; stored, but not shown */
  gender?: string
  address?: Address
  /** Whether the service sends mails to the participant */
  notify?: boolean
  language?: Language
  /** Fields that the participant signs. Without fields, the participant chooses the place */
  signatureFields?: SignatureFieldInput[]
}

/** Reminder mails to participants who have not signed yet */
export interface Reminders {
  /** Days on which reminders are sent */
  afterDays: number[]
}

/** Sender of the mails to participants */
export interface SenderInput {
  /**
   * Shown as the sender of mails: one line, not blank, without control characters and
   * direction overrides
   */
  name?: string
  /** Reply-To address of mails */
  replyTo?: string
}

/**
 * Signature field, inside its page and at least 4 pt wide and high; the origin is the top
 * left corner
 */
export interface SignatureFieldInput {
  /** Id of the field, unique for its participant; the service makes one when it is absent */
  id?: string
  /** Page number; the first page is 1 */
  page: number
  /** Distance from the left edge of the displayed page */
  x: number
  /** Distance from the top edge of the displayed page */
  y: number
  /** Width of the rectangle */
  width: number
  /** Height of the rectangle */
  height: number
  /** pt: 1/72 inch; fraction: fraction of the page width and height */
  unit: 'pt' | 'fraction'
}

/** A webhook of a case and its delivery */
export interface Delivery {
  /** `id` of the webhook, the same for every attempt */
  eventId: string
  /** Type of the webhook */
  type: WebhookType
  /** When the event happened */
  occurredAt: string
  /** Participant who signed; set with participant-signed */
  participantId?: string
  /**
   * pending: attempts continue; delivered: your endpoint answered 2xx; failed: it refused the
   * webhook; dead: all attempts failed
   */
  state: DeliveryState
  /** When the last attempt ended; absent while pending */
  endedAt?: string
  /** When the next attempt is due */
  nextAttemptAt?: string
  /** Attempts in order; the service keeps them for 90 days */
  attempts: DeliveryAttempt[]
}

/** One request of a webhook */
export interface DeliveryAttempt {
  /** `Service-Delivery` of the request */
  deliveryId: string
  /** 1, plus 1 for each redelivery */
  round: number
  /** resend: sent again at once with a new access token after a 401; not counted */
  kind: 'attempt' | 'resend'
  /** When the request was sent */
  startedAt: string
  /** Duration in milliseconds */
  durationMs?: number
  /** HTTP status; absent without an answer */
  statusCode?: number
  /** Why there was no answer, such as `timeout` or `tls-failed` */
  error?: string
}

/** The webhooks of a case */
export interface DeliveryList {
  /** Every webhook of the case */
  deliveries: Delivery[]
}

/** A webhook that was not delivered */
export interface WebhookEvent {
  /** `id` of the webhook, the same for every attempt */
  eventId: string
  /** Type of the webhook */
  type: WebhookType
  /** When the event happened */
  occurredAt: string
  /** Participant who signed; set with participant-signed */
  participantId?: string
  /** Case of the webhook */
  caseId: string
  /** How the delivery ended */
  state: 'dead' | 'failed'
  /** When the last attempt ended */
  endedAt: string
}

/** A page of webhooks that were not delivered */
export interface WebhookEventList {
  /** Webhooks in order of occurrence */
  events: WebhookEvent[]
  /** Value of `cursor` for the next page; set while more items remain */
  nextCursor?: string
}

/** A kiosk of the tenant */
export interface Device {
  /** Id of the kiosk */
  deviceId: string
  /** Display name of the kiosk */
  name: string
  /** When the kiosk was registered */
  created: string
  /** Path of the device's real-time channel */
  channel: string
  /**
   * Whether the kiosk listens to its channel. Only in lists, and only where it is known. After
   * a failure it can take two and a half minutes to become false
   */
  connected?: boolean
}

/** A new kiosk */
export interface DeviceInput {
  /** Display name: one line, not blank, without control characters and direction overrides */
  name: string
}

/** A page of kiosks */
export interface DeviceList {
  /** Kiosks in the order of their ids */
  devices: Device[]
  /** Value of `cursor` for the next page; set while more items remain */
  nextCursor?: string
}

/** A case that was handed to a kiosk */
export interface OpenedCase {
  /** Id of the case */
  caseId: string
  /** Id of the participant who signs */
  participantId: string
  /** Id of the kiosk */
  deviceId: string
}

/** The kiosk that shows the case */
export interface OpenInput {
  /** Id of the kiosk that shows the case */
  deviceId: string
}

/** A code that pairs the kiosk */
export interface PairingCode {
  /** Eight characters with a hyphen; works once */
  code: string
  /** When the code expires, ten minutes after it was created */
  expiresAt: string
}

/** The token of the kiosk */
export interface PairingCodeInput {
  /** `token` from the response of the registration */
  token: string
}

/** The token of a kiosk, or a pairing code for it */
export interface PairInput {
  /** `token` from the response of the registration, or a pairing code */
  token: string
}

/** A new kiosk with its token */
export interface RegisteredDevice {
  /** Id of the kiosk */
  deviceId: string
  /** Display name of the kiosk */
  name: string
  /** When the kiosk was registered */
  created: string
  /** Path of the device's real-time channel */
  channel: string
  /** Credential of the kiosk, returned only here: the service keeps only its hash */
  token: string
}

/** Why a part of the request has no result */
export interface GraphqlError {
  /** Text for people; it may change */
  message: string
  /** Path of the field that could not be read */
  path?: unknown[]
  /** `code` and details, as in `Problem` */
  extensions?: Record<string, unknown>
}

/** A GraphQL request */
export interface GraphqlRequest {
  /** GraphQL document */
  query: string
  /** Values of the variables of the document, by name */
  variables?: Record<string, unknown> | null
  /** The operation to run, when the document has several */
  operationName?: string | null
}

/** A GraphQL response */
export interface GraphqlResponse {
  /** The result; null when nothing could be read */
  data: Record<string, unknown> | null
  /** Parts that could not be read; absent without errors */
  errors?: GraphqlError[]
}

/** The newest test document that the service sealed */
export interface Canary {
  /** Signing is available while it is `passed` */
  outcome: CanaryOutcome
  /** When the canary was sealed */
  at?: string
  /** Age of the canary in seconds */
  ageSeconds?: number
}

/** The process is alive */
export interface Health {
  /** Always `ok`; other states have no 200 */
  status: 'ok'
}

/** The process takes requests */
export interface Readiness {
  /** Always `ok`; other states have no 200 */
  status: 'ok'
  checks: ReadinessChecks
}

/** Results of the checks */
export interface ReadinessChecks {
  canary: Canary
}

/** Colours with a contrast of at least 4.5:1 to each other and to the page */
export interface BrandColourPair {
  /** Background of a button */
  background: string
  /** Text on the background */
  text: string
}

/** Colours of buttons, made of the colour that the tenant chose */
export interface BrandColours {
  /** In the light theme */
  light: BrandColourPair
  /** In the dark theme */
  dark: BrandColourPair
}

/** How the pages of the case look; what the tenant did not choose is absent */
export interface Branding {
  sender?: CaseDefinitionSender
  /** Language of the participant; absent for a kiosk */
  language?: Language
  colours?: BrandColours
  logo?: BrandingLogo
}

/** Logo of the tenant */
export interface BrandingLogo {
  /** Data URL of a PNG or JPEG that the service has checked */
  url: string
  /** Width in pixels */
  width: number
  /** Height in pixels */
  height: number
}

/** A case as one of its participants sees it */
export interface CaseDefinition {
  /** Status of the case */
  status: CaseStatus
  /** Channel of the one-time codes; absent when the case needs no code */
  multiFactorType?: MultiFactorType
  /** Whether a one-time code is missing; the document then has no `url` */
  otpRequired: boolean
  /** Whether the PIN is missing; the document then has no `url` */
  pinRequired: boolean
  case: CaseDefinitionCase
  participant: CaseDefinitionParticipant
  participants: ParticipantCounts
  places?: SignaturePlaces
  sender?: CaseDefinitionSender
  document: CaseDefinitionDocument
  /** Language of the participant */
  language: Language
  /** In the language of the participant */
  consentText: ConsentText
  consentTexts: ConsentTexts
}

/** The case, as its participants see it */
export interface CaseDefinitionCase {
  /** Id of the case */
  id: string
  /** Title of the case */
  title: string
  /** Deadline for all signatures */
  validUntil: string
  /** Whether participants may choose where they sign */
  ownPlaces: boolean
}

/** The original document; the signed one with DONE */
export interface CaseDefinitionDocument {
  /** File name of the document */
  name: string
  /** Size in bytes; absent before the upload */
  size?: number
  /** SHA-256 of the document; absent before the upload, lower-case hexadecimal */
  sha256?: string
  /** Presigned link for a download without a token, valid for 15 minutes; get it anew */
  url?: string
  /** PAdES level (ETSI EN 319 142-1), of signed documents */
  level?: string
  /** Number of pages */
  pageCount: number
}

/** The participant whose signing link was used */
export interface CaseDefinitionParticipant {
  /** Id of the participant, a path segment of the signing link */
  id: string
  /** Given name */
  firstName: string
  /** Family name */
  lastName: string
  language: Language
  /** Whether the service sends mails to the participant */
  notify: boolean
  /** Whether the participant has signed */
  status: 'UNSIGNED' | 'SIGNED'
  /** When the participant signed; set with SIGNED */
  signedAt?: string
  /** Predefined signature fields; empty when the participant chooses the place */
  signatureFields: SignatureField[]
}

/** The sender; absent when the tenant gave no name */
export interface CaseDefinitionSender {
  /** Name of the sender */
  name: string
}

/** A one-time code that was sent */
export interface CodeSent {
  /** How the code was sent */
  channel: MultiFactorType
  /** Where the code was sent, masked */
  destination: string
  /** When the code expires, ten minutes after it was sent */
  expiresAt: string
}

/** A session that gives access to the document and to signing */
export interface CodeVerified {
  /** Value of the header `Service-Otp-Session` */
  otpSession: string
  /** When the session expires, 30 minutes after the code was checked */
  expiresAt: string
}

/** Text of the consent in one language */
export interface ConsentText {
  /** Value of `consent.textVersion` in the signing request */
  version: ConsentTextVersion
  /** The text that the participant accepts */
  text: string
}

/** By language. The version also identifies the language of the text */
export interface ConsentTexts {
  /** In Slovak */
  sk: ConsentText
  /** In English */
  en: ConsentText
}

/** A link to a document */
export interface DocumentLink {
  /** Presigned link for a download without a token, valid for 15 minutes */
  url: string
}

/** Participants of the case, without their names */
export interface ParticipantCounts {
  /** Number of participants */
  total: number
  /** Number of participants who have signed */
  signed: number
}

/** What a page needs to suggest a place at which no other participant signs */
export interface SignaturePlaces {
  /**
   * Another number for each participant who chooses a place, from 0: a page derives from it
   * the place that it suggests. Absent with predefined fields
   */
  number?: number
  /**
   * Where other participants signed or have predefined fields. Empty while a one-time code or
   * PIN is missing
   */
  taken: Rectangle[]
}

/** A certification authority of the service */
export interface Authority {
  /** Role of the authority */
  name: 'root' | 'issuing'
  /** Distinguished name */
  subject: string
  /** SHA-256 fingerprint of the certificate, hexadecimal */
  sha256: string
  /** Start of the validity of the certificate */
  notBefore: string
  /** End of the validity of the certificate */
  notAfter: string
  /** URL of the certificate (DER) */
  certificate: string
  /** URL of its certificate revocation list (DER) */
  revocationList?: string
}

/** The certification authorities of the service */
export interface AuthorityList {
  /** The root, then the authorities below it */
  authorities: Authority[]
}

/** How the mail server or SMS gateway refused the message */
export interface DeliveryRefusal {
  /** Channel over which the code was sent */
  channel: MultiFactorType
  /** recipient: the address or number; sender: the service itself */
  refused: 'recipient' | 'sender'
  /** SMTP reply code or HTTP status, where there was one */
  answer?: number
}

/**
 * Machine-readable code of the error. New codes can be added; treat an unknown code by the
 * HTTP status
 */
export type ErrorCode =
  | 'CASE_NOT_CANCELLABLE'
  | 'UNKNOWN_DEVICE'
  | 'OTP_INVALID'
  | 'OTP_REQUIRED'
  | 'OTP_NOT_REQUIRED'
  | 'OTP_NO_DESTINATION'
  | 'OTP_NOT_REQUESTED'
  | 'OTP_EXPIRED'
  | 'OTP_LOCKED'
  | 'OTP_RATE_LIMITED'
  | 'OTP_DESTINATION_REFUSED'
  | 'OTP_SENDER_REFUSED'
  | 'OTP_CHANNEL_UNAVAILABLE'
  | 'PIN_REQUIRED'
  | 'PIN_LOCKED'
  | 'NOT_QUICK_SIGN'
  | 'PARTICIPANT_NOT_READY'
  | 'EVENTS_UNAVAILABLE'
  | 'ALREADY_SIGNED'
  | 'ALREADY_DECLINED'
  | 'DOCUMENT_ALREADY_UPLOADED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'INVITATION_RATE_LIMITED'
  | 'NOT_COMPLETED'
  | 'CASE_NOT_ACTIVE'
  | 'LINK_EXPIRED'
  | 'INVALID_LIMIT'
  | 'INVALID_CURSOR'
  | 'INDEX_REQUIRED'
  | 'WEBHOOK_PENDING'
  | 'REDELIVERIES_EXHAUSTED'
  | 'DOCUMENT_NOT_FOUND'
  | 'DOCUMENT_TOO_LARGE'
  | 'NOT_A_PDF'
  | 'UNREADABLE_DOCUMENT'
  | 'EMBEDDING_NOT_ALLOWED'
  | 'PATH_NOT_FOUND'
  | 'OBJECT_LINK_INVALID'
  | 'OBJECT_NOT_FOUND'
  | 'UPLOAD_TYPE_WRONG'
  | 'UPLOAD_SIZE_REQUIRED'
  | 'UPLOAD_PARTIAL'
  | 'UPLOAD_INCOMPLETE'
  | 'UPLOAD_IN_PROGRESS'
  | 'RANGE_NOT_SATISFIABLE'
  | 'PRECONDITION_FAILED'
  | 'METHOD_NOT_ALLOWED'
  | 'BODY_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'SIGNING_UNAVAILABLE'
  | 'SHUTTING_DOWN'
  | 'TIMEOUT'

/** An error without a code; act on the HTTP status */
export interface MessageProblem {
  /** Text for people; it may change */
  message: string
}

/** An error with a machine-readable code */
export interface Problem {
  code: ErrorCode
  /** Text for people; it may change, so act on `code` */
  message: string
  /** Status of the case that caused the error */
  status?: CaseStatus
  /** Name of the sender of the case, for the participant */
  senderName?: string
  /** Remaining attempts before the code or PIN is locked */
  attemptsLeft?: number
  /** Seconds after which another attempt can succeed */
  retryAfterSeconds?: number
  data?: DeliveryRefusal
}

/** One violated rule */
export interface ValidationError {
  /** JSON Pointer to the invalid value in the request; empty for the whole */
  instancePath: string
  /** The violated rule, such as `required`, `format`, `maxLength` or `insidePage` */
  keyword: string
  /** Details of the rule, such as `missingProperty` or `limit` */
  params: Record<string, unknown>
  /** Text for people; it may change */
  message: string
}

/** The request violates rules */
export interface ValidationProblem {
  /** Text for people; it may change */
  message: string
  /** Every violated rule, at most 1,000 */
  validationErrors: ValidationError[]
}

/** Qualification of the certificate at one moment */
export interface CertificateQualification {
  /** Qualification of the certificate at that moment */
  level: string
  /** Whether the certificate was qualified */
  qualified: boolean
  /** Whether the key was in a qualified device */
  qscd: boolean
  /** Type of the certificate: for signatures, seals or web sites */
  type: string
  /** Matching services of trusted lists */
  services: TrustService[]
  /** How the result came about */
  notes: string[]
}

/** A certificate of a chain */
export interface CertificateReport {
  /** SHA-256 of the certificate, lower-case hexadecimal */
  sha256: string
  /** Distinguished name (RFC 4514) */
  subject: string
  trustAnchor?: TrustAnchor
}

/** A change after the signature */
export interface ChangeReport {
  /** Number of the changed PDF object */
  object: number
  /** Path of keys from the object to the change */
  path: string
  /** Kind of the change */
  action: 'added' | 'changed' | 'deleted'
  /** Page, from 1, of a change that is not permitted, or of what was added beside one */
  page?: number
  /** What the object is to the page: the page itself, its content, a note, ... */
  part?:
    | 'page'
    | 'content'
    | 'note'
    | 'mark'
    | 'drawing'
    | 'stamp'
    | 'link'
    | 'field'
    | 'attachment'
    | 'annotation'
  /** Whether the change is permitted */
  permitted: boolean
}

/** Validation of a document time-stamp (ETSI EN 319 142-1, 5.4.3) */
export interface DocumentTimeStampReport {
  /** Id of the time-stamp in this report */
  id: string
  /** Name of the signature field */
  fieldName: string
  /** A time-stamp of the document */
  type: 'document'
  /** Time in the time-stamp token */
  productionTime?: string
  /** Result (EN 319 102-1): passed, failed, or not enough is known */
  indication: 'TOTAL_PASSED' | 'INDETERMINATE' | 'TOTAL_FAILED'
  /** Sub-indication of EN 319 102-1; absent with TOTAL_PASSED */
  subIndication?: string
  /** Distinguished name of the time-stamping authority */
  tsa?: string
  /** From the certificate of the authority to its trust anchor */
  certificateChain: CertificateReport[]
  /** Whether the authority is qualified (ETSI TS 119 615) */
  qualification?: 'QTSA' | 'TSA' | 'NA'
  secondOpinion?: SecondOpinion
  /** Why the result is not TOTAL_PASSED */
  errors: Finding[]
  /** Weaknesses that do not change the result */
  warnings: Finding[]
  integrity: IntegrityReport
  modifications: ModificationsReport
}

/** An observation of the validation */
export interface Finding {
  /** Machine-readable key; `docs/reference/verification.md` lists all keys */
  key: string
  /** Text for people; it may change */
  text: string
}

/** Cryptographic integrity of the signed bytes */
export interface IntegrityReport {
  /** ByteRange of the signature (ISO 32000-2, 12.8.1) */
  byteRange: number[]
  /** Whether the byte range is well-formed */
  byteRangeValid: boolean
  /** How much of the file the signature covers */
  coverage: 'ENTIRE_FILE' | 'ENTIRE_REVISION' | 'PARTIAL'
  /** Signed revision of the document, from 1 */
  revision?: number
  /** Digest algorithm, such as sha256 */
  digestAlgorithm?: string
  /** Whether the digest of the signed bytes matches */
  digestMatch?: boolean
  /** Signature algorithm, such as `ECDSA with sha256` */
  signatureAlgorithm?: string
  /** Whether the signature value verifies with the signer key */
  signatureValueValid?: boolean
}

/** Changes in later revisions of the document */
export interface ModificationsReport {
  /** The gravest kind of change */
  level: 'NONE' | 'LTA_UPDATES' | 'FORM_FILLING' | 'ANNOTATIONS' | 'OTHER'
  /** Permission level of a certification signature (ISO 32000-2, 12.8.2.2) */
  docMdp?: number
  /** The changes, at most 100 */
  changes: ChangeReport[]
  /** Fields that were filled in after signing, when nothing else was changed */
  filledFields?: string[]
}

/** Qualification of the signature under eIDAS */
export interface QualificationReport {
  /** QESig, QESeal, AdESig-QC, …, NA (ETSI TS 119 615) */
  level: string
  /** When the certificate was issued */
  atIssuance?: CertificateQualification
  /** At the best signature time */
  atBestSignatureTime?: CertificateQualification
}

/** What a reader must know before the result */
export interface RemarkReport {
  /** Machine-readable code */
  code: 'BYTES_AFTER_LAST_REVISION' | 'ISSUED_EARLIER'
  /** Text for people; it may change */
  message: string
}

/** Revocation status of a certificate */
export interface RevocationReport {
  /** SHA-256 of the certificate, lower-case hexadecimal */
  certificateSha256: string
  /** stale: there is data, but not for the time of the signature */
  status: 'good' | 'revoked' | 'stale' | 'unknown'
  /** Kind of the revocation data */
  type?: 'CRL' | 'OCSP'
  /** Where the data was: in the document, in the signature, or at the authority */
  origin?: 'DSS' | 'CMS' | 'ONLINE'
  /** When the authority issued the data */
  producedAt?: string
  /** When the certificate was revoked */
  revokedAt?: string
  /** Reason of the revocation (RFC 5280, 5.3.1) */
  reason?: string
}

/** Result of a second, independent validation library */
export interface SecondOpinion {
  /** Digest and signature value */
  value: 'right' | 'wrong' | 'unknown'
  /** Certification path */
  path?: 'right' | 'wrong' | 'unknown'
  /** Revocation data */
  revocation?: 'right' | 'wrong' | 'unknown'
}

/** Validation of one signature */
export interface SignatureReport {
  /** Id of the signature in this report */
  id: string
  /** Name of the signature field */
  fieldName: string
  /** Result (EN 319 102-1): passed, failed, or not enough is known */
  indication: 'TOTAL_PASSED' | 'INDETERMINATE' | 'TOTAL_FAILED'
  /** Sub-indication of EN 319 102-1; absent with TOTAL_PASSED */
  subIndication?: string
  /** PAdES level (ETSI EN 319 142-1) */
  level: string
  /** Encoding of the signature (SubFilter of ISO 32000-2, 12.8.1) */
  subFilter: string
  /** Kind of the signature */
  type: 'approval' | 'certification'
  integrity: IntegrityReport
  modifications: ModificationsReport
  signer?: SignerReport
  /** From the certificate of the signer to its trust anchor */
  certificateChain: CertificateReport[]
  /** The signing time that the signer claims */
  claimedSigningTime?: string
  /** The earliest time at which the signature is proven to exist */
  bestSignatureTime: string
  qualification?: QualificationReport
  /** Revocation status of the chain */
  revocation: RevocationReport[]
  /** Time-stamps of the signature */
  timestamps: TimeStampReport[]
  secondOpinion?: SecondOpinion
  /** Why the result is not TOTAL_PASSED */
  errors: Finding[]
  /** Weaknesses that do not change the result */
  warnings: Finding[]
  /** Observations that are not errors */
  infos: Finding[]
}

/** The certificate of the signer */
export interface SignerReport {
  /** Common name (CN) of the subject */
  commonName?: string
  /** Distinguished name (RFC 4514) */
  subject: string
  /** Serial number of the certificate, hexadecimal */
  serialNumber: string
  /** Organization identifier (OID 2.5.4.97) */
  organizationIdentifier?: string
  /** SHA-256 of the certificate, lower-case hexadecimal */
  certificateSha256: string
  /** Start of the validity of the certificate */
  notBefore: string
  /** End of the validity of the certificate */
  notAfter: string
}

/** A time-stamp over a signature value */
export interface TimeStampReport {
  /** A time-stamp of a signature */
  type: 'signature'
  /** Time in the time-stamp token */
  productionTime?: string
  /** Result (EN 319 102-1): passed, failed, or not enough is known */
  indication: 'TOTAL_PASSED' | 'INDETERMINATE' | 'TOTAL_FAILED'
  /** Sub-indication of EN 319 102-1; absent with TOTAL_PASSED */
  subIndication?: string
  /** Distinguished name of the time-stamping authority */
  tsa?: string
  /** From the certificate of the authority to its trust anchor */
  certificateChain: CertificateReport[]
  /** Whether the authority is qualified (ETSI TS 119 615) */
  qualification?: 'QTSA' | 'TSA' | 'NA'
  secondOpinion?: SecondOpinion
  /** Why the result is not TOTAL_PASSED */
  errors: Finding[]
  /** Weaknesses that do not change the result */
  warnings: Finding[]
}

/** Why the certificate is trusted */
export interface TrustAnchor {
  /** service-root: this service; EU-TL: an EU trusted list; given: the caller */
  source: 'service-root' | 'EU-TL' | 'given'
  /** Country of the trusted list */
  country?: string
  /** Trust service provider */
  tsp?: string
  /** Name of the trust service */
  service?: string
  /** Status of the trust service at that time */
  status?: string
}

/** A trusted list that could not be updated */
export interface TrustedListProblem {
  /** Territory of the trusted list */
  territory: string
  /** Machine-readable code of the problem */
  code: string
  /** When the problem occurred */
  at: string
}

/** State of the EU trusted lists; absent when the service does not use them */
export interface TrustedLists {
  /** Sequence number of the EU list of lists */
  sequence: number
  /** When the list of lists was issued */
  issueDate: string
  /** When the list of lists is due for an update */
  nextUpdate?: string
  /** Whether a list is past its next update */
  stale: boolean
  /** Territories whose lists are past their next update */
  staleTerritories: string[]
  /** Lists that could not be updated */
  problems: TrustedListProblem[]
}

/** A trust service that the certificate belongs to */
export interface TrustService {
  /** Country of the trusted list */
  country: string
  /** Trust service provider */
  tsp: string
  /** Name of the trust service */
  service: string
  /** Status of the trust service at that moment */
  status: string
}

/** The verified file */
export interface ValidatedDocument {
  /** Size in bytes */
  size: number
  /** SHA-256 of the file, lower-case hexadecimal */
  sha256: string
  /** PDF version, such as 1.7 */
  pdfVersion?: string
  /** Number of revisions */
  revisions: number
  /** Whether the document is encrypted */
  encrypted: boolean
  /** Number of bytes after the last revision; nobody signed them */
  unsignedTailBytes: number
}

/** The validation policy */
export interface ValidationPolicy {
  /** Id of the policy */
  id: string
  /** Version of the policy */
  version: number
  /** Whether form fields may be filled in after a signature */
  formFilling?: 'permitted' | 'notPermitted'
  /** SHA-256 of the policy file; absent for the built-in policy, lower-case hexadecimal */
  sha256?: string
}

/** Result of the verification of a PDF */
export interface ValidationReport {
  /** Version of this format */
  reportVersion: number
  /** When the document was validated */
  validationTime: string
  policy: ValidationPolicy
  document: ValidatedDocument
  summary: ValidationSummary
  /** Signatures in the order of the document */
  signatures: SignatureReport[]
  /** Document time-stamps in the order of the document */
  documentTimestamps: DocumentTimeStampReport[]
  /**
   * Whether this service issued the document or an earlier state of it, and one of its
   * signatures is valid. `summary.remarks` says when the file is not exactly what was issued
   */
  issuedByService: boolean
  trustedLists?: TrustedLists
}

/** The result in short */
export interface ValidationSummary {
  /** The worst result of all signatures; absent without signatures */
  indication?: 'TOTAL_PASSED' | 'INDETERMINATE' | 'TOTAL_FAILED'
  /** Number of signatures */
  signaturesCount: number
  /** Number of signatures that passed */
  validSignaturesCount: number
  /** Whether the document was changed after a signature, and permissibly */
  documentModifiedAfterSigning: 'none' | 'permitted' | 'notPermitted' | 'unknown'
  /** What to show first; absent without remarks */
  remarks?: RemarkReport[]
}

/** Data that the client reported about itself */
export interface Client {
  /** IANA time zone of the client */
  timezone?: string
  /** Language of the client */
  language?: string
  screen?: Screen
  /** Whether the client showed every page */
  viewedAllPages?: boolean
}

/** Consent of the participant */
export interface Consent {
  /** `version` of the consent text that the participant saw */
  textVersion: ConsentTextVersion
  /** When the participant accepted it, by the clock of the client */
  acceptedAt: string
}

/** Size of the displayed page when the participant chose the rectangles */
export interface PageSize {
  /** Width of the page on the screen */
  width: number
  /** Height of the page on the screen */
  height: number
}

/** Rectangle on the displayed page; the origin is the top left corner */
export interface Rectangle {
  /** Page number; the first page is 1 */
  page: number
  /** Distance from the left edge of the displayed page */
  x: number
  /** Distance from the top edge of the displayed page */
  y: number
  /** Width of the rectangle */
  width: number
  /** Height of the rectangle */
  height: number
  /** pt: 1/72 inch; fraction: fraction of the page width and height */
  unit: 'pt' | 'fraction'
}

/** Screen of the client */
export interface Screen {
  /** CSS pixels */
  width: number
  /** CSS pixels */
  height: number
}

/** The signature of a participant */
export interface SigningInput {
  /**
   * PNG or JPEG in base64, or SVG path data such as `M0 20 C20 0 40 40 60 20`; with or without
   * a data URL prefix. The service scales the drawing into the rectangle; `y` of a path grows
   * downwards
   */
  encodedSignature: string
  /** Predefined signature fields that show the drawing */
  fieldIds?: string[]
  /** The participant's own rectangles; used when fieldIds is absent */
  signatures?: Rectangle[]
  pageSize?: PageSize
  consent: Consent
  client?: Client
}

/** Body of a webhook */
export interface WebhookBody {
  /** Id of the event, the same for every attempt: use it to drop duplicates */
  id: string
  /** Type of the event, as in `Service-Event` */
  type: WebhookType
  /** When the event happened */
  occurredAt: string
  /** Id of the tenant */
  tenantId: string
  /** Id of the case */
  caseId: string
  /** Status of the case at the time of this attempt */
  status: CaseStatus
  /** `callback.data` of the case, unchanged */
  data?: Record<string, unknown>
  /** The participant who signed; set with participant-signed */
  participantId?: string
  /** The signed PDF, once the case is DONE; downloads as `<title>-signed.pdf` */
  signedDocument?: WebhookDocument
  /** The evidence; comes with `signedDocument` */
  evidenceDocument?: WebhookDocument
}

/** A document of the case */
export interface WebhookDocument {
  /** Presigned link for a download without a token, valid for one hour */
  url: string
}

/** Details of a cancellation */
export interface CancelInput {
  /** Why the case is cancelled; the cancellation mail and the trail contain it */
  reason?: string
}

/** A one-time code to check */
export interface CodeInput {
  /** The one-time code that the participant received: six digits */
  code: string
}

/** A participant does not want to sign */
export interface DeclineInput {
  /** Why the participant does not want to sign; the mail and the trail contain it */
  reason?: string
}

/** Kiosk that shows the case */
export interface DeviceReference {
  /** Id of a kiosk of the tenant */
  deviceId: string
}

/** The upload to verify */
export interface VerificationInput {
  /** `key` from the response of `POST /verify/uploads` */
  key: string
}

/** The PDF that is going to be uploaded */
export interface VerificationUploadInput {
  /** Size of the PDF in bytes; without it, 25 MB count towards the upload limits */
  size?: number
}

/** Response of GET /cases. */
export type ListCasesResult = CaseList

/** Body of POST /cases. */
export type CreateCaseInput = CaseInput

/** Response of POST /cases. */
export type CreateCaseResult = CreatedCase

/** Response of POST /cases/{caseId}/upload. */
export type RenewUploadResult = UploadLink

/** Response of GET /participant/{participantId}/branding. */
export type GetBrandingResult = Branding

/** Response of GET /participant/{participantId}/caseDefinition. */
export type GetCaseDefinitionResult = CaseDefinition

/** Response of POST /participant/{participantId}/otp. */
export type SendCodeResult = CodeSent

/** Body of POST /participant/{participantId}/otp/verify. */
export type VerifyCodeInput = CodeInput

/** Response of POST /participant/{participantId}/otp/verify. */
export type VerifyCodeResult = CodeVerified

/** Body of POST /participant/{participantId}/signature. */
export type SignInput = SigningInput

/** Response of GET /participant/{participantId}/signedDocument. */
export type GetSignedDocumentResult = DocumentLink

/** Response of GET /cases/{caseId}. */
export type GetCaseResult = Case

/** Body of DELETE /cases/{caseId}. */
export type CancelCaseInput = CancelInput

/** Response of DELETE /cases/{caseId}. */
export type CancelCaseResult = Case

/** Response of GET /cases/{caseId}/events. */
export type ListEventsResult = AuditTrailPage

/** Response of POST /cases/{caseId}/participants/{participantId}/invitation. */
export type InviteAgainResult = Invitation

/** Body of POST /graphql. */
export type GraphqlInput = GraphqlRequest

/** Response of POST /graphql. */
export type GraphqlResult = GraphqlResponse

/** Body of POST /verify/uploads. */
export type UploadForVerificationInput = VerificationUploadInput

/** Response of POST /verify/uploads. */
export type UploadForVerificationResult = VerificationUpload

/** Body of POST /verify. */
export type VerifyInput = VerificationInput

/** Response of POST /verify. */
export type VerifyResult = ValidationReport

/** Response of GET /pki. */
export type AuthoritiesResult = AuthorityList

/** Response of GET /cases/{caseId}/deliveries. */
export type ListDeliveriesResult = DeliveryList

/** Response of POST /cases/{caseId}/deliveries/{eventId}/redeliver. */
export type RedeliverResult = Delivery

/** Response of GET /tenant/webhook-events. */
export type ListWebhookEventsResult = WebhookEventList

/** Response of GET /tenant/devices. */
export type ListDevicesResult = DeviceList

/** Body of POST /tenant/devices. */
export type RegisterDeviceInput = DeviceInput

/** Response of POST /tenant/devices. */
export type RegisterDeviceResult = RegisteredDevice

/** Body of POST /tenant/devices/{deviceId}/pairingCode. */
export type CreatePairingCodeInput = PairingCodeInput

/** Response of POST /tenant/devices/{deviceId}/pairingCode. */
export type CreatePairingCodeResult = PairingCode

/** Body of POST /cases/{caseId}/participants/{participantId}/open. */
export type OpenOnDeviceInput = OpenInput

/** Response of POST /cases/{caseId}/participants/{participantId}/open. */
export type OpenOnDeviceResult = OpenedCase

/** Body of POST /kiosk/pair. */
export type PairKioskInput = PairInput

/** Response of POST /kiosk/pair. */
export type PairKioskResult = Device

/** Response of GET /healthz. */
export type HealthResult = Health

/** Response of GET /readyz. */
export type ReadinessResult = Readiness
