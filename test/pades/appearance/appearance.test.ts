import { Buffer } from 'node:buffer'
import t, { type Test } from 'tap'

import { writeAppearance } from '../../../pades/appearance/appearance.ts'
import { readDrawing } from '../../../pades/appearance/drawing.ts'
import { prepareFont } from '../../../pades/appearance/font.ts'
import { makeCanvasPng, makeJpeg, makePng } from './make-png.ts'
import { MemorySink } from './memory-sink.ts'

const NAME = 'Ľuboš Šťastný'
const LINES = [NAME, 'Signed 2026-11-21 10:00:00 UTC']
const LONG = [
  'Mgr. Wolfeschlegelsteinhausenbergerdorff Žigmundová von und zu '.repeat(4).slice(0, 200),
  'Podpísané 2026-11-21 10:00:00 UTC',
]
const path = readDrawing('M0 0 C 50 90 100 -40 150 60 L 10 80')
const canvas = readDrawing(makeCanvasPng().toString('base64'))
const SIZES = [
  [10, 10],
  [10, 400],
  [600, 10],
  [30, 20],
  [60, 60],
  [150, 50],
  [200, 30],
  [80, 200],
  [600, 400],
]

interface Drawn {
  text: string[]
  /** Left, bottom, right, top of everything drawn. */
  bounds: [number, number, number, number]
}

/** Follows the few operators that appearances are made of. */
function interpret(sink: MemorySink, form: number, font: { widthOf(text: string): number }): Drawn {
  const xs: number[] = []
  const ys: number[] = []
  const text: string[] = []
  let [pen, x, y, leading, size] = [0, 0, 0, 0, 0]
  const operators: Record<string, (operands: number[]) => void> = {
    w: ([width]) => {
      pen = width
    },
    cm: ([a, , , d, e, f]) => {
      xs.push(e, e + a)
      ys.push(f, f + d)
    },
    Td: ([tx, ty]) => {
      x = tx
      y = ty
    },
    TL: ([value]) => {
      leading = value
    },
    'T*': () => {
      y -= leading
    },
    Tf: (operands) => {
      size = operands.at(-1) ?? 0
    },
  }
  const reach = (operands: number[]): void => {
    for (let at = 0; at < operands.length; at += 2) {
      xs.push(operands[at] - pen / 2, operands[at] + pen / 2)
      ys.push(operands[at + 1] - pen / 2, operands[at + 1] + pen / 2)
    }
  }
  const reachCorners = ([left, bottom, width, height]: number[]): void => {
    xs.push(left, left + width)
    ys.push(bottom, bottom + height)
  }
  let operands: number[] = []
  let string = ''
  for (const token of sink.content(form).toString().split(/\s+/)) {
    if (/^-?[\d.]+$/.test(token)) operands.push(Number(token))
    else if (token.startsWith('<')) string = token
    else if (!token.startsWith('/')) {
      if (['m', 'l', 'c'].includes(token)) reach(operands)
      if (token === 're') reachCorners(operands)
      if (token === 'Tj') {
        const shown = decode(sink, form, string)
        text.push(shown)
        xs.push(x, x + (font.widthOf(shown) * size) / 1_000)
        ys.push(y - size * 0.236, y + size * 0.8)
      }
      operators[token]?.(operands)
      operands = []
    }
  }
  return { text, bounds: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] }
}

function decode(sink: MemorySink, form: number, operand: string): string {
  const map = sink.content(sink.reference(sink.reference(form, 'Text'), 'ToUnicode')).toString()
  return (operand.slice(1, -1).match(/.{4}/g) ?? [])
    .map((code) => {
      const [, unit] = new RegExp(`<${code}> <([0-9a-f]{4})>`).exec(map) ?? []
      return String.fromCharCode(Number.parseInt(unit, 16))
    })
    .join('')
}

function draw(lines: readonly string[], width: number, height: number, drawing = path): Drawn {
  const sink = new MemorySink()
  const font = prepareFont(sink, lines)
  const form = writeAppearance(sink, font, { drawing, lines }, { width, height })
  return interpret(sink, form, font)
}

function isInside(t: Test, { bounds }: Drawn, width: number, height: number, name: string): void {
  const [left, bottom, right, top] = bounds
  const fits = left >= -0.01 && bottom >= -0.01 && right <= width + 0.01 && top <= height + 0.01
  t.ok(fits, `${name} in ${width} × ${height}: ${bounds.join(' ')}`)
}

t.test(
  'everything lies inside the box, whatever its size and the length of the name',
  async (t) => {
    for (const [width, height] of SIZES) {
      for (const drawing of [path, canvas]) {
        isInside(t, draw(LINES, width, height, drawing), width, height, drawing.mediaType)
        isInside(t, draw(LONG, width, height, drawing), width, height, 'long name')
        isInside(t, draw([], width, height, drawing), width, height, 'no text')
      }
    }
  },
)

t.test('a usual box shows the name and the time as they are', async (t) => {
  t.same(draw(LINES, 150, 50).text, LINES)
})

t.test('a long name is wrapped, and the time is still there', async (t) => {
  const { text } = draw(LONG, 220, 60)
  t.equal(text.slice(0, -1).join(' '), LONG[0].trim())
  t.equal(text.at(-1), LONG[1])
  const cut = draw(LONG, 90, 45).text
  t.match(cut.at(-2), /…$/, 'what does not fit ends in an ellipsis')
  t.match(cut.at(-1), /^Podpísané 2026-11-21/)
})

t.test('a box too small for text shows the drawing alone', async (t) => {
  t.same(draw(LINES, 10, 10).text, [])
  const tall = draw(LINES, 10, 400)
  t.ok(tall.text.length === 0 || tall.bounds[2] <= 10)
})

t.test('invisible and hostile characters of a name do not reach the page', async (t) => {
  t.same(draw(['A\u202Eb\u0000\n(c) Tj', '🦄'], 150, 50).text, ['Ab (c) Tj'])
})

t.test('a line with letters that no font has is left out, not drawn as boxes', async (t) => {
  const signed = LINES[1] as string
  t.same(draw(['🦄', signed], 150, 50).text, [signed])
  t.same(draw(['Jana 🦄', signed], 150, 50).text, [signed], 'half a name is none')
  t.same(draw(['𝐉𝐚𝐧𝐚 Žltá', signed], 150, 50).text, ['Jana Žltá', signed], 'plain forms')
  t.same(draw(['🦄'], 150, 50).text, [])
})

t.test('ink has one opacity and blend mode, and is painted over white strips', async (t) => {
  const sink = new MemorySink()
  const font = prepareFont(sink, LINES)
  for (const drawing of [path, canvas]) {
    const appearance = { drawing, lines: LINES, isFramed: true }
    const form = writeAppearance(sink, font, appearance, { width: 150, height: 50 })
    const content = sink.content(form).toString()
    t.match(content, /^\/Ink gs\n/)
    t.match(content, /q \/Strip gs 1 g\n([\d. ]+ re\n){2}f Q\nBT /, 'under the text alone')
    t.equal(content.match(/ gs\b/g)?.length, 2, 'and never changed')
    t.match(sink.source(form), '/Ink << /Type /ExtGState /BM /Multiply /ca 0.65 /CA 0.65 >>')
    t.match(sink.source(form), '/Strip << /Type /ExtGState /BM /Normal /ca 0.55 >>')
    t.notMatch(sink.source(form), '/Group')
  }
})

t.test(
  'a place of the signer’s own has a frame, and the name even where it is small',
  async (t) => {
    const framed = (width: number, height: number) => {
      const sink = new MemorySink()
      const font = prepareFont(sink, LINES)
      const appearance = { drawing: path, lines: LINES, isFramed: true }
      const form = writeAppearance(sink, font, appearance, { width, height })
      return { content: sink.content(form).toString(), ...interpret(sink, form, font) }
    }
    t.match(framed(150, 50), { text: LINES, content: /0.5 w 0.25 0.25 149.5 49.5 re S/ })
    t.notMatch(draw(LINES, 14, 9).text[0], /./, 'no name without a frame')
    const small = framed(14, 9)
    t.match(small.text[0], /^Ľub/)
    isInside(t, small, 14, 9, 'small and framed')
    t.same(framed(4, 4).text, [])
  },
)

t.test('a field on a printed line gets no second line', async (t) => {
  const sink = new MemorySink()
  const font = prepareFont(sink, LINES)
  for (const drawing of [path, canvas]) {
    const form = writeAppearance(sink, font, { drawing, lines: LINES }, { width: 200, height: 60 })
    const content = sink.content(form).toString()
    const own = content.replace(/q \/Strip gs 1 g\n([\d. ]+ re\n)+f Q/, '')
    t.not(own, content, 'the strips lighten what is under the text, also a printed line')
    t.notMatch(own, / re\b/, 'nothing else is a rectangle')
    const strokes = own.match(/\bS\b/g)?.length ?? 0
    t.equal(strokes, drawing === path ? 1 : 0, 'only the drawing is stroked')
  }
})

t.test('the drawing keeps its aspect and its upright side', async (t) => {
  const sink = new MemorySink()
  const font = prepareFont(sink, [])
  const drawing = readDrawing('M0 0 L100 50')
  const form = writeAppearance(sink, font, { drawing, lines: [] }, { width: 300, height: 100 })
  const [, x1, y1, x2, y2] =
    /([\d.]+) ([\d.]+) m\n([\d.]+) ([\d.]+) l/.exec(sink.content(form).toString())?.map(Number) ??
    []
  t.ok(Math.abs((x2 - x1) / (y1 - y2) - 2) < 0.01, 'and y points down in SVG, up in PDF')
})

t.test('one ink is a single pixel under a mask; other images are kept as they are', async (t) => {
  const sink = new MemorySink()
  const font = prepareFont(sink, [])
  const size = { width: 100, height: 40 }
  const form = writeAppearance(sink, font, { drawing: canvas, lines: [] }, size)
  const image = sink.reference(form, 'Drawing')
  t.match(sink.source(image), '/Width 1 /Height 1')
  t.same([...sink.content(image)], [0, 0, 0])
  const mask = sink.reference(image, 'SMask')
  t.match(sink.source(mask), '/Width 49 /Height 5 /ColorSpace /DeviceGray')
  t.equal(sink.content(mask).length, 49 * 5)

  const jpeg = readDrawing(makeJpeg().toString('base64'))
  const photo = writeAppearance(sink, font, { drawing: jpeg, lines: [] }, size)
  t.same(sink.objects[sink.reference(photo, 'Drawing') - 1].stream, jpeg.bytes)

  const grey = readDrawing(
    makePng({
      width: 2,
      height: 2,
      colourType: 0,
      depth: 8,
      pixel: (x) => [x * 90],
    }).toString('base64'),
  )
  const scan = writeAppearance(sink, font, { drawing: grey, lines: [] }, size)
  t.match(sink.source(sink.reference(scan, 'Drawing')), '/Predictor 15')
})

t.test('several boxes of one signer share one image', async (t) => {
  const sink = new MemorySink()
  const font = prepareFont(sink, LINES)
  const forms = [1, 2, 3].map((scale) =>
    writeAppearance(
      sink,
      font,
      { drawing: canvas, lines: LINES },
      { width: 100 * scale, height: 40 },
    ),
  )
  t.equal(new Set(forms.map((form) => sink.reference(form, 'Drawing'))).size, 1)
  const other = new MemorySink()
  const appearance = { drawing: canvas, lines: LINES }
  const size = { width: 100, height: 40 }
  const form = writeAppearance(other, prepareFont(other, LINES), appearance, size)
  t.match(other.source(other.reference(form, 'Drawing')), '/Subtype /Image', 'each file its own')
})

t.test('the form has its box and its matrix', async (t) => {
  const sink = new MemorySink()
  const font = prepareFont(sink, LINES)
  const size = { width: 100.5, height: 40 }
  const appearance = { drawing: path, lines: LINES }
  const form = writeAppearance(sink, font, appearance, size, [0, 1, -1, 0, 40, 0])
  t.match(sink.source(form), '/BBox [0 0 100.5 40] /Matrix [0 1 -1 0 40 0]')
  t.ok(Buffer.from(sink.source(form)).every((byte) => byte < 128))
})
