/**
 * Images that readers may paint differently (ISO 32000-2, 8.9): their entries, samples, masks and
 * JPEG codes, right and wrong ones. One that hides what is beneath it in one reader alone shows
 * another document.
 */
import { Buffer } from 'node:buffer'
import { deflateSync } from 'node:zlib'
import {
  COLOUR_JPEG,
  GREY_JPEG,
  JPEG_HEIGHT,
  JPEG_WIDTH,
  PROGRESSIVE_JPEG,
} from '../../../test/fixtures/jpegs.ts'
import type { Random } from '../../../test/fixtures/mutations.ts'
import { add, pick, pickTarget } from './attacker.ts'
import type { Base } from './base.ts'
import { rewrite } from './object-changes.ts'
import { type Plan, streamOf } from './revision.ts'

/** One in this many pieces is malformed. */
const ODD = 6
const isOdd = (random: Random) => random(ODD) === 0
const oddOr = (usual: string, odd: readonly string[], random: Random) =>
  isOdd(random) ? pick(odd, random) : usual

/** Entries and data of an image. */
interface Picture {
  readonly entries: readonly string[]
  readonly data: Buffer
}

const NEXT_SIZES = [-1, 1, 7, 90, 4_000] as const
const nearby = (value: number, random: Random): number =>
  isOdd(random) ? value + pick(NEXT_SIZES, random) : value

/** Colour spaces, with the number of their components; readers agree about the colours. */
const SPACES: readonly (readonly [string, number])[] = [
  ['/DeviceGray', 1],
  ['/DeviceRGB', 3],
  ['[/Indexed /DeviceRGB 1 <000000ffffff>]', 1],
  ['[/CalGray << /WhitePoint [0.95 1 1.09] >>]', 1],
]
const ODD_SPACES = [
  ['[/Indexed /DeviceRGB 1 <000000>]', '[/Indexed /DeviceGray 300 <00>]', '/Unknown', 'null'],
  ['[/CalGray << >>]', '[/CalRGB << /WhitePoint [0 0 0] >>]', '[/ICCBased null]', '/Pattern'],
  ['[/Separation /None /DeviceGray << /FunctionType 2 /Domain [0 1] /N 1 >>]', '[/Indexed]'],
].flat()

function maskOf(plan: Plan, base: Base, random: Random): string {
  const size = `/Type /XObject /Subtype /Image /Width ${1 + random(4)} /Height 1`
  const white = '\u00ff'.repeat(pick([4, 4, 1, 0], random))
  const soft = oddOr('/ColorSpace /DeviceGray /BitsPerComponent 8', ODD_MASKS, random)
  const image = add(plan, base, streamOf(white, `${size} ${soft}`))
  const stencil = oddOr('/ImageMask true /BitsPerComponent 1', ODD_MASKS, random)
  const bits = add(plan, base, streamOf('\0', `${size} ${stencil}`))
  return pick(
    [`/SMask ${image} 0 R`, `/Mask ${bits} 0 R`, '/Mask [255 255]', '/Mask [0 1]', '/SMask null'],
    random,
  )
}

const ODD_MASKS = [
  ...['/ColorSpace /DeviceRGB /BitsPerComponent 8', '/ImageMask true', '/BitsPerComponent 8'],
  ...[
    '/ColorSpace /DeviceGray /BitsPerComponent 8 /Matte [0 0 0]',
    '/ImageMask true /Decode [1 0]',
  ],
  '/ColorSpace /DeviceGray /BitsPerComponent 8 /Decode [1 0]',
]

/** An image whose samples are black, or a stencil. */
function samples(random: Random): Picture {
  const [width, height] = [1 + random(12), 1 + random(6)]
  const isStencil = random(4) === 0
  const [space, components] = pick(SPACES, random)
  const bits = isStencil || space.startsWith('[/Indexed') ? 1 : pick([8, 8, 4, 1, 16], random)
  const rowBytes = Math.ceil((width * (isStencil ? 1 : components) * bits) / 8)
  const shape = [`/Width ${nearby(width, random)} /Height ${nearby(height, random)}`]
  if (isStencil) shape.push(oddOr('/ImageMask true', ['/ImageMask 1', '/IM true'], random))
  else {
    shape.push(`/ColorSpace ${oddOr(space, ODD_SPACES, random)}`)
    shape.push(`/BitsPerComponent ${oddOr(`${bits}`, ['1', '2', '3', '8', '32', 'null'], random)}`)
  }
  const decode = isStencil || components === 1 ? '[1 0]' : '[1 0 1 0 1 0]'
  if (random(4) === 0) shape.push(`/Decode ${oddOr(decode, ODD_DECODES, random)}`)
  const missing = isOdd(random) ? pick([1, rowBytes, -1, -rowBytes, 9_999], random) : 0
  const plain = Buffer.alloc(Math.max(rowBytes * height - missing, 0))
  const { entries, data } = encoded(plain, rowBytes, { width, components, bits }, random)
  return { entries: [...shape, ...entries], data }
}

const ODD_DECODES = ['[0 0]', '[1 1]', '[0]', '[0 255]', '[]', '[1 0 1]', '[0.5 1]', '1', '[-1 2]']

function encoded(
  plain: Buffer,
  rowBytes: number,
  { width, components, bits }: { width: number; components: number; bits: number },
  random: Random,
): Picture {
  const way = random(3)
  if (way === 0) return { entries: [], data: plain }
  if (way === 1) return { entries: ['/Filter /FlateDecode'], data: cut(deflateSync(plain), random) }
  const rows = Array.from({ length: Math.ceil(plain.length / rowBytes) }, (_, row) => {
    const filter = isOdd(random) ? random(256) : random(5)
    return Buffer.concat([
      Buffer.from([filter]),
      plain.subarray(row * rowBytes).subarray(0, rowBytes),
    ])
  })
  const columns = `/Columns ${nearby(width, random)} /Colors ${nearby(components, random)}`
  const predictor = oddOr('15', ['1', '2', '10', '3', '99'], random)
  const shape = `${columns} /BitsPerComponent ${bits}`
  const parameters = `/DecodeParms << /Predictor ${predictor} ${shape} >>`
  return {
    entries: ['/Filter /FlateDecode', parameters],
    data: cut(deflateSync(Buffer.concat(rows)), random),
  }
}

const cut = (data: Buffer, random: Random): Buffer =>
  isOdd(random) ? data.subarray(0, random(data.length)) : data

/** A JPEG image, of which some bytes may be changed. */
function jpeg(random: Random): Picture {
  const [data, space] = pick(
    [
      [GREY_JPEG, '/DeviceGray'],
      [COLOUR_JPEG, '/DeviceRGB'],
      [PROGRESSIVE_JPEG, '/DeviceRGB'],
    ] as const,
    random,
  )
  const size = `/Width ${nearby(JPEG_WIDTH, random)} /Height ${nearby(JPEG_HEIGHT, random)}`
  const entries = ['/Filter /DCTDecode /BitsPerComponent 8', size, `/ColorSpace ${space}`]
  if (isOdd(random)) entries.push(`/DecodeParms << /ColorTransform ${random(3)} >>`)
  return { entries, data: random(3) === 0 ? data : damagedJpeg(data, random) }
}

/** Segments that readers follow or pass over. */
const SEGMENTS = [
  Buffer.from([0xff, 0xee, 0, 14, ...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, 0]),
  Buffer.from([0xff, 0xdd, 0, 4, 0, 7]),
  Buffer.from([0xff, 0xdc, 0, 4, 0, 9]),
  Buffer.from([0xff, 0xfe, 0, 2]),
  Buffer.from([0xff, 0xd9]),
  Buffer.from([0xff, 0xd3]),
]

function damagedJpeg(data: Buffer, random: Random): Buffer {
  const at = 2 + random(data.length - 2)
  const markers = [...data.keys()].filter((offset) => offset > 2 && data[offset] === 0xff)
  const marker = pick(markers, random)
  const other = pick(markers, random)
  const changes = [
    () => Buffer.concat([data.subarray(0, at), data.subarray(at + 1 + random(40))]),
    () => Buffer.concat([data.subarray(0, at), Buffer.from([random(256)]), data.subarray(at + 1)]),
    () => Buffer.concat([data.subarray(0, at), Buffer.from([random(256)]), data.subarray(at)]),
    () => Buffer.concat([data.subarray(0, marker), pick(SEGMENTS, random), data.subarray(marker)]),
    () => Buffer.concat([data.subarray(0, marker), data.subarray(Math.max(marker, other))]),
    () =>
      Buffer.concat([
        data.subarray(0, marker + 1),
        Buffer.from([0xd0 + random(8)]),
        data.subarray(marker + 2),
      ]),
    () => data.subarray(0, at),
  ]
  return pick(changes, random)()
}

/** Paints an image over the content of a page. */
export function images(plan: Plan, base: Base, random: Random): void {
  const page = pickTarget(base, random, 'page')
  const { entries, data } = random(2) === 0 ? samples(random) : jpeg(random)
  const all = ['/Type /XObject /Subtype /Image', ...entries]
  if (random(4) === 0) all.push(maskOf(plan, base, random))
  if (isOdd(random)) all.push(pick(['/Interpolate true', '/Alternates []', '/Intent /Odd'], random))
  const image = add(plan, base, streamOf(data.toString('latin1'), all.join(' ')))
  const text = '0 g 60 60 120 20 re f q 200 0 0 100 40 40 cm /Img Do Q 0 g 220 150 40 20 re f'
  const contents = add(plan, base, streamOf(text))
  const resources = `/Resources << /XObject << /Img ${image} 0 R >> >>`
  const own = /\/(Contents\s*(?:\[[^\]]*\]|\d+ 0 R)|Resources\s*\d+ 0 R)/g
  const rest = page.source.replace(own, '')
  rewrite(plan, page, rest.replace('<<', `<< /Contents ${contents} 0 R ${resources}`))
}
