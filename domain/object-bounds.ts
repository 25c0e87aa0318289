/** Maximum length of objects of each kind, so that no reader takes a planted one into memory. */
import { KIBIBYTE } from './limits.ts'

const MEBIBYTE = KIBIBYTE * KIBIBYTE

/** A signed document is longer than its upload by a few signatures and their validation data. */
const LONGEST = 64 * MEBIBYTE
/** Marks, receipts, and what is recorded of one attempt, revocation or webhook. */
const SMALL = 64 * KIBIBYTE

const CASE = 'tenants/[^/]+/cases/[^/]+'

/** Several times what the service writes under the keys of a kind. */
const BOUNDS: readonly (readonly [keys: string, bytes: number])[] = [
  [`${CASE}/(receipts|deliveries)/`, SMALL],
  [`tenants/[^/]+/webhook-events/`, SMALL],
  [`(redeliveries|archived|archived-logs|removed|grown-trails|issued|pki/revocations)/`, SMALL],
  [`${CASE}/(audit|certificates|drawings|facts)/`, MEBIBYTE],
  [`${CASE}/result\\.json$`, MEBIBYTE],
  [`canary\\.json$`, MEBIBYTE],
  [`${CASE}/audit-heads/`, 4 * MEBIBYTE],
  [`${CASE}/archive\\.json$`, 4 * MEBIBYTE],
  // With the appearances that the sandbox drew; an answer of the sandbox has at most 16 MB.
  [`${CASE}/intake\\.json$`, 20 * MEBIBYTE],
]

const PATTERNS = BOUNDS.map(([keys, bytes]) => [new RegExp(`^${keys}`), bytes] as const)

/**
 * Returns how many octets an object at this key has at most. A longer one is not of the service;
 * stores do not read it into memory.
 */
export function maximumObjectBytes(key: string): number {
  return PATTERNS.find(([pattern]) => pattern.test(key))?.[1] ?? LONGEST
}
