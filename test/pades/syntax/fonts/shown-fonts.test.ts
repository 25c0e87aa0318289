/** Intake refuses fonts of which readers show different glyphs, or at different places. */
import { Buffer } from 'node:buffer'
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { drawn, FIRST, SECOND, THIRD } from '../graphics/shown-alike.ts'
import { streamOf, verdictOn } from '../graphics/painted.ts'
import { FIRST_EXTRA } from '../../../fixtures/pdf.ts'
import {
  compactFont,
  lettersOf,
  lettersOfCompactFont,
  lettersOfTypeOne,
  sfnt,
  typeOne as typeOneOf,
} from './programs.ts'

const REFUSED = /an embedded font is damaged or of another kind/
const FOURTH = `${FIRST_EXTRA + 4} 0 R`
const WIDTHS = '/FirstChar 65 /LastChar 67 /Widths [500 500 500]'
const [SYMBOLIC, LATIN] = [4, 32]

interface Simple {
  readonly encoding?: string
  readonly flags?: number
  readonly widths?: string
  readonly font?: string
  readonly text?: string
  /** The key of the program, with the entries of its stream. */
  readonly key?: readonly [key: string, entries: string]
}

/** What intake says of a text in a simple font. */
function simple(
  program: Buffer,
  {
    encoding = '',
    flags = LATIN,
    widths = WIDTHS,
    font = 'F',
    text = '(ABC)',
    key: [key, entries] = ['FontFile2', ''],
  }: Simple = {},
): string {
  return verdictOn(
    drawn({
      resources: `/Font << /F1 ${FIRST} >>`,
      content: `BT /F1 9 Tf ${text} Tj ET`,
      objects: [
        `<< /Type /Font /Subtype /TrueType /BaseFont /${font} ${widths}` +
          ` /FontDescriptor ${SECOND} ${encoding} >>`,
        `<< /Type /FontDescriptor /FontName /F /Flags ${flags} /${key} ${THIRD} >>`,
        streamOf(`/Filter /FlateDecode ${entries}`, deflateSync(program)),
      ],
    }),
  )
}

const RIGHT = { 65: 1, 66: 2, 67: 3 }
const WRONG = { 65: 3, 66: 1, 67: 2 }
const symbolsAt = (first: number, map: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(map).map(([code, glyph]) => [first + Number(code), glyph]))
const WINDOWS = '/Encoding /WinAnsiEncoding'
const differences = (names: string, base = '/BaseEncoding /WinAnsiEncoding') =>
  `/Encoding << ${base} /Differences [65 ${names}] >>`

/** A table `head` with 2,000 units. */
const HALF = Buffer.alloc(54)
HALF.writeUInt16BE(2_000, 18)

t.test('readers choose the same map of a TrueType program', async (t) => {
  const both = lettersOf({ '1,0': WRONG, '3,1': RIGHT })
  const symbols = lettersOf({ '1,0': WRONG, '3,0': symbolsAt(0xf000, RIGHT) })
  for (const [what, verdict] of Object.entries({
    'the one of Windows with an encoding': simple(both, { encoding: WINDOWS }),
    'the one of Windows, symbolic': simple(both, { encoding: WINDOWS, flags: SYMBOLIC }),
    'the one of Windows with MacRoman': simple(both, { encoding: '/Encoding /MacRomanEncoding' }),
    'that of symbols': simple(symbols, { flags: SYMBOLIC }),
    'that of symbols with an encoding': simple(symbols, { encoding: WINDOWS }),
    'equal maps without an encoding': simple(lettersOf({ '1,0': RIGHT, '3,1': RIGHT })),
    'that of the Macintosh alone': simple(lettersOf({ '1,0': RIGHT })),
    'names of other letters': simple(both, { encoding: differences('/B /C /uni0041') }),
    'codes that no text shows': simple(both, { text: '()' }),
    'glyphs by their names': simple(lettersOf({}), { encoding: WINDOWS }),
  }))
    t.equal(verdict, 'accepted', what)
})

t.test('a program is refused where readers choose another map', async (t) => {
  const both = lettersOf({ '1,0': WRONG, '3,1': RIGHT })
  const symbols = lettersOf({ '1,0': WRONG, '3,0': symbolsAt(0xf000, RIGHT) })
  const encoding = differences('/B /C /A')
  for (const [what, verdict] of Object.entries({
    'without an encoding': simple(both),
    'without an encoding, symbolic': simple(both, { flags: SYMBOLIC }),
    'with the standard encoding': simple(both, { encoding: '/Encoding /StandardEncoding' }),
    'with an unknown encoding': simple(both, { encoding: '/Encoding /Foo' }),
    'with an encoding for experts': simple(both, { encoding: '/Encoding /MacExpertEncoding' }),
    'symbols of a font that is not symbolic': simple(symbols),
    'symbols that begin elsewhere': simple(lettersOf({ '3,0': symbolsAt(0xf100, RIGHT) }), {
      flags: SYMBOLIC,
    }),
    'symbols at two places': simple(
      lettersOf({ '3,0': { ...symbolsAt(0xf000, RIGHT), ...WRONG } }),
      { flags: SYMBOLIC },
    ),
    'an old map of Unicode': simple(lettersOf({ '0,3': RIGHT, '1,0': WRONG }), {
      encoding: WINDOWS,
    }),
    'other names in a symbolic font': simple(both, { encoding, flags: SYMBOLIC }),
    'names that few readers know': simple(both, { encoding: differences('/g3 /C /A') }),
    'names of nothing': simple(both, { encoding: differences('/.notdef /C /A') }),
    'a font of symbols': simple(both, { encoding: WINDOWS, font: 'Symbol' }),
    'no map at all': simple(sfnt()),
    'a map of an unknown form': simple(lettersOf({}, { cmap: Buffer.from([0, 0, 0, 1]) })),
  }))
    t.match(verdict, REFUSED, what)
})

/** What intake says of a compact program, and of a Type 1 program, of the letters A, B and C. */
function namedPrograms(codes: readonly number[] | undefined, spec: Simple): readonly string[] {
  const puts = codes?.map((code, at) => `dup ${code} /${'ABC'[at]} put`)
  const clear = puts
    ? `/Encoding 256 array ${puts.join(' ')} def `
    : '/Encoding StandardEncoding def '
  return [
    simple(lettersOfCompactFont('ABC', codes), {
      ...spec,
      key: ['FontFile3', '/Subtype /Type1C'],
    }),
    simple(lettersOfTypeOne('ABC', clear), { ...spec, key: ['FontFile', ''] }),
  ]
}

const TURNED = [67, 65, 66]

t.test('readers choose the same glyph by its name', async (t) => {
  const noBase = differences('/C /A /B', '')
  for (const [what, verdicts] of Object.entries({
    'the standard encoding': namedPrograms(undefined, {}),
    'its own encoding, which is symbolic': namedPrograms(TURNED, { flags: SYMBOLIC }),
    'an own encoding like the standard one': namedPrograms([65, 66, 67], {}),
    'the encoding of the font': namedPrograms(TURNED, { encoding: WINDOWS }),
    'names of other letters': namedPrograms(TURNED, { encoding: noBase }),
    'names of other letters in a symbolic font': namedPrograms(TURNED, {
      encoding: noBase,
      flags: SYMBOLIC,
    }),
    'codes without a glyph': namedPrograms([65, 66, 67], { text: '(Z)' }),
  }))
    t.strictSame(verdicts, ['accepted', 'accepted'], what)
})

t.test('a program is refused where readers choose another glyph by its name', async (t) => {
  for (const [what, verdicts] of Object.entries({
    'its own encoding': namedPrograms(TURNED, {}),
    'its own encoding beside the standard one': namedPrograms(TURNED, {
      encoding: '/Encoding /StandardEncoding',
      flags: SYMBOLIC,
    }),
    'its own encoding for other codes': namedPrograms(TURNED, { encoding: differences('/A', '') }),
    'the encoding of a font that is symbolic': namedPrograms(TURNED, {
      encoding: WINDOWS,
      flags: SYMBOLIC,
    }),
    'names that the program lacks': namedPrograms(undefined, { encoding: differences('/Z /B /C') }),
    'names of nothing': namedPrograms(undefined, { encoding: differences('/.notdef /B /C') }),
  })) {
    t.equal(verdicts.length, 2)
    for (const verdict of verdicts) t.match(verdict, REFUSED, what)
  }
})

t.test('parts of programs that only some readers apply are refused', async (t) => {
  const typeOne = (clear: string) =>
    simple(lettersOfTypeOne('ABC', clear), { flags: SYMBOLIC, key: ['FontFile', ''] })
  const own = '/Encoding 256 array dup 65 /A put dup 66 /B put dup 67 /C put def '
  t.equal(typeOne(`${own}/Encoding StandardEncoding def `), 'accepted', 'two equal encodings')
  t.equal(typeOne(`${own}/PaintType 0 def %/UniqueID 0 def\n`), 'accepted')
  const compact = (matrix: readonly number[]) =>
    simple(lettersOfCompactFont('ABC', undefined, matrix), {
      key: ['FontFile3', '/Subtype /Type1C'],
    })
  const withGlyphs = (glyphs: string) =>
    simple(
      typeOneOf(`/CharStrings 3 dict dup begin ${glyphs} /B 4 RD abcd ND /C 4 RD abcd |- end`),
      { encoding: differences('/C /A /B', ''), key: ['FontFile', ''] },
    )
  t.equal(withGlyphs('/.notdef 9 RD /D% (/D[ ND\n/A\f4\t-| abcd noaccess def'), 'accepted')
  for (const [what, verdict] of Object.entries({
    'two encodings': typeOne(`${own}/Encoding 256 array dup 65 /B put dup 66 /A put def `),
    'digits of another base': typeOne(own.replace('65', '8#101')),
    'lines in place of areas': typeOne(`${own}/PaintType 2 def `),
    'lines behind a comment': typeOne(`${own}/PaintType%\n2 def `),
    'lines behind white space that is none of JavaScript': typeOne(`${own}/PaintType\0 2 def `),
    'an encoding in a comment': typeOne(`%${own}\n`),
    'a code in a comment': typeOne(own.replace('dup 66', '%\ndup 66')),
    'a code in white space of JavaScript': typeOne(own.replace('dup 66', 'dup\u00a066')),
    'a code between octets of zero': typeOne(own.replace('dup 66', 'dup\0 66')),
    'a name that ends with a vertical tab': withGlyphs('/A\v 4 RD abcd ND'),
    'a name in a comment': withGlyphs('% /A 4 RD abcd ND\n'),
    'a name in the data of a glyph': withGlyphs('/D 9 RD /A 4 RD  ND'),
    'two lists of glyphs': simple(
      typeOneOf('/CharStrings 1 dict dup begin /CharStrings 1 dict dup begin', false, own),
      { flags: SYMBOLIC, key: ['FontFile', ''] },
    ),
    'outlines that are too large': compact([1, 0, 0, 1, 0, 0]),
    'outlines without a size': compact([0, 0, 0, 0, 0, 0]),
    'two sizes of the em square': simple(
      sfnt({ 'CFF ': lettersOfCompactFont('ABC'), head: HALF }, 0x4f54544f, {}),
      { key: ['FontFile3', '/Subtype /OpenType'] },
    ),
  }))
    t.match(verdict, REFUSED, what)
})

t.test('names of glyphs at a place that does not exist are refused', async (t) => {
  const program = lettersOfCompactFont('ABC')
  // The place of the names is the real number 3.5.
  program.set([30, 0x3a, 0x5f], program.indexOf(15, 20) - 3)
  const verdict = simple(program, { key: ['FontFile3', '/Subtype /Type1C'] })
  t.match(verdict, REFUSED)
})

t.test('each code that is shown has a width', async (t) => {
  const program = lettersOf({ '3,1': RIGHT })
  const withWidths = (widths: string, text = '(ABC)') =>
    simple(program, { encoding: WINDOWS, widths, text })
  t.equal(withWidths('/FirstChar 65 /LastChar 66 /Widths [5 5]'), 'accepted', 'one beyond all')
  t.equal(withWidths('/FirstChar 65 /LastChar 67 /Widths [5]', '(A)'), 'accepted', 'not shown')
  for (const widths of [
    '',
    '/FirstChar 65 /LastChar 67',
    '/LastChar 67 /Widths [5 5 5]',
    '/FirstChar 65 /Widths [5 5 5]',
    '/FirstChar 65 /LastChar 67 /Widths [5]',
    '/FirstChar 65 /LastChar 65 /Widths [5 5 5]',
    '/FirstChar 65 /LastChar 67 /Widths [null 5 5]',
    '/FirstChar -1 /LastChar 67 /Widths [5 5 5]',
  ])
    t.match(withWidths(widths), REFUSED, widths)
})

t.test('a text names its font', async (t) => {
  const form = streamOf('/Type /XObject /Subtype /Form /BBox [0 0 9 9]', 'BT (A) Tj ET')
  const verdict = verdictOn(
    drawn({ resources: `/XObject << /X ${FIRST} >>`, content: '/X Do', objects: [form] }),
  )
  t.match(verdict, /names a font, an image or a state that its resources lack/)
})

interface Composite {
  readonly encoding?: string
  readonly entries?: string
  readonly program?: string
  readonly text?: string
  readonly stream?: string
}

const TRUE_TYPE = streamOf('', lettersOf({}))
const COMPACT = streamOf('/Subtype /CIDFontType0C', compactFont())

/** What intake says of a text in a composite font. */
function composite({
  encoding = '/Identity-H',
  entries = '',
  program = TRUE_TYPE,
  text = '<000100020003>',
  stream = 'null',
}: Composite): string {
  const key = program === COMPACT ? 'FontFile3' : 'FontFile2'
  return verdictOn(
    drawn({
      resources: `/Font << /F1 ${FIRST} >>`,
      content: `BT /F1 9 Tf ${text} Tj ET`,
      objects: [
        `<< /Type /Font /Subtype /Type0 /BaseFont /F /Encoding ${encoding}` +
          ` /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /F ${entries}` +
          ` /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>` +
          ` /FontDescriptor ${SECOND} >>] >>`,
        `<< /Type /FontDescriptor /FontName /F /Flags 4 /${key} ${THIRD} >>`,
        program,
        stream,
      ],
    }),
  )
}

const mapped = (data: string, program = TRUE_TYPE) =>
  composite({ entries: `/CIDToGIDMap ${FOURTH}`, stream: streamOf('', data), program })

t.test('composite fonts that all readers show alike are accepted', async (t) => {
  for (const [what, verdict] of Object.entries({
    'CIDs that are glyphs': composite({}),
    'a map of CIDs': mapped('\0\0\0\x03\0\x02\0\x01'),
    widths: composite({ entries: '/DW 500 /W [1 [500 400.5] 3 4 700]' }),
    'places in vertical lines': composite({
      entries: '/DW2 [880 -1000] /W2 [1 [-900 250 880 -800 250 880] 3 4 -900.5 250 880]',
    }),
    'a predefined map of codes': composite({ encoding: '/UniJIS-UCS2-H' }),
    'an own map of codes': composite({
      encoding: FOURTH,
      stream: streamOf(
        '/Type /CMap /CMapName /Own',
        '1 begincodespacerange <0000> <ffff> endcodespacerange' +
          ' 1 begincidrange <0000> <00ff> 0 endcidrange',
      ),
    }),
  }))
    t.equal(verdict, 'accepted', what)
})

t.test('composite fonts that readers show differently are refused', async (t) => {
  const own = (entries: string, source: string) =>
    composite({ encoding: FOURTH, stream: streamOf(`/Type /CMap ${entries}`, source) })
  const codes =
    '1 begincodespacerange <0000> <ffff> endcodespacerange' +
    ' 1 begincidrange <0000> <00ff> 0 endcidrange'
  for (const [what, verdict] of Object.entries({
    'a CID behind the map': mapped('\0\0\0\x01\0\x02'),
    'a map of CIDs that is empty': mapped(''),
    'half an entry': mapped('\0\0\0\x01\0\x02\0\x03\0'),
    'a map of the CIDs of a compact font': mapped('\0\0\0\x03\0\x02\0\x01', COMPACT),
    'a glyph behind the last one': composite({ text: '<000100ff>' }),
    'half a code': composite({ text: '<0001000200>' }),
    'an unknown map of codes': composite({ encoding: '/Foo-H' }),
    'no map of codes': composite({ encoding: 'null' }),
    'another map in the dictionary': own('/UseCMap /Identity-H', codes),
    'another writing mode in the dictionary': own('/WMode 1', codes),
    'a code without a CID': own('', codes.replace('<00ff>', '<0002>')),
    'two widths for a CID': composite({ entries: '/W [1 [500 500] 2 3 700]' }),
    'a range of widths without a width': composite({ entries: '/W [1 2]' }),
    'widths within each other': composite({ entries: '/W [1 [[500] 500]]' }),
    'a first width that is a name': composite({ entries: '/W [/A [500]]' }),
    'half a place in a vertical line': composite({ entries: '/W2 [1 [-900 250]]' }),
    'a range of places without a place': composite({ entries: '/W2 [1 2 -900 250]' }),
    'two places for a CID': composite({ entries: '/W2 [1 [-900 250 880] 1 2 -900 250 8]' }),
    'a usual place of one number': composite({ entries: '/DW2 [880]' }),
    'a usual place that is a number': composite({ entries: '/DW2 880' }),
    'a usual width with a fraction': composite({ entries: '/DW 500.5' }),
  }))
    t.match(verdict, REFUSED, what)
})
