/**
 * The RC4 stream cipher, which PDF 1.1 to 1.7 encrypt with (ISO 32000-2, 7.6.3.2). OpenSSL 3 has it
 * only in its legacy provider, and Deno does not have it at all.
 */

const STATE_BYTES = 256

/**
 * Encrypts or decrypts data: RC4 is its own inverse.
 *
 * @param key 1 to 256 bytes
 * @param data not changed
 */
export function rc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: STATE_BYTES }, (_, index) => index)
  const swap = (a: number, b: number) => {
    const kept = state[a]
    state[a] = state[b]
    state[b] = kept
  }
  for (let i = 0, j = 0; i < STATE_BYTES; i += 1) {
    j = (j + state[i] + key[i % key.length]) & 0xff
    swap(i, j)
  }
  const out = new Uint8Array(data.length)
  for (let at = 0, i = 0, j = 0; at < data.length; at += 1) {
    i = (i + 1) & 0xff
    j = (j + state[i]) & 0xff
    swap(i, j)
    out[at] = data[at] ^ state[(state[i] + state[j]) & 0xff]
  }
  return out
}
