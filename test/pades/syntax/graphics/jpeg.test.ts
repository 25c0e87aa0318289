/** Headers of JPEG and JPEG 2000 data say the same as the image that holds them. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { hasJpegShape, hasJpxShape } from '../../../../pades/syntax/graphics/jpeg.ts'

const END = Buffer.from([0xff, 0xd9])
const segment = (marker: number, body: readonly number[]) =>
  Buffer.from([0xff, marker, 0, body.length + 2, ...body])
const frame = (components: number, { marker = 0xc0, precision = 8, width = 4, height = 2 } = {}) =>
  segment(marker, [precision, 0, height, 0, width, components, ...Array(components * 3).fill(1)])
const SCAN = segment(0xda, [1, 1, 0, 0, 63, 0])
const adobe = (transform: number) =>
  segment(0xee, [...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, transform])
const jpeg = (...parts: readonly Buffer[]) =>
  Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts, SCAN, Buffer.from('codes')])

const RGB = { width: 4, height: 2, space: { family: 'DeviceRGB', components: 3 } }
const judge = (data: Buffer, transform?: number) => hasJpegShape(data, RGB, transform)
const whole = (...parts: readonly Buffer[]) => Buffer.concat([jpeg(...parts), END])

t.test('JPEG data with the size and the components of the image', async (t) => {
  t.ok(judge(whole(frame(3))), 'baseline')
  t.ok(judge(whole(frame(3, { marker: 0xc2 }))), 'progressive')
  t.ok(judge(whole(segment(0xe1, [0xff, 0xd9]), frame(3))), 'with a picture of its own inside')
  t.ok(judge(Buffer.concat([whole(frame(3)), Buffer.from('of a camera')])), 'data behind the end')
  t.ok(judge(whole(adobe(1), frame(3)), 1), 'the parameter and the segment agree')
  t.ok(judge(whole(adobe(0), frame(3)), 0), 'no transform')
})

t.test('JPEG data that contradict the image', async (t) => {
  t.notOk(judge(whole(frame(3, { width: 5 }))), 'another width')
  t.notOk(judge(whole(frame(3, { height: 3 }))), 'another height')
  t.notOk(judge(whole(frame(1))), 'fewer components')
  t.notOk(judge(whole(frame(3, { precision: 12 }))), 'twelve bits')
  t.notOk(judge(whole(frame(3, { marker: 0xc9 }))), 'arithmetic codes')
  t.notOk(judge(whole(frame(3), frame(3))), 'two frames')
  t.notOk(judge(whole()), 'no frame')
  t.notOk(judge(jpeg(frame(3))), 'no end')
  t.notOk(judge(whole(frame(3)).subarray(1)), 'no start')
  t.notOk(judge(whole(adobe(1), frame(3)), 0), 'the parameter contradicts the segment')
  t.notOk(judge(whole(frame(3)), 0), 'the parameter contradicts the usual transform')
})

/** A code stream of 4 × 2 pixels whose grid begins at 1, 1. */
const jpx = (right = 5) => {
  const head = Buffer.alloc(48)
  head.writeUInt32BE(0xff4fff51, 0)
  for (const [index, value] of [right, 3, 1, 1].entries()) head.writeUInt32BE(value, 8 + index * 4)
  return head
}

t.test('JPEG 2000 data', async (t) => {
  t.ok(hasJpxShape(Buffer.concat([jpx(), END]), RGB))
  t.ok(hasJpxShape(Buffer.concat([Buffer.from('boxes'), jpx(), END]), RGB))
  t.notOk(hasJpxShape(Buffer.concat([jpx(6), END]), RGB), 'another width')
  t.notOk(hasJpxShape(jpx(), RGB), 'no end')
  t.notOk(hasJpxShape(Buffer.concat([jpx().subarray(0, 20), END]), RGB), 'cut off')
})
