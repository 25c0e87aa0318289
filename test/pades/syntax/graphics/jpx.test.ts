/** JPEG 2000 data say the same as the image that holds them. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { hasJpxShape } from '../../../../pades/syntax/graphics/jpx.ts'

const END = Buffer.from([0xff, 0xd9])
const SIZE = { width: 4, height: 2 }

/** A code stream of 4 × 2 pixels whose grid begins at 1, 1. */
const jpx = (right = 5) => {
  const head = Buffer.alloc(48)
  head.writeUInt32BE(0xff4fff51, 0)
  for (const [index, value] of [right, 3, 1, 1].entries()) head.writeUInt32BE(value, 8 + index * 4)
  return head
}

t.test('JPEG 2000 data', async (t) => {
  t.ok(hasJpxShape(Buffer.concat([jpx(), END]), SIZE))
  t.ok(hasJpxShape(Buffer.concat([Buffer.from('boxes'), jpx(), END]), SIZE))
  t.notOk(hasJpxShape(Buffer.concat([jpx(6), END]), SIZE), 'another width')
  t.notOk(hasJpxShape(jpx(), SIZE), 'a missing end')
  t.notOk(hasJpxShape(Buffer.concat([jpx().subarray(0, 20), END]), SIZE), 'cut off')
})
