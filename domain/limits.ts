/**
 * Limits of the contract (specification 8) and limits that keep a case within the size of a custom
 * resource.
 */

export const KIBIBYTE = 1024
export const MINIMUM_PDF_BYTES = 1 * KIBIBYTE
export const MAXIMUM_PDF_BYTES = 25 * KIBIBYTE * KIBIBYTE
export const UPLOAD_URL_LIFE_MS = 60 * 60 * 1000
/** An upload that began before its URL expired may end this much later. */
export const UPLOAD_TAIL_MS = 5 * 60 * 1000
/**
 * Life of links in responses to tenants and of the participant's download (specification 4.8,
 * design 8).
 */
export const DOWNLOAD_URL_LIFE_MS = 15 * 60 * 1000

export const MAXIMUM_TITLE_LENGTH = 255
export const MAXIMUM_NAME_LENGTH = 100
export const MAXIMUM_EMAIL_LENGTH = 254
export const MAXIMUM_PHONE_LENGTH = 32
export const MAXIMUM_URL_LENGTH = 2048
export const MAXIMUM_REASON_LENGTH = 1000
export const MAXIMUM_TEXT_LENGTH = 255
export const MAXIMUM_USER_AGENT_LENGTH = 500
/** Size of `callback.data` as JSON; the case and every webhook contain it. */
export const MAXIMUM_CALLBACK_DATA_BYTES = 16 * KIBIBYTE
export const MAXIMUM_CALLBACK_DATA_DEPTH = 100
export const MINIMUM_SIGNING_SECRET_LENGTH = 32
export const MAXIMUM_SIGNING_SECRET_LENGTH = 128
export const MAXIMUM_REMINDERS = 50
export const MAXIMUM_REMINDER_DAYS = 3650
export const MAXIMUM_PARTICIPANTS = 50
export const MAXIMUM_FIELDS_PER_PARTICIPANT = 50
export const MAXIMUM_SIGNATURE_FACTS = 100
/** Requested invitations of one case, and of one participant in a sliding hour. */
export const MAXIMUM_INVITATION_REQUESTS = 200
export const INVITATIONS_PER_HOUR = 5
export const MAXIMUM_ENCODED_DRAWING_LENGTH = 512 * KIBIBYTE
export const MAXIMUM_PAGE_NUMBER = 100_000
/** Largest coordinate or size of a field: ISO 32000-1, Annex C limits a page to 14,400 units. */
export const MAXIMUM_COORDINATE = 14_400
/** 4 points are 1.4 mm; a smaller drawing is only a dot. */
export const MINIMUM_RECTANGLE_PT = 4
/**
 * Maximum share of a page that a rectangle chosen by the signer covers. A third of the width and of
 * the height of a page is 11 %.
 */
export const MAXIMUM_OWN_AREA_SHARE = 0.15
/** Maximum area of such a rectangle on large pages, in square points; 14 × 7 cm are 79,000. */
export const MAXIMUM_OWN_AREA_PT2 = 80_000
/** Tolerance for rounded sums of fractions; a hundred-thousandth of a page is not visible. */
export const FRACTION_TOLERANCE = 1e-5

/**
 * Attempts of one event in one round (specification 6.2); resends with a new token are not counted.
 */
export const MAXIMUM_WEBHOOK_ATTEMPTS = 8
/** The first round, and those that the tenant requested. */
export const MAXIMUM_WEBHOOK_ROUNDS = 50
export const WEBHOOK_LINK_LIFE_MS = 60 * 60 * 1000
export const WEBHOOK_RETRY_DELAY_MS = 90 * 1000
export const WEBHOOK_ANSWER_LIMIT_MS = 10 * 1000
/** Limit of a webhook response; only its status is used. */
export const MAXIMUM_WEBHOOK_ANSWER_OCTETS = 16 * KIBIBYTE
/** Longer than a token request and an exchange can take, and shorter than the delay of a retry. */
export const WEBHOOK_LOST_AFTER_MS = 60 * 1000
export const ATTEMPT_RETENTION_MS = 90 * 24 * 60 * 60 * 1000

/** A hundred years. */
export const MAXIMUM_RETENTION_DAYS = 36_500
/** Longest time until an ended case is archived, in hours: as long as the longest retention. */
export const MAXIMUM_ARCHIVE_HOURS = 24 * MAXIMUM_RETENTION_DAYS
/**
 * The resource of an erased case is kept this long: afterwards, all URLs that could write its
 * objects have expired.
 */
export const ERASED_RESOURCE_LIFE_MS = UPLOAD_URL_LIFE_MS + UPLOAD_TAIL_MS

/** Page size of the audit trail (specification 8) and of every other listing. */
export const MAXIMUM_PAGE_SIZE = 100
export const MAXIMUM_IDEMPOTENCY_KEY_LENGTH = 255
/** Requests of one address on participant and public routes; an office may share one address. */
export const PUBLIC_REQUESTS_PER_MINUTE = 600
export const TENANT_REQUESTS_PER_MINUTE = 12_000
/**
 * Daily limit (UTC) of one tenant. It is far more than a large customer needs, and stops a runaway
 * client.
 */
export const TENANT_CASES_PER_DAY = 100_000
export const TENANT_DEVICES_PER_DAY = 1_000
/** Invitations, reminders, mails about the end and one-time codes by mail. */
export const TENANT_MAILS_PER_DAY = 500_000
/** One-time codes as text messages, each of which costs money. */
export const TENANT_SMS_PER_DAY = 10_000
/** Uploads for verification from one address in an hour; an office may share one address. */
export const VERIFICATION_UPLOADS_PER_HOUR = 600
/**
 * A hundred uploads of the largest size, which is assumed when a client does not state the size.
 */
export const VERIFICATION_MEGABYTES_PER_HOUR = 2_500
/**
 * Limit of all addresses. Uploads live at most two hours, so that up to three times as much may be
 * stored.
 */
export const ALL_VERIFICATION_UPLOADS_PER_HOUR = 20_000
export const ALL_VERIFICATION_MEGABYTES_PER_HOUR = 50_000
export const MAXIMUM_DEVICE_NAME_LENGTH = 80
/** A hand-over that is older than this is not shown, because another person may be at the kiosk. */
export const HAND_OVER_LIFE_MS = 10 * 60 * 1000
/** The completion mail attaches a signed PDF up to this size and links to a larger one. */
export const MAXIMUM_MAIL_ATTACHMENT_BYTES = 5 * KIBIBYTE * KIBIBYTE

/**
 * The controller records EXPIRED this long after `validUntil`, so that a write that was accepted
 * before can still land. Every route says EXPIRED from `validUntil` on.
 */
export const EXPIRY_GRACE_MS = 2_000
/** A canary older than this counts as failed (design 2, promise 6). */
export const CANARY_MAXIMUM_AGE_MS = 3 * 60 * 1000
export const CANARY_INTERVAL_MS = 60 * 1000
/** A canary that passed is not read again for this long; short beside the times above. */
export const CANARY_REUSE_MS = 5_000

/** Digits of a one-time code. */
export const CODE_DIGITS = 6
export const CODE_LIFE_MS = 10 * 60 * 1000
/** Time for which a verified code gives the participant access to the case. */
export const CODE_SESSION_LIFE_MS = 30 * 60 * 1000
/** Sliding window in which the codes of a participant are counted. */
export const CODE_WINDOW_MS = 60 * 60 * 1000
export const MAXIMUM_CODES_PER_WINDOW = 5
/** Includes failed sends, so that a gateway outage cannot fill the trail. */
export const MAXIMUM_CODE_SENDS_PER_WINDOW = 10
export const MAXIMUM_CODE_TRIES = 5
/**
 * Wrong codes of one participant without a correct one between them. After them, the next code is
 * sent a day after the one before, until the tenant invites the participant again.
 */
export const MAXIMUM_WRONG_CODES = 50
export const GUESSED_CODE_WINDOW_MS = 24 * 60 * 60 * 1000
export const MAXIMUM_PIN_TRIES = 5
/**
 * Wrong PINs of one participant, after which the PIN is locked until the tenant invites them again.
 */
export const MAXIMUM_WRONG_PINS = 20
/** Lock after too many wrong PINs in a row (design 8). */
export const PIN_LOCK_MS = 15 * 60 * 1000

/** Accepted clock difference of time-stamp authorities and verifiers. */
export const CLOCK_TOLERANCE_MS = 60 * 1000

/**
 * Uploads that were not verified, and reports that were not fetched, are deleted after this time.
 */
export const VERIFICATION_LIFE_MS = UPLOAD_URL_LIFE_MS
export const VERIFICATION_SWEEP_INTERVAL_MS = 10 * 60 * 1000
/** Shorter than a request may take; data that arrives later is not in the report. */
export const VERIFICATION_BUDGET_MS = 20_000

/** Interval at which the revocation list is renewed. */
export const REVOCATION_LIST_INTERVAL_MS = 5 * 60 * 1000
/** Validity of a revocation list; verifiers keep a valid list through an outage of days. */
export const REVOCATION_LIST_LIFE_MS = 7 * 24 * 60 * 60 * 1000
/**
 * Maximum age of a list that is embedded into a document: it must be from within the validity of
 * the certificates, which begins ten minutes before they are issued.
 */
export const REVOCATION_LIST_MAXIMUM_AGE_MS = 8 * 60 * 1000

/** The largest trusted list of a member state has about 6 MB. */
export const MAXIMUM_TRUSTED_LIST_OCTETS = 16 * KIBIBYTE * KIBIBYTE
/** Lists change every few days, and are valid for six months. */
export const TRUSTED_LISTS_INTERVAL_MS = 6 * 60 * 60 * 1000
/** Interval of refresh attempts while the snapshot is older than that. */
export const TRUSTED_LISTS_RETRY_MS = 30 * 60 * 1000
