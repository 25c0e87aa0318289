/** JPEG 2000 data are whole and say the same as the image that holds them. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { hasJpxShape } from '../../../../pades/syntax/graphics/jpx.ts'
import type { ImageShape } from '../../../../pades/syntax/graphics/images.ts'

const SIZE = { width: 4, height: 2 }
const spaceOf = (components: number) => ({
  ...SIZE,
  space: { components } as NonNullable<ImageShape['space']>,
})
const [GREY, RGB, INKS] = [spaceOf(1), spaceOf(3), spaceOf(4)] as const
const END = Buffer.from([0xff, 0xd9])

const numbers = (bytes: 1 | 2 | 4, ...values: readonly number[]): Buffer =>
  Buffer.concat(
    values.map((value) => {
      const octets = Buffer.alloc(bytes)
      octets.writeUIntBE(value, 0, bytes)
      return octets
    }),
  )
const segment = (marker: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([numbers(2, marker, body.length + 2), body])
}
const box = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([numbers(4, content.length + 8), Buffer.from(type), content])
}

/** Two tiles of 3 × 2 pixels on a grid that begins at 1, 1. */
const size = ({ right = 5, components = 1, depth = 7, step = 1 } = {}) =>
  segment(
    0xff51,
    numbers(2, 0),
    numbers(4, right, 3, 1, 1, 3, 2, 1, 1),
    numbers(2, components),
    ...Array.from({ length: components }, (_, index) =>
      numbers(1, index === 0 ? 7 : depth, step, step),
    ),
  )
const part = (tile: number, data = Buffer.alloc(5, 1), length = 12 + data.length) =>
  Buffer.concat([segment(0xff90, numbers(2, tile), numbers(4, length), numbers(1, 0, 1)), data])
const HEADERS = [segment(0xff52, Buffer.alloc(10)), segment(0xff5c, Buffer.alloc(4))]
const PARTS = [part(0), part(1)]

const stream = ({ head = size(), headers = HEADERS, parts = PARTS, end = END } = {}) =>
  Buffer.concat([numbers(2, 0xff4f), head, ...headers, ...parts, end])
const header = (height = 2, components = 1, ...boxes: readonly Buffer[]) =>
  box(
    'jp2h',
    box('ihdr', numbers(4, height, 4), numbers(2, components), numbers(1, 7, 7, 0, 0)),
    ...boxes,
  )
const enumerated = (number: number) => box('colr', numbers(1, 1, 0, 0), numbers(4, number))
const SIGNATURE = box('jP  ', Buffer.from('0d0a870a', 'hex'))
const file = (...boxes: readonly Buffer[]) => Buffer.concat([SIGNATURE, ...boxes])
const code = (data = stream()) => box('jp2c', data)

/** Of OpenJPEG: 4 × 2 grey pixels. */
const GENUINE = Buffer.from(
  '0000000c6a5020200d0a870a00000014667479706a703220000000006a7032200000002d6a70326800000016' +
    '6968647200000002000000040001070700000000000f636f6c72010000000000110000008c6a703263ff4fff' +
    '510029000000000004000000020000000000000000000000040000000200000000000000000001070101ff52' +
    '000c00000001000004040001ff5c00044040ff640025000143726561746564206279204f70656e4a50454720' +
    '76657273696f6e20322e352e30ff90000a00000000001a0001ff93df804807ab2f89ee9fd00cefffd9',
  'hex',
)

t.test('data that every reader decodes alike are accepted', async (t) => {
  for (const [what, data] of Object.entries({
    'a file of OpenJPEG': GENUINE,
    'a code stream': stream(),
    'two parts of a tile': stream({ parts: [part(1), part(0), part(1)] }),
    'a last part of open length': stream({ parts: [part(0), part(1, Buffer.alloc(5), 0)] }),
    'a file': file(header(), code()),
    'other boxes': file(box('ftyp'), header(), box('uuid', stream({ head: size() })), code()),
    'a last box of open length': file(header(), Buffer.concat([numbers(4, 0), code().subarray(4)])),
    'bytes behind the end': Buffer.concat([stream(), Buffer.from('\n')]),
  }))
    t.ok(hasJpxShape(data, GREY), what)
  t.ok(hasJpxShape(stream({ head: size({ components: 3 }) }), RGB), 'colours')
  const inks = file(header(2, 4, enumerated(12)), code(stream({ head: size({ components: 4 }) })))
  t.ok(hasJpxShape(inks, INKS), 'inks')
  t.ok(hasJpxShape(GENUINE, SIZE), 'grey that the data name')
  t.ok(
    hasJpxShape(file(header(2, 1, box('colr', Buffer.from([2, 0, 0]))), code()), GREY),
    'profile',
  )
  const ordered = box('cdef', numbers(2, 1, 0, 0, 1))
  t.ok(hasJpxShape(file(header(2, 1, enumerated(17), ordered), code()), SIZE), 'channels in order')
})

t.test('colours that readers take differently are refused', async (t) => {
  const colours = stream({ head: size({ components: 3 }) })
  t.notOk(hasJpxShape(stream({ head: size({ components: 4 }) }), RGB), 'colours and opacity')
  t.notOk(hasJpxShape(stream(), SIZE), 'colours that nothing names')
  const refused = {
    'another number of components in the header': header(2, 1, enumerated(16)),
    'another number of colours': header(2, 3, enumerated(17)),
    'colours with luminance': header(2, 3, enumerated(18)),
    'a palette': header(2, 3, enumerated(16), box('pclr')),
    'a map of components': header(2, 3, enumerated(16), box('cmap')),
    'channels out of order': header(
      2,
      3,
      enumerated(16),
      box('cdef', numbers(2, 3, 0, 0, 3, 1, 0, 2, 2, 0, 1)),
    ),
    'a channel of opacity': header(
      2,
      3,
      enumerated(16),
      box('cdef', numbers(2, 3, 0, 0, 1, 1, 0, 2, 2, 1, 0)),
    ),
  }
  for (const [what, head] of Object.entries(refused)) {
    t.notOk(hasJpxShape(file(head, code(colours)), RGB), what)
    t.notOk(hasJpxShape(file(head, code(colours)), SIZE), `${what}, without a colour space`)
  }
  const unnamed = {
    'no colours': header(2, 3),
    'two colour spaces': header(2, 3, enumerated(16), enumerated(16)),
    'a profile': header(2, 3, box('colr', Buffer.from([2, 0, 0]))),
  }
  for (const [what, head] of Object.entries(unnamed)) {
    t.ok(hasJpxShape(file(head, code(colours)), RGB), what)
    t.notOk(hasJpxShape(file(head, code(colours)), SIZE), `${what}, without a colour space`)
  }
})

t.test('data that are not whole, or of another image, are refused', async (t) => {
  const cut = stream()
  for (const [what, data] of Object.entries({
    nothing: Buffer.alloc(0),
    'another width': stream({ head: size({ right: 6 }) }),
    'no end': cut.subarray(0, -2),
    'a part that is cut off': Buffer.concat([cut.subarray(0, -4), END]),
    'a missing tile': stream({ parts: [part(0)] }),
    'a tile that does not exist': stream({ parts: [...PARTS, part(2)] }),
    'a part that is too short': stream({ parts: [part(0), part(1, Buffer.alloc(5), 11)] }),
    'no headers': stream({ headers: [] }),
    'two sizes': stream({ headers: [...HEADERS, size()] }),
    'a marker that does not exist': stream({ headers: [...HEADERS, segment(0xfe01)] }),
    'another step': stream({ head: size({ step: 2 }) }),
    'components of different depths': stream({ head: size({ components: 2, depth: 8 }) }),
    'something before the code stream': Buffer.concat([Buffer.from('boxes'), stream()]),
    'two code streams': file(header(), code(), code()),
    'a code stream in another box': file(header(), box('uuid', stream())),
    'no header': file(code()),
    'a header of another image': file(header(3), code()),
    'a box that is cut off': file(header(), code()).subarray(0, -1),
  }))
    t.notOk(hasJpxShape(data, GREY), what)
  t.notOk(hasJpxShape(stream(), RGB), 'fewer components than colours')
})
