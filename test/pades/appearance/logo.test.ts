import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { readLogo } from '../../../pades/index.ts'
import { COLOUR_JPEG, JPEG_HEIGHT, JPEG_WIDTH } from '../../fixtures/jpegs.ts'
import { LOGO_PNG } from '../../fixtures/logos.ts'
import { assemble, chunk, headerChunk, makePng } from './make-png.ts'

const refused = (t: Test, file: Uint8Array, reason: RegExp) =>
  t.throws(() => readLogo(file), { code: 'BAD_DRAWING', message: reason })

t.test('a PNG is kept without its texts', async (t) => {
  const { mediaType, width, height, bytes } = readLogo(LOGO_PNG)
  t.same([mediaType, width, height], ['image/png', 64, 16])
  t.notMatch(Buffer.from(bytes).toString('latin1'), /Somebody|tEXt/)
  t.equal(readLogo(bytes).sha256, readLogo(LOGO_PNG).sha256)
})

t.test('a JPEG is kept with its colours', async (t) => {
  const { mediaType, width, height } = readLogo(COLOUR_JPEG)
  t.same([mediaType, width, height], ['image/jpeg', JPEG_WIDTH, JPEG_HEIGHT])
})

t.test('other formats are refused', async (t) => {
  refused(t, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), /neither/)
  refused(t, Buffer.from('GIF89a'), /neither/)
  refused(t, Buffer.from('M0 0 L10 10'), /neither/)
  refused(t, Buffer.alloc(0), /neither/)
  refused(t, LOGO_PNG.subarray(0, 40), /damaged/)
  refused(t, COLOUR_JPEG.subarray(0, 100), /damaged/)
})

t.test('a picture that is too large is refused before it is inflated', async (t) => {
  const kind = { colourType: 6, depth: 8 } as const
  const data = chunk('IDAT', Buffer.alloc(100))
  const header = headerChunk({ width: 16_000, height: 500, ...kind })
  refused(t, assemble(header, data, chunk('IEND', Buffer.alloc(0))), /pixels|large|bits/)
  const grey = { colourType: 0, depth: 1, pixel: () => [0] }
  refused(t, makePng({ width: 1_025, height: 1, ...grey }), /1024 pixels on a side/)
  refused(t, makePng({ width: 1_000, height: 300, ...grey }), /262144 pixels in all/)
})

t.test('pixels of one bit are not decoded beyond the limit', async (t) => {
  // Rows that cannot be inflated: only a reader that ignores the header gets to them.
  const kind = { colourType: 0, depth: 1 } as const
  const damaged = chunk('IDAT', Buffer.alloc(100))
  const end = chunk('IEND', Buffer.alloc(0))
  const file = (width: number, height: number) =>
    assemble(headerChunk({ width, height, ...kind }), damaged, end)
  refused(t, file(4_096, 2_024), /262144 pixels in all/)
  refused(t, file(1_025, 1), /1024 pixels on a side/)
  refused(t, file(512, 512), /cannot be read/)
})

t.test('the icon of the service is refused, because it is an SVG', async (t) => {
  refused(t, readFileSync('web/design/icon.svg'), /neither/)
})
