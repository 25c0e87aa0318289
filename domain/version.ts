/** What the service calls itself where it talks to others. */

/** That of package.json. */
export const VERSION = '0.1.0'

/** RFC 9110, 10.1.5. */
export const USER_AGENT = `sigcase/${VERSION}`
