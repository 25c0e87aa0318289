/** Compares secrets and values derived from them. */
import { timingSafeEqual } from 'node:crypto'

/** Whether two values are equal, in a time that does not reveal where they differ. */
export function isSameSecret(given: Uint8Array, expected: Uint8Array): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}
