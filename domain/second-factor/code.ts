/** One-time codes: random, and stored only as keyed hash (specification 8). */
import { findMacFault, makeMac, type KeyedMac } from '../keyed-mac.ts'
import { CODE_DIGITS } from '../limits.ts'
import type { Keyring } from '../ports/keyring.ts'
import type { CaseKey } from '../ports/stores.ts'

const HASH_DOMAIN = 'sigcase/one-time-code/v1'
const PURPOSE = 'one-time-code'

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

const valueOf = ({ tenant, caseId, participantId, sendId }: CodePlace, code: string) =>
  [HASH_DOMAIN, tenant, caseId, participantId, sendId, code] as const

/**
 * Returns key id and HMAC-SHA256 of a code for storage. Without the key, the code cannot be found
 * by trying all of them.
 */
export function hashCode(
  keyring: Keyring<'one-time-code'>,
  place: CodePlace,
  code: string,
): string {
  return JSON.stringify(makeMac(keyring, PURPOSE, valueOf(place, code)))
}

/** Parses a stored hash; undefined for a text that this service did not store. */
function parseHash(kept: string): Partial<KeyedMac> | undefined {
  try {
    return (JSON.parse(kept) as Partial<KeyedMac> | null) ?? undefined
  } catch {
    return undefined
  }
}

/**
 * Whether `code` matches the stored hash, compared in constant time.
 *
 * @param kept result of {@link hashCode}, or what another writer of the store put in its place
 */
export function isSameCode(
  keyring: Keyring<'one-time-code'>,
  place: CodePlace,
  kept: string,
  code: string,
): boolean {
  const hash = parseHash(kept)
  return !!hash && !findMacFault(keyring, PURPOSE, valueOf(place, code), hash)
}
