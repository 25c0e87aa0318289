/** Cursors of listings: opaque to clients, and valid only for the listing that created them. */
import { Buffer } from 'node:buffer'
import { createHmac, type KeyObject } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import { decodeJson, encodeJson } from './json-object.ts'
import type { Keyring } from './ports/keyring.ts'
import { isSameSecret } from './same-secret.ts'

const MAC_DOMAIN = 'sigcase/cursor/v1'

function macOf(secret: KeyObject, listing: readonly string[], position: string): Buffer {
  return createHmac('sha256', secret)
    .update(canonicalJson([MAC_DOMAIN, listing, position]))
    .digest()
}

/**
 * @param listing identifies the listing; a cursor of another listing cannot be opened
 * @param position a JSON value
 */
export function sealCursor(
  keyring: Keyring<'request-mac'>,
  listing: readonly string[],
  position: unknown,
): string {
  const { kid, secret } = keyring.current('request-mac')
  const text = Buffer.from(encodeJson(position)).toString('base64url')
  return `${text}.${kid}.${macOf(secret, listing, text).toString('base64url')}`
}

/** Returns the sealed position, or undefined when the text is not a cursor of this listing. */
export function openCursor<T>(
  keyring: Keyring<'request-mac'>,
  listing: readonly string[],
  cursor: string,
): T | undefined {
  const [text = '', kid = '', mac = '', ...rest] = cursor.split('.')
  const key = rest.length === 0 ? keyring.find('request-mac', kid) : undefined
  if (!key) return undefined
  const given = Buffer.from(mac, 'base64url')
  const expected = macOf(key.secret, listing, text)
  if (!isSameSecret(given, expected)) return undefined
  // Several base64 texts decode to the same octets; only the canonical one is accepted.
  if (given.toString('base64url') !== mac) return undefined
  return decodeJson<T>({ bytes: Buffer.from(text, 'base64url') })
}
