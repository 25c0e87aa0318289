"""Types of the API. Made by `npm run generate` from api/openapi.json; do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

#: Version of the API that this client was made for.
API_VERSION = "0.1.0"


class AuditEvent(TypedDict):
    """An event of the audit trail"""

    #: Id of the event
    eventId: str
    #: What happened
    type: AuditEventType
    #: When it happened; never earlier than the previous event of the trail
    occurredAt: str
    #: Who caused it
    actor: Literal["tenant", "participant", "system"]
    #: Participant whom the event is about
    participantId: NotRequired[str]
    #: IP address of the request that caused the event
    ip: NotRequired[str]
    #: `User-Agent` of the request that caused the event
    userAgent: NotRequired[str]
    #: SHA-256 of the document that the event is about, lower-case hexadecimal
    documentSha256: NotRequired[str]
    #: Details of the event; its members depend on `type`
    data: dict[str, Any]


class AuditTrailPage(TypedDict):
    """A page of the audit trail"""

    #: Events, newest first
    events: list[AuditEvent]
    #: Value of `cursor` for the next page; set while more items remain
    nextCursor: NotRequired[str]
    trailFault: NotRequired[TrailFault]


class Callback(TypedDict):
    """Receiver of webhooks; credentials and the signing secret are never returned"""

    #: URL that receives the webhooks
    url: str
    authType: CallbackAuthType
    #: Free-form data, returned in every webhook
    data: NotRequired[dict[str, Any]]


class Case(TypedDict):
    """A signature case as its tenant sees it"""

    #: Id of the case
    id: str
    #: Title of the case and of its documents
    title: str
    #: Status of the case
    status: CaseStatus
    #: Why the upload was rejected, for programs; `rejectReason` is more exact
    rejectCode: NotRequired[Literal["TOO_SMALL", "TOO_LARGE", "NOT_A_PDF", "DAMAGED", "DAMAGED_AND_SIGNED", "ENCRYPTED", "NO_PAGES", "DYNAMIC_FORM", "SHOWN_DIFFERENTLY", "SIGNING_FORBIDDEN", "TOO_COMPLEX", "FIELD_MISPLACED", "UNREADABLE"]]
    #: Why the upload was rejected; set with UPLOAD_REJECTED
    rejectReason: NotRequired[str]
    #: When the case expired; set with EXPIRED
    expiredAt: NotRequired[str]
    #: When the tenant cancelled the case; set with CANCELLED
    cancelledAt: NotRequired[str]
    #: Reason that the tenant gave; set with CANCELLED
    cancelReason: NotRequired[str]
    #: When the case failed; set with FAILED
    failedAt: NotRequired[str]
    #: Why the document could not be signed, for programs; `failureReason` is more exact
    failureCode: NotRequired[Literal["DOCUMENT_UNSIGNABLE", "SIGNATURE_UNUSABLE", "DATA_CHANGED", "DATA_MISSING", "SIGNING_UNAVAILABLE", "CERTIFICATE_REVOKED"]]
    #: Why the document could not be signed; set with FAILED
    failureReason: NotRequired[str]
    #: When the case was created
    created: str
    #: Deadline for all signatures
    validUntil: str
    #: Whether participants sign in person; they get no invitations
    quickSign: bool
    #: Whether participants may choose where they sign
    ownPlaces: bool
    #: Channel of the one-time codes; absent when the case needs no code
    multiFactorType: NotRequired[MultiFactorType]
    callback: NotRequired[Callback]
    sender: NotRequired[Sender]
    device: NotRequired[DeviceReference]
    #: The document as it was uploaded
    originalDocument: Document
    #: The signed PDF; set with DONE
    signedDocument: NotRequired[Document]
    #: The sealed summary of the evidence; set with DONE
    evidenceDocument: NotRequired[Document]
    #: The people who sign
    participants: list[Participant]


class CaseList(TypedDict):
    """A page of cases"""

    #: Cases in the order of their ids, without links to documents
    cases: list[Case]
    #: Value of `cursor` for the next page; set while more items remain
    nextCursor: NotRequired[str]


class CreatedCase(TypedDict):
    """The new case and the upload URL of its document"""

    case: Case
    #: Where to upload the PDF. Absent when the `Idempotency-Key` belongs to a case that is no
    #: longer NEW
    upload: NotRequired[Upload]


class Document(TypedDict):
    """A PDF of the case"""

    #: File name of the document
    name: str
    #: Size in bytes; absent before the upload
    size: NotRequired[float]
    #: SHA-256 of the document; absent before the upload, lower-case hexadecimal
    sha256: NotRequired[str]
    #: Presigned link for a download without a token, valid for 15 minutes; get it anew
    url: NotRequired[str]
    #: PAdES level (ETSI EN 319 142-1), of signed documents
    level: NotRequired[str]
    #: Problems of the signatures that the upload carried; absent when there are none. They do
    #: not prevent signing
    warnings: NotRequired[list[DocumentWarning]]


class DocumentWarning(TypedDict):
    """A problem of a signature that the upload carried"""

    #: SIGNATURE_BROKEN: a signature or document time-stamp is not valid (EN 319 102-1:
    #: FORMAT_FAILURE, HASH_FAILURE or SIG_CRYPTO_FAILURE); CHANGED_AFTER_SIGNING: the document
    #: was changed after it in a way that is not known to be harmless; SIGNATURES_NOT_CHECKED:
    #: the signatures could not be validated in time
    code: Literal["SIGNATURE_BROKEN", "CHANGED_AFTER_SIGNING", "SIGNATURES_NOT_CHECKED"]
    #: Name of the signature field, from the PDF
    fieldName: NotRequired[str]


class Invitation(TypedDict):
    """An accepted request for an invitation"""

    #: Id of the case
    caseId: str
    #: Id of the invited participant
    participantId: str


class Participant(TypedDict):
    """A person who signs, as the tenant sees them"""

    #: Id of the participant, a path segment of the signing link
    id: str
    #: Given name
    firstName: str
    #: Family name
    lastName: str
    language: Language
    #: Whether the service sends mails to the participant
    notify: bool
    #: Whether the participant has signed
    status: Literal["UNSIGNED", "SIGNED"]
    #: When the participant signed; set with SIGNED
    signedAt: NotRequired[str]
    #: Predefined signature fields; empty when the participant chooses the place
    signatureFields: list[SignatureField]
    #: Address for mails
    email: str
    #: Phone number for one-time codes
    phone: NotRequired[str]
    #: Signing link. Everyone who has it can act as the participant: keep it secret
    signerUrl: str


class Sender(TypedDict):
    """Sender of the mails to participants"""

    #: Display name of the sender of mails
    name: NotRequired[str]
    #: Reply-To address of mails
    replyTo: NotRequired[str]


class SignatureField(TypedDict):
    """Predefined signature field; the origin is the top left corner of the page"""

    #: Id of the field, unique for its participant
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


class TrailFault(TypedDict):
    """Present when the trail was changed outside the service; `events` has only the valid entries"""

    #: Place in the trail, from 1, counted from the oldest
    sequence: int
    #: What is wrong, such as `wrongMac` or `missingHead`
    fault: str


class Upload(TypedDict):
    """Where to upload the PDF"""

    #: HTTP method of the upload
    type: Literal["PUT"]
    #: Presigned URL, valid for one hour. Send the PDF (1 KB to 25 MB) without a token and with
    #: `Content-Type: application/pdf`
    url: str


class UploadLink(TypedDict):
    """Another upload URL of a case"""

    upload: Upload


class VerificationUpload(TypedDict):
    """An upload URL for verification"""

    #: Names the upload in `POST /verify`
    key: str
    upload: VerificationUploadLink


class VerificationUploadLink(TypedDict):
    """Where to upload the PDF that is to be verified"""

    #: HTTP method of the upload
    type: Literal["PUT"]
    #: Presigned URL, valid for one hour. Send the PDF (1 KB to 25 MB) without a token and with
    #: `Content-Type: application/pdf`
    url: str
    #: Headers that the PUT must send unchanged, including `Content-Type`
    headers: dict[str, str]


class Address(TypedDict):
    """Postal address; stored, but not shown"""

    #: Country
    country: NotRequired[str]
    #: City
    city: NotRequired[str]
    #: Street and number
    street: NotRequired[str]
    #: Postal code
    zip: NotRequired[str]


class CallbackInput(TypedDict):
    """Receiver of webhooks. The credentials depend on `authType`; they are never returned"""

    #: URL that receives the webhooks: http or https, publicly reachable
    url: str
    #: Authentication of webhook requests, in addition to the signature
    authType: CallbackAuthType
    #: User name of BASIC (no colon), or client id of OAuth
    clientId: NotRequired[str]
    #: Password of BASIC, or client secret of OAuth
    clientSecret: NotRequired[str]
    #: OAuth: https URL of the token endpoint (RFC 6749, 4.4)
    tokenUrl: NotRequired[str]
    #: OAuth: `basic` sends the credentials in `Authorization`, `post` in the form; default basic
    tokenAuthMethod: NotRequired[Literal["basic", "post"]]
    #: OAuth: requested scope
    scope: NotRequired[str]
    #: OAuth: requested audience
    audience: NotRequired[str]
    #: API_KEY: name of the header that carries the key
    apiKeyHeader: NotRequired[str]
    #: API_KEY: the key, in visible ASCII
    apiKeyValue: NotRequired[str]
    #: Key of the HMAC in `Service-Signature`; use random characters
    signingSecret: NotRequired[str]
    #: Free-form data of at most 16 KiB and 100 levels, returned unchanged in every webhook
    data: NotRequired[dict[str, Any]]


class CaseInput(TypedDict):
    """A new signature case"""

    #: Title of the document: one line, not blank, without control characters and direction
    #: overrides
    title: str
    #: Whether participants sign in person: they get no invitations
    quickSign: NotRequired[bool]
    #: Whether participants may choose where they sign (`signatures` of the signing request).
    #: With false, each participant must have `signatureFields`
    ownPlaces: NotRequired[bool]
    #: Deprecated. PIN of the case, used only without `multiFactorType`; use that instead
    pin: NotRequired[str]
    #: Deadline for all signatures (RFC 3339), in the future
    validUntil: str
    #: Channel of the one-time code that each participant must enter
    multiFactorType: NotRequired[MultiFactorType]
    callback: NotRequired[CallbackInput]
    reminders: NotRequired[Reminders]
    sender: NotRequired[SenderInput]
    device: NotRequired[DeviceReference]
    #: The people who sign
    participants: list[ParticipantInput]


class ParticipantInput(TypedDict):
    """A person who signs"""

    #: Given name: one line, not blank, without control characters and direction overrides
    firstName: str
    #: Family name: one line, not blank, without control characters and direction overrides
    lastName: str
    #: Address for invitations, codes and the signed document
    email: str
    #: Six to fifteen digits with optional + and common separators
    phone: NotRequired[str]
    #: Free text; stored, but not shown
    gender: NotRequired[str]
    address: NotRequired[Address]
    #: Whether the service sends mails to the participant
    notify: NotRequired[bool]
    language: NotRequired[Language]
    #: Fields that the participant signs. Without fields, the participant chooses the place
    signatureFields: NotRequired[list[SignatureFieldInput]]


class Reminders(TypedDict):
    """Reminder mails to participants who have not signed yet"""

    #: Days on which reminders are sent
    afterDays: list[float]


class SenderInput(TypedDict):
    """Sender of the mails to participants"""

    #: Shown as the sender of mails: one line, not blank, without control characters and
    #: direction overrides
    name: NotRequired[str]
    #: Reply-To address of mails
    replyTo: NotRequired[str]


class SignatureFieldInput(TypedDict):
    """Signature field, inside its page and at least 4 pt wide and high; the origin is the top left corner"""

    #: Id of the field, unique for its participant; the service makes one when it is absent
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


class Delivery(TypedDict):
    """A webhook of a case and its delivery"""

    #: `id` of the webhook, the same for every attempt
    eventId: str
    #: Type of the webhook
    type: WebhookType
    #: When the event happened
    occurredAt: str
    #: Participant who signed; set with participant-signed
    participantId: NotRequired[str]
    #: pending: attempts continue; delivered: your endpoint answered 2xx; failed: it refused the
    #: webhook; dead: all attempts failed
    state: DeliveryState
    #: When the last attempt ended; absent while pending
    endedAt: NotRequired[str]
    #: When the next attempt is due
    nextAttemptAt: NotRequired[str]
    #: Attempts in order; the service keeps them for 90 days
    attempts: list[DeliveryAttempt]


class DeliveryAttempt(TypedDict):
    """One request of a webhook"""

    #: `Service-Delivery` of the request
    deliveryId: str
    #: 1, plus 1 for each redelivery
    round: int
    #: resend: sent again at once with a new access token after a 401; not counted
    kind: Literal["attempt", "resend"]
    #: When the request was sent
    startedAt: str
    #: Duration in milliseconds
    durationMs: NotRequired[float]
    #: HTTP status; absent without an answer
    statusCode: NotRequired[int]
    #: Why there was no answer, such as `timeout` or `tls-failed`
    error: NotRequired[str]


class DeliveryList(TypedDict):
    """The webhooks of a case"""

    #: Every webhook of the case
    deliveries: list[Delivery]


class WebhookEvent(TypedDict):
    """A webhook that was not delivered"""

    #: `id` of the webhook, the same for every attempt
    eventId: str
    #: Type of the webhook
    type: WebhookType
    #: When the event happened
    occurredAt: str
    #: Participant who signed; set with participant-signed
    participantId: NotRequired[str]
    #: Case of the webhook
    caseId: str
    #: How the delivery ended
    state: Literal["dead", "failed"]
    #: When the last attempt ended
    endedAt: str


class WebhookEventList(TypedDict):
    """A page of webhooks that were not delivered"""

    #: Webhooks in order of occurrence
    events: list[WebhookEvent]
    #: Value of `cursor` for the next page; set while more items remain
    nextCursor: NotRequired[str]


class Device(TypedDict):
    """A kiosk of the tenant"""

    #: Id of the kiosk
    deviceId: str
    #: Display name of the kiosk
    name: str
    #: When the kiosk was registered
    created: str
    #: Path of the device's real-time channel
    channel: str
    #: Whether the kiosk listens to its channel. Only in lists, and only where it is known. After
    #: a failure it can take two and a half minutes to become false
    connected: NotRequired[bool]


class DeviceInput(TypedDict):
    """A new kiosk"""

    #: Display name: one line, not blank, without control characters and direction overrides
    name: str


class DeviceList(TypedDict):
    """A page of kiosks"""

    #: Kiosks in the order of their ids
    devices: list[Device]
    #: Value of `cursor` for the next page; set while more items remain
    nextCursor: NotRequired[str]


class OpenedCase(TypedDict):
    """A case that was handed to a kiosk"""

    #: Id of the case
    caseId: str
    #: Id of the participant who signs
    participantId: str
    #: Id of the kiosk
    deviceId: str


class OpenInput(TypedDict):
    """The kiosk that shows the case"""

    #: Id of the kiosk that shows the case
    deviceId: str


class PairingCode(TypedDict):
    """A code that pairs the kiosk"""

    #: Eight characters with a hyphen; works once
    code: str
    #: When the code expires, ten minutes after it was created
    expiresAt: str


class PairingCodeInput(TypedDict):
    """The token of the kiosk"""

    #: `token` from the response of the registration
    token: str


class PairInput(TypedDict):
    """The token of a kiosk, or a pairing code for it"""

    #: `token` from the response of the registration, or a pairing code
    token: str


class RegisteredDevice(TypedDict):
    """A new kiosk with its token"""

    #: Id of the kiosk
    deviceId: str
    #: Display name of the kiosk
    name: str
    #: When the kiosk was registered
    created: str
    #: Path of the device's real-time channel
    channel: str
    #: Credential of the kiosk, returned only here: the service keeps only its hash
    token: str


class GraphqlError(TypedDict):
    """Why a part of the request has no result"""

    #: Text for people; it may change
    message: str
    #: Path of the field that could not be read
    path: NotRequired[list[Any]]
    #: `code` and details, as in `Problem`
    extensions: NotRequired[dict[str, Any]]


class GraphqlRequest(TypedDict):
    """A GraphQL request"""

    #: GraphQL document
    query: str
    #: Values of the variables of the document, by name
    variables: NotRequired[dict[str, Any] | None]
    #: The operation to run, when the document has several
    operationName: NotRequired[str | None]


class GraphqlResponse(TypedDict):
    """A GraphQL response"""

    #: The result; null when nothing could be read
    data: dict[str, Any] | None
    #: Parts that could not be read; absent without errors
    errors: NotRequired[list[GraphqlError]]


class Canary(TypedDict):
    """The newest test document that the service sealed"""

    #: Signing is available while it is `passed`
    outcome: CanaryOutcome
    #: When the canary was sealed
    at: NotRequired[str]
    #: Age of the canary in seconds
    ageSeconds: NotRequired[int]


class Health(TypedDict):
    """The process is alive"""

    #: Always `ok`; other states have no 200
    status: Literal["ok"]


class Readiness(TypedDict):
    """The process takes requests"""

    #: Always `ok`; other states have no 200
    status: Literal["ok"]
    checks: ReadinessChecks


class ReadinessChecks(TypedDict):
    """Results of the checks"""

    canary: Canary


class BrandColourPair(TypedDict):
    """Colours with a contrast of at least 4.5:1 to each other and to the page"""

    #: Background of a button
    background: str
    #: Text on the background
    text: str


class BrandColours(TypedDict):
    """Colours of buttons, made of the colour that the tenant chose"""

    #: In the light theme
    light: BrandColourPair
    #: In the dark theme
    dark: BrandColourPair


class Branding(TypedDict):
    """How the pages of the case look; what the tenant did not choose is absent"""

    sender: NotRequired[CaseDefinitionSender]
    #: Language of the participant; absent for a kiosk
    language: NotRequired[Language]
    colours: NotRequired[BrandColours]
    logo: NotRequired[BrandingLogo]


class BrandingLogo(TypedDict):
    """Logo of the tenant"""

    #: Data URL of a PNG or JPEG that the service has checked
    url: str
    #: Width in pixels
    width: int
    #: Height in pixels
    height: int


class CaseDefinition(TypedDict):
    """A case as one of its participants sees it"""

    #: Status of the case
    status: CaseStatus
    #: Channel of the one-time codes; absent when the case needs no code
    multiFactorType: NotRequired[MultiFactorType]
    #: Whether a one-time code is missing; the document then has no `url`
    otpRequired: bool
    #: Whether the PIN is missing; the document then has no `url`
    pinRequired: bool
    case: CaseDefinitionCase
    participant: CaseDefinitionParticipant
    participants: ParticipantCounts
    places: NotRequired[SignaturePlaces]
    sender: NotRequired[CaseDefinitionSender]
    document: CaseDefinitionDocument
    #: Language of the participant
    language: Language
    #: In the language of the participant
    consentText: ConsentText
    consentTexts: ConsentTexts


class CaseDefinitionCase(TypedDict):
    """The case, as its participants see it"""

    #: Id of the case
    id: str
    #: Title of the case
    title: str
    #: Deadline for all signatures
    validUntil: str
    #: Whether participants may choose where they sign
    ownPlaces: bool


class CaseDefinitionDocument(TypedDict):
    """The original document; the signed one with DONE"""

    #: File name of the document
    name: str
    #: Size in bytes; absent before the upload
    size: NotRequired[float]
    #: SHA-256 of the document; absent before the upload, lower-case hexadecimal
    sha256: NotRequired[str]
    #: Presigned link for a download without a token, valid for 15 minutes; get it anew
    url: NotRequired[str]
    #: PAdES level (ETSI EN 319 142-1), of signed documents
    level: NotRequired[str]
    #: Number of pages
    pageCount: int


class CaseDefinitionParticipant(TypedDict):
    """The participant whose signing link was used"""

    #: Id of the participant, a path segment of the signing link
    id: str
    #: Given name
    firstName: str
    #: Family name
    lastName: str
    language: Language
    #: Whether the service sends mails to the participant
    notify: bool
    #: Whether the participant has signed
    status: Literal["UNSIGNED", "SIGNED"]
    #: When the participant signed; set with SIGNED
    signedAt: NotRequired[str]
    #: Predefined signature fields; empty when the participant chooses the place
    signatureFields: list[SignatureField]


class CaseDefinitionSender(TypedDict):
    """The sender; absent when the tenant gave no name"""

    #: Name of the sender
    name: str


class CodeSent(TypedDict):
    """A one-time code that was sent"""

    #: How the code was sent
    channel: MultiFactorType
    #: Where the code was sent, masked
    destination: str
    #: When the code expires, ten minutes after it was sent
    expiresAt: str


class CodeVerified(TypedDict):
    """A session that gives access to the document and to signing"""

    #: Value of the header `Service-Otp-Session`
    otpSession: str
    #: When the session expires, 30 minutes after the code was checked
    expiresAt: str


class ConsentText(TypedDict):
    """Text of the consent in one language"""

    #: Value of `consent.textVersion` in the signing request
    version: ConsentTextVersion
    #: The text that the participant accepts
    text: str


class ConsentTexts(TypedDict):
    """By language. The version also identifies the language of the text"""

    #: In Slovak
    sk: ConsentText
    #: In English
    en: ConsentText


class DocumentLink(TypedDict):
    """A link to a document"""

    #: Presigned link for a download without a token, valid for 15 minutes
    url: str


class ParticipantCounts(TypedDict):
    """Participants of the case, without their names"""

    #: Number of participants
    total: int
    #: Number of participants who have signed
    signed: int


class SignaturePlaces(TypedDict):
    """What a page needs to suggest a place at which no other participant signs"""

    #: Another number for each participant who chooses a place, from 0: a page derives from it
    #: the place that it suggests. Absent with predefined fields
    number: NotRequired[int]
    #: Where other participants signed or have predefined fields. Empty while a one-time code or
    #: PIN is missing
    taken: list[Rectangle]


class Authority(TypedDict):
    """A certification authority of the service"""

    #: Role of the authority
    name: Literal["root", "issuing"]
    #: Distinguished name
    subject: str
    #: SHA-256 fingerprint of the certificate, hexadecimal
    sha256: str
    #: Start of the validity of the certificate
    notBefore: str
    #: End of the validity of the certificate
    notAfter: str
    #: URL of the certificate (DER)
    certificate: str
    #: URL of its certificate revocation list (DER)
    revocationList: NotRequired[str]


class AuthorityList(TypedDict):
    """The certification authorities of the service"""

    #: The root, then the authorities below it
    authorities: list[Authority]


class DeliveryRefusal(TypedDict):
    """How the mail server or SMS gateway refused the message"""

    #: Channel over which the code was sent
    channel: MultiFactorType
    #: recipient: the address or number; sender: the service itself
    refused: Literal["recipient", "sender"]
    #: SMTP reply code or HTTP status, where there was one
    answer: NotRequired[int]


class MessageProblem(TypedDict):
    """An error without a code; act on the HTTP status"""

    #: Text for people; it may change
    message: str


class Problem(TypedDict):
    """An error with a machine-readable code"""

    code: ErrorCode
    #: Text for people; it may change, so act on `code`
    message: str
    #: Status of the case that caused the error
    status: NotRequired[CaseStatus]
    #: Name of the sender of the case, for the participant
    senderName: NotRequired[str]
    #: Remaining attempts before the code or PIN is locked
    attemptsLeft: NotRequired[int]
    #: Seconds after which another attempt can succeed
    retryAfterSeconds: NotRequired[float]
    data: NotRequired[DeliveryRefusal]


class ValidationError(TypedDict):
    """One violated rule"""

    #: JSON Pointer to the invalid value in the request; empty for the whole
    instancePath: str
    #: The violated rule, such as `required`, `format`, `maxLength` or `insidePage`
    keyword: str
    #: Details of the rule, such as `missingProperty` or `limit`
    params: dict[str, Any]
    #: Text for people; it may change
    message: str


class ValidationProblem(TypedDict):
    """The request violates rules"""

    #: Text for people; it may change
    message: str
    #: Every violated rule, at most 1,000
    validationErrors: list[ValidationError]


class CertificateQualification(TypedDict):
    """Qualification of the certificate at one moment"""

    #: Qualification of the certificate at that moment
    level: str
    #: Whether the certificate was qualified
    qualified: bool
    #: Whether the key was in a qualified device
    qscd: bool
    #: Type of the certificate: for signatures, seals or web sites
    type: str
    #: Matching services of trusted lists
    services: list[TrustService]
    #: How the result came about
    notes: list[str]


class CertificateReport(TypedDict):
    """A certificate of a chain"""

    #: SHA-256 of the certificate, lower-case hexadecimal
    sha256: str
    #: Distinguished name (RFC 4514)
    subject: str
    trustAnchor: NotRequired[TrustAnchor]


class ChangeReport(TypedDict):
    """A change after the signature"""

    #: Number of the changed PDF object
    object: int
    #: Path of keys from the object to the change
    path: str
    #: Kind of the change
    action: Literal["added", "changed", "deleted"]
    #: Page, from 1, of a change that is not permitted, or of what was added beside one
    page: NotRequired[int]
    #: What the object is to the page: the page itself, its content, a note, ...
    part: NotRequired[Literal["page", "content", "note", "mark", "drawing", "stamp", "link", "field", "attachment", "annotation"]]
    #: Whether the change is permitted
    permitted: bool


class DocumentTimeStampReport(TypedDict):
    """Validation of a document time-stamp (ETSI EN 319 142-1, 5.4.3)"""

    #: Id of the time-stamp in this report
    id: str
    #: Name of the signature field
    fieldName: str
    #: A time-stamp of the document
    type: Literal["document"]
    #: Time in the time-stamp token
    productionTime: NotRequired[str]
    #: Result (EN 319 102-1): passed, failed, or not enough is known
    indication: Literal["TOTAL_PASSED", "INDETERMINATE", "TOTAL_FAILED"]
    #: Sub-indication of EN 319 102-1; absent with TOTAL_PASSED
    subIndication: NotRequired[str]
    #: Distinguished name of the time-stamping authority
    tsa: NotRequired[str]
    #: From the certificate of the authority to its trust anchor
    certificateChain: list[CertificateReport]
    #: Whether the authority is qualified (ETSI TS 119 615)
    qualification: NotRequired[Literal["QTSA", "TSA", "NA"]]
    secondOpinion: NotRequired[SecondOpinion]
    #: Why the result is not TOTAL_PASSED
    errors: list[Finding]
    #: Weaknesses that do not change the result
    warnings: list[Finding]
    integrity: IntegrityReport
    modifications: ModificationsReport


class Finding(TypedDict):
    """An observation of the validation"""

    #: Machine-readable key; `docs/reference/verification.md` lists all keys
    key: str
    #: Text for people; it may change
    text: str


class IntegrityReport(TypedDict):
    """Cryptographic integrity of the signed bytes"""

    #: ByteRange of the signature (ISO 32000-2, 12.8.1)
    byteRange: list[float]
    #: Whether the byte range is well-formed
    byteRangeValid: bool
    #: How much of the file the signature covers
    coverage: Literal["ENTIRE_FILE", "ENTIRE_REVISION", "PARTIAL"]
    #: Signed revision of the document, from 1
    revision: NotRequired[int]
    #: Digest algorithm, such as sha256
    digestAlgorithm: NotRequired[str]
    #: Whether the digest of the signed bytes matches
    digestMatch: NotRequired[bool]
    #: Signature algorithm, such as `ECDSA with sha256`
    signatureAlgorithm: NotRequired[str]
    #: Whether the signature value verifies with the signer key
    signatureValueValid: NotRequired[bool]


class ModificationsReport(TypedDict):
    """Changes in later revisions of the document"""

    #: The gravest kind of change
    level: Literal["NONE", "LTA_UPDATES", "FORM_FILLING", "ANNOTATIONS", "OTHER"]
    #: Permission level of a certification signature (ISO 32000-2, 12.8.2.2)
    docMdp: NotRequired[int]
    #: The changes, at most 100
    changes: list[ChangeReport]
    #: Fields that were filled in after signing, when nothing else was changed
    filledFields: NotRequired[list[str]]


class QualificationReport(TypedDict):
    """Qualification of the signature under eIDAS"""

    #: QESig, QESeal, AdESig-QC, …, NA (ETSI TS 119 615)
    level: str
    #: When the certificate was issued
    atIssuance: NotRequired[CertificateQualification]
    #: At the best signature time
    atBestSignatureTime: NotRequired[CertificateQualification]


class RemarkReport(TypedDict):
    """What a reader must know before the result"""

    #: Machine-readable code
    code: Literal["BYTES_AFTER_LAST_REVISION", "ISSUED_EARLIER"]
    #: Text for people; it may change
    message: str


class RevocationReport(TypedDict):
    """Revocation status of a certificate"""

    #: SHA-256 of the certificate, lower-case hexadecimal
    certificateSha256: str
    #: stale: there is data, but not for the time of the signature
    status: Literal["good", "revoked", "stale", "unknown"]
    #: Kind of the revocation data
    type: NotRequired[Literal["CRL", "OCSP"]]
    #: Where the data was: in the document, in the signature, or at the authority
    origin: NotRequired[Literal["DSS", "CMS", "ONLINE"]]
    #: When the authority issued the data
    producedAt: NotRequired[str]
    #: When the certificate was revoked
    revokedAt: NotRequired[str]
    #: Reason of the revocation (RFC 5280, 5.3.1)
    reason: NotRequired[str]


class SecondOpinion(TypedDict):
    """Result of a second, independent validation library"""

    #: Digest and signature value
    value: Literal["right", "wrong", "unknown"]
    #: Certification path
    path: NotRequired[Literal["right", "wrong", "unknown"]]
    #: Revocation data
    revocation: NotRequired[Literal["right", "wrong", "unknown"]]


class SignatureReport(TypedDict):
    """Validation of one signature"""

    #: Id of the signature in this report
    id: str
    #: Name of the signature field
    fieldName: str
    #: Result (EN 319 102-1): passed, failed, or not enough is known
    indication: Literal["TOTAL_PASSED", "INDETERMINATE", "TOTAL_FAILED"]
    #: Sub-indication of EN 319 102-1; absent with TOTAL_PASSED
    subIndication: NotRequired[str]
    #: PAdES level (ETSI EN 319 142-1)
    level: str
    #: Encoding of the signature (SubFilter of ISO 32000-2, 12.8.1)
    subFilter: str
    #: Kind of the signature
    type: Literal["approval", "certification"]
    integrity: IntegrityReport
    modifications: ModificationsReport
    signer: NotRequired[SignerReport]
    #: From the certificate of the signer to its trust anchor
    certificateChain: list[CertificateReport]
    #: The signing time that the signer claims
    claimedSigningTime: NotRequired[str]
    #: The earliest time at which the signature is proven to exist
    bestSignatureTime: str
    qualification: NotRequired[QualificationReport]
    #: Revocation status of the chain
    revocation: list[RevocationReport]
    #: Time-stamps of the signature
    timestamps: list[TimeStampReport]
    secondOpinion: NotRequired[SecondOpinion]
    #: Why the result is not TOTAL_PASSED
    errors: list[Finding]
    #: Weaknesses that do not change the result
    warnings: list[Finding]
    #: Observations that are not errors
    infos: list[Finding]


class SignerReport(TypedDict):
    """The certificate of the signer"""

    #: Common name (CN) of the subject
    commonName: NotRequired[str]
    #: Distinguished name (RFC 4514)
    subject: str
    #: Serial number of the certificate, hexadecimal
    serialNumber: str
    #: Organization identifier (OID 2.5.4.97)
    organizationIdentifier: NotRequired[str]
    #: SHA-256 of the certificate, lower-case hexadecimal
    certificateSha256: str
    #: Start of the validity of the certificate
    notBefore: str
    #: End of the validity of the certificate
    notAfter: str


class TimeStampReport(TypedDict):
    """A time-stamp over a signature value"""

    #: A time-stamp of a signature
    type: Literal["signature"]
    #: Time in the time-stamp token
    productionTime: NotRequired[str]
    #: Result (EN 319 102-1): passed, failed, or not enough is known
    indication: Literal["TOTAL_PASSED", "INDETERMINATE", "TOTAL_FAILED"]
    #: Sub-indication of EN 319 102-1; absent with TOTAL_PASSED
    subIndication: NotRequired[str]
    #: Distinguished name of the time-stamping authority
    tsa: NotRequired[str]
    #: From the certificate of the authority to its trust anchor
    certificateChain: list[CertificateReport]
    #: Whether the authority is qualified (ETSI TS 119 615)
    qualification: NotRequired[Literal["QTSA", "TSA", "NA"]]
    secondOpinion: NotRequired[SecondOpinion]
    #: Why the result is not TOTAL_PASSED
    errors: list[Finding]
    #: Weaknesses that do not change the result
    warnings: list[Finding]


class TrustAnchor(TypedDict):
    """Why the certificate is trusted"""

    #: service-root: this service; EU-TL: an EU trusted list; given: the caller
    source: Literal["service-root", "EU-TL", "given"]
    #: Country of the trusted list
    country: NotRequired[str]
    #: Trust service provider
    tsp: NotRequired[str]
    #: Name of the trust service
    service: NotRequired[str]
    #: Status of the trust service at that time
    status: NotRequired[str]


class TrustedListProblem(TypedDict):
    """A trusted list that could not be updated"""

    #: Territory of the trusted list
    territory: str
    #: Machine-readable code of the problem
    code: str
    #: When the problem occurred
    at: str


class TrustedLists(TypedDict):
    """State of the EU trusted lists; absent when the service does not use them"""

    #: Sequence number of the EU list of lists
    sequence: int
    #: When the list of lists was issued
    issueDate: str
    #: When the list of lists is due for an update
    nextUpdate: NotRequired[str]
    #: Whether a list is past its next update
    stale: bool
    #: Territories whose lists are past their next update
    staleTerritories: list[str]
    #: Lists that could not be updated
    problems: list[TrustedListProblem]


class TrustService(TypedDict):
    """A trust service that the certificate belongs to"""

    #: Country of the trusted list
    country: str
    #: Trust service provider
    tsp: str
    #: Name of the trust service
    service: str
    #: Status of the trust service at that moment
    status: str


class ValidatedDocument(TypedDict):
    """The verified file"""

    #: Size in bytes
    size: int
    #: SHA-256 of the file, lower-case hexadecimal
    sha256: str
    #: PDF version, such as 1.7
    pdfVersion: NotRequired[str]
    #: Number of revisions
    revisions: int
    #: Whether the document is encrypted
    encrypted: bool
    #: Number of bytes after the last revision; nobody signed them
    unsignedTailBytes: int


class ValidationPolicy(TypedDict):
    """The validation policy"""

    #: Id of the policy
    id: str
    #: Version of the policy
    version: int
    #: Whether form fields may be filled in after a signature
    formFilling: NotRequired[Literal["permitted", "notPermitted"]]
    #: SHA-256 of the policy file; absent for the built-in policy, lower-case hexadecimal
    sha256: NotRequired[str]


class ValidationReport(TypedDict):
    """Result of the verification of a PDF"""

    #: Version of this format
    reportVersion: int
    #: When the document was validated
    validationTime: str
    policy: ValidationPolicy
    document: ValidatedDocument
    summary: ValidationSummary
    #: Signatures in the order of the document
    signatures: list[SignatureReport]
    #: Document time-stamps in the order of the document
    documentTimestamps: list[DocumentTimeStampReport]
    #: Whether this service issued the document or an earlier state of it, and one of its
    #: signatures is valid. `summary.remarks` says when the file is not exactly what was issued
    issuedByService: bool
    trustedLists: NotRequired[TrustedLists]


class ValidationSummary(TypedDict):
    """The result in short"""

    #: The worst result of all signatures; absent without signatures
    indication: NotRequired[Literal["TOTAL_PASSED", "INDETERMINATE", "TOTAL_FAILED"]]
    #: Number of signatures
    signaturesCount: int
    #: Number of signatures that passed
    validSignaturesCount: int
    #: Whether the document was changed after a signature, and permissibly
    documentModifiedAfterSigning: Literal["none", "permitted", "notPermitted", "unknown"]
    #: What to show first; absent without remarks
    remarks: NotRequired[list[RemarkReport]]


class Client(TypedDict):
    """Data that the client reported about itself"""

    #: IANA time zone of the client
    timezone: NotRequired[str]
    #: Language of the client
    language: NotRequired[str]
    screen: NotRequired[Screen]
    #: Whether the client showed every page
    viewedAllPages: NotRequired[bool]


class Consent(TypedDict):
    """Consent of the participant"""

    #: `version` of the consent text that the participant saw
    textVersion: ConsentTextVersion
    #: When the participant accepted it, by the clock of the client
    acceptedAt: str


class PageSize(TypedDict):
    """Size of the displayed page when the participant chose the rectangles"""

    #: Width of the page on the screen
    width: float
    #: Height of the page on the screen
    height: float


class Rectangle(TypedDict):
    """Rectangle on the displayed page; the origin is the top left corner"""

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


class Screen(TypedDict):
    """Screen of the client"""

    #: CSS pixels
    width: float
    #: CSS pixels
    height: float


class SigningInput(TypedDict):
    """The signature of a participant"""

    #: PNG or JPEG in base64, or SVG path data such as `M0 20 C20 0 40 40 60 20`; with or without
    #: a data URL prefix. The service scales the drawing into the rectangle; `y` of a path grows
    #: downwards
    encodedSignature: str
    #: Predefined signature fields that show the drawing
    fieldIds: NotRequired[list[str]]
    #: The participant's own rectangles; used when fieldIds is absent
    signatures: NotRequired[list[Rectangle]]
    pageSize: NotRequired[PageSize]
    consent: Consent
    client: NotRequired[Client]


class WebhookBody(TypedDict):
    """Body of a webhook"""

    #: Id of the event, the same for every attempt: use it to drop duplicates
    id: str
    #: Type of the event, as in `Service-Event`
    type: WebhookType
    #: When the event happened
    occurredAt: str
    #: Id of the tenant
    tenantId: str
    #: Id of the case
    caseId: str
    #: Status of the case at the time of this attempt
    status: CaseStatus
    #: `callback.data` of the case, unchanged
    data: NotRequired[dict[str, Any]]
    #: The participant who signed; set with participant-signed
    participantId: NotRequired[str]
    #: The signed PDF, once the case is DONE; downloads as `<title>-signed.pdf`
    signedDocument: NotRequired[WebhookDocument]
    #: The evidence; comes with `signedDocument`
    evidenceDocument: NotRequired[WebhookDocument]


class WebhookDocument(TypedDict):
    """A document of the case"""

    #: Presigned link for a download without a token, valid for one hour
    url: str


class CancelInput(TypedDict):
    """Details of a cancellation"""

    #: Why the case is cancelled; the cancellation mail and the trail contain it
    reason: NotRequired[str]


class CodeInput(TypedDict):
    """A one-time code to check"""

    #: The one-time code that the participant received: six digits
    code: str


class DeclineInput(TypedDict):
    """A participant does not want to sign"""

    #: Why the participant does not want to sign; the mail and the trail contain it
    reason: NotRequired[str]


class DeviceReference(TypedDict):
    """Kiosk that shows the case"""

    #: Id of a kiosk of the tenant
    deviceId: str


class VerificationInput(TypedDict):
    """The upload to verify"""

    #: `key` from the response of `POST /verify/uploads`
    key: str


class VerificationUploadInput(TypedDict):
    """The PDF that is going to be uploaded"""

    #: Size of the PDF in bytes; without it, 25 MB count towards the upload limits
    size: NotRequired[int]


#: Type of an audit event
AuditEventType: TypeAlias = 'Literal["case.created", "document.uploaded", "document.rejected", "participant.created", "participant.invited", "participant.viewed", "participant.otp_sent", "participant.otp_failed", "participant.otp_verified", "participant.consented", "participant.signed", "participant.declined", "participant.certificate_issued", "participant.signature_applied", "participant.downloaded", "case.finalised", "case.completed", "case.expired", "case.cancelled", "case.failed", "participant.certificate_revoked"]'
#: Authentication of webhook requests
CallbackAuthType: TypeAlias = 'Literal["NONE", "BASIC", "API_KEY", "OAUTH_CLIENT_CREDENTIALS"]'
#: Result of the newest canary
CanaryOutcome: TypeAlias = 'Literal["passed", "failed", "absent", "stale"]'
#: Status of a case
CaseStatus: TypeAlias = 'Literal["NEW", "IN_PROGRESS", "DONE", "UPLOAD_REJECTED", "EXPIRED", "CANCELLED", "FAILED"]'
#: Version of a consent text
ConsentTextVersion: TypeAlias = 'Literal["2026-11", "2026-11-22-sk", "2026-11-22-en", "2026-11-28-sk", "2026-11-28-en"]'
#: State of the delivery
DeliveryState: TypeAlias = 'Literal["pending", "delivered", "failed", "dead"]'
#: Language of pages and mails
Language: TypeAlias = 'Literal["sk", "en"]'
#: Channel of one-time codes
MultiFactorType: TypeAlias = 'Literal["SMS", "EMAIL"]'
#: Type of a webhook
WebhookType: TypeAlias = 'Literal["participant-signed", "case-completed", "case-failed", "case-expired", "case-cancelled"]'
#: Machine-readable code of the error. New codes can be added; treat an unknown code by the HTTP
#: status
ErrorCode: TypeAlias = 'Literal["CASE_NOT_CANCELLABLE", "UNKNOWN_DEVICE", "OTP_INVALID", "OTP_REQUIRED", "OTP_NOT_REQUIRED", "OTP_NO_DESTINATION", "OTP_NOT_REQUESTED", "OTP_EXPIRED", "OTP_LOCKED", "OTP_RATE_LIMITED", "OTP_DESTINATION_REFUSED", "OTP_SENDER_REFUSED", "OTP_CHANNEL_UNAVAILABLE", "PIN_REQUIRED", "PIN_LOCKED", "NOT_QUICK_SIGN", "PARTICIPANT_NOT_READY", "EVENTS_UNAVAILABLE", "ALREADY_SIGNED", "ALREADY_DECLINED", "DOCUMENT_ALREADY_UPLOADED", "IDEMPOTENCY_KEY_REUSED", "INVITATION_RATE_LIMITED", "NOT_COMPLETED", "CASE_NOT_ACTIVE", "LINK_EXPIRED", "INVALID_LIMIT", "INVALID_CURSOR", "INDEX_REQUIRED", "WEBHOOK_PENDING", "REDELIVERIES_EXHAUSTED", "DOCUMENT_NOT_FOUND", "DOCUMENT_TOO_LARGE", "NOT_A_PDF", "UNREADABLE_DOCUMENT", "EMBEDDING_NOT_ALLOWED", "PATH_NOT_FOUND", "OBJECT_LINK_INVALID", "OBJECT_NOT_FOUND", "UPLOAD_TYPE_WRONG", "UPLOAD_SIZE_REQUIRED", "UPLOAD_PARTIAL", "UPLOAD_INCOMPLETE", "UPLOAD_IN_PROGRESS", "RANGE_NOT_SATISFIABLE", "PRECONDITION_FAILED", "METHOD_NOT_ALLOWED", "BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "SIGNING_UNAVAILABLE", "SHUTTING_DOWN", "TIMEOUT"]'
#: Response of GET /cases.
ListCasesResult: TypeAlias = 'CaseList'
#: Body of POST /cases.
CreateCaseInput: TypeAlias = 'CaseInput'
#: Response of POST /cases.
CreateCaseResult: TypeAlias = 'CreatedCase'
#: Response of POST /cases/{caseId}/upload.
RenewUploadResult: TypeAlias = 'UploadLink'
#: Response of GET /participant/{participantId}/branding.
GetBrandingResult: TypeAlias = 'Branding'
#: Response of GET /participant/{participantId}/caseDefinition.
GetCaseDefinitionResult: TypeAlias = 'CaseDefinition'
#: Response of POST /participant/{participantId}/otp.
SendCodeResult: TypeAlias = 'CodeSent'
#: Body of POST /participant/{participantId}/otp/verify.
VerifyCodeInput: TypeAlias = 'CodeInput'
#: Response of POST /participant/{participantId}/otp/verify.
VerifyCodeResult: TypeAlias = 'CodeVerified'
#: Body of POST /participant/{participantId}/signature.
SignInput: TypeAlias = 'SigningInput'
#: Response of GET /participant/{participantId}/signedDocument.
GetSignedDocumentResult: TypeAlias = 'DocumentLink'
#: Response of GET /cases/{caseId}.
GetCaseResult: TypeAlias = 'Case'
#: Body of DELETE /cases/{caseId}.
CancelCaseInput: TypeAlias = 'CancelInput'
#: Response of DELETE /cases/{caseId}.
CancelCaseResult: TypeAlias = 'Case'
#: Response of GET /cases/{caseId}/events.
ListEventsResult: TypeAlias = 'AuditTrailPage'
#: Response of POST /cases/{caseId}/participants/{participantId}/invitation.
InviteAgainResult: TypeAlias = 'Invitation'
#: Body of POST /graphql.
GraphqlInput: TypeAlias = 'GraphqlRequest'
#: Response of POST /graphql.
GraphqlResult: TypeAlias = 'GraphqlResponse'
#: Body of POST /verify/uploads.
UploadForVerificationInput: TypeAlias = 'VerificationUploadInput'
#: Response of POST /verify/uploads.
UploadForVerificationResult: TypeAlias = 'VerificationUpload'
#: Body of POST /verify.
VerifyInput: TypeAlias = 'VerificationInput'
#: Response of POST /verify.
VerifyResult: TypeAlias = 'ValidationReport'
#: Response of GET /pki.
AuthoritiesResult: TypeAlias = 'AuthorityList'
#: Response of GET /cases/{caseId}/deliveries.
ListDeliveriesResult: TypeAlias = 'DeliveryList'
#: Response of POST /cases/{caseId}/deliveries/{eventId}/redeliver.
RedeliverResult: TypeAlias = 'Delivery'
#: Response of GET /tenant/webhook-events.
ListWebhookEventsResult: TypeAlias = 'WebhookEventList'
#: Response of GET /tenant/devices.
ListDevicesResult: TypeAlias = 'DeviceList'
#: Body of POST /tenant/devices.
RegisterDeviceInput: TypeAlias = 'DeviceInput'
#: Response of POST /tenant/devices.
RegisterDeviceResult: TypeAlias = 'RegisteredDevice'
#: Body of POST /tenant/devices/{deviceId}/pairingCode.
CreatePairingCodeInput: TypeAlias = 'PairingCodeInput'
#: Response of POST /tenant/devices/{deviceId}/pairingCode.
CreatePairingCodeResult: TypeAlias = 'PairingCode'
#: Body of POST /cases/{caseId}/participants/{participantId}/open.
OpenOnDeviceInput: TypeAlias = 'OpenInput'
#: Response of POST /cases/{caseId}/participants/{participantId}/open.
OpenOnDeviceResult: TypeAlias = 'OpenedCase'
#: Body of POST /kiosk/pair.
PairKioskInput: TypeAlias = 'PairInput'
#: Response of POST /kiosk/pair.
PairKioskResult: TypeAlias = 'Device'
#: Response of GET /healthz.
HealthResult: TypeAlias = 'Health'
#: Response of GET /readyz.
ReadinessResult: TypeAlias = 'Readiness'
