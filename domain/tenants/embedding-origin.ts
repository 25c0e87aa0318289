/** Origins of sites that may show the signing page in a frame (decision 192). Pure. */

/** Labels of a host name, or an IPv4 address; international names in their ASCII form. */
const HOST = '[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*'
const LOOPBACK = '(localhost|127[.]0[.]0[.]1|\\[::1\\])'
const PORT = '(:[1-9][0-9]{0,4})?'

/**
 * A pattern of ECMAScript and of RE2: `https://host`, or for development `http://` and a loopback
 * host, each with an optional port. Nothing that matches can end a source of a Content Security
 * Policy.
 */
export const EMBEDDING_ORIGIN_PATTERN = `^(https://${HOST}|http://${LOOPBACK})${PORT}$`
/** `https://`, a host name of 253 characters, and a port. */
export const MAXIMUM_EMBEDDING_ORIGIN_LENGTH = 267
/** Each origin is compared at each request, and a tenant has few sites. */
export const MAXIMUM_EMBEDDING_ORIGINS = 20

const PATTERN = new RegExp(EMBEDDING_ORIGIN_PATTERN)

/**
 * Whether a text is an origin as browsers write it (RFC 6454, 6.2), of a kind that may be
 * registered. A text with the standard port of its scheme is not, because browsers leave it out.
 */
export function isEmbeddingOrigin(text: string): boolean {
  if (text.length > MAXIMUM_EMBEDDING_ORIGIN_LENGTH || !PATTERN.test(text)) return false
  return URL.parse(text)?.origin === text
}
