/** Names that are used once. Browsers offer `randomUUID` on HTTPS and on the same machine only. */

const RANDOM_BYTES = 16

/** @returns 128 random bits in lower-case hexadecimal */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
