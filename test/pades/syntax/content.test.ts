/** Content streams with which every reader draws the same. */
import { Buffer } from 'node:buffer'
import { constants, deflateSync } from 'node:zlib'
import t from 'tap'
import { PadesError } from '../../../pades/errors.ts'
import { readDocument } from '../../../pades/pdf/open.ts'
import { assertReadAlike } from '../../../pades/sign/unambiguous.ts'
import { findContentFault } from '../../../pades/syntax/content.ts'
import type { FaultCode } from '../../../pades/syntax/faults.ts'
import { encodeLzw } from '../../fixtures/lzw.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'

const TAKEN = [
  '',
  'q 1 0 0 1 0 0 cm /X1 Do Q',
  'BT /F1 12 Tf 10 20 Td (a) Tj [(b) -20 <63>] TJ ET',
  '0.5 g 1 0 0 rg /Cs1 cs 0.1 0.2 scn 0 0 10 10 re f*',
  '/Tag << /MCID 0 >> BDC EMC % comment\n/Artifact BMC EMC',
  'BX /X Do EX',
  'q BI /W 1 /H 1 /BPC 8 /CS /G ID \u0080 EI Q',
  'q BI /Width 2 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceRGB ID abcdef\nEI Q',
  'q BI /W 3 /H 2 /IM true ID \u00e0\u00e0\r\nEI\nQ',
  'q BI /W 2 /H 1 /BPC 8 /CS [/I /G 1 <00ff>] ID \u0001\u0002 EI Q',
  'q BI /W 2 /H 1 /W 2 /BPC 8 /CS /G ID ab EI Q',
  'q BI /W 2 /H 1 /BPC 8 /CS /G ID abEI Q',
  'q BI /W 2 /H 1 /BPC 8 /CS /G /F /AHx ID\r\n61 62> EI Q',
  'q BI /W 4 /H 1 /BPC 8 /CS /G /F /A85 ID EI 9c@~> EI Q',
  'q BI /W 2 /H 1 /BPC 8 /CS /G /F /RL ID \u0001ab\u0080 EI Q',
  'q BI /W 9 /H 9 /BPC 8 /CS /RGB /F /DCT ID\r\n\u00ff\u00d8 data \u00ff\u00d9\r\nEI\r\nQ\n\n\n',
  'q BI /W 35 /H 9 /IM true /F /CCF /DP << /K -1 >> ID &\u0000\u0010\u0001\nEI Q',
  '. .5 .5 rg 1 . .\n1 . . cm',
  'q BT 11.05 0 0 Td ET Q',
  'BT 1 g 2 w <61 6\n1> Tj ET [3] 0 d [3 1 2 4] 0 d [2 2 2] 0 d',
  '/Tx B',
  '0.5 /P scn 1.0001 1 -0.0001 rg [] 0 d [0 3] 1 d 0 w 3 Tr',
  '0 0 9 9 re W n 0 0 9 9 re W* f 0 0 m 9 0 l h S',
  '/Span /MC0 BDC EMC /Span << >> DP',
  'q Q',
  `0 0 9 9 re ${'1 '.repeat(32)}f`,
  '/Pattern cs /P scn 0 0 9 9 re f q /Pattern CS Q 0 0 9 9 re S',
  '2 J 0 j 10 M [] -1 d 0 0 9 9 re',
  '0 M 100 M 0 0 9 9 re S',
  '-10000000 0 10000000 9 re f',
  `BT (${'a'.repeat(32_767)}) Tj <${'61'.repeat(32_767)}> Tj ET`,
  'BT q 9 0 Td (a) Tj Q 1 0 0 1 9 9 Tm (a) Tj ET',
  'BT q 9 0 Td (a) Tj Q ET BT (a) Tj ET',
  'q BT (a) Tj ET Q BT (a) Tj ET',
  '0 0 9 9 re 0 0 m 20 20 20 0 v S',
  'q 50 Tz Q BT 2 Tr (a) Tj 0 Tr 300 Tz (a) Tj ET',
]
for (const source of TAKEN) {
  t.test(`${JSON.stringify(source)} is taken`, async (t) =>
    t.equal(findContentFault(Buffer.from(source, 'latin1')), undefined),
  )
}

/** An inline image that is deflated, and then written in hexadecimal digits. */
const twice = (samples: number, entries = '/W 2 /H 1 /BPC 8 /CS /G') => {
  const digits = deflateSync(Buffer.alloc(samples)).toString('hex')
  return `${entries} /F [/AHx /Fl] ID ${digits}> EI Q`
}
t.test('two bytes of white space end the contents behind an inline JPEG image', async (t) => {
  const image = 'q BI /W 9 /H 9 /BPC 8 /CS /RGB /F /DCT ID \u00ff\u00d8 data \u00ff\u00d9\nEI Q'
  const faultOf = (end: string) =>
    findContentFault(Buffer.from(`${image} 0 0 9 9 re f${end}`, 'latin1'))
  t.equal(faultOf('\r\n\n'), undefined)
  t.equal(faultOf(' \n'), 'INLINE_IMAGE_ODD')
  t.equal(faultOf(''), 'INLINE_IMAGE_ODD')
})
t.test('an inline image may have two filters', async (t) => {
  const faultOf = (image: string) => findContentFault(Buffer.from(`q BI ${image}`, 'latin1'))
  t.equal(faultOf(twice(2)), undefined)
  t.equal(faultOf(twice(1)), 'INLINE_IMAGE_ODD', 'too short')
  t.equal(faultOf(twice(2).replace('/Fl', '/Foo')), 'INLINE_IMAGE_ODD')
  t.equal(faultOf(twice(2).replace('/Fl', '/Fl /Fl')), 'INLINE_IMAGE_ODD')
  t.equal(faultOf(twice(2).replace('/AHx /Fl', '/AHx (Fl)')), 'INLINE_IMAGE_ODD')
})

const REFUSED: Readonly<Record<string, FaultCode>> = {
  'endstream 0 g': 'CONTENT_OPERATOR',
  '0 0 m 1 1 line': 'CONTENT_OPERATOR',
  '0 0 0 0 m': 'CONTENT_OPERANDS',
  '1 l': 'CONTENT_OPERANDS',
  '1 2 3': 'CONTENT_OPERANDS',
  'BT 1 2 3 Td (a) Tj ET': 'CONTENT_OPERANDS',
  '(a Tj': 'UNCLOSED',
  '-. .5 .5 rg': 'NUMBER_ODD',
  '[.] 0 d': 'NUMBER_ODD',
  '1 0 R': 'CONTENT_OPERATOR',
  'q BI /W 1 ID x': 'UNCLOSED',
  'q BI /W 2 /H 1 /BPC 8 /CS /G ID ab\nEI\tQ': 'UNCLOSED',
  'q BI /W 1 /H 1 ID x EI 0 g 0 0 9 9 re f EI': 'INLINE_IMAGE_ODD',
  'q BI /W 1 /H 1 /BPC 8 /CS /G ID x EI 0 g 0 0 9 9 re f EI': 'CONTENT_OPERATOR',
  'q > Q': 'CONTENT_OPERATOR',
  'Q q': 'CONTENT_ORDER',
  'W n': 'CONTENT_ORDER',
  '0 0 9 9 re n W n': 'CONTENT_ORDER',
  '9 0 l 9 9 l f': 'CONTENT_ORDER',
  '9 0 9 9 0 9 c f': 'CONTENT_ORDER',
  '0 0 9 9 re /X Do f': 'CONTENT_ORDER',
  '0 0 9 9 re BT ET f': 'CONTENT_ORDER',
  '0 0 9 9 re /S sh f': 'CONTENT_ORDER',
  '0 0 9 9 re BI /W 1 /H 1 /BPC 8 /CS /G ID x EI f': 'CONTENT_ORDER',
  '9 0 d0 9 0 0 0 9 9 d1 0 0 9 9 re f': 'CONTENT_ORDER',
  '5 5 5 5 k': 'CONTENT_VALUE',
  '0 0 0 -1 K': 'CONTENT_VALUE',
  '255 0 0 rg': 'CONTENT_VALUE',
  '1.5 g': 'CONTENT_VALUE',
  '8 Tr': 'CONTENT_VALUE',
  'BT 7 Tr ( ) Tj ET 0 0 9 9 re f': 'CONTENT_VALUE',
  'BT 4 Tr (a) Tj 0 Tr ET': 'CONTENT_VALUE',
  '-1 M': 'CONTENT_VALUE',
  '101 M': 'CONTENT_VALUE',
  '-10000001 0 10000301 9 re f': 'CONTENT_VALUE',
  '1 0 0 1 100000000.5 0 cm': 'CONTENT_VALUE',
  'BT [(a) -20000000 (a)] TJ ET': 'CONTENT_VALUE',
  '[3 3] 20000000 d': 'CONTENT_VALUE',
  [`BT (${'a'.repeat(32_768)}) Tj ET`]: 'CONTENT_VALUE',
  [`BT [(a) <${'61'.repeat(32_768)}>] TJ ET`]: 'CONTENT_VALUE',
  [`${'0'.repeat(300)}100 0 9 9 re f`]: 'NUMBER_TOO_LONG',
  'BT 9 0 Td q 0 9 Td (a) Tj Q (a) Tj ET': 'CONTENT_ORDER',
  'BT q Q 9 0 Td (a) Tj ET': 'CONTENT_ORDER',
  'BT /X Do ET': 'CONTENT_ORDER',
  '9 9 Td (a) Tj': 'CONTENT_ORDER',
  'BT ET (a) Tj': 'CONTENT_ORDER',
  [`${'q '.repeat(10_001)}0 0 9 9 re f`]: 'CONTENT_ORDER',
  'BT (a) Tj 0 0 9 9 re f (a) Tj ET': 'CONTENT_ORDER',
  'BT 0 0 m 9 9 l S ET': 'CONTENT_ORDER',
  'BT /S sh ET': 'CONTENT_ORDER',
  'BT BI /W 1 /H 1 /BPC 8 /CS /G ID x EI ET': 'CONTENT_ORDER',
  'BT <616> Tj ET': 'HEX_STRING_ODD',
  '[3 1 2] 0 d': 'CONTENT_VALUE',
  '5 J': 'CONTENT_VALUE',
  '-1 j': 'CONTENT_VALUE',
  '/Pattern cs 0 0 9 9 re f': 'CONTENT_VALUE',
  '/Pattern CS 0 0 9 9 re S': 'CONTENT_VALUE',
  'q /Pattern cs Q q /Pattern cs BT (a) Tj ET Q': 'CONTENT_VALUE',
  sc: 'CONTENT_OPERANDS',
  '/P cs SCN': 'CONTENT_OPERANDS',
  [`0 0 9 9 re ${'1 '.repeat(33)}f`]: 'CONTENT_OPERANDS',
  'BX 1 2 3 unknown EX': 'CONTENT_OPERATOR',
  'EX unknown': 'CONTENT_OPERATOR',
  '0 0 9 9 re 20 20 20 0 v S': 'CONTENT_ORDER',
  '0 0 9 9 re 20 20 20 0 y S': 'CONTENT_ORDER',
  '0 0 m 9 0 l 9 9 l h 20 20 20 0 v S': 'CONTENT_ORDER',
  'BT 1 Tr 300 Tz (a) Tj ET': 'CONTENT_ORDER',
  'BT 50 Tz 2 Tr (a) Tj ET': 'CONTENT_ORDER',
  '9 0 d0 0 0 9 9 re f': 'CONTENT_ORDER',
  '9 0 0 0 1 1 d1 0 0 9 9 re f': 'CONTENT_ORDER',
  '3.0 Tr': 'CONTENT_VALUE',
  '-1 Tr': 'CONTENT_VALUE',
  '-9 w': 'CONTENT_VALUE',
  '[0 0] 0 d': 'CONTENT_VALUE',
  '[-3 3] 0 d': 'CONTENT_VALUE',
  '[(a)] 0 d': 'CONTENT_VALUE',
  '[3 3] -1 d': 'CONTENT_VALUE',
  '/X g': 'CONTENT_OPERANDS',
  'null g': 'CONTENT_OPERANDS',
  '(X) Do': 'CONTENT_OPERANDS',
  'BT (F1) 9 Tf ET': 'CONTENT_OPERANDS',
  'BT 9 /F1 Tf ET': 'CONTENT_OPERANDS',
  'BT /M Tj ET': 'CONTENT_OPERANDS',
  'BT [(a)] Tj ET': 'CONTENT_OPERANDS',
  'BT (a) TJ ET': 'CONTENT_OPERANDS',
  'BT [/M (a)] TJ ET': 'CONTENT_OPERANDS',
  'BT [[(a)]] TJ ET': 'CONTENT_OPERANDS',
  '/a 0 0 1 0 0 cm': 'CONTENT_OPERANDS',
  '/a 0 9 9 re': 'CONTENT_OPERANDS',
  '/P 1 scn': 'CONTENT_OPERANDS',
}

/** Fax data of 35 white pixels, but for the end of their parameters. */
const FAX = '/W 35 /H 1 /IM true /F /CCF /DP << /K -1 /Columns 35'
const FAX_DATA = '>> ID &\u0000\u0010\u0001 EI Q'

/** Inline images that end elsewhere for a reader that counts than for one that searches. */
const ODD_IMAGES: Readonly<Record<string, string>> = {
  'EI within the counted data': '/W 9 /H 1 /BPC 8 /CS /G ID xEI 0 g q\nEI Q',
  'a count beyond EI': '/W 99 /H 9 /BPC 8 /CS /G ID abc EI Q',
  'a count before EI': '/W 1 /H 1 /BPC 8 /CS /G ID a 0 0 9 9 re f EI Q',
  'data that end with white space, and no more': '/W 2 /H 1 /BPC 8 /CS /G ID a EI Q',
  'data that end with E, and no white space': '/W 2 /H 1 /BPC 8 /CS /G ID aEEI Q',
  'two bytes of white space before the data': '/W 2 /H 1 /BPC 8 /CS /G ID\r\nab EI Q',
  'a colour space that is a resource': '/W 2 /H 1 /BPC 8 /CS /Cs1 ID ab EI Q',
  'a mask of eight bits': '/W 1 /H 2 /BPC 8 /CS /G /IM true ID ab EI Q',
  'no bits for each component': '/W 2 /H 1 /CS /G ID ab EI Q',
  'bytes that are not text behind EI': '/W 2 /H 1 /BPC 8 /CS /G ID ab EI (\u00e9) Tj',
  'an operator far behind EI': `/W 2 /H 1 /BPC 8 /CS /G ID ab EI [${'1 '.repeat(60)}] 0 d`,
  'operators behind encoded data': '/W 2 /H 1 /BPC 8 /CS /G /F /AHx ID 6162> 0 0 9 9 re f EI Q',
  'encoded data that are too short': '/W 3 /H 1 /BPC 8 /CS /G /F /AHx ID 6162> EI Q',
  'runs without an end': '/W 2 /H 1 /BPC 8 /CS /G /F /RL ID \u0001ab EI Q',
  'JPEG data that end twice':
    '/W 9 /H 9 /F /DCT ID \u00ff\u00d8\u00ff\u00d9 0 0 9 9 re f \u00ff\u00d9 EI Q',
  'fax data without an end': '/W 35 /H 9 /IM true /F /CCF /DP << /K -1 >> ID & EI Q',
  'fax data of group 3': '/W 9 /H 9 /IM true /F /CCF ID &\u0000\u0010\u0001 EI Q',
  'a filter that is not for images': '/W 9 /H 9 /IM true /F /Crypt ID ab EI Q',
  'a filter whose name ends with a no-break space':
    '/W 2 /H 1 /BPC 8 /CS /G /F /AHx\u00a0 ID 6162> EI Q',
  'an end of blocks that is off behind NUL': `${FAX} /EndOfBlock\u0000false ${FAX_DATA}`,
  'an end of blocks that is off behind a comment': `${FAX} /EndOfBlock%\nfalse ${FAX_DATA}`,
  'a group of fax data in a string': `${FAX.replace('/K -1', '/A (/K -1)')} ${FAX_DATA}`,
  'two changes of the width of codes':
    '/W 1 /H 1 /BPC 8 /CS /G /F /LZW /DP << /EarlyChange 2 >> ID \u0080\u0018P\u0010 EI Q',
}
for (const [what, image] of Object.entries(ODD_IMAGES)) {
  t.test(`an inline image with ${what} is refused`, async (t) =>
    t.equal(findContentFault(Buffer.from(`q BI ${image}`, 'latin1')), 'INLINE_IMAGE_ODD'),
  )
}

t.test('white space of the grammar separates the parameters of inline images', async (t) => {
  const taken = [
    `${FAX} ${FAX_DATA}`,
    `${FAX} /EndOfBlock\u0000true ${FAX_DATA}`,
    '/W 2 /H 1 /BPC 8 /CS /G /F\u0000[\u0000/AHx\u0000] ID 6162> EI Q',
  ]
  for (const image of taken) {
    t.equal(findContentFault(Buffer.from(`q BI ${image}`, 'latin1')), undefined, image)
  }
  const text = Array.from({ length: 2_000 }, (_, at) => String.fromCharCode((at * at) % 251))
  for (const [spelling, earlyChange] of [
    ['/EarlyChange\u00000', 0],
    ['/EarlyChange%\n0', 0],
    ['/A (/EarlyChange 0)', 1],
  ] as const) {
    const entries = `/W 2000 /H 1 /BPC 8 /CS /G /F /LZW /DP << ${spelling} >>`
    const image = `q BI ${entries} ID ${encodeLzw(text.join(''), earlyChange)}\nEI Q`
    t.equal(findContentFault(Buffer.from(image, 'latin1')), undefined, spelling)
  }
})

t.test('EI may follow data that end with NUL or form feed, which every reader keeps', async (t) => {
  for (const last of ['\u0000', '\f']) {
    const image = `q BI /W 8 /H 2 /BPC 1 /IM true ID a${last}EI Q`
    t.equal(findContentFault(Buffer.from(image, 'latin1')), undefined)
  }
  for (const last of ['\t', '\n', '\r', ' ']) {
    const image = `q BI /W 8 /H 2 /BPC 1 /IM true ID a${last}EI Q`
    t.equal(findContentFault(Buffer.from(image, 'latin1')), 'INLINE_IMAGE_ODD')
  }
})

t.test('inline images may not decode to endless data', async (t) => {
  // About 1,000 times its size; what one image may inflate to is bounded apart.
  const zeros = deflateSync(Buffer.alloc(60_000)).toString('latin1')
  const image = `q BI /W 60000 /H 1 /BPC 8 /CS /G /F /Fl ID ${zeros}\nEI Q\n`
  t.equal(findContentFault(Buffer.from(image.repeat(2), 'latin1')), undefined)
  const many = Buffer.from(image.repeat(1_700), 'latin1')
  t.throws(() => findContentFault(many), { code: 'LIMIT_EXCEEDED' })
  const once = Buffer.from(image, 'latin1')
  const images = { remainingBytes: 100_000 }
  t.equal(findContentFault(once, [], { images }), undefined)
  const again = () => findContentFault(once, [], { images })
  t.throws(again, { code: 'LIMIT_EXCEEDED' }, 'contents may share what they decode to')
})

t.test('an inline image with two widths is refused', async (t) => {
  const image = Buffer.from('q BI /W 2 /Width 1 /H 1 /BPC 8 /CS /G ID ab EI Q')
  t.equal(findContentFault(image), 'KEY_REPEATED')
})

t.test('a string may not lie in two parts of the contents, an array may', async (t) => {
  t.equal(findContentFault(Buffer.from('[1\n2] 0 d'), [2, 8]), undefined)
  t.equal(findContentFault(Buffer.from('[(a\nb)] TJ'), [3, 10]), 'UNCLOSED')
  t.equal(findContentFault(Buffer.from('<61\n62> Tj'), [3, 10]), 'UNCLOSED')
  const image = Buffer.from('q BI /W 2 /H 1 /BPC 8 /CS /G ID a\nEI Q')
  t.equal(findContentFault(image, [image.length]), 'INLINE_IMAGE_ODD')
  t.equal(findContentFault(Buffer.from(image.toString().replace('a', 'ab')), [20, 99]), 'UNCLOSED')
})

for (const [source, code] of Object.entries(REFUSED)) {
  t.test(`${JSON.stringify(source)} is ${code}`, async (t) =>
    t.equal(findContentFault(Buffer.from(source, 'latin1')), code),
  )
}

const codeOf = (file: Uint8Array): string => {
  try {
    readDocument(file, assertReadAlike)
    return 'accepted'
  } catch (error) {
    if (error instanceof PadesError) return error.code
    throw error
  }
}

const stream = (entries: string, data: string): string =>
  `<< ${entries} /Length ${data.length} >>\nstream\n${data}\nendstream`

const FORM = '/Type /XObject /Subtype /Form /BBox [0 0 9 9]'
/** A document whose page draws one object. */
const shown = (object: string) =>
  buildPdf({
    pages: [{ extra: `/Resources << /XObject << /X ${FIRST_EXTRA} 0 R >> >>` }],
    objects: [object],
  })
const verdictOn = (filter: string, data: string) =>
  codeOf(shown(stream(`${FORM} /Filter ${filter}`, data)))

const CONTENT = '0 0 9 9 re f\n'
const deflated = deflateSync(CONTENT).toString('latin1')
const deflateFlushed = (text: string) =>
  deflateSync(text, { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1')

t.test('pages and forms are judged', async (t) => {
  t.equal(codeOf(shown(stream(FORM, CONTENT))), 'accepted')
  t.equal(codeOf(shown(stream(FORM, '0 0 9 9 rectangle f'))), 'AMBIGUOUS')
  const page = buildPdf()
  page.write('Xj', page.indexOf('Tj'), 'latin1')
  t.equal(codeOf(page), 'AMBIGUOUS')
})

t.test('glyphs of a Type 3 font and appearances without a subtype are judged', async (t) => {
  const font =
    `<< /Type /Font /Subtype /Type3 /CharProcs << /a ${FIRST_EXTRA + 1} 0 R >>` +
    ' /FontMatrix [1 0 0 1 0 0] /Encoding << /Differences [97 /a] >> >>'
  const withGlyph = (content: string) =>
    buildPdf({
      pages: [{ extra: `/Resources << /Font << /F1 ${FIRST_EXTRA} 0 R >> >>` }],
      objects: [font, stream('', content)],
    })
  t.equal(codeOf(withGlyph(`9 0 d0 ${CONTENT}`)), 'accepted')
  t.equal(codeOf(withGlyph('9 0 d0 0 0 9 9 rectangle f')), 'AMBIGUOUS')
  const withAppearance = (content: string) =>
    buildPdf({
      pages: [{ extra: `/Annots [${FIRST_EXTRA + 1} 0 R]` }],
      objects: [
        stream('/BBox [0 0 9 9]', content),
        `<< /Subtype /Stamp /Rect [0 0 9 9] /AP << /N ${FIRST_EXTRA} 0 R >> >>`,
      ],
    })
  t.equal(codeOf(withAppearance(CONTENT)), 'accepted')
  t.equal(codeOf(withAppearance('0 0 9 9 rectangle f')), 'AMBIGUOUS')
})

t.test('content streams may have every filter for text', async (t) => {
  const hex = `${Buffer.from(CONTENT).toString('hex')}>`
  t.equal(verdictOn('/FlateDecode', deflated), 'accepted')
  t.equal(
    verdictOn('[/AHx /Fl]', `${Buffer.from(deflated, 'latin1').toString('hex')}>`),
    'accepted',
  )
  t.equal(verdictOn('/ASCIIHexDecode', hex), 'accepted')
  t.equal(verdictOn('/RunLengthDecode', `\u000c${CONTENT}\u0080`), 'accepted')
  t.equal(verdictOn('/LZWDecode', encodeLzw(CONTENT)), 'accepted')
  t.equal(verdictOn('/LZWDecode', encodeLzw('0 0 9 9 rectangle f')), 'AMBIGUOUS')
  t.equal(verdictOn('/LZWDecode', ''), 'accepted')
})

t.test('other filters, and predictors, are refused in a content stream', async (t) => {
  t.equal(verdictOn('/DCTDecode', CONTENT), 'AMBIGUOUS')
  t.equal(verdictOn('/Crypt', CONTENT), 'AMBIGUOUS')
  t.equal(verdictOn('[/FlateDecode /Unknown]', deflated), 'AMBIGUOUS')
  t.equal(verdictOn('/FlateDecode /DecodeParms << /Predictor 1 >>', deflated), 'accepted')
  t.equal(verdictOn('/FlateDecode /DecodeParms << /Predictor 12 >>', deflated), 'AMBIGUOUS')
  t.equal(verdictOn('/LZWDecode /DecodeParms << /EarlyChange 2 >>', ''), 'AMBIGUOUS')
})

t.test(
  'readers agree on deflated data with a wrong checksum or without a last block',
  async (t) => {
    const wrong = `${deflated.slice(0, -1)}\u0000`
    t.equal(verdictOn('/FlateDecode', wrong), 'accepted')
    t.equal(verdictOn('/FlateDecode', deflated.slice(0, -4)), 'accepted')
    t.equal(verdictOn('/FlateDecode', deflateFlushed(CONTENT)), 'accepted')
    // Ghostscript drops a token that ends with the data.
    t.equal(verdictOn('/FlateDecode', deflateFlushed(CONTENT.trim())), 'AMBIGUOUS')
    t.equal(verdictOn('/FlateDecode', deflated.slice(0, -6)), 'AMBIGUOUS')
    t.equal(verdictOn('/FlateDecode', `\u0079${deflated.slice(1)}`), 'AMBIGUOUS')
    t.equal(verdictOn('/FlateDecode', 'no data'), 'AMBIGUOUS')
    // What is tolerated is judged as well.
    t.equal(verdictOn('/FlateDecode', deflateFlushed('0 0 9 9 rectangle f\n')), 'AMBIGUOUS')
  },
)

t.test('damaged data of the other filters are refused', async (t) => {
  const odd: [string, string][] = [
    ['/ASCIIHexDecode', '30 x 31>'],
    ['/ASCIIHexDecode', '6e'],
    ['/ASCII85Decode', 'GhSEd\u0000~>'],
    ['/ASCII85Decode', 'Gz~>'],
    ['/ASCII85Decode', 's8W-"~>'],
    ['/ASCII85Decode', 'E~>'],
    ['/ASCII85Decode', 'E,oN2Eb~x'],
    ['/RunLengthDecode', `\u000c${CONTENT}`],
    ['/RunLengthDecode', `\u007f${CONTENT}\u0080`],
    ['/LZWDecode', encodeLzw(CONTENT).slice(0, -2)],
    ['/LZWDecode', CONTENT],
  ]
  for (const [filter, data] of odd) t.equal(verdictOn(filter, data), 'AMBIGUOUS', filter + data)
})

t.test('base 85 may lack its end where nothing is drawn, in contents of one part', async (t) => {
  // `/Tx B`, `0 0 9 9 re f`, and the same with NUL in place of the last spaces and at the end.
  t.equal(verdictOn('/ASCII85Decode', '03!0=6;'), 'accepted')
  t.equal(verdictOn('/ASCII85Decode', '0-EAI0-X&A0KOI'), 'AMBIGUOUS')
  t.equal(verdictOn('/ASCII85Decode', '0H`%l3?U=)Eb,5_!!'), 'AMBIGUOUS')
})

t.test('a part of the contents that ends with an operand has white space behind it', async (t) => {
  const part = (text: string, eol: string) =>
    `<< /Length ${text.length} >>\nstream\n${text}${eol}endstream`
  const verdict = (first: string, second: string, eol: string) => {
    const file = buildPdf({
      pages: [{ extra: `/Contents [${FIRST_EXTRA} 0 R ${FIRST_EXTRA + 1} 0 R]` }],
      objects: [part(first, eol), part(second, '\n')],
    })
    // The page of the fixture has contents already.
    file.write('/Cxntents', file.indexOf('/Contents'), 'latin1')
    return codeOf(file)
  }
  t.equal(verdict('0 0 9 9', 're f', '\n'), 'accepted')
  t.equal(verdict('0 0 9 9', 're f', ''), 'AMBIGUOUS', 'Ghostscript draws nothing')
  t.equal(verdict('0 0 9 9 ', 're f', ''), 'accepted')
  t.equal(verdict('0 0 9 9 re f 0', 'g', ''), 'AMBIGUOUS')
  t.equal(verdict('q', 'Q', ''), 'accepted')
  t.equal(verdict('0 0 9 9 re f*', '0 g', ''), 'accepted')
  t.equal(verdict('0 0 9 9 re f', '0 g', ''), 'accepted')
})

t.test('a part without a proper end may not end with an operand', async (t) => {
  const verdict = (first: string) => {
    const open = stream('/Filter /FlateDecode', deflateFlushed(first))
    const file = buildPdf({
      pages: [{ extra: `/Contents [${FIRST_EXTRA} 0 R ${FIRST_EXTRA + 1} 0 R]` }],
      objects: [open, stream('', '9 9 re f\n')],
    })
    file.write('/Cxntents', file.indexOf('/Contents'), 'latin1')
    return codeOf(file)
  }
  t.equal(verdict('0 0 '), 'AMBIGUOUS', 'Ghostscript forgets the operands')
  t.equal(verdict(`0 0 ${' '.repeat(300)}`), 'AMBIGUOUS')
  t.equal(verdict('1 g 0 0 9 9 re f 0 0 m 0 0 '), 'AMBIGUOUS')
})

t.test('places hold as many numbers as they must', async (t) => {
  const annotation = (rect: string) =>
    codeOf(
      buildPdf({
        pages: [{ extra: `/Annots [${FIRST_EXTRA} 0 R]` }],
        objects: [`<< /Type /Annot /Subtype /Link /Rect ${rect} >>`],
      }),
    )
  t.equal(annotation('[0 0 9 9]'), 'accepted')
  for (const rect of ['[0 0 9]', '[0 0 9 9 9]', '[0 0 9 /A]', '[0 0 2 0 R 9]', '7', '(0 0 9 9)']) {
    t.equal(annotation(rect), 'AMBIGUOUS', rect)
  }
  const direct = buildPdf({
    pages: [{ extra: '/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 /A] >>]' }],
  })
  t.equal(codeOf(direct), 'AMBIGUOUS')
  t.equal(codeOf(shown(stream(`${FORM} /Matrix [1 0 0 1 0 0]`, CONTENT))), 'accepted')
  t.equal(codeOf(shown(stream(`${FORM} /Matrix [1 0 0 1 0]`, CONTENT))), 'AMBIGUOUS')
  t.equal(codeOf(shown(stream('/Subtype /Form /BBox [0 0 9]', CONTENT))), 'AMBIGUOUS')
})
