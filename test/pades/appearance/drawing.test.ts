import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import t from 'tap'

import {
  MAX_ENCODED_DRAWING,
  readDrawing,
  readDrawingBytes,
} from '../../../pades/appearance/drawing.ts'
import { makeCanvasPng, makeJpeg } from './make-png.ts'

const PATH = 'M 10 10 L 90 40 c 5 5 10 5 20 0'
const png = makeCanvasPng().toString('base64')
const jpeg = makeJpeg({ camera: 'somewhere' }).toString('base64')

t.test('a drawing reads the same with and without a data URL, wrapped or not', async (t) => {
  const { sha256 } = readDrawing(png)
  const wrapped = png.replace(/.{76}/g, '$&\r\n')
  for (const encoded of [`data:image/png;base64,${png}`, `DATA:;base64,${png}`, wrapped]) {
    t.equal(readDrawing(encoded).sha256, sha256)
  }
  const { sha256: pathDigest } = readDrawing(PATH)
  for (const encoded of [
    ` ${PATH}\n`,
    `data:image/svg+xml,${PATH}`,
    `data:image/svg+xml;utf8,${encodeURIComponent(PATH)}`,
    `data:image/svg+xml;base64,${Buffer.from(PATH).toString('base64')}`,
    Buffer.from(PATH).toString('base64'),
  ]) {
    t.equal(readDrawing(encoded).sha256, pathDigest, encoded)
  }
})

t.test('the content decides the media type, not what the data URL says', async (t) => {
  t.equal(readDrawing(`data:image/png;base64,${jpeg}`).mediaType, 'image/jpeg')
  t.equal(readDrawing(png).mediaType, 'image/png')
  t.equal(readDrawing(PATH).mediaType, 'image/svg+xml')
})

t.test('a document of strokes becomes path data', async (t) => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M1 2L3 4"/></svg>'
  const base64 = Buffer.from(svg).toString('base64')
  for (const encoded of [svg, `data:image/svg+xml;base64,${base64}`]) {
    const { mediaType, bytes } = readDrawing(encoded)
    t.equal(mediaType, 'image/svg+xml')
    t.equal(Buffer.from(bytes).toString(), 'M0,0M1 2L3 4')
  }
})

t.test('what is kept reads back as the same drawing under the same digest', async (t) => {
  for (const encoded of [png, jpeg, PATH]) {
    const drawing = readDrawing(encoded)
    t.equal(drawing.sha256, createHash('sha256').update(drawing.bytes).digest('hex'))
    const again = readDrawingBytes(drawing.mediaType, drawing.bytes)
    t.same(again, drawing)
  }
})

t.test('kept bytes of another kind are refused', async (t) => {
  const { bytes } = readDrawing(png)
  t.throws(() => readDrawingBytes('image/jpeg', bytes), { code: 'BAD_DRAWING' })
  t.throws(() => readDrawingBytes('image/svg+xml', bytes), { code: 'BAD_DRAWING' })
})

t.test('what is not a drawing is refused with a reason', async (t) => {
  const refused: [string, RegExp][] = [
    ['', /empty/],
    ['data:image/png;base64,', /empty/],
    ['hello, world!', /neither base64 nor SVG/],
    ['aGVsbG8=', /neither PNG nor JPEG/],
    [Buffer.from('GIF89a............').toString('base64'), /neither PNG nor JPEG/],
    ['data:image/svg+xml,%E0%A4%A', /data URL/],
    ['https://a.example/signature.png', /neither/],
    ['M', /neither/],
    [png.slice(0, 40), /ends too early/],
    ['M0 0L1 1'.padEnd(MAX_ENCODED_DRAWING + 1), /larger than 512 KB/],
  ]
  for (const [encoded, message] of refused) {
    t.throws(() => readDrawing(encoded), { code: 'BAD_DRAWING', message }, encoded.slice(0, 40))
  }
  t.doesNotThrow(() => readDrawing('M0 0L1 1'.padEnd(MAX_ENCODED_DRAWING)))
})

t.test('random damage never does more than refuse a drawing', async (t) => {
  let seed = 7
  const random = (limit: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % limit
  }
  for (const source of [makeCanvasPng(), makeJpeg(), Buffer.from(PATH)]) {
    let refusals = 0
    for (let round = 0; round < 300; round += 1) {
      const damaged = Buffer.from(source)
      for (let hits = random(4); hits >= 0; hits -= 1) {
        damaged[random(damaged.length)] = random(256)
      }
      try {
        readDrawing(damaged.toString('base64'))
      } catch (error) {
        if ((error as { code?: string }).code !== 'BAD_DRAWING') throw error
        refusals += 1
      }
    }
    t.ok(refusals > 0)
  }
})
