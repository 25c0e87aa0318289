"""Types of the API. Made by `npm run generate` from api/openapi.json; do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

#: Version of the API that this client was made for.
API_VERSION = "0.1.0"


class AuditEvent(TypedDict):
    eventId: str
    type: Literal["case.created", "document.uploaded", "document.rejected", "participant.created", "participant.invited", "participant.viewed", "participant.otp_sent", "participant.otp_failed", "participant.otp_verified", "participant.consented", "participant.signed", "participant.certificate_issued", "participant.signature_applied", "participant.downloaded", "case.finalised", "case.completed", "case.expired", "case.cancelled", "case.failed", "participant.certificate_revoked"]
    occurredAt: str
    actor: Literal["tenant", "participant", "system"]
    participantId: NotRequired[str]
    ip: NotRequired[str]
    userAgent: NotRequired[str]
    documentSha256: NotRequired[str]
    data: dict[str, Any]


class AuditTrailPageTrailFault(TypedDict):
    #: Place in the trail, from 1, counted from the oldest
    sequence: int
    #: What is wrong, such as `wrongMac` or `missingHead`
    fault: str


class AuditTrailPage(TypedDict):
    events: list[AuditEvent]
    nextCursor: NotRequired[str]
    #: Present when the trail was changed outside the service; `events` has only the valid
    #: entries
    trailFault: NotRequired[AuditTrailPageTrailFault]


class CaseCallback(TypedDict):
    url: str
    authType: Literal["NONE", "BASIC", "API_KEY", "OAUTH_CLIENT_CREDENTIALS"]
    data: NotRequired[dict[str, Any]]


class CaseSender(TypedDict):
    #: Display name of the sender of mails
    name: NotRequired[str]
    #: Reply-To address of mails
    replyTo: NotRequired[str]


class CaseDevice(TypedDict):
    #: Id of a kiosk of the tenant
    deviceId: str


class Case(TypedDict):
    id: str
    title: str
    status: Literal["NEW", "IN_PROGRESS", "DONE", "UPLOAD_REJECTED", "EXPIRED", "CANCELLED", "FAILED"]
    rejectReason: NotRequired[str]
    expiredAt: NotRequired[str]
    cancelledAt: NotRequired[str]
    cancelReason: NotRequired[str]
    failedAt: NotRequired[str]
    failureReason: NotRequired[str]
    created: str
    validUntil: str
    quickSign: bool
    #: Whether participants may choose where they sign
    ownPlaces: bool
    multiFactorType: NotRequired[Literal["SMS", "EMAIL"]]
    callback: NotRequired[CaseCallback]
    #: Sender of the mails to participants
    sender: NotRequired[CaseSender]
    #: Kiosk that shows the case
    device: NotRequired[CaseDevice]
    originalDocument: Document
    signedDocument: NotRequired[Document]
    evidenceDocument: NotRequired[Document]
    participants: list[Participant]


class CaseDefinitionCase(TypedDict):
    id: str
    title: str
    validUntil: str
    #: Whether participants may choose where they sign
    ownPlaces: bool


class CaseDefinitionParticipant(TypedDict):
    id: str
    firstName: str
    lastName: str
    language: Literal["sk", "en"]
    status: Literal["UNSIGNED", "SIGNED"]
    signedAt: NotRequired[str]
    signatureFields: list[SignatureField]


class CaseDefinitionParticipants(TypedDict):
    total: int
    signed: int


class CaseDefinitionSender(TypedDict):
    name: str


class CaseDefinitionDocument(TypedDict):
    name: str
    size: NotRequired[float]
    sha256: NotRequired[str]
    #: Presigned link, 15 minutes
    url: NotRequired[str]
    #: PAdES level (ETSI EN 319 142-1)
    level: NotRequired[str]
    pageCount: int


class CaseDefinitionConsentText(TypedDict):
    #: Goes into `consent.textVersion` of the signature
    version: str
    text: str


class CaseDefinitionConsentTexts(TypedDict):
    sk: CaseDefinitionConsentText
    en: CaseDefinitionConsentText


class CaseDefinition(TypedDict):
    status: Literal["NEW", "IN_PROGRESS", "DONE", "UPLOAD_REJECTED", "EXPIRED", "CANCELLED", "FAILED"]
    multiFactorType: NotRequired[Literal["SMS", "EMAIL"]]
    #: Document links are absent until a one-time code was entered
    otpRequired: bool
    #: Document links are absent without the PIN
    pinRequired: bool
    case: CaseDefinitionCase
    participant: CaseDefinitionParticipant
    participants: CaseDefinitionParticipants
    sender: NotRequired[CaseDefinitionSender]
    document: CaseDefinitionDocument
    language: Literal["sk", "en"]
    consentText: CaseDefinitionConsentText
    #: By language. The version names the language of the text as well
    consentTexts: CaseDefinitionConsentTexts


class CaseInputCallback(TypedDict):
    url: str
    authType: Literal["NONE", "BASIC", "API_KEY", "OAUTH_CLIENT_CREDENTIALS"]
    clientId: NotRequired[str]
    clientSecret: NotRequired[str]
    tokenUrl: NotRequired[str]
    tokenAuthMethod: NotRequired[Literal["basic", "post"]]
    scope: NotRequired[str]
    audience: NotRequired[str]
    apiKeyHeader: NotRequired[str]
    apiKeyValue: NotRequired[str]
    signingSecret: NotRequired[str]
    data: NotRequired[dict[str, Any]]


class CaseInputReminders(TypedDict):
    #: Days on which reminders are sent
    afterDays: list[float]


class CaseInputSender(TypedDict):
    #: Shown as the sender of mails: one line, not blank, without control characters and
    #: direction overrides
    name: NotRequired[str]
    #: Reply-To address of mails
    replyTo: NotRequired[str]


class CaseInput(TypedDict):
    #: Title of the document: one line, not blank, without control characters and direction
    #: overrides
    title: str
    quickSign: NotRequired[bool]
    #: Whether participants may choose where they sign (`signatures` of the signing request).
    #: With false, each participant must have `signatureFields`
    ownPlaces: NotRequired[bool]
    #: Deprecated; used only without multiFactorType
    pin: NotRequired[str]
    validUntil: str
    multiFactorType: NotRequired[Literal["SMS", "EMAIL"]]
    callback: NotRequired[CaseInputCallback]
    #: Reminder mails to participants who have not signed yet
    reminders: NotRequired[CaseInputReminders]
    sender: NotRequired[CaseInputSender]
    #: Kiosk that shows the case
    device: NotRequired[CaseDevice]
    participants: list[ParticipantInput]


class CodeSent(TypedDict):
    channel: Literal["SMS", "EMAIL"]
    #: Where the code went, masked
    destination: str
    #: End of validity of the code
    expiresAt: str


class CodeVerified(TypedDict):
    #: Value for the header `Service-Otp-Session`
    otpSession: str
    #: End of validity of the session
    expiresAt: str


class CreatedCaseUpload(TypedDict):
    type: Literal["PUT"]
    #: Presigned, one hour
    url: str


class CreatedCase(TypedDict):
    case: Case
    #: Absent when the `Idempotency-Key` belongs to a case that is no longer NEW
    upload: NotRequired[CreatedCaseUpload]


class DeliveryAttempt(TypedDict):
    #: `Service-Delivery`
    deliveryId: str
    #: 1, plus 1 for each redelivery
    round: int
    #: resend: with a new access token at once after a 401; not counted
    kind: Literal["attempt", "resend"]
    startedAt: str
    durationMs: NotRequired[float]
    #: Absent when there was no answer
    statusCode: NotRequired[int]
    #: Why there was no answer
    error: NotRequired[str]


class Delivery(TypedDict):
    #: `id` of the webhook
    eventId: str
    type: Literal["participant-signed", "case-completed", "case-failed", "case-expired", "case-cancelled"]
    occurredAt: str
    participantId: NotRequired[str]
    state: Literal["pending", "delivered", "failed", "dead"]
    endedAt: NotRequired[str]
    nextAttemptAt: NotRequired[str]
    #: Kept for 90 days
    attempts: list[DeliveryAttempt]


class DeviceInput(TypedDict):
    #: Display name: one line, not blank, without control characters and direction overrides
    name: str


class Document(TypedDict):
    name: str
    size: NotRequired[float]
    sha256: NotRequired[str]
    #: Presigned link, 15 minutes
    url: NotRequired[str]
    #: PAdES level (ETSI EN 319 142-1)
    level: NotRequired[str]


class MessageProblem(TypedDict):
    message: str


class Participant(TypedDict):
    id: str
    firstName: str
    lastName: str
    language: Literal["sk", "en"]
    status: Literal["UNSIGNED", "SIGNED"]
    signedAt: NotRequired[str]
    signatureFields: list[SignatureField]
    email: str
    phone: NotRequired[str]
    notify: bool
    signerUrl: str


class ParticipantInputAddress(TypedDict):
    #: Country
    country: NotRequired[str]
    #: City
    city: NotRequired[str]
    #: Street and number
    street: NotRequired[str]
    #: Postal code
    zip: NotRequired[str]


class ParticipantInputSignatureField(TypedDict):
    id: NotRequired[str]
    #: Page number; the first page is 1
    page: int
    #: Distance from the left edge of the displayed page
    x: float
    #: Distance from the top edge of the displayed page
    y: float
    #: Width of the rectangle
    width: float
    #: Height of the rectangle
    height: float
    #: pt: 1/72 inch; fraction: fraction of the page width and height
    unit: Literal["pt", "fraction"]


class ParticipantInput(TypedDict):
    #: Given name: one line, not blank, without control characters and direction overrides
    firstName: str
    #: Family name: one line, not blank, without control characters and direction overrides
    lastName: str
    email: str
    #: Six to fifteen digits with optional + and common separators
    phone: NotRequired[str]
    gender: NotRequired[str]
    #: Postal address; stored, but not shown
    address: NotRequired[ParticipantInputAddress]
    notify: NotRequired[bool]
    language: NotRequired[Literal["sk", "en"]]
    signatureFields: NotRequired[list[ParticipantInputSignatureField]]


class RegisteredDevice(TypedDict):
    #: Id of the kiosk
    deviceId: str
    name: str
    created: str
    #: Path of the device's real-time channel
    channel: str
    #: Credential for the channel; returned only once
    token: str


class SignatureField(TypedDict):
    id: str
    #: Page number; the first page is 1
    page: int
    #: Distance from the left edge of the displayed page
    x: float
    #: Distance from the top edge of the displayed page
    y: float
    #: Width of the rectangle
    width: float
    #: Height of the rectangle
    height: float
    #: pt: 1/72 inch; fraction: fraction of the page width and height
    unit: Literal["pt", "fraction"]


class SigningInputSignature(TypedDict):
    #: Page number; the first page is 1
    page: int
    #: Distance from the left edge of the displayed page
    x: float
    #: Distance from the top edge of the displayed page
    y: float
    #: Width of the rectangle
    width: float
    #: Height of the rectangle
    height: float
    #: pt: 1/72 inch; fraction: fraction of the page width and height
    unit: Literal["pt", "fraction"]


class SigningInputPageSize(TypedDict):
    #: Width of the page on the screen
    width: float
    #: Height of the page on the screen
    height: float


class SigningInputConsent(TypedDict):
    textVersion: Literal["2026-11", "2026-11-22-sk", "2026-11-22-en"]
    acceptedAt: str


class SigningInputClientScreen(TypedDict):
    #: CSS pixels
    width: float
    #: CSS pixels
    height: float


class SigningInputClient(TypedDict):
    #: IANA time zone of the client
    timezone: NotRequired[str]
    #: Language of the client
    language: NotRequired[str]
    #: Screen of the client
    screen: NotRequired[SigningInputClientScreen]
    #: Whether the client showed every page
    viewedAllPages: NotRequired[bool]


class SigningInput(TypedDict):
    #: PNG or JPEG in base64, or SVG path data; with or without a data URL prefix
    encodedSignature: str
    #: Predefined signature fields that show the drawing
    fieldIds: NotRequired[list[str]]
    #: The participant's own rectangles; used when fieldIds is absent
    signatures: NotRequired[list[SigningInputSignature]]
    #: Size of the displayed page when the participant chose the rectangles
    pageSize: NotRequired[SigningInputPageSize]
    consent: SigningInputConsent
    #: Data that the client reported about itself
    client: NotRequired[SigningInputClient]


class ValidationProblemValidationError(TypedDict):
    instancePath: str
    keyword: str
    params: dict[str, Any]
    message: str


class ValidationProblem(TypedDict):
    message: str
    validationErrors: list[ValidationProblemValidationError]


class ValidationReportPolicy(TypedDict):
    id: str
    version: int
    formFilling: NotRequired[Literal["permitted", "notPermitted"]]
    #: SHA-256 of the policy file, lower-case hexadecimal; absent for the built-in policy
    sha256: NotRequired[str]


class ValidationReportDocument(TypedDict):
    size: int
    #: SHA-256, lower-case hexadecimal
    sha256: str
    pdfVersion: NotRequired[str]
    revisions: int
    encrypted: bool
    unsignedTailBytes: int


class ValidationReportSummaryRemark(TypedDict):
    code: Literal["BYTES_AFTER_LAST_REVISION", "ISSUED_EARLIER"]
    #: For people; may change
    message: str


class ValidationReportSummary(TypedDict):
    indication: NotRequired[Literal["TOTAL_PASSED", "INDETERMINATE", "TOTAL_FAILED"]]
    signaturesCount: int
    validSignaturesCount: int
    documentModifiedAfterSigning: Literal["none", "permitted", "notPermitted", "unknown"]
    #: What to tell first; absent when there is nothing
    remarks: NotRequired[list[ValidationReportSummaryRemark]]


class ValidationReportSignatureIntegrity(TypedDict):
    byteRange: list[float]
    byteRangeValid: bool
    coverage: Literal["ENTIRE_FILE", "ENTIRE_REVISION", "PARTIAL"]
    #: From 1
    revision: NotRequired[int]
    digestAlgorithm: NotRequired[str]
    digestMatch: NotRequired[bool]
    signatureAlgorithm: NotRequired[str]
    signatureValueValid: NotRequired[bool]


class ValidationReportSignatureModificationsChange(TypedDict):
    #: Object number
    object: int
    #: Path of keys from the object to the change
    path: str
    action: Literal["added", "changed", "deleted"]
    #: From 1, of what is not permitted and is part of a page
    page: NotRequired[int]
    permitted: bool


class ValidationReportSignatureModifications(TypedDict):
    level: Literal["NONE", "LTA_UPDATES", "FORM_FILLING", "ANNOTATIONS", "OTHER"]
    docMdp: NotRequired[int]
    changes: list[ValidationReportSignatureModificationsChange]
    #: Fields that were filled in after signing, when nothing else was changed
    filledFields: NotRequired[list[str]]


class ValidationReportSignatureSigner(TypedDict):
    commonName: NotRequired[str]
    #: Distinguished name
    subject: str
    #: Of the certificate, hexadecimal
    serialNumber: str
    organizationIdentifier: NotRequired[str]
    #: SHA-256, lower-case hexadecimal
    certificateSha256: str
    notBefore: str
    notAfter: str


class ValidationReportSignatureCertificateChainTrustAnchor(TypedDict):
    source: Literal["service-root", "EU-TL", "given"]
    country: NotRequired[str]
    #: Trust service provider
    tsp: NotRequired[str]
    service: NotRequired[str]
    #: Of the service at that time
    status: NotRequired[str]


class ValidationReportSignatureCertificateChain(TypedDict):
    #: SHA-256, lower-case hexadecimal
    sha256: str
    subject: str
    trustAnchor: NotRequired[ValidationReportSignatureCertificateChainTrustAnchor]


class ValidationReportSignatureQualificationAtIssuanceService(TypedDict):
    country: str
    tsp: str
    service: str
    status: str


class ValidationReportSignatureQualificationAtIssuance(TypedDict):
    #: Of the certificate at that moment
    level: str
    qualified: bool
    #: Whether the key was in a qualified device
    qscd: bool
    type: str
    services: list[ValidationReportSignatureQualificationAtIssuanceService]
    notes: list[str]


class ValidationReportSignatureQualification(TypedDict):
    #: QESig, QESeal, AdESig-QC, …, NA (ETSI TS 119 615)
    level: str
    atIssuance: NotRequired[ValidationReportSignatureQualificationAtIssuance]
    atBestSignatureTime: NotRequired[ValidationReportSignatureQualificationAtIssuance]


class ValidationReportSignatureRevocation(TypedDict):
    #: SHA-256, lower-case hexadecimal
    certificateSha256: str
    status: Literal["good", "revoked", "stale", "unknown"]
    type: NotRequired[Literal["CRL", "OCSP"]]
    origin: NotRequired[Literal["DSS", "CMS", "ONLINE"]]
    producedAt: NotRequired[str]
    revokedAt: NotRequired[str]
    reason: NotRequired[str]


class ValidationReportSignatureTimestampSecondOpinion(TypedDict):
    value: Literal["right", "wrong", "unknown"]
    path: NotRequired[Literal["right", "wrong", "unknown"]]
    revocation: NotRequired[Literal["right", "wrong", "unknown"]]


class ValidationReportSignatureTimestampError(TypedDict):
    #: See docs/reference/verification.md
    key: str
    text: str


class ValidationReportSignatureTimestamp(TypedDict):
    type: Literal["signature"]
    productionTime: NotRequired[str]
    indication: Literal["TOTAL_PASSED", "INDETERMINATE", "TOTAL_FAILED"]
    #: Sub-indication of EN 319 102-1
    subIndication: NotRequired[str]
    #: Distinguished name of the authority
    tsa: NotRequired[str]
    certificateChain: list[ValidationReportSignatureCertificateChain]
    qualification: NotRequired[Literal["QTSA", "TSA", "NA"]]
    #: What a second, independent validation library says
    secondOpinion: NotRequired[ValidationReportSignatureTimestampSecondOpinion]
    errors: list[ValidationReportSignatureTimestampError]
    warnings: list[ValidationReportSignatureTimestampError]


class ValidationReportSignature(TypedDict):
    id: str
    fieldName: str
    indication: Literal["TOTAL_PASSED", "INDETERMINATE", "TOTAL_FAILED"]
    #: Sub-indication of EN 319 102-1
    subIndication: NotRequired[str]
    #: PAdES level (ETSI EN 319 142-1)
    level: str
    subFilter: str
    type: Literal["approval", "certification"]
    integrity: ValidationReportSignatureIntegrity
    modifications: ValidationReportSignatureModifications
    signer: NotRequired[ValidationReportSignatureSigner]
    certificateChain: list[ValidationReportSignatureCertificateChain]
    claimedSigningTime: NotRequired[str]
    #: The earliest time at which the signature is proven to exist
    bestSignatureTime: str
    qualification: NotRequired[ValidationReportSignatureQualification]
    revocation: list[ValidationReportSignatureRevocation]
    timestamps: list[ValidationReportSignatureTimestamp]
    #: What a second, independent validation library says
    secondOpinion: NotRequired[ValidationReportSignatureTimestampSecondOpinion]
    errors: list[ValidationReportSignatureTimestampError]
    warnings: list[ValidationReportSignatureTimestampError]
    infos: list[ValidationReportSignatureTimestampError]


class ValidationReportDocumentTimestamp(TypedDict):
    id: str
    fieldName: str
    type: Literal["document"]
    productionTime: NotRequired[str]
    indication: Literal["TOTAL_PASSED", "INDETERMINATE", "TOTAL_FAILED"]
    #: Sub-indication of EN 319 102-1
    subIndication: NotRequired[str]
    #: Distinguished name of the authority
    tsa: NotRequired[str]
    certificateChain: list[ValidationReportSignatureCertificateChain]
    qualification: NotRequired[Literal["QTSA", "TSA", "NA"]]
    #: What a second, independent validation library says
    secondOpinion: NotRequired[ValidationReportSignatureTimestampSecondOpinion]
    errors: list[ValidationReportSignatureTimestampError]
    warnings: list[ValidationReportSignatureTimestampError]
    integrity: ValidationReportSignatureIntegrity
    modifications: ValidationReportSignatureModifications


class ValidationReportTrustedListsProblem(TypedDict):
    territory: str
    code: str
    at: str


class ValidationReportTrustedLists(TypedDict):
    #: Of the list of lists
    sequence: int
    issueDate: str
    nextUpdate: NotRequired[str]
    #: Whether a list is past its next update
    stale: bool
    staleTerritories: list[str]
    problems: list[ValidationReportTrustedListsProblem]


class ValidationReport(TypedDict):
    reportVersion: int
    validationTime: str
    policy: ValidationReportPolicy
    document: ValidationReportDocument
    summary: ValidationReportSummary
    signatures: list[ValidationReportSignature]
    documentTimestamps: list[ValidationReportDocumentTimestamp]
    #: Whether this service issued the document or an earlier state of it, and a signature of its
    #: is valid; `summary.remarks` says when the file is not exactly what was issued
    issuedByService: bool
    trustedLists: NotRequired[ValidationReportTrustedLists]


class HealthResult(TypedDict):
    """Response of GET /healthz."""

    status: Literal["ok"]


class ReadinessResultChecksCanary(TypedDict):
    #: Signing is available while it is `passed`
    outcome: Literal["passed", "failed", "absent", "stale"]
    at: NotRequired[str]
    ageSeconds: NotRequired[int]


class ReadinessResultChecks(TypedDict):
    canary: ReadinessResultChecksCanary


class ReadinessResult(TypedDict):
    """Response of GET /readyz."""

    status: Literal["ok"]
    checks: ReadinessResultChecks


class AuthoritiesResultAuthority(TypedDict):
    name: Literal["root", "issuing"]
    #: Distinguished name
    subject: str
    #: Fingerprint of the certificate, hexadecimal
    sha256: str
    notBefore: str
    notAfter: str
    #: Where the certificate is, DER
    certificate: str
    #: Where its list of revoked certificates is, DER
    revocationList: NotRequired[str]


class AuthoritiesResult(TypedDict):
    """Response of GET /pki."""

    authorities: list[AuthoritiesResultAuthority]


class ListCasesResult(TypedDict):
    """Response of GET /cases."""

    cases: list[Case]
    #: Set while more items remain
    nextCursor: NotRequired[str]


class CancelCaseInput(TypedDict):
    """Body of DELETE /cases/{caseId}."""

    reason: NotRequired[str]


class RenewUploadResult(TypedDict):
    """Response of POST /cases/{caseId}/upload."""

    upload: CreatedCaseUpload


class InviteAgainResult(TypedDict):
    """Response of POST /cases/{caseId}/participants/{participantId}/invitation."""

    caseId: str
    participantId: str


class ListDeliveriesResult(TypedDict):
    """Response of GET /cases/{caseId}/deliveries."""

    deliveries: list[Delivery]


class ListWebhookEventsResultEvent(TypedDict):
    #: `id` of the webhook
    eventId: str
    type: Literal["participant-signed", "case-completed", "case-failed", "case-expired", "case-cancelled"]
    occurredAt: str
    participantId: NotRequired[str]
    caseId: str
    state: Literal["dead", "failed"]
    endedAt: str


class ListWebhookEventsResult(TypedDict):
    """Response of GET /tenant/webhook-events."""

    events: list[ListWebhookEventsResultEvent]
    nextCursor: NotRequired[str]


class GetSignedDocumentResult(TypedDict):
    """Response of GET /participant/{participantId}/signedDocument."""

    url: str


class ListDevicesResultDevice(TypedDict):
    #: Id of the kiosk
    deviceId: str
    name: str
    created: str
    #: Path of the device's real-time channel
    channel: str


class ListDevicesResult(TypedDict):
    """Response of GET /tenant/devices."""

    devices: list[ListDevicesResultDevice]
    nextCursor: NotRequired[str]


class OpenOnDeviceInput(TypedDict):
    """Body of POST /cases/{caseId}/participants/{participantId}/open."""

    #: The kiosk that shows the case
    deviceId: str


class OpenOnDeviceResult(TypedDict):
    """Response of POST /cases/{caseId}/participants/{participantId}/open."""

    #: The case
    caseId: str
    #: Participant who signs
    participantId: str
    #: The kiosk
    deviceId: str


class PairKioskInput(TypedDict):
    """Body of POST /kiosk/pair."""

    #: From the response of the registration
    token: str


class PairKioskResult(TypedDict):
    """Response of POST /kiosk/pair."""

    #: Id of the kiosk
    deviceId: str
    name: str
    created: str
    #: Path of the device's real-time channel
    channel: str


class VerifyCodeInput(TypedDict):
    """Body of POST /participant/{participantId}/otp/verify."""

    #: As it was sent
    code: str


class UploadForVerificationInput(TypedDict):
    """Body of POST /verify/uploads."""

    #: Octets of the PDF; when absent, 25 MB count towards the limits of uploads
    size: NotRequired[int]


class UploadForVerificationResultUpload(TypedDict):
    type: Literal["PUT"]
    #: Presigned, one hour
    url: str
    #: Headers that the PUT must send unchanged, including `Content-Type`
    headers: dict[str, str]


class UploadForVerificationResult(TypedDict):
    """Response of POST /verify/uploads."""

    #: What `POST /verify` takes
    key: str
    upload: UploadForVerificationResultUpload


class VerifyInput(TypedDict):
    """Body of POST /verify."""

    #: From the response of `POST /verify/uploads`
    key: str


class GraphqlInput(TypedDict):
    """Body of POST /graphql."""

    query: str
    variables: NotRequired[dict[str, Any] | None]
    operationName: NotRequired[str | None]


class GraphqlResultError(TypedDict):
    message: str
    path: NotRequired[list[Any]]
    extensions: NotRequired[dict[str, Any]]


class GraphqlResult(TypedDict):
    """Response of POST /graphql."""

    data: dict[str, Any] | None
    errors: NotRequired[list[GraphqlResultError]]


#: Body of POST /cases.
CreateCaseInput: TypeAlias = 'CaseInput'
#: Response of POST /cases.
CreateCaseResult: TypeAlias = 'CreatedCase'
#: Response of GET /cases/{caseId}.
GetCaseResult: TypeAlias = 'Case'
#: Response of DELETE /cases/{caseId}.
CancelCaseResult: TypeAlias = 'Case'
#: Response of GET /cases/{caseId}/events.
ListEventsResult: TypeAlias = 'AuditTrailPage'
#: Response of POST /cases/{caseId}/deliveries/{eventId}/redeliver.
RedeliverResult: TypeAlias = 'Delivery'
#: Response of GET /participant/{participantId}/caseDefinition.
GetCaseDefinitionResult: TypeAlias = 'CaseDefinition'
#: Body of POST /participant/{participantId}/signature.
SignInput: TypeAlias = 'SigningInput'
#: Body of POST /tenant/devices.
RegisterDeviceInput: TypeAlias = 'DeviceInput'
#: Response of POST /tenant/devices.
RegisterDeviceResult: TypeAlias = 'RegisteredDevice'
#: Response of POST /participant/{participantId}/otp.
SendCodeResult: TypeAlias = 'CodeSent'
#: Response of POST /participant/{participantId}/otp/verify.
VerifyCodeResult: TypeAlias = 'CodeVerified'
#: Response of POST /verify.
VerifyResult: TypeAlias = 'ValidationReport'
