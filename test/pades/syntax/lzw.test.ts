/** The strict LZW decoder, against an encoder and against damage. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { decodeLzw } from '../../../pades/syntax/lzw.ts'
import { encodeLzw } from '../../fixtures/lzw.ts'

const MAX_BYTES = 1_000_000
const KINDS: Readonly<Record<string, (index: number) => number>> = {
  'one byte': () => 97,
  text: (index) => 'abc def '.charCodeAt((index * index) % 8),
  'all bytes': (index) => ((index * 7919) ^ ((index >> 3) * 104_729)) & 255,
}
/** Around each growth of the codes, and beyond a full table. */
const LENGTHS = [0, 1, 2, 253, 254, 255, 256, 510, 511, 512, 1_021, 1_022, 3_900, 20_000]

for (const [kind, byteAt] of Object.entries(KINDS)) {
  t.test(`${kind} is decoded with early and late changes of the width`, async (t) => {
    for (const earlyChange of [0, 1] as const) {
      for (const length of LENGTHS) {
        const data = Buffer.from(Array.from({ length }, (_, index) => byteAt(index)))
        const encoded = Buffer.from(encodeLzw(data.toString('latin1'), earlyChange), 'latin1')
        const trailing = Buffer.concat([encoded, Buffer.from('more')])
        const decoded = decodeLzw(trailing, earlyChange, MAX_BYTES)
        t.ok(decoded?.data.equals(data), `${length} bytes`)
        t.equal(decoded?.consumedBytes, encoded.length)
      }
    }
  })
}

/** Codes of nine bits. */
const packed = (...codes: number[]) => {
  const bits = codes.map((code) => code.toString(2).padStart(9, '0')).join('')
  const octets = bits.match(/.{1,8}/g) ?? []
  return Buffer.from(octets.map((octet) => parseInt(octet.padEnd(8, '0'), 2)))
}

t.test('codes that readers would have to guess at are refused', async (t) => {
  t.equal(decodeLzw(packed(256, 97, 258, 257), 1, MAX_BYTES)?.data.toString(), 'aaa')
  t.equal(decodeLzw(packed(97, 257), 1, MAX_BYTES), undefined, 'no clear-table code first')
  t.equal(decodeLzw(packed(256, 258, 257), 1, MAX_BYTES), undefined, 'a sequence without another')
  t.equal(decodeLzw(packed(256, 97, 259, 257), 1, MAX_BYTES), undefined, 'a code ahead')
  t.equal(decodeLzw(packed(256, 97, 98), 1, MAX_BYTES), undefined, 'no end')
  t.equal(decodeLzw(Buffer.alloc(0), 1, MAX_BYTES), undefined, 'nothing')
})

t.test('a table that would overflow is refused', async (t) => {
  // 3,838 literals fill it; each adds an entry. The end-of-data code has 12 bits then.
  const codes = [256, ...Array.from({ length: 3_900 }, (_, index) => index % 256)]
  let bits = ''
  let next = 257
  for (const code of codes) {
    const width = next < 512 ? 9 : next < 1_024 ? 10 : next < 2_048 ? 11 : 12
    bits += code.toString(2).padStart(width, '0')
    next += 1
  }
  const octets = (bits + '000100000001'.padEnd(32, '0')).match(/.{8}/g) ?? []
  const encoded = Buffer.from(octets.map((octet) => parseInt(octet, 2)))
  t.equal(decodeLzw(encoded, 1, MAX_BYTES), undefined)
})

t.test('the size of the decoded data is bounded', async (t) => {
  const encoded = Buffer.from(encodeLzw('a'.repeat(5_000)), 'latin1')
  t.throws(() => decodeLzw(encoded, 1, 4_999), { code: 'LIMIT_EXCEEDED' })
})
