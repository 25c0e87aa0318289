import { Buffer } from 'node:buffer'
import t from 'tap'
import { crc32c, crc32cBase64 } from '../../../adapters/shared/crc32c.ts'

/** Vectors of RFC 3720, B.4. */
const VECTORS: readonly [bytes: Uint8Array, checksum: number][] = [
  [Buffer.alloc(32), 0x8a9136aa],
  [Buffer.alloc(32, 0xff), 0x62a8ab43],
  [Uint8Array.from({ length: 32 }, (_, index) => index), 0x46dd794e],
  [Uint8Array.from({ length: 32 }, (_, index) => 31 - index), 0x113fdb5c],
]

t.test('checksums are those of the standard, in both forms', async (t) => {
  for (const [bytes, checksum] of VECTORS) {
    t.equal(crc32c(bytes), checksum)
    t.equal(Buffer.from(crc32cBase64(bytes), 'base64').readUInt32BE(), checksum)
  }
})

t.test('a view on a buffer counts alone', async (t) => {
  const buffer = Buffer.alloc(64, 7)
  const view = buffer.subarray(16, 48).fill(0)
  t.equal(crc32c(view), 0x8a9136aa)
})
