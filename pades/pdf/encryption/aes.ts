/** AES in CBC mode: the initialization vector precedes the data (ISO 32000-2, 7.6.3.1). */
import { Buffer } from 'node:buffer'
import { createCipheriv, createDecipheriv } from 'node:crypto'

export const AES_BLOCK_BYTES = 16

/**
 * Decrypts data that follow their initialization vector and end with padding.
 *
 * @param key 16 or 32 bytes
 * @returns undefined when the length or the padding is wrong, which readers take differently
 */
export function decryptAes(key: Uint8Array, data: Uint8Array): Uint8Array | undefined {
  if (!isWholeBlocks(data)) return undefined
  const vector = data.subarray(0, AES_BLOCK_BYTES)
  const plain = decryptBlocks(key, vector, data.subarray(AES_BLOCK_BYTES))
  const padding = paddingOf(plain)
  return padding === undefined ? undefined : plain.subarray(0, plain.length - padding)
}

/**
 * Whether {@link decryptAes} can decrypt the data; it decrypts the last block only.
 *
 * @param key 16 or 32 bytes
 */
export function hasAesPadding(key: Uint8Array, data: Uint8Array): boolean {
  if (!isWholeBlocks(data)) return false
  const last = data.length - AES_BLOCK_BYTES
  const vector = data.subarray(last - AES_BLOCK_BYTES, last)
  return paddingOf(decryptBlocks(key, vector, data.subarray(last))) !== undefined
}

/** The vector and at least one block. */
const isWholeBlocks = ({ length }: Uint8Array): boolean =>
  length % AES_BLOCK_BYTES === 0 && length >= 2 * AES_BLOCK_BYTES

/** Number of bytes that padding takes (RFC 8018, 6.1.1); undefined when they are not padding. */
function paddingOf(plain: Uint8Array): number | undefined {
  const count = plain.at(-1) ?? 0
  const isRight =
    count > 0 &&
    count <= AES_BLOCK_BYTES &&
    plain.subarray(plain.length - count).every((byte) => byte === count)
  return isRight ? count : undefined
}

/**
 * Encrypts and pads data.
 *
 * @param key 16 or 32 bytes
 * @param vector 16 bytes
 * @returns the vector and the encrypted data
 */
export function encryptAes(key: Uint8Array, vector: Uint8Array, data: Uint8Array): Uint8Array {
  const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, vector)
  return Buffer.concat([vector, cipher.update(data), cipher.final()])
}

/**
 * Decrypts whole blocks without padding.
 *
 * @param key 16 or 32 bytes
 * @param vector 16 bytes
 */
export function decryptBlocks(key: Uint8Array, vector: Uint8Array, data: Uint8Array): Uint8Array {
  const decipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, vector)
  decipher.setAutoPadding(false)
  return Buffer.concat([decipher.update(data), decipher.final()])
}

/**
 * Encrypts whole blocks without padding.
 *
 * @param key 16 or 32 bytes
 * @param vector 16 bytes
 */
export function encryptBlocks(key: Uint8Array, vector: Uint8Array, data: Uint8Array): Uint8Array {
  const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, vector)
  cipher.setAutoPadding(false)
  return Buffer.concat([cipher.update(data), cipher.final()])
}
