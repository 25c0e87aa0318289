/** Intake refuses fonts without a program of which readers show different glyphs or widths. */
import t from 'tap'
import { drawn, FIRST, SECOND, THIRD } from '../graphics/shown-alike.ts'
import { streamOf, verdictOn } from '../graphics/painted.ts'

const REFUSED = /an embedded font is damaged or of another kind/
const WIDTHS = `/FirstChar 0 /LastChar 255 /Widths [${'600 '.repeat(256)}]`
const WINDOWS = '/Encoding /WinAnsiEncoding'
const MACINTOSH = '/Encoding /MacRomanEncoding'
const STANDARD = '/Encoding /StandardEncoding'
const [LATIN, SYMBOLIC] = ['/FontDescriptor << /Flags 32 >>', '/FontDescriptor << /Flags 4 >>']
const differences = (names: string) => `/Encoding << /Differences [65 ${names}] >>`

/** What intake says of a text, in hexadecimal digits, in a font of the reader. */
const shown = (text: string, entries: string, font = 'Helvetica'): string =>
  shownBy(`<${text}> Tj`, entries, font)

/** What intake says of operators that show text in a font of the reader. */
const shownBy = (operators: string, entries: string, font = 'Helvetica'): string =>
  verdictOn(
    drawn({
      resources: `/Font << /F1 ${FIRST} >>`,
      content: `BT /F1 9 Tf ${operators} ET`,
      objects: [`<< /Type /Font /Subtype /Type1 /BaseFont /${font} ${entries} >>`],
    }),
  )

t.test('letters that the fonts of all readers have are accepted', async (t) => {
  for (const [what, verdict] of Object.entries({
    'ASCII without an encoding': shown('207E', ''),
    'the standard encoding': shown('4127', STANDARD),
    'the encoding of Windows': shown('207F80818DA0ADFF', WINDOWS),
    'of a symbolic font, as LibreOffice writes it': shown('E9', `${WINDOWS} ${SYMBOLIC} ${WIDTHS}`),
    'the encoding of the Macintosh': shown('80ABDBDEFF', MACINTOSH),
    'names of letters': shown('414243', differences('/eacute /Zcaron /Euro')),
    'their own names in a symbolic font': shown('4127', `${STANDARD} ${SYMBOLIC}`),
    'what no text shows': shown('', differences('/foo'), 'Foo'),
    'control characters with a width': shown('000A41', `${WINDOWS} ${WIDTHS}`),
    symbols: shown('2041A1EFF1FE', '', 'Symbol'),
    dingbats: shown('34', STANDARD, 'ZapfDingbats'),
    'another font with widths': shown('41E9', `${WINDOWS} ${WIDTHS} ${LATIN}`, 'Tahoma'),
  }))
    t.equal(verdict, 'accepted', what)
  for (const font of ['Arial', 'Arial,Bold', 'Arial-BoldItalicMT', 'TimesNewRomanPS-BoldMT'])
    t.equal(shown('41', WINDOWS, font), 'accepted', font)
})

t.test('codes are refused where readers differ in the width of a missing glyph', async (t) => {
  for (const [text, entries] of [
    ['0041', ''],
    ['0A41', WINDOWS],
    ['1F41', MACINTOSH],
    ['41', differences('/.notdef')],
    ['41', differences('/foo')],
  ] as const)
    t.match(shown(text, entries), REFUSED, `${text} ${entries}`)
  for (const font of ['Tahoma', 'Times', 'Foo', 'Symbols'])
    t.match(shown('41', WINDOWS, font), REFUSED, font)
})

t.test('a control character has no width where the next text has a place of its own', async (t) => {
  for (const operators of [
    '(A\\n) Tj',
    '(A\\r\\n) Tj T* (B\\t) Tj 9 9 Td (C) Tj',
    "(A\\n) ' (B\\n) ' 0 0 (C) \"",
    '[(A) 9 (B\\n)] TJ ET BT 1 0 0 1 9 9 Tm (C) Tj',
  ]) {
    t.equal(shownBy(operators, WINDOWS), 'accepted', operators)
    t.match(shownBy(operators, ''), REFUSED, `${operators}, of which pdf.js shows boxes`)
    t.match(shownBy(operators, WINDOWS, 'Tahoma'), REFUSED, `${operators} in an unknown font`)
  }
  for (const operators of [
    '(A\\n) Tj (B) Tj',
    '(A) Tj (\\n) Tj (B) Tj',
    '[(A\\n) (B)] TJ',
    '(\\nA) Tj',
    '(A\\n) Tj /F1 8 Tf (B) Tj',
    '(A\\n) Tj T* (B\\n) Tj (C) Tj',
  ])
    t.match(shownBy(operators, WINDOWS), REFUSED, operators)
})

t.test('widths are refused that readers take differently', async (t) => {
  const widths = (list: string) => `${WINDOWS} /FirstChar 65 /LastChar 66 /Widths [${list}]`
  t.equal(shown('4142', widths('600 0')), 'accepted')
  t.match(shown('41', widths('-600 600')), REFUSED, 'a negative one')
  t.equal(shown('4342', `${widths('600 600')} ${LATIN}`), 'accepted', 'that of the descriptor')
  t.match(shown('4342', widths('600 600')), REFUSED, 'none, and no descriptor')
})

t.test('codes are refused where readers take another encoding', async (t) => {
  for (const [text, entries, font] of [
    ['A8', `${WIDTHS} ${LATIN}`],
    ['C0', STANDARD],
    ['7F', ''],
    ['80', `${MACINTOSH} ${SYMBOLIC} ${WIDTHS}`],
    ...['7F', 'AD', 'B2', 'BD', 'D7', 'F0'].map(
      (code) => [code, `${MACINTOSH} ${WIDTHS}`] as const,
    ),
    ['41', '/Encoding /MacExpertEncoding', 'Symbol'],
    ['C1', '/Encoding /MacExpertEncoding'],
    ['41', `${differences('/B')} ${SYMBOLIC}`],
    ['41', WINDOWS, 'Symbol'],
    ['41', differences('/alpha'), 'Symbol'],
    ['41', MACINTOSH, 'ABCDEF+ZapfDingbats'],
    ['A0', '', 'Symbol'],
    ['F0', '', 'Symbol'],
  ] as const)
    t.match(shown(text, entries, font), REFUSED, `${text} ${entries} ${font}`)
})

t.test('names are refused where the fonts of some readers lack the letter', async (t) => {
  for (const name of ['Ccaron', 'alpha', 'uni00E9', 'g12', 'nbspace'])
    t.match(shown('41', `${differences(`/${name}`)} ${WIDTHS} ${LATIN}`), REFUSED, name)
})

/** What intake says of a text in a composite font of the reader. */
function composite(encoding: string, collection: string): string {
  const system = `<< /Registry (Adobe) /Ordering (${collection}) /Supplement 0 >>`
  return verdictOn(
    drawn({
      resources: `/Font << /F1 ${FIRST} >>`,
      content: 'BT /F1 9 Tf <0041> Tj ET',
      objects: [
        `<< /Type /Font /Subtype /Type0 /BaseFont /F /Encoding ${encoding}` +
          ` /DescendantFonts [${SECOND}] >>`,
        `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /F /CIDSystemInfo ${system} >>`,
        streamOf('/Type /CMap', MAP),
      ],
    }),
  )
}

/** A map of codes that is in the document. */
const MAP =
  'begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange' +
  ' 1 begincidrange <0000> <FFFF> 0 endcidrange endcmap'

t.test('composite fonts of the collections that readers have are accepted', async (t) => {
  for (const [encoding, collection] of [
    ['/Identity-V', 'Japan1'],
    ['/90ms-RKSJ-H', 'Japan1'],
    ['/GBK-EUC-H', 'GB1'],
    ['/UniCNS-UTF16-V', 'CNS1'],
    ['/KSCms-UHC-H', 'Korea1'],
  ] as const)
    t.equal(composite(encoding, collection), 'accepted', `${encoding} ${collection}`)
})

t.test('composite fonts are refused whose CIDs mean something else to each reader', async (t) => {
  for (const [encoding, collection] of [
    ['/Identity-H', 'Identity'],
    ['/Identity-H', 'UCS'],
    ['/GBK-EUC-H', 'Japan1'],
    ['/GBK-EUC-H', 'Identity'],
    [THIRD, 'Japan1'],
  ] as const)
    t.match(composite(encoding, collection), REFUSED, `${encoding} ${collection}`)
})
