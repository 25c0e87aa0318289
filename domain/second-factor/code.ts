/** One-time codes: made at random, kept as keyed hash alone (specification 8). */
import { Buffer } from 'node:buffer'
import { createHmac, type KeyObject } from 'node:crypto'
import { canonicalJson } from '../canonical-json.ts'
import { CODE_DIGITS } from '../limits.ts'
import type { Keyring } from '../ports/keyring.ts'
import type { CaseKey } from '../ports/stores.ts'
import { isSameSecret } from '../same-secret.ts'

const HASH_DOMAIN = 'sigcase/one-time-code/v1'

/** The one sending that a code belongs to. */
export interface CodePlace extends CaseKey {
  participantId: string
  /** Event id of its `participant.otp_sent`. */
  sendId: string
}

/**
 * Six digits, each code as likely as any other.
 *
 * @param randomInt a whole number from 0 to below its limit, uniform, that nobody can foresee
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
 * What is kept of a code: key id and HMAC-SHA256. Without the key a million guesses tell nothing.
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
 * Whether `code` is the one whose hash was kept, told in constant time.
 *
 * @param kept made by {@link hashCode}
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
