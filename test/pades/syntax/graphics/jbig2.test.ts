/** JBIG2 data are one page of whole segments that has the size of the image. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { hasJbig2Shape } from '../../../../pades/syntax/graphics/jbig2.ts'
import { imageOf, painting, PARTS, streamOf, verdictOn } from './painted.ts'

const SIZE = { width: 4, height: 2 }
const [SYMBOLS, TEXT, REGION, PAGE, END, STRIPE, FILE_END] = [0, 6, 38, 48, 49, 50, 51]
const UNKNOWN = 0xffff_ffff

const uint32 = (...values: readonly number[]): Buffer => {
  const octets = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) octets.writeUInt32BE(value, index * 4)
  return octets
}

interface Options {
  readonly references?: readonly number[]
  readonly page?: number
  readonly length?: number
}

const segment = (
  number: number,
  type: number,
  data: Buffer = Buffer.alloc(0),
  { references = [], page = 1, length = data.length }: Options = {},
): Buffer =>
  Buffer.concat([
    uint32(number),
    Buffer.from([type, references.length << 5, ...references, page]),
    uint32(length),
    data,
  ])
/** @param stripe rows of a stripe at most, if the page has stripes */
const page = ({ width = 4, height = 2, number = 1, flags = 0, stripe = 0 } = {}) => {
  const end = Buffer.from([flags, stripe === 0 ? 0 : 0x80, stripe])
  return segment(number, PAGE, Buffer.concat([uint32(width, height, 0, 0), end]))
}
/** Pixels of the first template as the standard places them. */
const PIXELS = [3, -1, -3, -1, 2, -2, -2, -2]
interface Shape {
  readonly size?: readonly [number, number]
  readonly place?: readonly [number, number]
  readonly combination?: number
  readonly flags?: number
  readonly pixels?: readonly number[]
}
/** Data of a generic region. */
const generic = (shape: Shape = {}) => {
  const { size = [4, 2], place = [0, 0], combination = 0, flags = 0, pixels = PIXELS } = shape
  const template = Buffer.from(Int8Array.from(pixels))
  return Buffer.concat([
    uint32(...size, ...place),
    Buffer.from([combination, flags]),
    template,
    Buffer.from([0, 0xff, 0xac]),
  ])
}
const region = (number = 2, options?: Options) => segment(number, REGION, generic(), options)
const symbols = (number = 0, options: Options = { page: 0 }) =>
  segment(number, SYMBOLS, Buffer.alloc(9), options)
const inPage = (length: number) => Buffer.concat([uint32(4, 2, 0, 0), Buffer.alloc(length)])
const text = segment(2, TEXT, inPage(9), { references: [0] })
const data = (...segments: readonly Buffer[]) => Buffer.concat(segments)

/** A reference count in the long form: five references to one segment. */
const longReferences = Buffer.concat([
  uint32(2),
  Buffer.from([TEXT]),
  uint32(0xe000_0005),
  Buffer.from([0, 0, 0, 0, 0, 0, 1]),
  uint32(20),
  inPage(4),
])

t.test('data that every reader decodes alike are accepted', async (t) => {
  const taken = (what: string, own: Buffer, globals?: Buffer) =>
    t.ok(hasJbig2Shape(own, globals, SIZE), what)
  taken('a page with a region', data(page(), region()))
  taken('with its end', data(page(), region(), segment(3, END)))
  taken('a line end', data(page(), region(), Buffer.from('\r\n')))
  taken('symbols of its own', data(symbols(), page(), text))
  taken('shared symbols', data(page(), text), symbols())
  taken('many references', data(page(), longReferences), symbols())
  const last = (row: number) => segment(3, STRIPE, uint32(row))
  taken('stripes', data(page({ height: UNKNOWN, stripe: 2 }), region(), last(1)))
  taken('a region that is combined', data(page(), segment(2, REGION, generic({ combination: 4 }))))
  const end = segment(4, FILE_END, undefined, { page: 0 })
  taken('the end of a file', data(page(), region(), segment(3, END), end))
})

t.test('data that are not whole, or of another page, are refused', async (t) => {
  const refused = (what: string, own: Buffer, globals?: Buffer) =>
    t.notOk(hasJbig2Shape(own, globals, SIZE), what)
  refused('nothing', data())
  refused('another width', data(page({ width: 5 }), region()))
  refused('another height', data(page({ height: 3 }), region()))
  refused('a height that no stripe ends', data(page({ height: UNKNOWN }), region()))
  const last = (row: number) => segment(3, STRIPE, uint32(row))
  const open = { height: UNKNOWN }
  refused('stripes of a page that has none', data(page(open), region(), last(1)))
  refused('a stripe that is too high', data(page({ ...open, stripe: 1 }), region(), last(1)))
  refused('two pages', data(page(), page({ number: 2 }), region(3)))
  refused('a region before the page', data(region(0), page()))
  refused('a region of another page', data(page(), region(2, { page: 2 })))
  refused('a region that is cut off', data(page(), region()).subarray(0, -3))
  refused('a region of open length', data(page(), region(2, { length: UNKNOWN })))
  refused('a type that does not exist', data(page(), segment(2, 37)))
  refused('two segments of one number', data(page(), region(1)))
  refused('a reference to nothing', data(page(), text))
  refused('a reference to a later segment', data(page(), text, symbols()))
  refused('a shared region', data(page()), region(0, { page: 0 }))
  refused('shared symbols of a page', data(page(), text), symbols(0, { page: 1 }))
  refused('bytes behind the segments', data(page(), region(), Buffer.from('more')))
  const many = Buffer.from(longReferences)
  many.writeUInt32BE(UNKNOWN, 5)
  refused('more references than data', data(page(), many), symbols())
})

const ODD_REGIONS: Readonly<Record<string, Shape>> = {
  'to the right of the page': { place: [1, 0] },
  'below the page': { place: [0, 1] },
  'left of the page': { place: [UNKNOWN, 0] },
  'without an area': { size: [4, 0] },
  'combined in an unknown way': { combination: 5 },
  'of fax codes': { flags: 1 },
  'with a template of twelve pixels': { flags: 0x10 },
  'predicted by a pixel of its own row': { pixels: [0, 0, -3, -1, 2, -2, -2, -2] },
  'predicted by a later row': { pixels: [3, 1, -3, -1, 2, -2, -2, -2] },
  'with a template that is cut off': { pixels: [] },
}
t.test('regions that readers draw differently are refused', async (t) => {
  for (const [what, shape] of Object.entries(ODD_REGIONS)) {
    const file = data(page(), segment(2, REGION, generic(shape)))
    t.notOk(hasJbig2Shape(file, undefined, SIZE), what)
  }
  const refused = (what: string, file: Buffer) =>
    t.notOk(hasJbig2Shape(file, undefined, SIZE), what)
  refused('one that only others draw', data(page(), segment(2, 36, generic())))
  refused('one behind the end', data(page(), segment(2, END), region(3)))
  refused('a comment', data(page(), segment(2, 62, Buffer.alloc(8)), region(3)))
  refused('colours', data(page({ flags: 0x80 }), region()))
})

t.test('an image with shared symbols is accepted, and one without them is refused', async (t) => {
  const [GLOBALS = ''] = PARTS
  const entries = '/ImageMask true /Filter /JBIG2Decode'
  const own = data(page(), text)
  const parameters = `/DecodeParms << /JBIG2Globals ${GLOBALS} >>`
  const shared = (globals: string) => painting(imageOf(`${entries} ${parameters}`, own), [globals])
  t.equal(verdictOn(shared(streamOf('', symbols()))), 'accepted')
  t.match(verdictOn(shared(streamOf('/Filter /FlateDecode', 'damaged'))), /data of an image/)
  t.match(verdictOn(shared('<< >>')), /data of an image/)
  t.match(verdictOn(painting(imageOf(entries, own))), /data of an image/)
})
