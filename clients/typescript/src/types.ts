/** Types of the API. Made by `npm run generate` from api/openapi.json; do not edit. */

/** Version of the API that this client was made for. */
export const API_VERSION = '0.1.0'

export interface AuditEvent {
  eventId: string
  type:
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
    | 'participant.certificate_issued'
    | 'participant.signature_applied'
    | 'participant.downloaded'
    | 'case.finalised'
    | 'case.completed'
    | 'case.expired'
    | 'case.cancelled'
    | 'case.failed'
    | 'participant.certificate_revoked'
  occurredAt: string
  actor: 'tenant' | 'participant' | 'system'
  participantId?: string
  ip?: string
  userAgent?: string
  documentSha256?: string
  data: Record<string, unknown>
}

export interface AuditTrailPage {
  events: AuditEvent[]
  nextCursor?: string
  /**
   * Present when the trail was changed outside the service; `events` has only the valid
   * entries
   */
  trailFault?: {
    /** Place in the trail, from 1, counted from the oldest */
    sequence: number
    /** What is wrong, such as `wrongMac` or `missingHead` */
    fault: string
  }
}

export interface Case {
  id: string
  title: string
  status: 'NEW' | 'IN_PROGRESS' | 'DONE' | 'UPLOAD_REJECTED' | 'EXPIRED' | 'CANCELLED' | 'FAILED'
  rejectReason?: string
  expiredAt?: string
  cancelledAt?: string
  cancelReason?: string
  failedAt?: string
  failureReason?: string
  created: string
  validUntil: string
  quickSign: boolean
  /** Whether participants may choose where they sign */
  ownPlaces: boolean
  multiFactorType?: 'SMS' | 'EMAIL'
  callback?: {
    url: string
    authType: 'NONE' | 'BASIC' | 'API_KEY' | 'OAUTH_CLIENT_CREDENTIALS'
    data?: Record<string, unknown>
  }
  /** Sender of the mails to participants */
  sender?: {
    /** Display name of the sender of mails */
    name?: string
    /** Reply-To address of mails */
    replyTo?: string
  }
  /** Kiosk that shows the case */
  device?: {
    /** Id of a kiosk of the tenant */
    deviceId: string
  }
  originalDocument: Document
  signedDocument?: Document
  evidenceDocument?: Document
  participants: Participant[]
}

export interface CaseDefinition {
  status: 'NEW' | 'IN_PROGRESS' | 'DONE' | 'UPLOAD_REJECTED' | 'EXPIRED' | 'CANCELLED' | 'FAILED'
  multiFactorType?: 'SMS' | 'EMAIL'
  /** Document links are absent until a one-time code was entered */
  otpRequired: boolean
  /** Document links are absent without the PIN */
  pinRequired: boolean
  case: {
    id: string
    title: string
    validUntil: string
    /** Whether participants may choose where they sign */
    ownPlaces: boolean
  }
  participant: {
    id: string
    firstName: string
    lastName: string
    language: 'sk' | 'en'
    status: 'UNSIGNED' | 'SIGNED'
    signedAt?: string
    signatureFields: SignatureField[]
  }
  participants: {
    total: number
    signed: number
  }
  sender?: {
    name: string
  }
  document: {
    name: string
    size?: number
    sha256?: string
    /** Presigned link, 15 minutes */
    url?: string
    /** PAdES level (ETSI EN 319 142-1) */
    level?: string
    pageCount: number
  }
  language: 'sk' | 'en'
  consentText: {
    /** Goes into `consent.textVersion` of the signature */
    version: string
    text: string
  }
  /** By language. The version names the language of the text as well */
  consentTexts: {
    sk: {
      /** Goes into `consent.textVersion` of the signature */
      version: string
      text: string
    }
    en: {
      /** Goes into `consent.textVersion` of the signature */
      version: string
      text: string
    }
  }
}

export interface CaseInput {
  /**
   * Title of the document: one line, not blank, without control characters and direction
   * overrides
   */
  title: string
  quickSign?: boolean
  /**
   * Whether participants may choose where they sign (`signatures` of the signing request).
   * With false, each participant must have `signatureFields`
   */
  ownPlaces?: boolean
  /** Deprecated; used only without multiFactorType */
  pin?: string
  validUntil: string
  multiFactorType?: 'SMS' | 'EMAIL'
  callback?: {
    url: string
    authType: 'NONE' | 'BASIC' | 'API_KEY' | 'OAUTH_CLIENT_CREDENTIALS'
    clientId?: string
    clientSecret?: string
    tokenUrl?: string
    tokenAuthMethod?: 'basic' | 'post'
    scope?: string
    audience?: string
    apiKeyHeader?: string
    apiKeyValue?: string
    signingSecret?: string
    data?: Record<string, unknown>
  }
  /** Reminder mails to participants who have not signed yet */
  reminders?: {
    /** Days on which reminders are sent */
    afterDays: number[]
  }
  sender?: {
    /**
     * Shown as the sender of mails: one line, not blank, without control characters and
     * direction overrides
     */
    name?: string
    /** Reply-To address of mails */
    replyTo?: string
  }
  /** Kiosk that shows the case */
  device?: {
    /** Id of a kiosk of the tenant */
    deviceId: string
  }
  participants: ParticipantInput[]
}

export interface CodeSent {
  channel: 'SMS' | 'EMAIL'
  /** Where the code went, masked */
  destination: string
  /** End of validity of the code */
  expiresAt: string
}

export interface CodeVerified {
  /** Value for the header `Service-Otp-Session` */
  otpSession: string
  /** End of validity of the session */
  expiresAt: string
}

export interface CreatedCase {
  case: Case
  /** Absent when the `Idempotency-Key` belongs to a case that is no longer NEW */
  upload?: {
    type: 'PUT'
    /** Presigned, one hour */
    url: string
  }
}

export interface Delivery {
  /** `id` of the webhook */
  eventId: string
  type: 'participant-signed' | 'case-completed' | 'case-failed' | 'case-expired' | 'case-cancelled'
  occurredAt: string
  participantId?: string
  state: 'pending' | 'delivered' | 'failed' | 'dead'
  endedAt?: string
  nextAttemptAt?: string
  /** Kept for 90 days */
  attempts: {
    /** `Service-Delivery` */
    deliveryId: string
    /** 1, plus 1 for each redelivery */
    round: number
    /** resend: with a new access token at once after a 401; not counted */
    kind: 'attempt' | 'resend'
    startedAt: string
    durationMs?: number
    /** Absent when there was no answer */
    statusCode?: number
    /** Why there was no answer */
    error?: string
  }[]
}

export interface DeviceInput {
  /** Display name: one line, not blank, without control characters and direction overrides */
  name: string
}

export interface Document {
  name: string
  size?: number
  sha256?: string
  /** Presigned link, 15 minutes */
  url?: string
  /** PAdES level (ETSI EN 319 142-1) */
  level?: string
}

export interface MessageProblem {
  message: string
}

export interface Participant {
  id: string
  firstName: string
  lastName: string
  language: 'sk' | 'en'
  status: 'UNSIGNED' | 'SIGNED'
  signedAt?: string
  signatureFields: SignatureField[]
  email: string
  phone?: string
  notify: boolean
  signerUrl: string
}

export interface ParticipantInput {
  /** Given name: one line, not blank, without control characters and direction overrides */
  firstName: string
  /** Family name: one line, not blank, without control characters and direction overrides */
  lastName: string
  email: string
  /** Six to fifteen digits with optional + and common separators */
  phone?: string
  gender?: string
  /** Postal address; stored, but not shown */
  address?: {
    /** Country */
    country?: string
    /** City */
    city?: string
    /** Street and number */
    street?: string
    /** Postal code */
    zip?: string
  }
  notify?: boolean
  language?: 'sk' | 'en'
  signatureFields?: {
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
  }[]
}

export interface RegisteredDevice {
  /** Id of the kiosk */
  deviceId: string
  name: string
  created: string
  /** Path of the device's real-time channel */
  channel: string
  /** Credential for the channel; returned only once */
  token: string
}

export interface SignatureField {
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

export interface SigningInput {
  /** PNG or JPEG in base64, or SVG path data; with or without a data URL prefix */
  encodedSignature: string
  /** Predefined signature fields that show the drawing */
  fieldIds?: string[]
  /** The participant's own rectangles; used when fieldIds is absent */
  signatures?: {
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
  }[]
  /** Size of the displayed page when the participant chose the rectangles */
  pageSize?: {
    /** Width of the page on the screen */
    width: number
    /** Height of the page on the screen */
    height: number
  }
  consent: {
    textVersion: '2026-11' | '2026-11-22-sk' | '2026-11-22-en'
    acceptedAt: string
  }
  /** Data that the client reported about itself */
  client?: {
    /** IANA time zone of the client */
    timezone?: string
    /** Language of the client */
    language?: string
    /** Screen of the client */
    screen?: {
      /** CSS pixels */
      width: number
      /** CSS pixels */
      height: number
    }
    /** Whether the client showed every page */
    viewedAllPages?: boolean
  }
}

export interface ValidationProblem {
  message: string
  validationErrors: {
    instancePath: string
    keyword: string
    params: Record<string, unknown>
    message: string
  }[]
}

export interface ValidationReport {
  reportVersion: number
  validationTime: string
  policy: {
    id: string
    version: number
    formFilling?: 'permitted' | 'notPermitted'
    /** SHA-256 of the policy file, lower-case hexadecimal; absent for the built-in policy */
    sha256?: string
  }
  document: {
    size: number
    /** SHA-256, lower-case hexadecimal */
    sha256: string
    pdfVersion?: string
    revisions: number
    encrypted: boolean
    unsignedTailBytes: number
  }
  summary: {
    indication?: 'TOTAL_PASSED' | 'INDETERMINATE' | 'TOTAL_FAILED'
    signaturesCount: number
    validSignaturesCount: number
    documentModifiedAfterSigning: 'none' | 'permitted' | 'notPermitted' | 'unknown'
    /** What to tell first; absent when there is nothing */
    remarks?: {
      code: 'BYTES_AFTER_LAST_REVISION' | 'ISSUED_EARLIER'
      /** For people; may change */
      message: string
    }[]
  }
  signatures: {
    id: string
    fieldName: string
    indication: 'TOTAL_PASSED' | 'INDETERMINATE' | 'TOTAL_FAILED'
    /** Sub-indication of EN 319 102-1 */
    subIndication?: string
    /** PAdES level (ETSI EN 319 142-1) */
    level: string
    subFilter: string
    type: 'approval' | 'certification'
    integrity: {
      byteRange: number[]
      byteRangeValid: boolean
      coverage: 'ENTIRE_FILE' | 'ENTIRE_REVISION' | 'PARTIAL'
      /** From 1 */
      revision?: number
      digestAlgorithm?: string
      digestMatch?: boolean
      signatureAlgorithm?: string
      signatureValueValid?: boolean
    }
    modifications: {
      level: 'NONE' | 'LTA_UPDATES' | 'FORM_FILLING' | 'ANNOTATIONS' | 'OTHER'
      docMdp?: number
      changes: {
        /** Object number */
        object: number
        /** Path of keys from the object to the change */
        path: string
        action: 'added' | 'changed' | 'deleted'
        /** From 1, of what is not permitted and is part of a page */
        page?: number
        permitted: boolean
      }[]
      /** Fields that were filled in after signing, when nothing else was changed */
      filledFields?: string[]
    }
    signer?: {
      commonName?: string
      /** Distinguished name */
      subject: string
      /** Of the certificate, hexadecimal */
      serialNumber: string
      organizationIdentifier?: string
      /** SHA-256, lower-case hexadecimal */
      certificateSha256: string
      notBefore: string
      notAfter: string
    }
    certificateChain: {
      /** SHA-256, lower-case hexadecimal */
      sha256: string
      subject: string
      trustAnchor?: {
        source: 'service-root' | 'EU-TL' | 'given'
        country?: string
        /** Trust service provider */
        tsp?: string
        service?: string
        /** Of the service at that time */
        status?: string
      }
    }[]
    claimedSigningTime?: string
    /** The earliest time at which the signature is proven to exist */
    bestSignatureTime: string
    qualification?: {
      /** QESig, QESeal, AdESig-QC, …, NA (ETSI TS 119 615) */
      level: string
      atIssuance?: {
        /** Of the certificate at that moment */
        level: string
        qualified: boolean
        /** Whether the key was in a qualified device */
        qscd: boolean
        type: string
        services: {
          country: string
          tsp: string
          service: string
          status: string
        }[]
        notes: string[]
      }
      atBestSignatureTime?: {
        /** Of the certificate at that moment */
        level: string
        qualified: boolean
        /** Whether the key was in a qualified device */
        qscd: boolean
        type: string
        services: {
          country: string
          tsp: string
          service: string
          status: string
        }[]
        notes: string[]
      }
    }
    revocation: {
      /** SHA-256, lower-case hexadecimal */
      certificateSha256: string
      status: 'good' | 'revoked' | 'stale' | 'unknown'
      type?: 'CRL' | 'OCSP'
      origin?: 'DSS' | 'CMS' | 'ONLINE'
      producedAt?: string
      revokedAt?: string
      reason?: string
    }[]
    timestamps: {
      type: 'signature'
      productionTime?: string
      indication: 'TOTAL_PASSED' | 'INDETERMINATE' | 'TOTAL_FAILED'
      /** Sub-indication of EN 319 102-1 */
      subIndication?: string
      /** Distinguished name of the authority */
      tsa?: string
      certificateChain: {
        /** SHA-256, lower-case hexadecimal */
        sha256: string
        subject: string
        trustAnchor?: {
          source: 'service-root' | 'EU-TL' | 'given'
          country?: string
          /** Trust service provider */
          tsp?: string
          service?: string
          /** Of the service at that time */
          status?: string
        }
      }[]
      qualification?: 'QTSA' | 'TSA' | 'NA'
      /** What a second, independent validation library says */
      secondOpinion?: {
        value: 'right' | 'wrong' | 'unknown'
        path?: 'right' | 'wrong' | 'unknown'
        revocation?: 'right' | 'wrong' | 'unknown'
      }
      errors: {
        /** See docs/reference/verification.md */
        key: string
        text: string
      }[]
      warnings: {
        /** See docs/reference/verification.md */
        key: string
        text: string
      }[]
    }[]
    /** What a second, independent validation library says */
    secondOpinion?: {
      value: 'right' | 'wrong' | 'unknown'
      path?: 'right' | 'wrong' | 'unknown'
      revocation?: 'right' | 'wrong' | 'unknown'
    }
    errors: {
      /** See docs/reference/verification.md */
      key: string
      text: string
    }[]
    warnings: {
      /** See docs/reference/verification.md */
      key: string
      text: string
    }[]
    infos: {
      /** See docs/reference/verification.md */
      key: string
      text: string
    }[]
  }[]
  documentTimestamps: {
    id: string
    fieldName: string
    type: 'document'
    productionTime?: string
    indication: 'TOTAL_PASSED' | 'INDETERMINATE' | 'TOTAL_FAILED'
    /** Sub-indication of EN 319 102-1 */
    subIndication?: string
    /** Distinguished name of the authority */
    tsa?: string
    certificateChain: {
      /** SHA-256, lower-case hexadecimal */
      sha256: string
      subject: string
      trustAnchor?: {
        source: 'service-root' | 'EU-TL' | 'given'
        country?: string
        /** Trust service provider */
        tsp?: string
        service?: string
        /** Of the service at that time */
        status?: string
      }
    }[]
    qualification?: 'QTSA' | 'TSA' | 'NA'
    /** What a second, independent validation library says */
    secondOpinion?: {
      value: 'right' | 'wrong' | 'unknown'
      path?: 'right' | 'wrong' | 'unknown'
      revocation?: 'right' | 'wrong' | 'unknown'
    }
    errors: {
      /** See docs/reference/verification.md */
      key: string
      text: string
    }[]
    warnings: {
      /** See docs/reference/verification.md */
      key: string
      text: string
    }[]
    integrity: {
      byteRange: number[]
      byteRangeValid: boolean
      coverage: 'ENTIRE_FILE' | 'ENTIRE_REVISION' | 'PARTIAL'
      /** From 1 */
      revision?: number
      digestAlgorithm?: string
      digestMatch?: boolean
      signatureAlgorithm?: string
      signatureValueValid?: boolean
    }
    modifications: {
      level: 'NONE' | 'LTA_UPDATES' | 'FORM_FILLING' | 'ANNOTATIONS' | 'OTHER'
      docMdp?: number
      changes: {
        /** Object number */
        object: number
        /** Path of keys from the object to the change */
        path: string
        action: 'added' | 'changed' | 'deleted'
        /** From 1, of what is not permitted and is part of a page */
        page?: number
        permitted: boolean
      }[]
      /** Fields that were filled in after signing, when nothing else was changed */
      filledFields?: string[]
    }
  }[]
  /**
   * Whether this service issued the document or an earlier state of it, and a signature of its
   * is valid; `summary.remarks` says when the file is not exactly what was issued
   */
  issuedByService: boolean
  trustedLists?: {
    /** Of the list of lists */
    sequence: number
    issueDate: string
    nextUpdate?: string
    /** Whether a list is past its next update */
    stale: boolean
    staleTerritories: string[]
    problems: {
      territory: string
      code: string
      at: string
    }[]
  }
}

/** Response of GET /healthz. */
export interface HealthResult {
  status: 'ok'
}

/** Response of GET /readyz. */
export interface ReadinessResult {
  status: 'ok'
  checks: {
    canary: {
      /** Signing is available while it is `passed` */
      outcome: 'passed' | 'failed' | 'absent' | 'stale'
      at?: string
      ageSeconds?: number
    }
  }
}

/** Response of GET /pki. */
export interface AuthoritiesResult {
  authorities: {
    name: 'root' | 'issuing'
    /** Distinguished name */
    subject: string
    /** Fingerprint of the certificate, hexadecimal */
    sha256: string
    notBefore: string
    notAfter: string
    /** Where the certificate is, DER */
    certificate: string
    /** Where its list of revoked certificates is, DER */
    revocationList?: string
  }[]
}

/** Response of GET /cases. */
export interface ListCasesResult {
  cases: Case[]
  /** Set while more items remain */
  nextCursor?: string
}

/** Body of POST /cases. */
export type CreateCaseInput = CaseInput

/** Response of POST /cases. */
export type CreateCaseResult = CreatedCase

/** Response of GET /cases/{caseId}. */
export type GetCaseResult = Case

/** Body of DELETE /cases/{caseId}. */
export interface CancelCaseInput {
  reason?: string
}

/** Response of DELETE /cases/{caseId}. */
export type CancelCaseResult = Case

/** Response of POST /cases/{caseId}/upload. */
export interface RenewUploadResult {
  upload: {
    type: 'PUT'
    /** Presigned, one hour */
    url: string
  }
}

/** Response of POST /cases/{caseId}/participants/{participantId}/invitation. */
export interface InviteAgainResult {
  caseId: string
  participantId: string
}

/** Response of GET /cases/{caseId}/events. */
export type ListEventsResult = AuditTrailPage

/** Response of GET /cases/{caseId}/deliveries. */
export interface ListDeliveriesResult {
  deliveries: Delivery[]
}

/** Response of POST /cases/{caseId}/deliveries/{eventId}/redeliver. */
export type RedeliverResult = Delivery

/** Response of GET /tenant/webhook-events. */
export interface ListWebhookEventsResult {
  events: {
    /** `id` of the webhook */
    eventId: string
    type:
      'participant-signed' | 'case-completed' | 'case-failed' | 'case-expired' | 'case-cancelled'
    occurredAt: string
    participantId?: string
    caseId: string
    state: 'dead' | 'failed'
    endedAt: string
  }[]
  nextCursor?: string
}

/** Response of GET /participant/{participantId}/caseDefinition. */
export type GetCaseDefinitionResult = CaseDefinition

/** Response of GET /participant/{participantId}/signedDocument. */
export interface GetSignedDocumentResult {
  url: string
}

/** Body of POST /participant/{participantId}/signature. */
export type SignInput = SigningInput

/** Response of GET /tenant/devices. */
export interface ListDevicesResult {
  devices: {
    /** Id of the kiosk */
    deviceId: string
    name: string
    created: string
    /** Path of the device's real-time channel */
    channel: string
  }[]
  nextCursor?: string
}

/** Body of POST /tenant/devices. */
export type RegisterDeviceInput = DeviceInput

/** Response of POST /tenant/devices. */
export type RegisterDeviceResult = RegisteredDevice

/** Body of POST /cases/{caseId}/participants/{participantId}/open. */
export interface OpenOnDeviceInput {
  /** The kiosk that shows the case */
  deviceId: string
}

/** Response of POST /cases/{caseId}/participants/{participantId}/open. */
export interface OpenOnDeviceResult {
  /** The case */
  caseId: string
  /** Participant who signs */
  participantId: string
  /** The kiosk */
  deviceId: string
}

/** Body of POST /kiosk/pair. */
export interface PairKioskInput {
  /** From the response of the registration */
  token: string
}

/** Response of POST /kiosk/pair. */
export interface PairKioskResult {
  /** Id of the kiosk */
  deviceId: string
  name: string
  created: string
  /** Path of the device's real-time channel */
  channel: string
}

/** Response of POST /participant/{participantId}/otp. */
export type SendCodeResult = CodeSent

/** Body of POST /participant/{participantId}/otp/verify. */
export interface VerifyCodeInput {
  /** As it was sent */
  code: string
}

/** Response of POST /participant/{participantId}/otp/verify. */
export type VerifyCodeResult = CodeVerified

/** Body of POST /verify/uploads. */
export interface UploadForVerificationInput {
  /** Octets of the PDF; when absent, 25 MB count towards the limits of uploads */
  size?: number
}

/** Response of POST /verify/uploads. */
export interface UploadForVerificationResult {
  /** What `POST /verify` takes */
  key: string
  upload: {
    type: 'PUT'
    /** Presigned, one hour */
    url: string
    /** Headers that the PUT must send unchanged, including `Content-Type` */
    headers: Record<string, string>
  }
}

/** Body of POST /verify. */
export interface VerifyInput {
  /** From the response of `POST /verify/uploads` */
  key: string
}

/** Response of POST /verify. */
export type VerifyResult = ValidationReport

/** Body of POST /graphql. */
export interface GraphqlInput {
  query: string
  variables?: Record<string, unknown> | null
  operationName?: string | null
}

/** Response of POST /graphql. */
export interface GraphqlResult {
  data: Record<string, unknown> | null
  errors?: {
    message: string
    path?: unknown[]
    extensions?: Record<string, unknown>
  }[]
}
