import { Buffer } from 'node:buffer'
import { deflateSync, inflateSync } from 'node:zlib'
import t from 'tap'

import { readPng } from '../../../pades/appearance/png.ts'
import { decodeRows, rowLayout } from '../../../pades/appearance/png-rows.ts'
import {
  assemble,
  chunk,
  headerChunk,
  makeCanvasPng,
  makePng,
  type PngOptions,
} from './make-png.ts'

const WIDTH = 13
const HEIGHT = 11
/** Samples per pixel of each colour type. */
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const KINDS = [
  [0, 1],
  [0, 2],
  [0, 4],
  [0, 8],
  [0, 16],
  [2, 8],
  [2, 16],
  [3, 1],
  [3, 2],
  [3, 4],
  [3, 8],
  [4, 8],
  [4, 16],
  [6, 8],
  [6, 16],
] as const
const PALETTE = Buffer.from(Array.from({ length: 768 }, (_, index) => (index * 37) % 256))

function sampleAt(x: number, y: number, channel: number, depth: number): number {
  return (x * 2_654_435 + y * 40_503 + channel * 9_973) % 2 ** depth
}

function pixelOf(colourType: number, depth: number): PngOptions['pixel'] {
  return (x, y) =>
    Array.from({ length: CHANNELS[colourType] }, (_, channel) => sampleAt(x, y, channel, depth))
}

function expectedRgba(colourType: number, depth: number, samples: readonly number[]): number[] {
  const bytes = samples.map((sample) =>
    depth === 16 ? sample >> 8 : Math.floor((sample * 255) / (2 ** depth - 1)),
  )
  if (colourType === 0) return [bytes[0], bytes[0], bytes[0], 255]
  if (colourType === 2) return [...bytes, 255]
  if (colourType === 3) return [...PALETTE.subarray(samples[0] * 3, samples[0] * 3 + 3), 255]
  if (colourType === 4) return [bytes[0], bytes[0], bytes[0], bytes[1]]
  return bytes
}

t.test('every kind of PNG decodes to the pixels that were encoded', async (t) => {
  for (const [colourType, depth] of KINDS) {
    for (const interlace of [0, 1] as const) {
      const palette = colourType === 3 ? PALETTE.subarray(0, 3 * 2 ** depth) : undefined
      const pixel = pixelOf(colourType, depth)
      const options = {
        width: WIDTH,
        height: HEIGHT,
        colourType,
        depth,
        interlace,
        palette,
        pixel,
      }
      const png = makePng({ ...options, filter: (row) => row % 5 })
      const idat = pngData(png)
      const header = { ...options, transparency: undefined }
      const rgba = decodeRows(header, inflateSync(idat))
      const expected: number[] = []
      for (let y = 0; y < HEIGHT; y += 1) {
        for (let x = 0; x < WIDTH; x += 1) {
          expected.push(...expectedRgba(colourType, depth, pixel(x, y)))
        }
      }
      const name = `colour type ${colourType}, ${depth} bits, interlace ${interlace}`
      t.same([...rgba], expected, name)
      t.doesNotThrow(() => readPng(png))
    }
  }
})

t.test('rows that predict from equally good neighbours decode as they were encoded', async (t) => {
  const pixel = (x: number, y: number) => [(x * 7 + y * y * 3 + (x >> 2) * y) % 5]
  const options = { width: 64, height: 64, colourType: 0, depth: 8, pixel }
  const rgba = decodeRows(
    { ...options, interlace: 0 },
    inflateSync(pngData(makePng({ ...options, filter: () => 4 }))),
  )
  for (let at = 0; at < 64 * 64; at += 1) {
    if (rgba[at * 4] !== pixel(at % 64, Math.floor(at / 64))[0]) return t.fail(`pixel ${at}`)
  }
})

t.test('an opaque PNG is taken over compressed as it is', async (t) => {
  for (const [colourType, depth] of KINDS.filter(([type]) => type < 4)) {
    const palette = colourType === 3 ? PALETTE.subarray(0, 3 * 2 ** depth) : undefined
    const png = makePng({
      width: WIDTH,
      height: HEIGHT,
      colourType,
      depth,
      palette,
      pixel: pixelOf(colourType, depth),
    })
    const { picture } = readPng(png)
    if (picture.kind !== 'encoded') return t.fail('it was decoded')
    t.ok(pngData(png).equals(picture.data))
    t.match(picture.entries, `/BitsPerComponent ${depth} /Columns ${WIDTH}`)
    t.match(picture.entries, ['/DeviceGray', '', '/DeviceRGB', '/Indexed'][colourType])
  }
})

t.test('a canvas with one ink is cropped to the ink and keeps one colour', async (t) => {
  const { picture } = readPng(makeCanvasPng(60, 20))
  if (picture.kind !== 'pixels') return t.fail('it was not decoded')
  t.match(picture, { width: 49, height: 5 })
  t.same(picture.colour, [0, 0, 0])
  t.equal(picture.alpha?.filter((alpha) => alpha === 255).length, 49)
})

t.test('two inks keep a colour per pixel', async (t) => {
  const { picture } = readPng(
    makePng({
      width: 4,
      height: 1,
      colourType: 6,
      depth: 8,
      pixel: (x) => (x < 2 ? [200, 0, 0, 255] : [0, 0, 200, 128]),
    }),
  )
  if (picture.kind !== 'pixels') return t.fail('it was not decoded')
  t.same([...picture.colour], [200, 0, 0, 200, 0, 0, 0, 0, 200, 0, 0, 200])
  t.same([...(picture.alpha ?? [])], [255, 255, 128, 128])
})

t.test('faint pixels of one ink, rounded by the canvas, are still one ink', async (t) => {
  const { picture } = readPng(
    makePng({
      width: 3,
      height: 1,
      colourType: 6,
      depth: 8,
      pixel: (x) =>
        [
          [20, 40, 140, 255],
          [25, 51, 153, 10],
          [21, 41, 141, 200],
        ][x],
    }),
  )
  t.same(picture.kind === 'pixels' && picture.colour, [20, 40, 140])
})

t.test('a transparent colour and transparent palette entries are not drawn', async (t) => {
  const grey = readPng(
    makePng({
      width: 3,
      height: 1,
      colourType: 0,
      depth: 8,
      transparency: Buffer.from([0, 7]),
      pixel: (x) => [[7], [9], [7]][x],
    }),
  )
  t.match(grey.picture, { kind: 'pixels', width: 1, height: 1, colour: Buffer.from([9, 9, 9]) })
  const indexed = readPng(
    makePng({
      width: 3,
      height: 1,
      colourType: 3,
      depth: 2,
      palette: Buffer.from([1, 2, 3, 4, 5, 6]),
      transparency: Buffer.from([0]),
      pixel: (x) => [[0], [1], [1]][x],
    }),
  )
  t.match(indexed.picture, { kind: 'pixels', width: 2, height: 1 })
})

t.test('texts and other passengers are not kept', async (t) => {
  const text = chunk('tEXt', Buffer.from('Author\0somebody'))
  const { bytes } = readPng(
    makePng({
      width: 2,
      height: 2,
      colourType: 0,
      depth: 8,
      pixel: () => [0],
      extra: [text],
    }),
  )
  t.notOk(Buffer.from(bytes).includes('somebody'))
  t.same(readPng(bytes).bytes, bytes, 'what is kept reads back the same')
})

t.test('a PNG that cannot be drawn is refused with the reason', async (t) => {
  const size = { width: 4, height: 4, colourType: 6, depth: 8 }
  const good = makeCanvasPng()
  const header = headerChunk(size)
  const end = chunk('IEND', Buffer.alloc(0))
  const flipped = Buffer.from(good)
  flipped[flipped.length - 20] ^= 1
  const refused: [string, Buffer, RegExp][] = [
    ['cut off', good.subarray(0, good.length - 14), /ends too early/],
    [
      'a chunk that claims 2 GB',
      Buffer.concat([good.subarray(0, 33), Buffer.from('7fffffff', 'hex')]),
      /ends too early/,
    ],
    ['a flipped bit', flipped, /checksum/],
    ['no header', assemble(end), /header is missing/],
    [
      'an unknown critical chunk',
      assemble(header, chunk('ABCD', Buffer.alloc(1)), end),
      /unknown part/,
    ],
    [
      'a depth that does not exist',
      assemble(headerChunk({ ...size, depth: 3 }), end),
      /header asks/,
    ],
    ['no width', assemble(headerChunk({ ...size, width: 0 }), end), /no width/],
    [
      '8.3 million pixels and one row',
      assemble(headerChunk({ ...size, width: 3_840, height: 2_161 }), end),
      /more than 8294400 pixels/,
    ],
    [
      'a row for every pixel',
      assemble(headerChunk({ ...size, width: 1, height: 8_294_400 }), end),
      /more than 16384 pixels wide or high/,
    ],
    [
      '4 billion pixels squared',
      assemble(headerChunk({ ...size, width: 0xffffffff, height: 0xffffffff }), end),
      /pixels/,
    ],
    [
      'a palette picture without palette',
      assemble(headerChunk({ ...size, colourType: 3 }), end),
      /palette/,
    ],
    ['no pixels at all', assemble(header, end), /pixels/],
    [
      'pixels that are not a deflate stream',
      assemble(header, chunk('IDAT', Buffer.from('junk')), end),
      /cannot be read/,
    ],
    [
      'too few rows',
      makePng({ ...size, pixel: () => [0, 0, 0, 255], rows: Buffer.alloc(17 * 3) }),
      /missing/,
    ],
    [
      'a bomb behind a small header',
      assemble(header, chunk('IDAT', deflateSync(Buffer.alloc(50_000_000))), end),
      /cannot be read/,
    ],
    [
      'a filter that does not exist',
      makePng({ ...size, pixel: () => [0, 0, 0, 255], filter: () => 9 }),
      /a row cannot/,
    ],
    ['a fully transparent canvas', makePng({ ...size, pixel: () => [0, 0, 0, 0] }), /empty/],
    ['white on white', makePng({ ...size, colourType: 2, pixel: () => [255, 255, 255] }), /empty/],
    [
      'too many chunks',
      assemble(header, ...Array<Buffer>(5_000).fill(chunk('teSt', Buffer.alloc(0))), end),
      /too many parts/,
    ],
  ]
  for (const [name, png, message] of refused) {
    t.throws(() => readPng(png), { code: 'BAD_DRAWING', message }, name)
  }
})

t.test('cutting a PNG anywhere never does more than refuse it', async (t) => {
  const png = makeCanvasPng()
  for (let length = 8; length < png.length; length += 1) {
    t.throws(() => readPng(png.subarray(0, length)), { code: 'BAD_DRAWING' })
  }
})

t.test('the seven passes of an interlaced picture hold every pixel once', async (t) => {
  for (let width = 1; width <= 9; width += 1) {
    for (let height = 1; height <= 9; height += 1) {
      const passes = rowLayout({ width, height, depth: 8, colourType: 0, interlace: 1 })
      t.equal(
        passes.reduce((sum, pass) => sum + pass.width * pass.height, 0),
        width * height,
      )
    }
  }
})

function pngData(png: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    const isData = png.toString('latin1', at + 4, at + 8) === 'IDAT'
    if (isData) parts.push(png.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  return Buffer.concat(parts)
}
