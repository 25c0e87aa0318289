/**
 * Later revisions that one reader takes for harmless and another for new content: none passes.
 */

import { Buffer } from 'node:buffer'
import { deflateSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { validateBehind, validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { buildPdf, startXref } from '../../fixtures/pdf.ts'
import { appended, referenceIn, sourceOf, stream, withEntry } from '../../fixtures/revisions.ts'
import { OPTIONS, signAround, signSample } from './sample.ts'

const PAGE = 10
const CONTENT = 11
/** An object that shows something else. */
const OTHER = 902
const FORGED = stream('BT /F1 18 Tf 72 700 Td (PAY 9999) Tj ET')

const sample = await signSample()
const page = sourceOf(sample, PAGE)
const catalog = sourceOf(sample, 1)
const form = sourceOf(sample, referenceIn(catalog, 'AcroForm'))
const before = page.replace(/>>$/, '')

/** An object as it is written, and what its row says when that is something else. */
interface RawObject {
  number: number
  source: string
  header?: string
  end?: string
  /** Added to the offset of the row. */
  shift?: number
  generation?: number
}

/** Appends a revision whose every byte the caller decides. */
function raw(
  file: Buffer,
  objects: readonly RawObject[],
  { trailer = '', tables = 1, hide = '' } = {},
): Buffer {
  let body = ''
  const rows: string[] = []
  for (const { number, source, header, end = 'endobj', shift = 0, generation = 0 } of objects) {
    const offset = String(file.length + body.length + shift).padStart(10, '0')
    rows.push(`${number} 1\n${offset} ${String(generation).padStart(5, '0')} n \n`)
    body += `${header ?? `${number} ${generation} obj`}\n${source}\n${end}\n`
  }
  body += hide
  const at = file.length + body.length
  const table = Array<string>(tables).fill(rows.join('')).join('')
  const section =
    `xref\n${table}trailer\n<< /Size 2001 /Root 1 0 R /Info 4 0 R /Prev ${startXref(file)} ` +
    `${trailer} >>\nstartxref\n${at}\n%%EOF\n`
  return Buffer.concat([file, Buffer.from(body + section, 'latin1')])
}

const pageAs = (source: string): Buffer => appended(sample, { [PAGE]: source, [OTHER]: FORGED })

/** The dictionary of the page, spelt so that readers disagree on what it shows. */
const SPELLINGS: Readonly<Record<string, string>> = {
  'a single > within it': `${before} > /Contents ${OTHER} 0 R >>`,
  'its key twice': `${before} /Contents ${OTHER} 0 R >>`,
  'its key twice, the forged one first': page.replace('<<', `<< /Contents ${OTHER} 0 R `),
  'its key once more by an escape': `${before} /#43ontents ${OTHER} 0 R >>`,
  'a null entry behind it': `${before} /Contents null >>`,
  'a keyword for a value': `${before} /Contents foo >>`,
  'a key without a value': `${before} /Contents >>`,
  'a stray <<': `${before} << /Contents ${OTHER} 0 R >>`,
  'a stray [': `${before} [ /Contents ${OTHER} 0 R >>`,
  'a stray ]': `${before} ] /Contents ${OTHER} 0 R >>`,
  'a stray word': `${before} obj /Contents ${OTHER} 0 R >>`,
  'a stray endstream': `${before} endstream /Contents ${OTHER} 0 R >>`,
  'a stray brace': `${before} } /Contents ${OTHER} 0 R >>`,
  'a comment that hides an entry': `${before} %\r/Contents ${OTHER} 0 R\n>>`,
  'a second value': `${page} << /Type /Page /Contents ${OTHER} 0 R >>`,
  'a number spelt oddly': page.replace(`${CONTENT} 0 R`, `+${CONTENT} 0 R`),
  'a reference to another generation': page.replace(`${CONTENT} 0 R`, `${CONTENT} 1 R`),
  'white space that only some skip': `${before} /Foo\0${OTHER} 0 R >>`,
  'an unknown entry': `${before} /Foo ${OTHER} 0 R >>`,
  'the same entries in another order': page
    .replace(/\/Contents \d+ 0 R/, '')
    .replace('<<', `<< /Contents ${CONTENT} 0 R`),
}

async function assertNotPassed(t: Test, file: Buffer): Promise<void> {
  const { signatures, summary } = await validateSignatures(file, OPTIONS)
  t.equal(signatures.length, 3)
  for (const { indication } of signatures) t.not(indication, 'TOTAL_PASSED')
  t.equal(summary.documentModifiedAfterSigning, 'notPermitted')
}

for (const [what, source] of Object.entries(SPELLINGS)) {
  t.test(`a page written anew with ${what} does not pass`, async (t) =>
    assertNotPassed(t, pageAs(source)),
  )
}

const forgedPage = page.replace(`${CONTENT} 0 R`, `${OTHER} 0 R`)
const forged: RawObject = { number: OTHER, source: FORGED }
const ended = sample.length

/** An object stream as PDF source. */
function objectStream(pairs: readonly (readonly [number, string])[]): string {
  let at = 0
  const index = pairs.map(([number, source]) => {
    const pair = `${number} ${at}`
    at += source.length + 1
    return pair
  })
  const first = `${index.join(' ')} `
  const data = deflateSync(first + pairs.map(([, source]) => `${source} `).join(''))
  return (
    `<< /Type /ObjStm /N ${pairs.length} /First ${first.length} /Filter /FlateDecode ` +
    `/Length ${data.length} >>\nstream\n${data.toString('latin1')}\nendstream`
  )
}

/** Appends a revision with a cross-reference stream. */
function packedRevision(
  file: Buffer,
  pairs: readonly (readonly [number, string])[],
  rows: readonly (readonly [number, number])[],
): Buffer {
  const container = `903 0 obj\n${objectStream(pairs)}\nendobj\n`
  const at = file.length + container.length
  const entries = [
    ...rows.map(([number, index]) => [number, 2, 903, index] as const),
    [903, 1, file.length, 0] as const,
    [904, 1, at, 0] as const,
  ]
  const data = Buffer.concat(
    entries.map(([, type, second, third]) => {
      const row = Buffer.alloc(6)
      row[0] = type
      row.writeUInt32BE(second, 1)
      row[5] = third
      return row
    }),
  )
  const section =
    `904 0 obj\n<< /Type /XRef /W [1 4 1] /Index [${entries.map(([n]) => `${n} 1`).join(' ')}]` +
    ` /Size 2001 /Root 1 0 R /Info 4 0 R /Prev ${startXref(file)} /Length ${data.length} >>` +
    `\nstream\n${data.toString('latin1')}\nendstream\nendobj\nstartxref\n${at}\n%%EOF\n`
  return Buffer.concat([file, Buffer.from(container + section, 'latin1')])
}

const inStreams = await signSample(buildPdf({ structure: 'object-streams' }))
const packedPage = '<< /Type /Page /Contents 902 0 R >>'

/** Structures of a file that lead readers to different objects. */
const STRUCTURES: Readonly<Record<string, Buffer>> = {
  'a generation of one': raw(sample, [{ number: PAGE, source: page, generation: 1 }]),
  'a row with another generation than the header': raw(sample, [
    { number: PAGE, source: page, generation: 1, header: `${PAGE} 0 obj` },
  ]),
  'a header with another number': raw(sample, [
    { number: PAGE, source: page, header: `${PAGE + 90} 0 obj` },
  ]),
  'a row that leads beside the header': raw(sample, [
    { number: PAGE, source: page, header: `9${PAGE} 0 obj`, shift: 1 },
  ]),
  'the same number twice in a section': raw(sample, [
    { number: PAGE, source: page },
    { number: PAGE, source: forgedPage },
    forged,
  ]),
  'the same subsection twice': raw(sample, [{ number: PAGE, source: page }], { tables: 2 }),
  'an object that no row names': raw(sample, [{ number: PAGE, source: page }], {
    hide: `${PAGE} 0 obj\n${forgedPage}\nendobj\n`,
  }),
  'an object within a stream': raw(sample, [
    { number: OTHER, source: stream(`\n${PAGE} 0 obj\n${forgedPage}\nendobj\n`) },
  ]),
  'an object within a string': raw(sample, [
    { number: OTHER, source: `(${PAGE} 0 obj ${forgedPage} endobj)` },
  ]),
  'no endobj': raw(sample, [{ number: PAGE, source: page, end: '' }]),
  'the catalog named twice': appended(sample, { [PAGE]: page }, '/Root 900 0 R'),
  'the section before named twice': appended(sample, { [PAGE]: page }, `/Prev 9`),
  'a hybrid section': appended(sample, { [PAGE]: page }, '/XRefStm 15'),
  'an entry of the trailer of its own': appended(sample, { [PAGE]: page }, '/Foo 7'),
  'a size that is too small': (() => {
    const file = appended(sample, { 900: '<< >>' })
    const at = file.lastIndexOf('/Size 2001')
    file.write('/Size 0009', at, 'latin1')
    return file
  })(),
  'a stream with a wrong length': appended(sample, {
    [OTHER]: '<< /Length 3 >>\nstream\n0 0 9 9 re f\nendstream',
  }),
  'a stream keyword with a carriage return alone': appended(sample, {
    [OTHER]: '<< /Length 3 >>\nstream\rq Q\nendstream',
  }),
  'a stream with a second filter': appended(sample, {
    [OTHER]: '<< /Length 3 /DP << >> >>\nstream\nq Q\nendstream',
  }),
  'a stream in another file': appended(sample, {
    [OTHER]: '<< /Length 3 /F (other.pdf) >>\nstream\nq Q\nendstream',
  }),
  'many bytes behind the end mark': Buffer.concat([
    appended(sample, { [PAGE]: page }),
    Buffer.alloc(2_000, '\n'),
  ]),
  'an object stream with a number twice': packedRevision(
    inStreams,
    [
      [PAGE, page],
      [PAGE, packedPage],
    ],
    [[PAGE, 0]],
  ),
  'an object stream whose index points elsewhere': packedRevision(
    inStreams,
    [
      [PAGE, page],
      [OTHER, packedPage],
    ],
    [
      [PAGE, 1],
      [OTHER, 0],
    ],
  ),
  'an object stream with an object that no row names': packedRevision(
    inStreams,
    [
      [PAGE, page],
      [OTHER, packedPage],
    ],
    [[PAGE, 0]],
  ),
}

for (const [what, file] of Object.entries(STRUCTURES)) {
  t.test(`a revision with ${what} does not pass`, async (t) => {
    t.ok(file.length > ended)
    const { signatures } = await validateSignatures(file, OPTIONS)
    t.notOk(signatures.some(({ indication }) => indication === 'TOTAL_PASSED'))
  })
}

t.test('an ambiguous page that was signed does not pass once more follows it', async (t) => {
  const ambiguous = '> /Contents [21 0 R 300 0 R] '
  const clean = '/Foo 7'.padEnd(ambiguous.length, ' ')
  const original = buildPdf({ pages: [{}, { extra: clean }] })
  const file = await signAround(original)
  file.write(ambiguous, file.indexOf(clean), 'latin1')
  const start = original.length
  const { signatures } = (await validateBehind(file, OPTIONS, start)).report
  const [first, second, last] = signatures
  for (const one of [first, second]) {
    t.match(one, { indication: 'INDETERMINATE', errors: [{ key: 'SYNTAX_AMBIGUOUS' }] })
  }
  t.equal(last?.indication, 'TOTAL_PASSED', 'nothing follows the last signature')
  const filled = await validateBehind(appended(file, { 300: FORGED }), OPTIONS, start)
  t.notOk(filled.report.signatures.some(({ indication }) => indication === 'TOTAL_PASSED'))
})

const AREA = '/Rect [72 690 300 720]'
const PAINTING: Readonly<Record<string, string>> = {
  'a background': '/MK << /BG [1 1 1] >>',
  'a border style': '/BS << /W 9 >>',
  'a border': '/Border [0 0 9]',
  'nothing but its rectangle': '',
}

for (const [what, entries] of Object.entries(PAINTING)) {
  t.test(`a new unsigned field with ${what} over the text does not pass`, async (t) => {
    const file = appended(sample, {
      [referenceIn(catalog, 'AcroForm')]: form.replace(/(\/Fields \[[^\]]*)\]/, '$1 900 0 R]'),
      [PAGE]: page.replace(/(\/Annots \[[^\]]*)\]/, '$1 900 0 R]'),
      900: `<< /FT /Sig /T (New) /Type /Annot /Subtype /Widget ${AREA} ${entries} >>`,
    })
    await assertNotPassed(t, file)
  })
}

t.test('an object written anew byte for byte passes', async (t) => {
  const { signatures } = await validateSignatures(pageAs(page), OPTIONS)
  for (const { indication } of signatures) t.equal(indication, 'TOTAL_PASSED')
})

t.test('findings name the object and the fault', async (t) => {
  const file = pageAs(withEntry(page, `/Contents ${OTHER} 0 R`))
  const [first] = (await validateSignatures(file, OPTIONS)).signatures
  t.ok(first?.errors.some(({ key }) => key === 'LATER_REVISION_AMBIGUOUS'))
  t.ok(first?.modifications.changes.some(({ path }) => path.endsWith('syntax.KEY_REPEATED')))
})
