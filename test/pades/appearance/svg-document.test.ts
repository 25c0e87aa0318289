/** Drawings made to take time or memory, or to mean more than strokes. */
import { Buffer } from 'node:buffer'
import { deflateSync } from 'node:zlib'
import t from 'tap'
import {
  MAX_ENCODED_DRAWING,
  readDrawing,
  readDrawingBytes,
} from '../../../pades/appearance/drawing.ts'
import { chunk, makePng } from './make-png.ts'
import { cpuMs } from '../../fixtures/cpu-time.ts'

/** A hundredth of it on a machine with nothing else to do. */
const LIMIT_MS = 3_000
const FILL = MAX_ENCODED_DRAWING - 64

const filled = (unit: string, head = '', tail = '') =>
  head + unit.repeat(Math.floor((FILL - head.length - tail.length) / unit.length)) + tail
const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

const SMALL = { width: 4, height: 4, colourType: 6, depth: 8, pixel: () => [0, 0, 0, 255] }
const withChunks = (...extra: Buffer[]) => base64(makePng({ ...SMALL, extra }))
const bomb = deflateSync(Buffer.alloc(80_000_000))

/** What is drawn all the same, without what came along. */
const HARMLESS: Readonly<Record<string, string>> = {
  'PNG with a text that inflates a thousandfold': withChunks(
    chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), bomb])),
  ),
  'PNG with a colour profile that inflates a thousandfold': withChunks(
    chunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), bomb])),
  ),
  'PNG with frames of an animation': withChunks(
    chunk('acTL', Buffer.from('0000ffff00000000', 'hex')),
    chunk('fcTL', Buffer.alloc(26, 0xff)),
    chunk('fdAT', Buffer.concat([Buffer.alloc(4), bomb])),
  ),
  'PNG with a script in its text': withChunks(
    chunk('tEXt', Buffer.from('Title\0<script>alert(1)</script>')),
    chunk('eXIf', Buffer.from('MM\0*GPS')),
  ),
  'path of a fraction with half a million digits': filled('1', 'M0 0L0.', ' 1'),
  'path of flags': filled('a1 1 0 011 1', 'M0 0'),
  'path of small arcs': 'M0 0' + 'A1e-9,1e-9,0,0,1,9,9'.repeat(20_000),
  'SVG with a handler on its root': svg('<path d="M0 0L9 9"/>').replace(
    '<svg',
    '<svg onload="x()"',
  ),
}

const LAUGHS = '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
const OUTSIDE = '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
const SHEET = '<?xml-stylesheet href="https://evil.example/"?>'

const REFUSED: Readonly<Record<string, string>> = {
  'path of NaN': 'M0 0LNaN NaN',
  'path to infinity': 'M0 0L1e400 1',
  'path of negative infinity': 'M0 0L-1e309 1',
  'path beyond its bounds by steps': filled('l999999 999999', 'M0 0'),
  'path of half a million digits': filled('1', 'M0 0L', ' 1'),
  'path of commas': filled(',', 'M0 0'),
  'path of blanks': filled(' '),
  'path of moves': filled('M1 1', 'M0 0'),
  'path of curves without end': filled('t1 1', 'M0 0'),
  'path of ends': filled('z', 'M0 0'),
  'path of signs': filled('+-', 'M0 0L'),
  'path of a script': 'M0 0<script>alert(1)</script>',
  'path of an expression': 'M0 0L${process.exit()} 1',
  'SVG with a script': svg('<script>alert(1)</script>'),
  'SVG with a link to a script': svg('<script href="https://evil.example/x.js"/>'),
  'SVG with an entity': `<!DOCTYPE svg [<!ENTITY a "M0 0L9 9">]>${svg('<path d="&a;"/>')}`,
  'SVG with a billion laughs': LAUGHS + svg('&b;'),
  'SVG with an outside entity': OUTSIDE + svg('&a;'),
  'SVG with an outside picture': svg('<image href="http://169.254.169.254/latest/meta-data/"/>'),
  'SVG with an outside use': svg('<use href="https://evil.example/#a"/>'),
  'SVG with a style': svg('<style>@import url(https://evil.example/);</style>'),
  'SVG with foreign content': svg('<foreignObject><iframe src="x"/></foreignObject>'),
  'SVG with an animation': svg('<path d="M0 0L1 1"><animate attributeName="d" to="x"/></path>'),
  'SVG with a handler': svg('<path d="M0 0L1 1" onclick="x()"/>'),
  'SVG with a filter': svg('<path d="M0 0L1 1" filter="url(https://evil.example/)"/>'),
  'SVG with a transformation': svg('<g transform="scale(1e9)"><path d="M0 0L1 1"/></g>'),
  'SVG with text of markup': svg('<desc><![CDATA[<script>]]></desc>'),
  'SVG with an instruction': SHEET + svg('<path d="M0 0"/>'),
  'SVG of attributes': filled('d="" ', '<svg><path ', '/></svg>'),
  'SVG of attributes without end': filled(' a=""', '<svg><path'),
  'SVG of blanks': filled(' ', '<svg'),
  'SVG of open elements': filled('<g>', '<svg>'),
  'SVG of one long name': filled('a', '<svg '),
  'SVG of circles': filled('<circle cx="1" cy="1" r="1"/>', '<svg>', '</svg>'),
  'SVG of titles': filled('<title>', '<svg>', '</svg>'),
  'base64 of line ends': filled(' \n', 'data:image/png;base64,'),
  'base64 of padding': filled('='),
  'escapes without end': filled('%', 'data:image/svg+xml,'),
  'escapes of half characters': filled('%ed%a0%80', 'data:image/svg+xml,'),
  'a data URL without end': filled('a;', 'data:'),
  HTML: 'data:text/html;base64,PHNjcmlwdD4=',
  'a PDF': base64(Buffer.from('%PDF-1.7')),
  'a GIF': base64(Buffer.from('GIF89a')),
  'a WebP': base64(Buffer.from('RIFF\0\0\0\0WEBPVP8 ')),
}

t.test('a drawing with passengers is drawn without them, and soon', async (t) => {
  for (const [name, encoded] of Object.entries(HARMLESS)) {
    const startedMs = cpuMs()
    const { bytes } = readDrawing(encoded)
    t.ok(cpuMs() - startedMs < LIMIT_MS, `${name}: in time`)
    const kept = Buffer.from(bytes).toString('latin1')
    t.notMatch(kept, /script|onload|zTXt|iCCP|fdAT|acTL|eXIf|tEXt/, name)
  }
})

t.test('a drawing that is more than strokes, or endless, is refused, and soon', async (t) => {
  for (const [name, encoded] of Object.entries(REFUSED)) {
    t.ok(encoded.length <= MAX_ENCODED_DRAWING, name)
    const startedMs = cpuMs()
    t.throws(() => readDrawing(encoded), { code: 'BAD_DRAWING' }, name)
    t.ok(cpuMs() - startedMs < LIMIT_MS, `${name}: in time`)
  }
})

t.test(
  'a picture with too many bits is refused by its header, before it is inflated',
  async (t) => {
    const size = { width: 3_840, height: 2_160, colourType: 6, pixel: () => [] }
    const emptyRows = (depth: number) => Buffer.alloc((1 + (depth / 2) * 3_840) * 2_160)
    const deep = makePng({ ...size, depth: 16, rows: emptyRows(16) })
    t.ok(deep.length < 100_000, `${deep.length} bytes`)
    const timeOf = (encoded: string, message: RegExp) => {
      const startedMs = cpuMs()
      t.throws(() => readDrawing(encoded), { code: 'BAD_DRAWING', message })
      return cpuMs() - startedMs
    }
    const deepMs = timeOf(base64(deep), /64 bits each, which is too much; save it with 8 bits/)
    const plain = makePng({ ...size, depth: 8, rows: emptyRows(8) })
    const plainMs = timeOf(base64(plain), /nothing visible/)
    t.ok(deepMs < plainMs / 5, `${deepMs} ms, where inflating takes ${plainMs} ms`)
    const rows = emptyRows(16).subarray(0, emptyRows(16).length / 2)
    timeOf(base64(makePng({ ...size, height: 1_080, depth: 16, rows })), /nothing visible/)
  },
)

t.test('a drawing that was kept is read whatever the bits of its pixels', async (t) => {
  const size = { width: 3_840, height: 2_160, colourType: 0, depth: 16, pixel: () => [] }
  const rows = Buffer.alloc((1 + 2 * 3_840) * 2_160)
  const [grey, colour] = [makePng({ ...size, rows }), { ...size, colourType: 6 }]
  t.equal(readDrawing(base64(grey)).mediaType, 'image/png', 'one sample of 16 bits is few enough')
  const colourRows = Buffer.alloc((1 + 8 * 3_840) * 2_160)
  colourRows.fill(0xff, 7, 9)
  const kept = makePng({ ...colour, rows: colourRows })
  t.throws(() => readDrawing(base64(kept)), { code: 'BAD_DRAWING' })
  t.equal(readDrawingBytes('image/png', kept).mediaType, 'image/png')
})
