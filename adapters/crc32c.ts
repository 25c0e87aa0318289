/** CRC-32C (Castagnoli; RFC 3720, 12.1), by which Google's services tell octets that changed. */
import { Buffer } from 'node:buffer'

const REVERSED_POLYNOMIAL = 0x82f63b78

const TABLE = Uint32Array.from({ length: 256 }, (_, octet) => {
  let value = octet
  for (let bit = 0; bit < 8; bit++) {
    value = value & 1 ? (value >>> 1) ^ REVERSED_POLYNOMIAL : value >>> 1
  }
  return value
})

/** @returns the checksum as an unsigned number */
export function crc32c(bytes: Uint8Array): number {
  let value = 0xffffffff
  for (const octet of bytes) {
    value = (TABLE[(value ^ octet) & 0xff] as number) ^ (value >>> 8)
  }
  return (value ^ 0xffffffff) >>> 0
}

/** The form of Cloud Storage: four octets, the highest first, in base64. */
export function crc32cBase64(bytes: Uint8Array): string {
  const octets = Buffer.alloc(4)
  octets.writeUInt32BE(crc32c(bytes))
  return octets.toString('base64')
}
