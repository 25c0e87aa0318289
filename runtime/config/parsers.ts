/** Parsers of single variables: each gives the value, or undefined for an invalid text. */
import { isIP } from 'node:net'

const HOST_NAME = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/

/** Parses an IP address or an ASCII host name. */
export function parseHost(text: string): string | undefined {
  return isIP(text) !== 0 || HOST_NAME.test(text) ? text : undefined
}

/** Parses an http or https URL without user name, password and fragment; normalised. */
export function parseHttpUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url) return undefined
  const { protocol, hash, username, password, href } = url
  const isPlain = hash === '' && username === '' && password === ''
  return isPlain && (protocol === 'http:' || protocol === 'https:') ? href : undefined
}

/** Parses an http or https URL; the result has no slash at its end, so that a path can follow. */
export function parseBaseUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url) return undefined
  const { protocol, search, hash, username, password, href } = url
  const isPlain = [search, hash, username, password].every((part) => part === '')
  // The path is used in a cookie, where a semicolon would end the attribute.
  if (href.includes(';')) return undefined
  if (!isPlain || (protocol !== 'http:' && protocol !== 'https:')) return undefined
  return href.replace(/\/+$/, '')
}

/** Whether the text is an IP address without a zone, or a CIDR range. */
export function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || rest.length > 0) return false
  if (bits === undefined) return true
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
}
