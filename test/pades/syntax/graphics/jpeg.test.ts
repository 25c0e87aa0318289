/** JPEG data that decoders read differently, or that contradict their image, are found. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { PadesError } from '../../../../pades/errors.ts'
import { fractions } from '../../../../pades/syntax/graphics/amounts.ts'
import { hasJpegShape } from '../../../../pades/syntax/graphics/jpeg.ts'
import {
  COLOUR_JPEG,
  GREY_JPEG,
  JPEG_HEIGHT,
  JPEG_WIDTH,
  PROGRESSIVE_JPEG,
} from '../../../fixtures/jpegs.ts'

const budget = () => ({ remainingBytes: 1_048_576 })
const shapeOf = (components: number, width = JPEG_WIDTH, height = JPEG_HEIGHT) => ({
  width,
  height,
  space: { family: 'any', components, ranges: fractions(components) },
})
const isGrey = (data: Buffer) => hasJpegShape(data, shapeOf(1), undefined, budget())
const isColour = (data: Buffer, transform?: number) =>
  hasJpegShape(data, shapeOf(3), transform, budget())

const [FRAME, PROGRESSIVE_FRAME, TABLES, STEPS, INTERVAL, SCAN] = [
  0xc0, 0xc2, 0xc4, 0xdb, 0xdd, 0xda,
]
const segment = (marker: number, body: readonly number[]) =>
  Buffer.from([0xff, marker, 0, body.length + 2, ...body])
const adobe = (transform: number) =>
  segment(0xee, [...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, transform])
const START = 2

/** Offsets of the segments with a marker, in front of codes and between them. */
function offsetsOf(data: Buffer, marker: number): number[] {
  const found: number[] = []
  for (let at = START; at < data.length - 1; at += 1)
    if (data[at] === 0xff && data[at + 1] === marker) found.push(at)
  return found
}

const offsetOf = (data: Buffer, marker: number): number => offsetsOf(data, marker)[0] ?? 0
const inserted = (data: Buffer, at: number, ...parts: readonly Buffer[]) =>
  Buffer.concat([data.subarray(0, at), ...parts, data.subarray(at)])
const without = (data: Buffer, from: number, to: number) =>
  Buffer.concat([data.subarray(0, from), data.subarray(to)])

/** Sets bytes behind the marker and the length of a segment. */
function edited(data: Buffer, marker: number, at: number, ...bytes: readonly number[]): Buffer {
  const copy = Buffer.from(data)
  copy.set(bytes, offsetOf(copy, marker) + 4 + at)
  return copy
}

/** Without the segment that holds JFIF. */
const PLAIN = without(COLOUR_JPEG, START, START + 2 + COLOUR_JPEG.readUInt16BE(START + 2))

t.test('JPEG data with the size and the components of the image', async (t) => {
  t.ok(isGrey(GREY_JPEG), 'grey, with restart markers')
  t.ok(isColour(COLOUR_JPEG), 'colours')
  t.ok(isColour(PROGRESSIVE_JPEG), 'progressive')
  t.ok(isColour(PLAIN), 'without JFIF')
  t.ok(isColour(inserted(COLOUR_JPEG, START, segment(0xe1, [0xff, 0xd9]))), 'a picture inside')
  t.ok(isColour(Buffer.concat([COLOUR_JPEG, Buffer.from('of a camera')])), 'data behind the end')
  t.ok(isColour(inserted(COLOUR_JPEG, START, adobe(1)), 1), 'the parameter and the segment agree')
  t.ok(isColour(inserted(PLAIN, START, adobe(0)), 0), 'no transform')
  t.ok(isColour(inserted(PLAIN, START, Buffer.from([0xff]))), 'a byte that fills')
  t.ok(isColour(inserted(COLOUR_JPEG, START, segment(0xfe, [65]))), 'a comment')
})

t.test('JPEG data that contradict the image', async (t) => {
  t.notOk(hasJpegShape(COLOUR_JPEG, shapeOf(3, 41), undefined, budget()), 'another width')
  t.notOk(hasJpegShape(COLOUR_JPEG, shapeOf(3, 40, 25), undefined, budget()), 'another height')
  t.notOk(isGrey(COLOUR_JPEG), 'more components')
  t.notOk(isColour(inserted(PLAIN, START, adobe(1)), 0), 'the parameter contradicts the segment')
  t.notOk(isColour(PLAIN, 0), 'the parameter contradicts the usual transform')
  t.notOk(isColour(inserted(COLOUR_JPEG, START, adobe(0))), 'JFIF and no transform')
  t.notOk(isColour(inserted(PLAIN, START, adobe(2))), 'the transform of four components')
  const named = edited(edited(PLAIN, FRAME, 6, 82), FRAME, 9, 71)
  const scanned = edited(edited(named, FRAME, 12, 66), SCAN, 1, 82)
  const all = edited(edited(scanned, SCAN, 3, 71), SCAN, 5, 66)
  t.notOk(isColour(all), 'components named red, green and blue')
  t.ok(isColour(inserted(all, START, adobe(0))), 'the same without a transform')
})

t.test('frames that few decoders know', async (t) => {
  t.notOk(isColour(edited(PLAIN, FRAME, 0, 12)), 'twelve bits')
  const arithmetic = Buffer.from(PLAIN)
  arithmetic[offsetOf(PLAIN, FRAME) + 1] = 0xc9
  t.notOk(isColour(arithmetic), 'arithmetic codes')
  const end = offsetOf(PLAIN, FRAME) + 2 + PLAIN.readUInt16BE(offsetOf(PLAIN, FRAME) + 2)
  const frame = PLAIN.subarray(offsetOf(PLAIN, FRAME), end)
  t.notOk(isColour(inserted(PLAIN, end, frame)), 'two frames')
  t.notOk(isColour(without(PLAIN, offsetOf(PLAIN, FRAME), end)), 'a missing frame')
  t.notOk(isColour(edited(PLAIN, FRAME, 7, 0x51)), 'five samples beside each other')
  t.notOk(isColour(edited(PLAIN, FRAME, 9, PLAIN[offsetOf(PLAIN, FRAME) + 10] ?? 0)), 'two alike')
  t.notOk(isColour(PLAIN.subarray(1)), 'a missing start')
  t.notOk(isColour(PLAIN.subarray(0, -2)), 'a missing end')
  t.notOk(isColour(inserted(PLAIN, START, segment(0xdc, [0, 24]))), 'a later number of lines')
})

t.test('tables', async (t) => {
  t.notOk(isColour(edited(PLAIN, TABLES, 1, 3)), 'more codes than bits')
  t.notOk(isColour(edited(PLAIN, TABLES, 0, 0x20)), 'of another kind')
  t.notOk(isColour(edited(PLAIN, TABLES, 0, 7)), 'of another number')
  t.notOk(isColour(edited(PLAIN, STEPS, 1, 0)), 'a step of zero')
  t.notOk(isColour(edited(PLAIN, STEPS, 0, 3)), 'steps of another number')
  t.notOk(isColour(edited(PLAIN, FRAME, 8, 3)), 'steps that are not there')
  const last = offsetsOf(PROGRESSIVE_JPEG, SCAN).at(-1) ?? 0
  const steps = PROGRESSIVE_JPEG.subarray(offsetOf(PROGRESSIVE_JPEG, STEPS)).subarray(0, 69)
  t.ok(isColour(inserted(PROGRESSIVE_JPEG, last, steps)), 'the same steps once more')
  const others = Buffer.from(steps)
  others[5] = 99
  t.notOk(isColour(inserted(PROGRESSIVE_JPEG, last, others)), 'other steps for a later scan')
})

t.test('segments that only some decoders follow', async (t) => {
  const end = PLAIN.length - 2
  const steps = PLAIN.subarray(offsetOf(PLAIN, STEPS)).subarray(0, 69)
  t.ok(isColour(inserted(PLAIN, end, steps)), 'the same steps behind the last scan')
  const others = Buffer.from(steps)
  others[5] = 99
  t.notOk(isColour(inserted(PLAIN, end, others)), 'other steps behind the last scan')
  t.notOk(isColour(inserted(PLAIN, end, adobe(0))), 'an Adobe segment behind the last scan')
  t.notOk(isColour(inserted(PLAIN, START, adobe(1), adobe(0))), 'two Adobe segments')
  const short = segment(0xee, [...Buffer.from('Adobe'), 0, 100])
  t.notOk(isColour(inserted(PLAIN, START, short)), 'an Adobe segment without a transform')
  t.notOk(isColour(inserted(PLAIN, end, COLOUR_JPEG.subarray(2, 20))), 'JFIF behind the last scan')
})

t.test('forms that only some decoders know', async (t) => {
  t.notOk(isColour(edited(edited(PLAIN, FRAME, 7, 0x31), FRAME, 10, 0x21)), 'a factor of 3:2')
  const at = offsetsOf(PROGRESSIVE_JPEG, SCAN)[0] ?? 0
  const shifted = Buffer.from(PROGRESSIVE_JPEG)
  shifted[at + 2 + shifted.readUInt16BE(at + 2) - 1] = 14
  t.notOk(isColour(shifted), 'fourteen bits for later scans')
  const table = segment(TABLES, [3, 2, ...Array(15).fill(0), 1, 2])
  t.notOk(isColour(inserted(PLAIN, START, table)), 'a code of ones alone')
  const wide = segment(TABLES, [3, 1, ...Array(15).fill(0), 16])
  t.notOk(isColour(inserted(PLAIN, START, wide)), 'a DC coefficient of 16 bits')
  const plain = segment(TABLES, [3, 1, ...Array(15).fill(0), 9])
  t.ok(isColour(inserted(PLAIN, START, plain)), 'a table that nothing uses')
})

t.test('damaged scans', async (t) => {
  const [first = 0, second = 0] = offsetsOf(GREY_JPEG, 0xd0)
  const [next = 0] = offsetsOf(GREY_JPEG, 0xd1)
  const wrong = Buffer.from(GREY_JPEG)
  wrong[first + 1] = 0xd3
  t.notOk(isGrey(wrong), 'a wrong restart marker')
  t.notOk(isGrey(without(GREY_JPEG, first, first + 2)), 'a missing restart marker')
  t.notOk(isGrey(inserted(GREY_JPEG, first, Buffer.from([0xff, 0xd0]))), 'two restart markers')
  t.notOk(isGrey(without(GREY_JPEG, first + 2, next)), 'a restart without codes')
  t.notOk(isGrey(inserted(GREY_JPEG, next, Buffer.from([1]))), 'a byte in front of a marker')
  t.notOk(isGrey(inserted(GREY_JPEG, next, Buffer.from([0xff]))), 'a byte that fills, in codes')
  t.notOk(isGrey(edited(GREY_JPEG, INTERVAL, 0, 0, 2)), 'another interval')
  t.notOk(isGrey(without(GREY_JPEG, second, GREY_JPEG.length - 2)), 'the last codes are missing')
  const ones = Buffer.from(GREY_JPEG)
  ones.fill(0xfe, first + 2, next)
  t.notOk(isGrey(ones), 'codes that the table lacks')
  t.notOk(isGrey(edited(GREY_JPEG, SCAN, 3, 1)), 'a scan that begins behind the DC coefficient')
  t.notOk(isGrey(edited(GREY_JPEG, SCAN, 2, 0x11)), 'tables that are not there')
  const scan = GREY_JPEG.subarray(offsetOf(GREY_JPEG, SCAN), -2)
  t.notOk(isGrey(inserted(GREY_JPEG, GREY_JPEG.length - 2, scan)), 'a second scan')
  t.notOk(isGrey(without(GREY_JPEG, offsetOf(GREY_JPEG, SCAN), GREY_JPEG.length - 2)), 'none')
})

t.test('values that some decoders wrap and others cut off', async (t) => {
  const data = edited(GREY_JPEG, STEPS, 1, 255)
  t.notOk(isGrey(data), 'a step that makes them too large')
})

t.test('progressive scans', async (t) => {
  const scans = offsetsOf(PROGRESSIVE_JPEG, SCAN)
  const last = scans.at(-1) ?? 0
  const end = PROGRESSIVE_JPEG.length - 2
  t.notOk(isColour(without(PROGRESSIVE_JPEG, last, end)), 'the last bits are missing')
  t.notOk(isColour(without(PROGRESSIVE_JPEG, scans[0], offsetsOf(PROGRESSIVE_JPEG, TABLES)[2])))
  t.notOk(isColour(inserted(PROGRESSIVE_JPEG, end, PROGRESSIVE_JPEG.subarray(last, end))), 'twice')
  const body = 4
  for (const [what, at, value] of [
    ['a band of several components', 0, 3],
    ['an end behind the block', 4, 64],
    ['a start behind the end', 3, 63],
    ['bits out of turn', 5, 0x32],
  ] as const) {
    const copy = Buffer.from(PROGRESSIVE_JPEG)
    copy[(scans[1] ?? 0) + body + at] = value
    if (what === 'a start behind the end') copy[(scans[1] ?? 0) + body + 4] = 5
    t.notOk(isColour(copy), what)
  }
  const skipping = Buffer.from(without(PROGRESSIVE_JPEG, last, end))
  skipping[(scans[5] ?? 0) + body + 5] = 0x20
  t.notOk(isColour(skipping), 'a bit that no scan codes')
  const sequential = Buffer.from(PROGRESSIVE_JPEG)
  sequential[offsetOf(PROGRESSIVE_JPEG, PROGRESSIVE_FRAME) + 1] = FRAME
  t.notOk(isColour(sequential), 'a frame that is not progressive')
  for (const at of scans) {
    const cut = offsetsOf(PROGRESSIVE_JPEG, SCAN).find((next) => next > at) ?? end
    const tables = offsetsOf(PROGRESSIVE_JPEG, TABLES).find((next) => next > at) ?? end
    const codesEnd = Math.min(cut, tables)
    t.notOk(isColour(without(PROGRESSIVE_JPEG, codesEnd - 1, codesEnd)), `codes lack, at ${at}`)
    t.notOk(isColour(inserted(PROGRESSIVE_JPEG, codesEnd, Buffer.from([1]))), `more, at ${at}`)
  }
})

t.test('images that take too much memory or time', async (t) => {
  const huge = edited(PROGRESSIVE_JPEG, PROGRESSIVE_FRAME, 1, 0xff, 0xff, 0xff, 0xff)
  const limit = new PadesError('LIMIT_EXCEEDED')
  t.throws(() => isColour(huge), limit, 'coefficients')
  t.throws(() => hasJpegShape(GREY_JPEG, shapeOf(1), undefined, { remainingBytes: 99 }), limit)
})
