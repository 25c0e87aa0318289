/**
 * Limits of the contract (specification 8) and the bounds that keep a case within a custom
 * resource.
 */

export const KIBIBYTE = 1024
export const MINIMUM_PDF_BYTES = 1 * KIBIBYTE
export const MAXIMUM_PDF_BYTES = 25 * KIBIBYTE * KIBIBYTE
export const UPLOAD_URL_LIFE_MS = 60 * 60 * 1000
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
export const MINIMUM_SIGNING_SECRET_LENGTH = 32
export const MAXIMUM_SIGNING_SECRET_LENGTH = 128
export const MAXIMUM_REMINDERS = 50
export const MAXIMUM_REMINDER_DAYS = 3650
export const MAXIMUM_PARTICIPANTS = 50
export const MAXIMUM_FIELDS_PER_PARTICIPANT = 50
export const MAXIMUM_SIGNATURE_FACTS = 100
export const MAXIMUM_ENCODED_DRAWING_LENGTH = 512 * KIBIBYTE
export const MAXIMUM_PAGE_NUMBER = 100_000
/** Largest coordinate or size of a field: ISO 32000-1, Annex C bounds a page to 14,400 units. */
export const MAXIMUM_COORDINATE = 14_400

export const MAXIMUM_DEVICE_NAME_LENGTH = 80
/** A case that was opened on a kiosk longer ago is not shown to whoever stands there now. */
export const HAND_OVER_LIFE_MS = 10 * 60 * 1000

export const EVENTS_PAGE_SIZE = 100
/** A signed PDF up to this size goes with the completion mail; a larger one is linked. */
export const MAXIMUM_MAIL_ATTACHMENT_BYTES = 5 * KIBIBYTE * KIBIBYTE

/**
 * After `validUntil` a write that was under way may still land before the case reads as EXPIRED.
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
/** After the last try the PIN is not looked at for so long (design 8). */
export const PIN_LOCK_MS = 15 * 60 * 1000
