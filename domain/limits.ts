/**
 * Limits of the contract (specification 8) and the bounds that keep a case within a custom
 * resource.
 */

export const KIBIBYTE = 1024
export const MINIMUM_PDF_BYTES = 1 * KIBIBYTE
export const MAXIMUM_PDF_BYTES = 25 * KIBIBYTE * KIBIBYTE
export const UPLOAD_URL_LIFE_MS = 60 * 60 * 1000
/** An upload that began before its URL expired may end this much later. */
export const UPLOAD_TAIL_MS = 5 * 60 * 1000
/** Links in a tenant's answers and of the participant's download (specification 4.8, design 8). */
export const DOWNLOAD_URL_LIFE_MS = 15 * 60 * 1000

export const MAXIMUM_TITLE_LENGTH = 255
export const MAXIMUM_NAME_LENGTH = 100
export const MAXIMUM_EMAIL_LENGTH = 254
export const MAXIMUM_PHONE_LENGTH = 32
export const MAXIMUM_URL_LENGTH = 2048
export const MAXIMUM_REASON_LENGTH = 1000
export const MAXIMUM_TEXT_LENGTH = 255
export const MAXIMUM_USER_AGENT_LENGTH = 500
/** Of `callback.data` as JSON; it travels with the case and with every webhook. */
export const MAXIMUM_CALLBACK_DATA_BYTES = 16 * KIBIBYTE
export const MAXIMUM_CALLBACK_DATA_DEPTH = 100
export const MINIMUM_SIGNING_SECRET_LENGTH = 32
export const MAXIMUM_SIGNING_SECRET_LENGTH = 128
export const MAXIMUM_REMINDERS = 50
export const MAXIMUM_REMINDER_DAYS = 3650
export const MAXIMUM_PARTICIPANTS = 50
export const MAXIMUM_FIELDS_PER_PARTICIPANT = 50
export const MAXIMUM_SIGNATURE_FACTS = 100
/** Of one case; and how many of one participant in a sliding hour. */
export const MAXIMUM_INVITATION_REQUESTS = 200
export const INVITATIONS_PER_HOUR = 5
export const MAXIMUM_ENCODED_DRAWING_LENGTH = 512 * KIBIBYTE
export const MAXIMUM_PAGE_NUMBER = 100_000
/** Largest coordinate or size of a field: ISO 32000-1, Annex C bounds a page to 14,400 units. */
export const MAXIMUM_COORDINATE = 14_400
/** PDF points, 1.4 mm: in less, a drawing is a dot that nobody recognises. */
export const MINIMUM_RECTANGLE_PT = 4
/**
 * Greatest part of its page that a rectangle of the signer's own covers: a third of the width and
 * of the height of a page are 11 %.
 */
export const MAXIMUM_OWN_AREA_SHARE = 0.15
/** Greatest area of such a rectangle on large pages, in square points: 14 × 7 cm are 79,000. */
export const MAXIMUM_OWN_AREA_PT2 = 80_000
/** A hundred-thousandth of a page cannot be seen: sums of fractions are rounded. */
export const FRACTION_TOLERANCE = 1e-5

/** Of one event in one round (specification 6.2); resends with a new access token are apart. */
export const MAXIMUM_WEBHOOK_ATTEMPTS = 8
/** The first, and those that the tenant asked for. */
export const MAXIMUM_WEBHOOK_ROUNDS = 50
export const WEBHOOK_LINK_LIFE_MS = 60 * 60 * 1000
export const WEBHOOK_RETRY_DELAY_MS = 90 * 1000
export const WEBHOOK_ANSWER_LIMIT_MS = 10 * 1000
/** Of an answer, whose status alone counts. */
export const MAXIMUM_WEBHOOK_ANSWER_OCTETS = 16 * KIBIBYTE
/** More than an access token and an exchange can take, and less than the delay of a retry. */
export const WEBHOOK_LOST_AFTER_MS = 60 * 1000
export const ATTEMPT_RETENTION_MS = 90 * 24 * 60 * 60 * 1000

/** A hundred years. */
export const MAXIMUM_RETENTION_DAYS = 36_500
/**
 * For so long the resource of an erased case tells that it was: the last URL that could write an
 * object of it has expired by then.
 */
export const ERASED_RESOURCE_LIFE_MS = UPLOAD_URL_LIFE_MS + UPLOAD_TAIL_MS

/** Of the audit trail (specification 8), and of every other listing. */
export const MAXIMUM_PAGE_SIZE = 100
export const MAXIMUM_IDEMPOTENCY_KEY_LENGTH = 255
/** Of one address on the routes of participants and of the public; an office shares one. */
export const PUBLIC_REQUESTS_PER_MINUTE = 600
export const TENANT_REQUESTS_PER_MINUTE = 12_000
/**
 * Of one tenant in a day (UTC): far more than a large customer needs; it stops a runaway client.
 */
export const TENANT_CASES_PER_DAY = 100_000
export const TENANT_DEVICES_PER_DAY = 1_000
/** Invitations, reminders, news of an end and one-time codes by mail. */
export const TENANT_MAILS_PER_DAY = 500_000
/** One-time codes as text messages, each of which costs money. */
export const TENANT_SMS_PER_DAY = 10_000
/** Of one address that verifies, in an hour; an office shares one. */
export const VERIFICATION_UPLOADS_PER_HOUR = 600
/** A hundred uploads of the largest size, which is counted when a client does not say the size. */
export const VERIFICATION_MEGABYTES_PER_HOUR = 2_500
/** Of all addresses: uploads live two hours at most, so that three times as much may be stored. */
export const ALL_VERIFICATION_UPLOADS_PER_HOUR = 20_000
export const ALL_VERIFICATION_MEGABYTES_PER_HOUR = 50_000
export const MAXIMUM_DEVICE_NAME_LENGTH = 80
/** A case that was opened on a kiosk longer ago is not shown to whoever stands there now. */
export const HAND_OVER_LIFE_MS = 10 * 60 * 1000
/** A signed PDF up to this size goes with the completion mail; a larger one is linked. */
export const MAXIMUM_MAIL_ATTACHMENT_BYTES = 5 * KIBIBYTE * KIBIBYTE

/**
 * The controller records EXPIRED this long after `validUntil`, so that a write that was accepted
 * before can still land. Every route says EXPIRED from `validUntil` on.
 */
export const EXPIRY_GRACE_MS = 2_000
/** A canary older than this is as good as a failed one (design 2, promise 6). */
export const CANARY_MAXIMUM_AGE_MS = 3 * 60 * 1000
export const CANARY_INTERVAL_MS = 60 * 1000

/** Digits of a one-time code. */
export const CODE_DIGITS = 6
export const CODE_LIFE_MS = 10 * 60 * 1000
/** How long one entered code opens the case to its participant. */
export const CODE_SESSION_LIFE_MS = 30 * 60 * 1000
/** Codes of a participant are counted over the hour that ends now. */
export const CODE_WINDOW_MS = 60 * 60 * 1000
export const MAXIMUM_CODES_PER_WINDOW = 5
/** Sends that failed count here alone: a gateway that is down must not fill the trail. */
export const MAXIMUM_CODE_SENDS_PER_WINDOW = 10
export const MAXIMUM_CODE_TRIES = 5
export const MAXIMUM_PIN_TRIES = 5
/** Wrong PINs of one participant; then the PIN is locked until the tenant invites them again. */
export const MAXIMUM_WRONG_PINS = 20
/** After the last try the PIN is not looked at for so long (design 8). */
export const PIN_LOCK_MS = 15 * 60 * 1000

/** How far clocks of time-stamp authorities and verifiers may be from ours. */
export const CLOCK_TOLERANCE_MS = 60 * 1000

/** An upload that nobody verifies is forgotten after this time, and a report nobody fetched. */
export const VERIFICATION_LIFE_MS = UPLOAD_URL_LIFE_MS
export const VERIFICATION_SWEEP_INTERVAL_MS = 10 * 60 * 1000
/** Less than a request may take: what is not known by then is not in the report. */
export const VERIFICATION_BUDGET_MS = 20_000

/** How often the list of revoked certificates is made anew. */
export const REVOCATION_LIST_INTERVAL_MS = 5 * 60 * 1000
/** How long a list holds: a service that is down for days leaves no verifier without one. */
export const REVOCATION_LIST_LIFE_MS = 7 * 24 * 60 * 60 * 1000
/**
 * A list older than this does not go into a document: it must be from within the life of the
 * certificates, which begins ten minutes before they are made.
 */
export const REVOCATION_LIST_MAXIMUM_AGE_MS = 8 * 60 * 1000

/** The largest trusted list of a member state has about 6 MB. */
export const MAXIMUM_TRUSTED_LIST_OCTETS = 16 * KIBIBYTE * KIBIBYTE
/** Lists change every few days, and are in force for six months. */
export const TRUSTED_LISTS_INTERVAL_MS = 6 * 60 * 60 * 1000
/** How often a refresh is tried while the last one is older than that. */
export const TRUSTED_LISTS_RETRY_MS = 30 * 60 * 1000
