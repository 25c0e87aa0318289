/** Whether every reader takes a whole document alike. */
import { Buffer } from 'node:buffer'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { PadesError } from '../../../pades/errors.ts'
import { readDocument } from '../../../pades/pdf/open.ts'
import type { Fault } from '../../../pades/syntax/faults.ts'
import { SyntaxJudge } from '../../../pades/syntax/judge.ts'
import { assertReadAlike } from '../../../pades/sign/unambiguous.ts'
import { CORPUS } from '../../fixtures/corpus.ts'
import {
  buildPdf,
  FILE_STRUCTURES,
  FIRST_EXTRA,
  type FileStructure,
  type PdfSpec,
  withWrongStart,
} from '../../fixtures/pdf.ts'
import { profileOf } from './graphics/painted.ts'

const judge = (file: Uint8Array): Fault | undefined =>
  readDocument(file, (document) => new SyntaxJudge(document).judge(document))

for (const structure of FILE_STRUCTURES) {
  t.test(`a file with the structure ${structure} is taken alike`, async (t) => {
    t.equal(judge(buildPdf({ structure, pages: [{}, {}] })), undefined)
  })
}

/** A file in which one text was replaced by another of the same length. */
function patched(spec: PdfSpec, from: string, to: string): Buffer {
  const file = buildPdf(spec)
  const at = file.indexOf(from)
  file.write(to.padEnd(from.length, ' '), at, 'latin1')
  return file
}

const replaced = (from: RegExp, to: string): Buffer =>
  Buffer.from(buildPdf().toString('latin1').replace(from, to), 'latin1')

const PLAIN: PdfSpec = {}

/** A file whose page leads to an object; behind it are `null` and an empty dictionary. */
const leadingTo = (source: string, structure: FileStructure = 'table'): Buffer =>
  buildPdf({
    structure,
    pages: [{ extra: `/Foo ${FIRST_EXTRA} 0 R` }],
    objects: [source, 'null', '<< >>'],
  })

const NOTHING = `${FIRST_EXTRA + 1} 0 R`
const PARAMETERS = `${FIRST_EXTRA + 2} 0 R`
const withData = (entries: string) => `<< ${entries} /Length 1 >>\nstream\n>\nendstream`

/** Ghostscript shows nothing of such streams. */
const ODD_FILTERS: readonly string[] = [
  '/Filter null',
  '/Filter [null]',
  '/Filter [/ASCIIHexDecode null]',
  `/Filter ${NOTHING}`,
  '/Filter [/ASCIIHexDecode] /DecodeParms << >>',
  `/Filter [/ASCIIHexDecode] /DecodeParms ${PARAMETERS}`,
  '/Filter [/ASCIIHexDecode] /DecodeParms null',
  `/Filter /ASCIIHexDecode /DecodeParms ${NOTHING}`,
  `/Filter [/ASCIIHexDecode] /DecodeParms [${NOTHING}]`,
  '/Filter /ASCIIHexDecode /DecodeParms << /Predictor null >>',
  `/Filter /ASCIIHexDecode /DecodeParms << /Predictor ${NOTHING} >>`,
  '/Filter /ASCIIHexDecode /DecodeParms << /Predictor%\nnull >>',
  '/Filter /ASCIIHexDecode /DecodeParms << /X (%) /Predictor null >>',
]

t.test('filters and parameters of one form are taken alike', (t) => {
  for (const entries of [
    '/Filter /ASCIIHexDecode /DecodeParms << >>',
    `/Filter /ASCIIHexDecode /DecodeParms ${PARAMETERS}`,
    '/Filter [/ASCIIHexDecode] /DecodeParms [null]',
    '/Filter /ASCIIHexDecode %null\n/DecodeParms << >>',
    `/Filter [/ASCIIHexDecode] /DecodeParms [${PARAMETERS}]`,
    '/Filter /ASCIIHexDecode /DecodeParms << /Nullable /nullity >>',
  ]) {
    t.equal(judge(leadingTo(withData(entries))), undefined, entries)
  }
  t.end()
})

t.test('parameters that contain themselves are looked at once', (t) => {
  const again = `${FIRST_EXTRA + 1} 0 R `
  const entries = `/Filter [/ASCIIHexDecode] /DecodeParms ${again}`
  const file = buildPdf({
    pages: [{ extra: `/Foo ${FIRST_EXTRA} 0 R` }],
    objects: [withData(entries), `[${again.repeat(300)}]`],
  })
  t.match(judge(file), { code: 'FILTER_ODD' })
  t.end()
})

const AMBIGUOUS: Readonly<Record<string, readonly [Buffer, Fault['code']]>> = {
  'a page with a stray token': [
    buildPdf({ pages: [{ extra: '> /Contents 12 0 R' }] }),
    'STRAY_TOKEN',
  ],
  'an object that a page leads to': [
    buildPdf({ pages: [{ extra: `/Foo ${FIRST_EXTRA} 0 R` }], objects: ['<< /A 1 /A 2 >>'] }),
    'KEY_REPEATED',
  ],
  'a packed object that a page leads to': [
    buildPdf({
      structure: 'object-streams',
      pages: [{ extra: `/Foo ${FIRST_EXTRA} 0 R` }],
      objects: ['<< /A 1 /A 2 >>'],
    }),
    'KEY_REPEATED',
  ],
  'a row that leads beside its object': [
    patched(PLAIN, '0000000015 00000 n', '0000000017 00000 n'),
    'HEADER_NOT_AT_OFFSET',
  ],
  'a row with another generation': [
    patched(PLAIN, '0000000015 00000 n', '0000000015 00001 n'),
    'GENERATION_DIFFERS',
  ],
  'a reference to another generation': [
    buildPdf({ pages: [{ extra: `/Foo ${FIRST_EXTRA} 3 R` }], objects: ['7'] }),
    'REFERENCE_GENERATION',
  ],
  'a section whose keyword has no line of its own': [replaced(/xref\n/, 'xref '), 'SECTION_ODD'],
  'a subsection that begins beside its rows': [
    replaced(/xref\n(\d+ \d+)\n/, 'xref\n$1 '),
    'SECTION_ODD',
  ],
  'an object that is nothing but a reference': [leadingTo('10 0 R'), 'REFERENCE_ALONE'],
  'a packed object that is nothing but a reference': [
    leadingTo('10 0 R', 'object-streams'),
    'REFERENCE_ALONE',
  ],
  'a catalog of another type': [replaced(/\/Catalog/, '/Catalos'), 'ROOT_WRONG'],
  'a size of nothing': [patched(PLAIN, '/Size 12', '/Size 0'), 'SIZE_WRONG'],
  'a size that no file has': [replaced(/\/Size 12/, '/Size 99999999'), 'SIZE_WRONG'],
  ...Object.fromEntries(
    ODD_FILTERS.map((entries) => [
      `a stream with ${entries}`,
      [leadingTo(withData(entries)), 'FILTER_ODD'] as const,
    ]),
  ),
  'a size below an object': [patched(PLAIN, '/Size 12', '/Size 11'), 'SIZE_WRONG'],
  'a stream with a wrong length': [patched(PLAIN, '/Length 3', '/Length 2'), 'LENGTH_WRONG'],
  'a hybrid file that hides an annotation': [
    buildPdf({
      structure: 'hybrid',
      pages: [{ extra: `/Annots [${FIRST_EXTRA} 0 R]` }],
      objects: ['<< /Subtype /Text /Rect [0 0 9 9] >>'],
    }),
    'HYBRID_SHOWN',
  ],
}

for (const [what, [file, code]] of Object.entries(AMBIGUOUS)) {
  t.test(`${what} is ${code}`, async (t) => t.equal(judge(file)?.code, code))
}

t.test('a page tree that Kids, Count and Parent describe differently is refused', async (t) => {
  const odd = {
    'a page without a type': patched(PLAIN, '/Type /Page /Parent', '/Type /Pag  /Parent'),
    'a page with another parent': patched(PLAIN, '/Parent 2 0 R', '/Parent 3 0 R'),
    'a count that is too large': patched(PLAIN, '/Count 1', '/Count 2'),
    'a root with a parent': patched(
      { pages: [{ mediaBox: [0, 0, 595, 842] }] },
      '/MediaBox [0 0 595 842]',
      '/Parent 2 0 R',
    ),
    'a page that is turned by 45 degrees': buildPdf({ pages: [{ rotate: 45 }] }),
    'a box with five numbers': buildPdf({ pages: [{ extra: '/CropBox [0 0 90 90 90]' }] }),
    'a box that is a name': buildPdf({ pages: [{ extra: '/CropBox /A' }] }),
    'a box without an area': buildPdf({ pages: [{ extra: '/CropBox [0 0 0 0]' }] }),
    'a box without a height': buildPdf({ pages: [{ extra: '/CropBox [0 90 90 90]' }] }),
    'a unit that is not a number': buildPdf({ pages: [{ extra: '/UserUnit (2)' }] }),
    'a box beside the page': buildPdf({ pages: [{ extra: '/CropBox [900 900 999 999]' }] }),
    'a page without a box': patched(PLAIN, '/MediaBox', '/MediaBix'),
    'a box that is larger than the page': buildPdf({
      pages: [{ extra: '/CropBox [300 -100 1200 700]' }],
    }),
    'a page of half a point': buildPdf({ pages: [{ extra: '/CropBox [0 0 0.5 90]' }] }),
    'a unit of no size': buildPdf({ pages: [{ extra: '/UserUnit 0' }] }),
    'annotations that are not an array': buildPdf({ pages: [{ extra: '/Annots /' }] }),
    'resources that are not a dictionary': buildPdf({ pages: [{ extra: '/Resources 7' }] }),
    'contents that are not a stream': patched(PLAIN, '/Contents 11 0 R', '/Contents 2 0 R '),
  }
  for (const [what, file] of Object.entries(odd)) {
    t.throws(() => readDocument(file, assertReadAlike), { code: 'AMBIGUOUS' }, what)
  }
  const rounded = buildPdf({ pages: [{ extra: '/CropBox [-0.9 -0.9 595.9 842.9]' }] })
  t.doesNotThrow(() => readDocument(rounded, assertReadAlike), 'a box that is rounded')
})

t.test('a damaged file must have each object header at the begin of a line', async (t) => {
  const damaged = (before: string) =>
    replaced(/\n10 0 obj(.*)startxref/s, `${before}10 0 obj$1startxrXf`)
  t.doesNotThrow(() => readDocument(damaged('\n'), assertReadAlike))
  t.doesNotThrow(() => readDocument(damaged('\r \t'), assertReadAlike))
  for (const before of [' ', '\n% ', '\n%%EOF']) {
    t.throws(() => readDocument(damaged(before), assertReadAlike), { code: 'AMBIGUOUS' })
  }
})

t.test('a page whose group takes colours away is refused', async (t) => {
  const withSpace = (space: string, components = 3) =>
    buildPdf({
      pages: [{}, { extra: `/Group << /S /Transparency ${space} >>` }],
      objects: [profileOf(components)],
    })
  const profile = `/CS [/ICCBased ${FIRST_EXTRA} 0 R]`
  const matrix = '[0.4124 0.2126 0.0193 0.3576 0.7152 0.1192 0.1805 0.0722 0.9505]'
  const calibrated = `/CS [/CalRGB << /WhitePoint [0.9505 1 1.089] /Matrix ${matrix} >>]`
  const kept = ['', '/CS null', '/CS /DeviceRGB', '/CS /DeviceCMYK', calibrated, profile]
  for (const space of kept) {
    t.doesNotThrow(() => readDocument(withSpace(space), assertReadAlike), space)
  }
  const grey = ['/CS /DeviceGray', '/CS [/CalGray << >>]', '/CS /Foo', '/CS 7', '/CS [/Lab << >>]']
  const odd = [...grey.map((space) => withSpace(space)), withSpace(profile, 1)]
  for (const file of odd) {
    t.throws(() => readDocument(file, assertReadAlike), { code: 'AMBIGUOUS', message: /group/ })
  }
})

t.test(
  'a damaged file with the same object twice is refused, with one of each mended',
  async (t) => {
    const once = withWrongStart(buildPdf())
    t.doesNotThrow(() => readDocument(once, assertReadAlike))
    const page = '10 0 obj\n<< /Type /Page /Parent 2 0 R /Contents 3 0 R >>\nendobj\n'
    const twice = Buffer.concat([once.subarray(0, 15), Buffer.from(page), once.subarray(15)])
    t.throws(() => readDocument(twice, assertReadAlike), { code: 'AMBIGUOUS' })
  },
)

t.test('a later object with the number of a page is refused, unless it is the same', async (t) => {
  const page = '<< /Type /Page /Parent 2 0 R /Contents 11 0 R  >>'
  const other = page.replace('11 0 R', '3 0 R')
  for (const [source, isRefused] of [
    [other, true],
    [page, false],
  ] as const) {
    const file = buildPdf({ objects: [`(\n10 0 obj\n${source}\nendobj\n)`] })
    if (isRefused) t.throws(() => readDocument(file, assertReadAlike), { code: 'AMBIGUOUS' })
    else t.doesNotThrow(() => readDocument(file, assertReadAlike))
  }
})

const DEFLATED = deflateSync('some data').toString('latin1')
const DATA_LENGTH = DEFLATED.length

/** A document whose page leads to a stream with a filter and a wrong Length. */
const filtered = (filter: string): Buffer => {
  const body = `<< /Filter ${filter} /Length 1 >>\nstream\n${DEFLATED}\nendstream`
  return buildPdf({ pages: [{ extra: `/Foo ${FIRST_EXTRA} 0 R` }], objects: [body] })
}

/** A document whose page leads to a stream with such a Length. */
function withLength(
  length: number | string,
  entries = '',
  data = DEFLATED,
  keyword = '\n',
): Buffer {
  const dictionary = `<< /Filter /FlateDecode ${entries} /Length ${length} >>`
  const body = `${dictionary}\nstream${keyword}${data}\nendstream`
  return buildPdf({ pages: [{ extra: `/Foo ${FIRST_EXTRA} 0 R` }], objects: [body] })
}

t.test('a wrong Length of data that end by themselves is tolerated', async (t) => {
  for (const length of [0, 1, DATA_LENGTH - 6, DATA_LENGTH + 9, DATA_LENGTH + 31, 99_999_999]) {
    t.equal(judge(withLength(length)), undefined, `${length} instead of ${DATA_LENGTH}`)
  }
  t.equal(judge(withLength(0, '', DEFLATED, '\r')), undefined, 'with a carriage return alone')
})

t.test('a Length that misses more than 5,000 bytes is refused', async (t) => {
  const noise = Array.from({ length: 500 }, (_, index) => createHash('sha256').update(`${index}`))
  const data = deflateSync(Buffer.concat(noise.map((hash) => hash.digest()))).toString('latin1')
  t.equal(judge(withLength(data.length - 5_000, '', data)), undefined)
  t.equal(judge(withLength(data.length - 5_001, '', data))?.code, 'LENGTH_WRONG')
  t.equal(judge(withLength(0, '', data))?.code, 'LENGTH_WRONG')
})

t.test('a wrong Length of other data is refused', async (t) => {
  const stored = (text: string) => deflateSync(text, { level: 0 }).toString('latin1')
  const odd = {
    'no deflated data': withLength(3, '', 'plain data'),
    'another filter': filtered('/ASCIIHexDecode'),
    'a filter before it': filtered('[/ASCIIHexDecode /FlateDecode]'),
    'a negative length': withLength(-1),
    'no length': withLength('/None'),
    'bytes behind the data': withLength(0, '', `${DEFLATED} more`),
    'a wrong checksum': withLength(0, '', `${DEFLATED.slice(0, -1)}\u0000`),
    'data that are cut off': withLength(0, '', DEFLATED.slice(0, -6)),
    'endstream within the data': withLength(0, '', stored('a endstream b')),
    'a misspelt endstream within the data': withLength(0, '', stored('a endstrea b')),
    'endobj within the data': withLength(0, '', stored('a endobj b')),
    'an object stream': withLength(0, '/Type /ObjStm'),
    'a cross-reference stream': withLength(0, '/Type /XRef'),
  }
  for (const [what, file] of Object.entries(odd)) t.equal(judge(file)?.code, 'LENGTH_WRONG', what)
})

t.test('a carriage return alone may follow the keyword stream, other bytes may not', async (t) => {
  t.equal(judge(withLength(DATA_LENGTH, '', DEFLATED, '\r')), undefined)
  t.equal(judge(withLength(DATA_LENGTH, '', DEFLATED, ' \n'))?.code, 'STREAM_KEYWORD_ODD')
  t.equal(judge(withLength(DATA_LENGTH, '', DEFLATED, '%\n'))?.code, 'STREAM_KEYWORD_ODD')
})

t.test('what is inflated to find ends is bounded', async (t) => {
  // 300 times its size is what one stream may hold; nine of them are more than a document may.
  const noise = randomBytes(60_000).toString('base64')
  const data = deflateSync(Buffer.concat([Buffer.alloc(12_000_000), Buffer.from(noise)]))
  const dictionary = `<< /Filter /FlateDecode /Length ${data.length - 9} >>`
  const body = `${dictionary}\nstream\n${data.toString('latin1')}\nendstream`
  const extra = Array.from({ length: 9 }, (_, index) => `/F${index} ${FIRST_EXTRA + index} 0 R`)
  const file = buildPdf({ pages: [{ extra: extra.join(' ') }], objects: Array(9).fill(body) })
  t.throws(() => judge(file), { code: 'LIMIT_EXCEEDED' })
})

t.test('what nothing leads to may be as it likes', async (t) => {
  t.equal(judge(buildPdf({ objects: ['<< /A 1 > /B >>'] })), undefined)
})

t.test('a hybrid file may hide the structure tree', async (t) => {
  const file = buildPdf({
    structure: 'hybrid',
    catalog: `/StructTreeRoot ${FIRST_EXTRA} 0 R`,
    objects: ['<< /Type /StructTreeRoot >>'],
  })
  t.equal(judge(file), undefined)
})

t.test('a stream that is compressed with Brotli is reported as not supported', async (t) => {
  const image =
    '<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray' +
    ' /BitsPerComponent 8 /Filter [/BrotliDecode] /Length 1 >>\nstream\n0\nendstream'
  const content = '<< /Filter /BrotliDecode /Length 1 >>\nstream\n0\nendstream'
  const used = [
    `/Contents ${FIRST_EXTRA} 0 R`,
    `/Resources << /XObject << /I ${FIRST_EXTRA} 0 R >> >>`,
  ]
  for (const [index, object] of [content, image].entries()) {
    const extra = `/Padding (${'x'.repeat(99)})`
    const plain = buildPdf({ pages: [{ extra }], objects: [object] }).toString('latin1')
    const [before = ''] = /\/Contents \d+ 0 R +\/Padding \(x+\)/.exec(plain) ?? []
    const file = plain.replace(before, (used[index] as string).padEnd(before.length))
    t.throws(() => readDocument(Buffer.from(file, 'latin1'), assertReadAlike), {
      code: 'AMBIGUOUS',
      message: /compressed with Brotli, which is not supported/,
    })
  }
})

/** A document whose XRefStm has a row of its own for the page that the table lists. */
function withPageInXRefStm(rowOf: (offset: number) => readonly [type: number, offset: number]) {
  const file = buildPdf()
  const offset = file.indexOf('10 0 obj')
  const [type, second] = rowOf(offset)
  const row = Buffer.alloc(7)
  row.writeUInt8(type)
  row.writeUInt32BE(second, 1)
  const entries = '/Type /XRef /W [1 4 2] /Index [10 1] /Size 90 /Length 7'
  const rows = row.toString('latin1')
  const [, before] = /startxref\n(\d+)/.exec(file.toString('latin1')) ?? []
  const trailer = `<< /Size 90 /Root 1 0 R /Prev ${before}`
  const stream = `88 0 obj\n<< ${entries} >>\nstream\n${rows}\nendstream\nendobj\n`
  const page = `10 1\n${String(offset).padStart(10, '0')} 00000 n \n`
  const table = `xref\n${page}trailer\n${trailer} /XRefStm ${file.length} >>\n`
  const start = file.length + stream.length
  const revision = `${stream}${table}startxref\n${start}\n%%EOF\n`
  return Buffer.concat([file, Buffer.from(revision, 'latin1')])
}

t.test('a hybrid file whose stream and table place a page differently is not alike', async (t) => {
  t.equal(judge(withPageInXRefStm((offset) => [1, offset])), undefined)
  t.equal(judge(withPageInXRefStm(() => [1, 15]))?.code, 'HYBRID_SHOWN')
  t.equal(judge(withPageInXRefStm(() => [0, 0]))?.code, 'HYBRID_SHOWN')
})

/** One needs a password; permissions refuse the others before this judge is asked. */
const ENCRYPTED = ['bug1782186.pdf', 'bug1815476.pdf', 'bug900822.pdf', 'secHandler.pdf']
/** A fuzzer damaged an embedded font, and viewers show other letters in its place. */
const DAMAGED = ['PDFBOX-3148-2-fuzzed.pdf']
/** It clips to letters, which viewers do differently. */
const CLIPPED = ['issue3584.pdf']
/** A region of its JBIG2 image is drawn only by another one, which MuPDF does not know. */
const REFINED = ['bitmap-refine-template1.pdf']
/** Parts of its groups remove others, which pdf.js and MuPDF do not know. */
const KNOCKOUT = ['knockout_groups_test.pdf']
/** Its map of codes has some that are outside of their space. */
const OUTSIDE = ['issue11768_reduced.pdf']
/** Its amounts are indices that its palette does not have. */
const OUT_OF_RANGE = ['IndexedCS_negative_and_high.pdf']
/** Fonts of readers have other widths or other letters for what they show. */
const REPLACED = [
  ...['bug1365930.pdf', 'issue11242_reduced.pdf', 'issue13916.pdf', 'issue18059.pdf'],
  ...['issue18099_reduced.pdf', 'issue2840.pdf', 'issue5238.pdf'],
]
const EXPECTED = [OUT_OF_RANGE, DAMAGED, REFINED, OUTSIDE, REPLACED, CLIPPED, KNOCKOUT].flat()
const folder = join(CORPUS, 'documents')
const files = existsSync(folder) ? readdirSync(folder).filter((name) => /\.pdf$/.test(name)) : []

t.test('real documents are taken alike', { skip: files.length === 0 }, async (t) => {
  const refused = files.filter((name) => {
    try {
      readDocument(readFileSync(join(folder, name)), assertReadAlike)
      return false
    } catch (error) {
      return error instanceof PadesError && error.code === 'AMBIGUOUS'
    }
  })
  t.same(
    refused.filter((name) => !ENCRYPTED.includes(name)),
    EXPECTED.filter((name) => files.includes(name)).sort(),
  )
})
