/** CRC-32C (RFC 3720, 12.1), the checksum of Google's services. */
import { CRC32C } from '@google-cloud/storage'
import { Buffer } from 'node:buffer'

function checksumOf(bytes: Uint8Array): CRC32C {
  const checksum = new CRC32C()
  checksum.update(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  return checksum
}

/** @returns the checksum as an unsigned number */
export const crc32c = (bytes: Uint8Array): number => checksumOf(bytes).valueOf() >>> 0

/** Returns the form of Cloud Storage: four octets, big-endian, in base64. */
export const crc32cBase64 = (bytes: Uint8Array): string => checksumOf(bytes).toString()
