/**
 * Ids that derive from what they identify (RFC 9562 UUIDv5), so that the same thing always has the
 * same id.
 */
import { Buffer } from 'node:buffer'
import { v5 } from 'uuid'

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether the text is a UUID in lower case, the form of case and participant ids. */
export function isUuid(text: string): boolean {
  return UUID_PATTERN.test(text)
}

/**
 * UUIDv5 in a namespace (RFC 9562, 5.5).
 *
 * @param namespace in UUID form; its version does not matter
 * @param parts joined by NUL, which no part may contain
 */
export function uuidV5(namespace: string, ...parts: readonly string[]): string {
  const name = Buffer.from(parts.join('\u0000'))
  return v5(name, Buffer.from(namespace.replaceAll('-', ''), 'hex'))
}
