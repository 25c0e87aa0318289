/** Fax data hold every row of the image, in codes that exist. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { isWholeFax } from '../../../../pades/syntax/graphics/fax.ts'
import { lengthOf, LONGEST_CODE, RUNS } from '../../../../pades/syntax/graphics/fax-codes.ts'
import { imageOf, painting, verdictOn } from './painted.ts'

/** Six rows of 2,600 columns, written by libtiff. */
const LIBTIFF = {
  'by the row above': [-1, 'nGQHy4RztIB4LqTUB8GwGQYKS2hLIHYGRnS2nU7FQPDeACAC'],
  'row by row': [0, 'ABAfKQAcYD5cIAD1tIB4LgOFQUAE1AfBsABgGCltCWB2BkZ0sAGwwVzQlAdgZdioHhuyqA=='],
  'in both ways': [4, 'ABgPlIAI4yA+XCAA+tpAPBcBwqCgAiagPg2AA4BgpbQlgdgZGdLABNOp2KgeG8A='],
  'with ends of lines at whole octets': [
    0,
    'AAEB8pABxgPlwgAB62kA8FwHCoKAATUB8GwAAYBgpbQlgdgZGdLAAbDBXNCUB2Bl2KgeG7Ko',
  ],
} as const
const SIZE = { columns: 2_600, rows: 6, isAligned: false }
const SHORT_TAIL = 8

/** Data of bits; white space is ignored. */
const bits = (text: string): Buffer => {
  const digits = text.replaceAll(/\s/g, '')
  const padded = digits.padEnd(Math.ceil(digits.length / 8) * 8, '0')
  return Buffer.from((padded.match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2)))
}
const END_OF_LINE = '000000000001'

t.test('data of libtiff are whole', async (t) => {
  for (const [what, [k, encoded]] of Object.entries(LIBTIFF)) {
    const data = Buffer.from(encoded, 'base64')
    t.ok(isWholeFax(data, { ...SIZE, k }), what)
    t.notOk(isWholeFax(data, { ...SIZE, k, rows: 7 }), `${what}: a row too few`)
    t.notOk(isWholeFax(data, { ...SIZE, k, columns: 2_599 }), `${what}: a column too many`)
    t.notOk(isWholeFax(data.subarray(0, -SHORT_TAIL), { ...SIZE, k }), `${what}: cut off`)
  }
})

t.test(
  'rows of codes are taken, and codes that readers take differently are refused',
  async (t) => {
    const isTaken = (text: string, k: number, { columns = 4, rows = 1, isAligned = false } = {}) =>
      isWholeFax(bits(text), { k, columns, rows, isAligned })
    t.ok(isTaken('1', -1), 'white')
    t.notOk(isTaken('1', -1, { rows: 2 }), 'what fills up the last octet is not a row')
    t.ok(isTaken('1011', 0), 'four white pixels')
    t.ok(isTaken('1011 1011', 0, { rows: 2 }), 'two rows')
    t.ok(isTaken('1011 0000 1011', 0, { rows: 2, isAligned: true }), 'rows at whole octets')
    t.ok(isTaken('001 000111 11 010 1', -1, { columns: 3, rows: 1 }), 'one white, two black pixels')
    for (const [what, text, k] of [
      ['a code that does not exist', '00000001', -1],
      ['an extension', '0000001111', -1],
      ['a code of black pixels for white ones', '11', 0],
      ['a step before the row', '010', -1],
      ['a run behind the row', '001 1100 010', -1],
      ['a run behind the row', '1100', 0],
      ['the end in place of a row', END_OF_LINE.repeat(2), -1],
      ['six ends in place of a row', END_OF_LINE.repeat(6), 0],
      ['no end of line before the bit that tells the kind of a row', '1 1011', 4],
      ['nothing', '', -1],
    ] as const)
      t.notOk(isTaken(text, k), what)
  },
)

t.test('no code begins another one', async (t) => {
  for (const table of RUNS) {
    const entries = [...new Set(table)].filter((entry) => entry !== 0)
    t.equal(entries.length, 64 + 27 + 13)
    const covered = entries.reduce((sum, entry) => sum + 2 ** (LONGEST_CODE - lengthOf(entry)), 0)
    t.equal(covered, table.filter((entry) => entry !== 0).length)
  }
})

t.test('an image with a damaged row is refused', async (t) => {
  const [, encoded] = LIBTIFF['by the row above']
  const parameters = '/Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 2600 >>'
  const image = (data: Buffer) =>
    painting(imageOf(`/Width 2600 /Height 6 /ImageMask true ${parameters}`, data))
  const data = Buffer.from(encoded, 'base64')
  t.equal(verdictOn(image(data)), 'accepted')
  data[16] = 0
  t.match(verdictOn(image(data)), /data of an image/)
})
