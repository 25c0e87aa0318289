/** Cursors of listings: opaque to who holds them, and good in the listing they came from alone. */
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
 * @param listing what is listed, and of what: a cursor of another listing cannot be opened
 * @param position JSON
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

/** The position that was sealed, or undefined when the text is no cursor of this listing. */
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
  // Base64 has more than one text for the same octets: only the one that was given out counts.
  if (given.toString('base64url') !== mac) return undefined
  return decodeJson<T>({ bytes: Buffer.from(text, 'base64url') })
}
