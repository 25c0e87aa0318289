/** One-time codes: random, and stored only as keyed hash (specification 8). */
import { Buffer } from 'node:buffer'
import { createHmac, type KeyObject } from 'node:crypto'
import { canonicalJson } from '../canonical-json.ts'
import { CODE_DIGITS } from '../limits.ts'
import type { Keyring } from '../ports/keyring.ts'
import type { CaseKey } from '../ports/stores.ts'
import { isSameSecret } from '../same-secret.ts'

const HASH_DOMAIN = 'sigcase/one-time-code/v1'

/** Identifies the send of a code. */
export interface CodePlace extends CaseKey {
  participantId: string
  /** Event id of its `participant.otp_sent`. */
  sendId: string
}

/**
 * Generates six random digits; all codes are equally likely.
 *
 * @param randomInt returns a uniform, unpredictable integer from 0 to below its limit
 */
export function makeCode(randomInt: (limit: number) => number): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
}

/** Ephemeral key of the hash of a code. */
export function codeKey({ tenant, caseId, participantId, sendId }: CodePlace): string {
  return `one-time-code/${tenant}/${caseId}/${participantId}/${sendId}`
}

function macOf(secret: KeyObject, place: CodePlace, code: string): Buffer {
  const { tenant, caseId, participantId, sendId } = place
  return createHmac('sha256', secret)
    .update(canonicalJson([HASH_DOMAIN, tenant, caseId, participantId, sendId, code]))
    .digest()
}

/**
 * Returns key id and HMAC-SHA256 of a code for storage. Without the key, the code cannot be found
 * by trying all of them.
 */
export function hashCode(
  keyring: Keyring<'one-time-code'>,
  place: CodePlace,
  code: string,
): string {
  const { kid, secret } = keyring.current('one-time-code')
  return JSON.stringify({ kid, mac: macOf(secret, place, code).toString('hex') })
}

/**
 * Whether `code` matches the stored hash, compared in constant time.
 *
 * @param kept result of {@link hashCode}
 */
export function isSameCode(
  keyring: Keyring<'one-time-code'>,
  place: CodePlace,
  kept: string,
  code: string,
): boolean {
  const { kid, mac } = JSON.parse(kept) as { kid: string; mac: string }
  const key = keyring.find('one-time-code', kid)
  if (!key) return false
  const given = macOf(key.secret, place, code)
  const expected = Buffer.from(mac, 'hex')
  return isSameSecret(given, expected)
}
