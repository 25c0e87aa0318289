/**
 * Ids that follow from what they name (RFC 9562 UUIDv5), so that the same thing always has the same
 * id.
 */
import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether the text is a UUID in lower case, as ids of cases and participants are. */
export function isUuid(text: string): boolean {
  return UUID_PATTERN.test(text)
}

const NAMESPACE_OCTETS = 16

/**
 * UUIDv5 in a namespace (RFC 9562, 5.5).
 *
 * @param namespace a UUID
 * @param parts joined by a character that none of them may hold
 */
export function uuidV5(namespace: string, ...parts: readonly string[]): string {
  const name = parts.join('\u0000')
  // Every octet is written here: no need for zeros.
  const octets = Buffer.allocUnsafe(NAMESPACE_OCTETS + Buffer.byteLength(name))
  octets.write(namespace.replaceAll('-', ''), 'hex')
  octets.write(name, NAMESPACE_OCTETS)
  const digest = hash('sha1', octets)
  // Version 5 in place of four bits, the variant in place of two.
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16)
  const time = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}`
  return `${time}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`
}
