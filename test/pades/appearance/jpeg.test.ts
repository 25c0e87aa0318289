import { Buffer } from 'node:buffer'
import t from 'tap'

import { readJpeg } from '../../../pades/appearance/jpeg.ts'
import { makeJpeg } from './make-png.ts'

t.test('a JPEG is taken over with the colours it has', async (t) => {
  const grey = readJpeg(makeJpeg({ components: 1 })).picture
  t.match(grey, { kind: 'encoded', width: 20, height: 10 })
  t.match(grey.entries, '/DeviceGray')
  t.match(readJpeg(makeJpeg()).picture.entries, '/DeviceRGB')
  t.match(readJpeg(makeJpeg({ frame: 0xc2 })).picture.entries, '/DCTDecode', 'progressive')
})

t.test('the inverted inks of Adobe are turned round, others are not', async (t) => {
  const adobe = readJpeg(makeJpeg({ components: 4, adobe: true })).picture
  t.match(adobe.entries, '/DeviceCMYK')
  t.match(adobe.entries, '/Decode [1 0 1 0 1 0 1 0]')
  t.notMatch(readJpeg(makeJpeg({ components: 4 })).picture.entries, '/Decode ')
})

t.test('what the camera wrote and what follows the picture are not kept', async (t) => {
  const file = Buffer.concat([makeJpeg({ camera: 'taken at home' }), Buffer.from('passenger')])
  const { bytes, picture } = readJpeg(file)
  t.notOk(Buffer.from(bytes).includes('taken at home'))
  t.notOk(Buffer.from(bytes).includes('passenger'))
  t.same(bytes, makeJpeg(), 'nothing else is changed')
  t.equal(picture.data, bytes)
})

t.test('a JPEG that cannot be drawn is refused with the reason', async (t) => {
  const good = makeJpeg()
  const refused: [string, Buffer, RegExp][] = [
    ['no end', makeJpeg({ end: false }), /ends too early/],
    ['no picture', Buffer.from([0xff, 0xd8, 0xff, 0xd9]), /no picture/],
    [
      'junk between the parts',
      Buffer.concat([good.subarray(0, 2), Buffer.from('junk'), good]),
      /missing/,
    ],
    ['too many pixels', makeJpeg({ width: 65_535, height: 65_535 }), /more than 8294400 pixels/],
    ['one long row', makeJpeg({ width: 65_535, height: 1 }), /more than 16384 pixels wide/],
    ['no height', makeJpeg({ height: 0 }), /no height/],
    ['lossless', makeJpeg({ frame: 0xc3 }), /rare kind/],
    ['arithmetic', makeJpeg({ frame: 0xc9 }), /rare kind/],
    ['12 bits', makeJpeg({ precision: 12 }), /rare kind/],
    ['two components', makeJpeg({ components: 2 }), /rare kind/],
    [
      'many parts',
      Buffer.concat([
        good.subarray(0, 2),
        Buffer.from('fffe0002'.repeat(5_000), 'hex'),
        good.subarray(2),
      ]),
      /too many parts/,
    ],
  ]
  for (const [name, jpeg, message] of refused) {
    t.throws(() => readJpeg(jpeg), { code: 'BAD_DRAWING', message }, name)
  }
})

t.test('cutting a JPEG anywhere never does more than refuse it', async (t) => {
  const jpeg = makeJpeg({ camera: 'x', adobe: true })
  for (let length = 3; length < jpeg.length; length += 1) {
    t.throws(() => readJpeg(jpeg.subarray(0, length)), { code: 'BAD_DRAWING' })
  }
})
