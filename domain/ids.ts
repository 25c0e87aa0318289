/**
 * Ids that follow from what they name (RFC 9562 UUIDv5), so that the same thing always has the same
 * id.
 */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether the text is a UUID in lower case, as ids of cases and participants are. */
export function isUuid(text: string): boolean {
  return UUID_PATTERN.test(text)
}

/**
 * UUIDv5 in a namespace (RFC 9562, 5.5).
 *
 * @param namespace a UUID
 * @param parts joined by a character that none of them may hold
 */
export function uuidV5(namespace: string, ...parts: readonly string[]): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(parts.join('\u0000'))
    .digest()
  hash[6] = ((hash[6] as number) & 0x0f) | 0x50
  hash[8] = ((hash[8] as number) & 0x3f) | 0x80
  const hex = hash.toString('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20, 32),
  ].join('-')
}
