/** Name and version of the service in outgoing requests. */

/** The version in package.json. */
export const VERSION = '0.1.0'

/** RFC 9110, 10.1.5. */
export const USER_AGENT = `sigcase/${VERSION}`
