/** What is kept of a picture: its ink, without the paper. */
import { Buffer } from 'node:buffer'
import t from 'tap'

import { acceptDrawing, readDrawingBytes } from '../../../pades/appearance/drawing.ts'
import { extractInk } from '../../../pades/appearance/ink.ts'
import type { PixelPicture } from '../../../pades/appearance/picture.ts'
import { makeCanvasPng, makeJpeg, makePng } from './make-png.ts'

type Colour = readonly number[]
const WIDTH = 240
const HEIGHT = 80
const BLUE = [20, 30, 120]

let seed = 11
/** From -1 to 1, the same in every run. */
const noise = (): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 1_073_741_824 - 1
}

/** Whether the pen of a signature was at a pixel: a wave, three pixels thick. */
const isPen = (x: number, y: number): boolean =>
  x > 30 && x < WIDTH - 30 && Math.abs(y - HEIGHT / 2 - 24 * Math.sin(x / 9)) < 6

function rgba(colour: (x: number, y: number) => Colour, width = WIDTH, height = HEIGHT): Buffer {
  const pixels = Buffer.alloc(width * height * 4, 255)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const samples = colour(x, y).map((value) => Math.min(255, Math.max(0, Math.round(value))))
      pixels.set(samples, (y * width + x) * 4)
    }
  }
  return pixels
}

/** Largest opacity where there is no pen, and the share of pen pixels that are nearly solid. */
function judged(picture: PixelPicture, left: number, top: number): { veil: number; solid: number } {
  let [veil, solid, pen] = [0, 0, 0]
  for (let y = 0; y < picture.height; y += 1) {
    for (let x = 0; x < picture.width; x += 1) {
      const alpha = picture.alpha?.[y * picture.width + x] ?? 255
      if (isPen(left + x, top + y)) {
        pen += 1
        if (alpha > 180) solid += 1
      } else {
        veil = Math.max(veil, alpha)
      }
    }
  }
  return { veil, solid: solid / pen }
}

const LEFT = 31
const columns = Array.from({ length: WIDTH }, (_, x) => x)
const TOP = columns.findIndex((y) => columns.some((x) => isPen(x, y)))

t.test('white paper becomes transparent, and ink looks on white as it did', async (t) => {
  const ink = extractInk(
    rgba((x, y) => (isPen(x, y) ? BLUE : [255, 255, 255])),
    WIDTH,
    HEIGHT,
  )
  if (!ink) return t.fail('nothing is left')
  t.equal(ink.width, WIDTH - 61)
  const [alpha] = [ink.alpha?.find((value) => value > 0) ?? 0]
  t.equal(alpha, 235, 'as opaque as the least of its colours')
  const [red, green, blue] = ink.colour as Colour
  const onWhite = [red!, green!, blue!].map((value) => 255 - ((255 - value) * alpha) / 255)
  t.ok(
    onWhite.every((value, at) => Math.abs(value - BLUE[at]!) <= 1),
    onWhite.join(' '),
  )
})

t.test('the grey paper of a photograph becomes transparent, with shadow and noise', async (t) => {
  const papers: Record<string, (x: number, y: number) => Colour> = {
    grey: () => [180, 180, 180],
    'in a shadow': (x) => [225 - x / 3, 225 - x / 3, 220 - x / 3],
    cream: () => [238, 226, 200],
    noisy: () => [205 + 12 * noise(), 203 + 12 * noise(), 198 + 12 * noise()],
    'in a corner of the room': (_x, y) => [150 + y, 146 + y, 140 + y],
  }
  for (const [name, paper] of Object.entries(papers)) {
    const picture = rgba((x, y) => {
      const ground = paper(x, y)
      return isPen(x, y) ? ground.map((value, at) => value * 0.15 + BLUE[at]! * 0.85) : ground
    })
    const ink = extractInk(picture, WIDTH, HEIGHT)
    if (!ink) return t.fail(`${name}: nothing is left`)
    t.same([ink.width, Array.isArray(ink.colour)], [WIDTH - 61, true], `${name}: cut to one ink`)
    const { veil, solid } = judged(ink, LEFT, TOP)
    t.equal(veil, 0, `${name}: nothing is left of the paper`)
    t.ok(solid > 0.95, `${name}: ${solid} of the pen is solid`)
  }
})

t.test('white strokes on a dark ground are left out, not what is dark', async (t) => {
  const ink = extractInk(
    rgba((x, y) => (isPen(x, y) ? [255, 255, 255] : [0, 0, 0])),
    WIDTH,
    HEIGHT,
  )
  t.equal(ink?.width, WIDTH)
  t.ok(ink?.alpha?.includes(0))
})

t.test('several inks keep their colours', async (t) => {
  const colour = (x: number) => (x < 40 ? [200, 0, 0] : x > 200 ? [0, 0, 200] : [255, 255, 255])
  const ink = extractInk(rgba(colour), WIDTH, HEIGHT)
  t.ok(ink?.colour instanceof Uint8Array)
  t.same([...((ink?.colour as Uint8Array) ?? []).subarray(0, 3)], [200, 0, 0])
})

t.test('a picture without ink has none', async (t) => {
  for (const ground of [
    [255, 255, 255],
    [180, 180, 180],
    [120, 118, 110],
  ]) {
    t.equal(
      extractInk(
        rgba(() => ground),
        WIDTH,
        HEIGHT,
      ),
      undefined,
      ground.join(' '),
    )
  }
  const transparent = Buffer.alloc(WIDTH * HEIGHT * 4)
  t.equal(extractInk(transparent, WIDTH, HEIGHT), undefined)
})

t.test('a large picture is averaged to the size that is kept', async (t) => {
  const ink = extractInk(
    rgba((x, y) => (y === 20 || x === 0 ? [0, 0, 0] : [255, 255, 255]), 3_300, 40),
    3_300,
    40,
  )
  t.match(ink, { width: 1_100, height: 14 })
  t.equal(Math.max(...(ink?.alpha ?? [])), 142, 'a line of one pixel in three, crossed by another')
})

t.test('what is kept of a PNG is its ink under its digest, whatever is sent again', async (t) => {
  const opaque = makePng({
    width: WIDTH,
    height: HEIGHT,
    colourType: 2,
    depth: 8,
    pixel: (x, y) => (isPen(x, y) ? [0, 0, 0] : [255, 255, 255]),
  })
  for (const png of [opaque, makeCanvasPng()]) {
    const drawing = acceptDrawing(png.toString('base64'))
    t.match(drawing, { mediaType: 'image/png', picture: { kind: 'mask' } })
    t.same(readDrawingBytes('image/png', drawing.bytes), drawing)
    const again = acceptDrawing(Buffer.from(drawing.bytes).toString('base64'))
    t.equal(again.sha256, drawing.sha256)
  }
  const jpeg = makeJpeg()
  t.equal(acceptDrawing(jpeg.toString('base64')).mediaType, 'image/jpeg', 'a JPEG stays what it is')
  t.equal(acceptDrawing('M0 0L9 9').mediaType, 'image/svg+xml')
})

t.test('noise in all colours is kept with fewer pixels', async (t) => {
  const rows = Buffer.from(Array.from({ length: 700 * (1 + 120) }, () => 128 + 127 * noise()))
  for (let y = 0; y < 700; y += 1) rows[y * 121] = 0
  const palette = Buffer.from(Array.from({ length: 768 }, () => 128 + 127 * noise()))
  const png = makePng({
    ...{ width: 960, height: 700, colourType: 3, depth: 1, palette: palette.subarray(0, 6) },
    ...{ rows, pixel: () => [] },
  })
  const { bytes } = acceptDrawing(png.toString('base64'))
  t.ok(bytes.length <= 256 * 1_024, `${bytes.length} bytes`)
})

t.test('a picture in which nothing is seen is refused', async (t) => {
  const grey = makePng({ width: 9, height: 9, colourType: 0, depth: 8, pixel: () => [190] })
  const refusal = { code: 'BAD_DRAWING', message: /empty/ }
  t.throws(() => acceptDrawing(grey.toString('base64')), refusal)
})
