/** DER is written as X.690 says, and nothing else passes for DER. */

import { Buffer } from 'node:buffer'
import t from 'tap'
import {
  certificateTime,
  generalizedTime,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  setOf,
  TAG,
  tlv,
  utf8String,
} from '../../../pades/cms/der.ts'
import { DerError, readDer } from '../../../pades/cms/der-reader.ts'
import { isDer } from '../../../pades/cms/der-form.ts'
import { readBitString, readInteger, readObjectIdentifier } from '../../../pades/cms/der-values.ts'
import { readTime } from '../../../pades/cms/der-time.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const bytes = (text: string) => Buffer.from(text, 'hex')

t.test('lengths take as few octets as they need', async (t) => {
  for (const [length, header] of [
    [0, '0400'],
    [127, '047f'],
    [128, '048180'],
    [255, '0481ff'],
    [256, '04820100'],
    [65_535, '0482ffff'],
    [65_536, '0483010000'],
  ] as const) {
    const encoded = octetString(new Uint8Array(length))
    t.equal(hex(encoded.subarray(0, header.length / 2)), header)
    t.equal(readDer(encoded).content.length, length)
  }
})

t.test('integers are positive and shortest', async (t) => {
  t.equal(hex(integer(0)), '020100')
  t.equal(hex(integer(127)), '02017f')
  t.equal(hex(integer(128)), '02020080')
  t.equal(hex(integer(65_537)), '0203010001')
  t.equal(hex(integer(bytes('0000ff'))), '020200ff')
  t.equal(hex(readInteger(readDer(integer(bytes('80'))))), '0080')
})

t.test('object identifiers survive writing and reading', async (t) => {
  for (const oid of ['1.2.840.113549.1.9.16.2.47', '2.5.29.15', '2.999.3', '0.4.0.194121.1']) {
    t.equal(readObjectIdentifier(readDer(objectIdentifier(oid))), oid)
  }
  t.equal(hex(objectIdentifier('1.2.840.113549')), '06062a864886f70d')
})

t.test('a SET OF is sorted by octets', async (t) => {
  t.equal(hex(setOf(integer(2), integer(1), utf8String('a'))), '31090201010201020c0161')
  t.ok(isDer(readDer(setOf(integer(2), integer(1)))))
  t.notOk(isDer(readDer(bytes('3106020102020101'))), 'another order is not DER')
})

t.test('times of certificates are UTCTime until 2049', async (t) => {
  const cases = [
    ['2049-12-31T23:59:59.900Z', 23, '2049-12-31T23:59:59.000Z'],
    ['2050-01-01T00:00:00.000Z', 24, '2050-01-01T00:00:00.000Z'],
    ['1950-01-01T00:00:00.000Z', 23, '1950-01-01T00:00:00.000Z'],
  ] as const
  for (const [given, tag, read] of cases) {
    const element = readDer(certificateTime(new Date(given)))
    t.equal(element.tag, tag)
    t.equal(readTime(element).toISOString(), read)
  }
})

t.test(
  'GeneralizedTime has a fraction only when there is one, without trailing zeros',
  async (t) => {
    const text = (time: string) =>
      Buffer.from(readDer(generalizedTime(new Date(time))).content).toString()
    t.equal(text('2026-06-01T12:00:00.000Z'), '20260601120000Z')
    t.equal(text('2026-06-01T12:00:00.120Z'), '20260601120000.12Z')
  },
)

t.test('what is not DER is distinguished from what is', async (t) => {
  for (const [encoded, why] of [
    ['30800201010000', 'indefinite length'],
    ['3081030201 01'.replace(' ', ''), 'a length that could be shorter'],
    ['300402020001', 'an integer that could be shorter'],
    ['3003010101', 'TRUE that is not 0xFF'],
    ['30052403040161', 'an octet string in pieces'],
  ] as const)
    t.notOk(isDer(readDer(bytes(encoded))), why)
  t.ok(isDer(readDer(sequence(integer(1), setOf(integer(1))))))
})

t.test('broken encodings are refused', async (t) => {
  for (const encoded of [
    '',
    '30',
    '3003',
    '30030201',
    '1f8101',
    '3084ffffffff',
    '04800000',
    '0201010000ff',
    '0000ff',
  ])
    t.throws(() => readDer(bytes(encoded)), DerError, encoded)
  const deep = Buffer.concat(Array.from({ length: 50_000 }, () => bytes('3080')))
  t.throws(() => readDer(deep), DerError, 'nesting is bounded')
})

t.test('random bytes never break the reader in another way than DerError', async () => {
  let seed = 1
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) & 0xff
  const visit = (element: ReturnType<typeof readDer>): void => {
    isDer(element)
    if (element.tag & 0x20) element.children.forEach(visit)
  }
  for (let round = 0; round < 5_000; round++) {
    const noise = Uint8Array.from({ length: 40 }, random)
    const input = tlv(0x30, noise.subarray(0, random() % 40))
    try {
      visit(readDer(input))
    } catch (error) {
      if (!(error instanceof DerError)) throw error
    }
  }
})

t.test('unused bits of a BIT STRING read as zero, whatever they are', async (t) => {
  const read = (text: string) => hex(readBitString(readDer(bytes(text))))
  t.equal(read('030300abcd'), 'abcd')
  t.equal(read('030304abcf'), 'abc0')
  t.equal(read('030307abff'), 'ab80')
  t.equal(read('030100'), '')
  for (const text of ['0300', '030101', '030308abcd', '0303ffabcd']) {
    t.throws(() => read(text), DerError, text)
  }
})

t.test('times are read with their fractions, and other texts are refused', async (t) => {
  const time = (tag: number, text: string) => readTime(readDer(tlv(tag, Buffer.from(text))))
  const { utcTime, generalizedTime: long } = TAG
  for (const [tag, text, expected] of [
    [utcTime, '4912312359Z', '2049-12-31T23:59:00.000Z'],
    [long, '202606011200Z', '2026-06-01T12:00:00.000Z'],
    [long, '20260601120059.129Z', '2026-06-01T12:00:59.129Z'],
    [long, '20260601120059,999999999Z', '2026-06-01T12:00:59.999Z'],
  ] as const)
    t.equal(time(tag, text).toISOString(), expected)
  for (const [tag, text] of [
    [utcTime, '260601120000'],
    [utcTime, '260601120000.5Z'],
    [utcTime, '26060112000Z'],
    [utcTime, 'Z'],
    [utcTime, ''],
    [long, '20260601120000.Z'],
    [long, '20260601120000.1234567890Z'],
    [long, '20260601120000+0100'],
    [long, '20260601240000Z'],
    [long, '20261301120000Z'],
    [TAG.utf8String, '260601120000Z'],
  ] as const)
    t.throws(() => time(tag, text), { name: 'DerError' }, text)
})

t.test('object identifiers are read, also with arcs that no double represents', async (t) => {
  for (const dotted of [
    '1.2.840.113549.1.9.16.1.4',
    '0.39',
    '2.999.3',
    '2.25.329800735698586629295641978511506172918',
    `2.5.${2 ** 53 - 1}.1`,
    '2.5.9007199254740993.1',
  ])
    t.equal(readObjectIdentifier(readDer(encodeArcs(dotted))), dotted)
})

/** Encodes arcs of any size (X.690, 8.19). */
function encodeArcs(dotted: string): Uint8Array {
  const [first = 0n, second = 0n, ...rest] = dotted.split('.').map(BigInt)
  const octets = [first * 40n + second, ...rest].flatMap((arc) => {
    const digits = [Number(arc & 0x7fn)]
    for (let left = arc >> 7n; left > 0n; left >>= 7n) digits.unshift(Number(left & 0x7fn) | 0x80)
    return digits
  })
  return tlv(TAG.objectIdentifier, Uint8Array.from(octets))
}
