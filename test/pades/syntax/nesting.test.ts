/** Drawings that draw themselves or too much are refused: viewers stop at different depths. */
import t from 'tap'
import type { PdfDocument } from '../../../pades/pdf/document.ts'
import { PdfStream, type PdfDictionary, type PdfValue } from '../../../pades/pdf/values.ts'
import { FAULTS, type FaultCode } from '../../../pades/syntax/faults.ts'
import { Nesting } from '../../../pades/syntax/nesting.ts'
import { FIRST_EXTRA } from '../../fixtures/pdf.ts'
import { streamOf, verdictOn } from './graphics/painted.ts'
import { drawn, type Drawn, FIRST, SECOND, THIRD } from './graphics/shown-alike.ts'

const FORM = '/Type /XObject /Subtype /Form /BBox [0 0 300 300]'
const form = (content: string, resources: string) =>
  streamOf(`${FORM} /Resources << ${resources} >>`, content)
const PATTERN = '/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9'
const pattern = (content: string, resources: string) =>
  streamOf(`${PATTERN} /Resources << ${resources} >>`, content)
const PAINTED = '/Pattern cs /P scn 0 0 5 5 re f'

const atForm = { resources: `/XObject << /X ${FIRST} >>`, content: '/X Do' }
const atPattern = { resources: `/Pattern << /P ${FIRST} >>`, content: PAINTED }
/** A chain of forms of which each draws the next `times` times. */
const chain = (length: number, times: number): Drawn => ({
  ...atForm,
  objects: Array.from({ length }, (_, index) =>
    index === length - 1
      ? form('0 0 5 5 re f', '')
      : form('/X Do '.repeat(times), `/XObject << /X ${FIRST_EXTRA + index + 2} 0 R >>`),
  ),
})
const fontThree = (glyph: string, inner: string, resources = '') =>
  '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [.1 0 0 .1 0 0] /FirstChar 97' +
  ' /LastChar 97 /Widths [9] /Encoding << /Differences [97 /a] >>' +
  ` /CharProcs << /a ${glyph} >> /Resources << /Font << /F ${inner} >> ${resources} >> >>`
const SHAPE = '0 0 5 5 re f'
const TEXT = 'BT /F 1 Tf (a) Tj ET'
/** A font whose glyph has this content, and behind it objects with which it is drawn. */
const typeThree = (
  content: string,
  inner = FIRST,
  objects: readonly string[] = [],
  resources = '',
  whole = `9 0 d0 ${content}`,
): Drawn => ({
  resources: `/Font << /F ${FIRST} >>`,
  content: 'BT /F 9 Tf (a) Tj ET',
  objects: [fontThree(SECOND, inner, resources), streamOf('', whole), ...objects],
})
const composite = (descendants: string): Drawn => ({
  resources: `/Font << /F ${FIRST} >>`,
  content: 'BT /F 9 Tf <0048> Tj ET',
  objects: [
    '<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H' +
      ` /DescendantFonts [${descendants}] >>`,
    '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe)' +
      ' /Ordering (Japan1) /Supplement 0 >> >>',
  ],
})

const GREY = '0.5 sc 0.5 SCN 0 0 5 5 re B'
const stamp = (...objects: string[]): Drawn => ({
  annotations: `<< /Type /Annot /Subtype /Stamp /Rect [9 9 99 99] /F 4 /AP << /N ${FIRST} >> >>`,
  objects,
})

const LINE = '1 w [] 0 d 0 0 m 5 5 l S'
const STROKE = '1 w 0 0 m 5 5 l S'
const masked = (content: string, kind = 'Alpha', before = ''): Drawn => ({
  resources: `/ExtGState << /G << /SMask << /S /${kind} /G ${FIRST} >> >> >>`,
  content: `${before} /G gs 0 0 5 5 re f`,
  objects: [
    streamOf(
      `${FORM} /Group << /S /Transparency /CS /DeviceGray >> /Resources <<` +
        ` /XObject << /X ${SECOND} >> /Font << /F ${THIRD} >> >>`,
      content,
    ),
    form('0 0 m 5 5 l S', ''),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ],
})
/** A pattern that takes its colour from the page, and whose cell draws an object. */
const uncoloured = (drawnByCell: string): Drawn => ({
  resources: `/Pattern << /P ${FIRST} >> /ColorSpace << /C [/Pattern /DeviceGray] >>`,
  content: '/C cs 0 /P scn 0 0 50 50 re f',
  objects: [
    pattern('q 5 0 0 5 0 0 cm /X Do Q', `/XObject << /X ${SECOND} >>`).replace(
      '/PaintType 1',
      '/PaintType 2',
    ),
    drawnByCell,
  ],
})

const TAKEN: Readonly<Record<string, Drawn>> = {
  'an appearance that begins in grey': stamp(form(GREY, '')),
  'a form that sets its own colours': { ...atForm, objects: [form(`0 g 0 G ${GREY}`, '')] },
  'a form that is drawn many times': { ...chain(1, 1), content: '/X Do '.repeat(5000) },
  'ten forms in each other': chain(10, 2),
  'resources that name the form itself, which does not draw it': {
    ...atForm,
    objects: [form('0 0 5 5 re f', `/XObject << /X ${FIRST} >>`)],
  },
  'a glyph that is a shape': typeThree(SHAPE),
  'a glyph that shows nothing but another form': typeThree(
    '/Y Do',
    FIRST,
    [form(SHAPE, '')],
    `/XObject << /Y ${THIRD} >>`,
  ),
  'a glyph with lines of its own': typeThree(`0 G ${LINE}`),
  'a mask that draws all by itself': masked(`0 g ${SHAPE} 0 G ${LINE}`, 'Luminosity'),
  'a mask with lines behind solid ones': masked(STROKE, 'Alpha', '[3] 0 d [ ] 0 d'),
  'a mask that shows text': masked(TEXT, 'Alpha', '3 Tr 0 Tr 9 Ts 0 Ts'),
  'a mask of brightness in the first colour': masked(SHAPE, 'Luminosity', '1 g 0 0 0 rg'),
  'a mask of opacity in any colour': masked(SHAPE, 'Alpha', '1 g'),
  'an uncoloured cell that draws a form': uncoloured(form(SHAPE, '')),
  'a composite font': composite(SECOND),
}
for (const [what, spec] of Object.entries(TAKEN)) {
  t.test(`intake takes ${what}`, async (t) => t.equal(verdictOn(drawn(spec)), 'accepted'))
}

const REFUSED: Readonly<Record<string, readonly [FaultCode, Drawn]>> = {
  'a form whose colours depend on its page': [
    'CONTENT_OPERANDS',
    { ...atForm, objects: [form(GREY, '')] },
  ],
  'a form whose colours depend on an appearance': [
    'CONTENT_OPERANDS',
    stamp(form('/X Do', `/XObject << /X ${SECOND} >>`), form(GREY, '')),
  ],
  'an appearance that its page draws, too': [
    'CONTENT_OPERANDS',
    { ...stamp(form(GREY, '')), ...atForm },
  ],
  'a glyph whose colours depend on the text': ['CONTENT_OPERANDS', typeThree(GREY)],
  'a glyph that shows text of another font': [
    'STATE_INHERITED',
    typeThree(TEXT, THIRD, ['<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>']),
  ],
  'a glyph with lines of any width': ['STATE_INHERITED', typeThree('0 G [] 0 d 0 0 m 5 5 l S')],
  'a glyph with any dashes': ['STATE_INHERITED', typeThree('0 G q 1 w [] 0 d Q 1 w 0 0 m 5 5 l S')],
  'a mask with lines of any width': ['STATE_INHERITED', masked('/X Do')],
  'a mask with lines behind dashes': ['STATE_INHERITED', masked(STROKE, 'Alpha', '[3] 0 d')],
  'a mask with text behind invisible text': ['STATE_INHERITED', masked(TEXT, 'Alpha', '3 Tr')],
  'a mask with text behind a raised one': ['STATE_INHERITED', masked(TEXT, 'Alpha', '9 Ts 0 Tc')],
  'a mask of brightness in another colour': ['STATE_INHERITED', masked(SHAPE, 'Luminosity', '1 g')],
  'an uncoloured cell that draws a coloured form': [
    'STATE_INHERITED',
    uncoloured(form(`1 g ${SHAPE}`, '')),
  ],
  'an uncoloured cell that draws an image': [
    'STATE_INHERITED',
    uncoloured(
      streamOf(
        '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8' +
          ' /ColorSpace /DeviceGray',
        'a',
      ),
    ),
  ],
  'a shape of a glyph that is an image': [
    'STATE_INHERITED',
    typeThree('', FIRST, [], '', '9 0 0 0 9 9 d1 BI /W 1 /H 1 /BPC 8 /CS /G ID a EI\n'),
  ],
  'a form that draws itself': [
    'DRAWING_NESTED',
    { ...atForm, objects: [form('q 1 0 0 1 9 9 cm /X Do Q', `/XObject << /X ${FIRST} >>`)] },
  ],
  'a form that draws itself by an escaped name': [
    'DRAWING_NESTED',
    {
      ...atForm,
      objects: [form('/X#20Y Do', `/XObject << /X#20Y ${FIRST} >>`)],
    },
  ],
  'a form that draws what only its page has, by an escaped name': [
    'RESOURCE_MISSING',
    {
      resources: `/XObject << /X ${FIRST} /Y#20Y ${SECOND} >>`,
      content: '/X Do',
      objects: [form('/Y#20Y Do', ''), form('0 0 5 5 re f', '')],
    },
  ],
  'two forms that draw each other': [
    'DRAWING_NESTED',
    {
      ...atForm,
      objects: [
        form('/X Do', `/XObject << /X ${SECOND} >>`),
        form('/X Do', `/XObject << /X ${FIRST} >>`),
      ],
    },
  ],
  'a pattern that is painted with itself': [
    'DRAWING_NESTED',
    { ...atPattern, objects: [pattern(PAINTED, `/Pattern << /P ${FIRST} >>`)] },
  ],
  'a form behind its own mask': [
    'DRAWING_NESTED',
    {
      ...atForm,
      objects: [
        streamOf(
          `${FORM} /Group << /S /Transparency /CS /DeviceGray >> /Resources <<` +
            ` /ExtGState << /G << /SMask << /S /Luminosity /G ${FIRST} >> >> >> >>`,
          '/G gs 0 0 5 5 re f',
        ),
      ],
    },
  ],
  'a glyph that shows itself': ['DRAWING_NESTED', typeThree(TEXT)],
  'a glyph that shows a glyph of another Type 3 font': [
    'DRAWING_NESTED',
    typeThree(TEXT, THIRD, [
      fontThree(`${FIRST_EXTRA + 4} 0 R`, FIRST),
      streamOf('', `9 0 d0 ${SHAPE}`),
    ]),
  ],
  'sixty forms in each other': ['DRAWING_NESTED', chain(60, 1)],
  'a composite font of itself': ['FONT_ODD', composite(FIRST)],
  'a composite font of two fonts': ['FONT_ODD', composite(`${SECOND} ${SECOND}`)],
  'a composite font of none': ['FONT_ODD', composite('')],
}
for (const [what, [code, spec]] of Object.entries(REFUSED)) {
  t.test(`intake refuses ${what}`, async (t) => t.match(verdictOn(drawn(spec)), FAULTS[code].text))
}

t.test('intake refuses forms that would be drawn for hours', async (t) => {
  t.match(verdictOn(drawn(chain(30, 2))), 'draw each other too often')
})

/** A document without references that counts what is read of it. */
function countingDocument() {
  const counts = { reads: 0 }
  const resolve = (value: PdfValue | undefined) => {
    counts.reads += 1
    return value ?? null
  }
  const dictionary = (value: PdfValue | undefined) => (value instanceof Map ? value : undefined)
  return { counts, document: { resolve, dictionary } as unknown as PdfDocument }
}
const fontOf = (glyphs: PdfDictionary): PdfDictionary =>
  new Map([['F', new Map([['CharProcs', glyphs]])]])

t.test('the glyphs of a font are read once, however often contents choose it', async (t) => {
  const { counts, document } = countingDocument()
  const glyphs = new Map(Array.from({ length: 100 }, (_, index) => [`g${index}`, null]))
  const nesting = new Nesting(document)
  const fonts = fontOf(glyphs)
  for (let page = 1; page <= 50; page += 1) {
    const { use } = nesting.begin(-page, new Map([['Font', fonts]]))
    for (let times = 0; times < 50; times += 1) use('Font', 'F')
  }
  t.ok(counts.reads >= 100 && counts.reads < 200, `${counts.reads} reads`)
})

t.test('a form that is also a glyph counts as often as it is drawn', async (t) => {
  const { document } = countingDocument()
  const nesting = new Nesting(document)
  for (let id = 0; id < 40; id += 1) {
    const next = new PdfStream(new Map(), id + 1)
    const resources = new Map([
      ['XObject', new Map([['X', next]])],
      ['Font', fontOf(new Map([['a', next]]))],
    ])
    const { use } = nesting.begin(id, resources)
    for (const _ of [1, 2]) use('XObject', 'X')
    if (id === 0) use('Font', 'F')
  }
  t.throws(() => nesting.findFault(), { code: 'LIMIT_EXCEEDED' })
})
