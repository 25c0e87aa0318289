/**
 * Makes compact JWS with HS256 (RFC 7515, 7.1; RFC 7518, 3.2). jose verifies them. It could also
 * make them, but only through WebCrypto, whose thread pool takes ten times as long as a MAC.
 */
import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import type { SymmetricKey } from '../../domain/ports/keyring.ts'

export const ALGORITHM = 'HS256'

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** Cache: all tokens of one key and type have the same header, and there are few of both. */
const headers = new WeakMap<SymmetricKey['secret'], Map<string, string>>()

function headerOf({ kid, secret }: SymmetricKey, typ: string): string {
  const own = headers.get(secret) ?? new Map<string, string>()
  const header = own.get(typ) ?? encoded({ alg: ALGORITHM, typ, kid })
  headers.set(secret, own.set(typ, header))
  return header
}

/** @param typ type of the token; the header also contains the key id */
export function compactJws(key: SymmetricKey, typ: string, payload: object): string {
  const signed = `${headerOf(key, typ)}.${encoded(payload)}`
  return `${signed}.${createHmac('sha256', key.secret).update(signed).digest('base64url')}`
}
