/**
 * What is done to a signed file afterwards never passes: edits and open ends.
 */

import { Buffer } from 'node:buffer'
import t from 'tap'
import { validateBehind, validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { appendRevision, buildPdf, FIRST_EXTRA, startXref } from '../../fixtures/pdf.ts'
import { appended, referenceIn, sourceOf, stream, withEntry } from '../../fixtures/revisions.ts'
import { OPTIONS, signAround, signSample } from './sample.ts'

const PAGE = 10
const CONTENT = 11

const sample = await signSample()

async function validateLevels(file: Buffer) {
  const { signatures } = await validateSignatures(file, OPTIONS)
  return signatures.map(({ indication, modifications }) => `${indication} ${modifications.level}`)
}

const REFUSED = Array(3).fill('INDETERMINATE OTHER')

const catalog = sourceOf(sample, 1)
const page = sourceOf(sample, PAGE)
const form = sourceOf(sample, referenceIn(catalog, 'AcroForm'))
const field = referenceIn(form, 'Fields')
const fieldSource = sourceOf(sample, field)
const appearance = referenceIn(fieldSource, 'N')

t.test('the attacks start from a file that is valid and objects that are there', async (t) => {
  t.same(await validateLevels(sample), [
    'TOTAL_PASSED FORM_FILLING',
    'TOTAL_PASSED FORM_FILLING',
    'TOTAL_PASSED NONE',
  ])
  for (const number of [field, appearance]) t.ok(number > 0)
  t.match(fieldSource, '/FT /Sig')
  t.match(page, '/Type /Page')
})

t.test('an untouched revision that rewrites an object as it was changes nothing', async (t) => {
  t.match(
    (await validateLevels(appended(sample, { [PAGE]: page }))).join(),
    /^(TOTAL_PASSED \w+,?){3}$/,
  )
})

const EDITS: Readonly<Record<string, Record<number, string>>> = {
  'the content of a page': { [CONTENT]: stream('BT /F1 18 Tf 72 700 Td (You owe me) Tj ET') },
  'which content a page shows': {
    [PAGE]: page.replace(`${CONTENT} 0 R`, '900 0 R'),
    900: stream(''),
  },
  'the size of a page': { [PAGE]: withEntry(page, '/CropBox [0 0 100 100]') },
  'a font that a page uses': { 3: '<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>' },
  'annotations: a note on a page': {
    [PAGE]: page.replace(/\/Annots \[/, '/Annots [900 0 R '),
    900: '<< /Type /Annot /Subtype /FreeText /Rect [0 0 595 842] /Contents (void) >>',
  },
  'annotations: a note after the signatures': {
    [PAGE]: page.replace(/(\/Annots \[[^\]]*)\]/, '$1 900 0 R]'),
    900: '<< /Type /Annot /Subtype /FreeText /Rect [0 0 595 842] /Contents (void) >>',
  },
  'the appearance of a signature': {
    [appearance]: sourceOf(sample, appearance).replace(/\/BBox \[[^\]]*\]/, '/BBox [0 0 1 1]'),
  },
  'which appearance a signature has': {
    [field]: fieldSource.replace(`/N ${appearance} 0 R`, '/N 900 0 R'),
    900: stream('0 0 100 100 re f'),
  },
  'where a signature is shown': {
    [field]: fieldSource.replace(/\/Rect \[[^\]]*\]/, '/Rect [0 0 9 9]'),
  },
  'the name of a signature field': { [field]: fieldSource.replace(/\/T \([^)]*\)/, '/T (Other)') },
  'what the document does when opened': {
    1: withEntry(catalog, '/OpenAction << /S /JavaScript /JS (app.alert(1)) >>'),
  },
  'the flags of the form': {
    [referenceIn(catalog, 'AcroForm')]: withEntry(form, '/NeedAppearances true'),
  },
  'a new text field': {
    [referenceIn(catalog, 'AcroForm')]: form.replace(/(\/Fields \[[^\]]*)\]/, '$1 900 0 R]'),
    900: '<< /FT /Tx /T (Text) /V (new) /Type /Annot /Subtype /Widget /Rect [0 0 9 9] >>',
  },
  'a new unsigned signature field that shows something': {
    [referenceIn(catalog, 'AcroForm')]: form.replace(/(\/Fields \[[^\]]*)\]/, '$1 900 0 R]'),
    [PAGE]: page.replace(/(\/Annots \[[^\]]*)\]/, '$1 900 0 R]'),
    900:
      '<< /FT /Sig /T (New) /Type /Annot /Subtype /Widget /Rect [0 0 595 842]' +
      ' /AP << /N 901 0 R >> >>',
    901: stream('1 g 0 0 595 842 re f'),
  },
  'a new field that shows an earlier signature': {
    [referenceIn(catalog, 'AcroForm')]: form.replace(/(\/Fields \[[^\]]*)\]/, '$1 900 0 R]'),
    900:
      '<< /FT /Sig /T (New) /Type /Annot /Subtype /Widget /Rect [0 0 9 9]' +
      ` /V ${referenceIn(fieldSource, 'V')} 0 R >>`,
  },
  'a removed signature field': {
    [referenceIn(catalog, 'AcroForm')]: form.replace(/(\/Fields \[)\s*\d+ 0 R/, '$1'),
  },
  'the title': { 4: '<< /Title (Another title) >>' },
  'a security store of nothing': { 1: withEntry(catalog, '/DSS << /Certs null >>') },
  'a security store of the wrong types': { 1: withEntry(catalog, '/DSS << /Certs [(x)] >>') },
}

/** Entries of a store that are null, with one that is not. */
const NULLS: Readonly<Record<string, string>> = {
  'the certificates': '/Certs 1998 0 R /CRLs []',
  'one of the certificates': '/Certs [null]',
  'a certificate that is missing': '/Certs [1998 0 R]',
  'the table of signatures': '/VRI 1998 0 R /CRLs []',
  'the entry of a signature': '/VRI << /AB 1998 0 R >>',
  'one of its certificates': '/VRI << /AB << /Cert [null] >> >>',
}

for (const [what, entries] of Object.entries(NULLS)) {
  t.test(`in a new security store, ${what} may be null`, async (t) => {
    const changed = { 1: withEntry(catalog, `/DSS << ${entries} >>`) }
    const { signatures } = await validateSignatures(appended(sample, changed), OPTIONS)
    for (const { indication } of signatures) t.equal(indication, 'TOTAL_PASSED')
  })
}

const SHARED_PARTS = Array.from({ length: 5_000 }, (_, i) => `/V${i} ${FIRST_EXTRA + 1} 0 R`)

/** Former stores without an end, in the catalog of the document that is signed. */
const ENDLESS: Readonly<Record<string, readonly string[]>> = {
  'names itself': [`<< /VRI ${FIRST_EXTRA} 0 R >>`],
  'names each of its parts twice': Array.from({ length: 40 }, (_, index) => {
    const next = `${FIRST_EXTRA + index + 1} 0 R`
    return index === 39 ? '<< >>' : `<< /A ${next} /B ${next} >>`
  }),
  'has the same list in each of its parts': [
    `<< /VRI << ${SHARED_PARTS.join(' ')} >> >>`,
    `<< /Cert ${FIRST_EXTRA + 2} 0 R >>`,
    `[${`${FIRST_EXTRA + 3} 0 R `.repeat(9_000)}]`,
    stream('x'),
  ],
}

for (const [what, objects] of Object.entries(ENDLESS)) {
  t.test(`a former security store that ${what} may not change`, async (t) => {
    const original = buildPdf({ catalog: `/DSS ${FIRST_EXTRA} 0 R`, objects })
    const signed = await signAround(original)
    const entry = `/DSS ${FIRST_EXTRA} 0 R`
    const later = sourceOf(signed, 1).replace(entry, '/DSS << /Certs [1999 0 R] >>')
    const file = appended(signed, { 1: later, 1999: stream('x') })
    const { signatures } = await validateSignatures(file, OPTIONS)
    t.ok(signatures.length > 0)
    t.notOk(signatures.some(({ indication }) => indication === 'TOTAL_PASSED'))
  })
}

for (const [what, objects] of Object.entries(EDITS)) {
  t.test(`an edit of ${what} is not permitted`, async (t) => {
    const { signatures } = await validateSignatures(appended(sample, objects), OPTIONS)
    t.ok(signatures.length > 0)
    t.notOk(signatures.some(({ indication }) => indication === 'TOTAL_PASSED'))
  })
}

t.test('another catalog is not permitted', async (t) => {
  const file = appendRevision(
    sample,
    { 900: catalog },
    `/Size 2001 /Root 900 0 R /Prev ${startXref(sample)}`,
  )
  t.same(await validateLevels(file), REFUSED)
})

t.test('a freed object is not permitted', async (t) => {
  const at = sample.length
  const free =
    `xref\n${CONTENT} 1\n0000000000 00001 f \ntrailer\n` +
    `<< /Size 2001 /Root 1 0 R /Info 4 0 R /Prev ${startXref(sample)} >>\n` +
    `startxref\n${at}\n%%EOF\n`
  t.same(await validateLevels(Buffer.concat([sample, Buffer.from(free, 'latin1')])), REFUSED)
})

t.test('an entry that leads to another place of the signed bytes is not permitted', async (t) => {
  const decoy = await signSample(buildPdf({ objects: [`(${CONTENT} 0 obj (decoy) endobj)`] }))
  const target = decoy.indexOf(`${CONTENT} 0 obj (decoy)`)
  const at = decoy.length
  const table =
    `xref\n${CONTENT} 1\n${String(target).padStart(10, '0')} 00000 n \ntrailer\n` +
    `<< /Size 2001 /Root 1 0 R /Info 4 0 R /Prev ${startXref(decoy)} >>\n` +
    `startxref\n${at}\n%%EOF\n`
  t.same(await validateLevels(Buffer.concat([decoy, Buffer.from(table, 'latin1')])), REFUSED)
})

t.test('a reference that the signed file left open cannot be filled', async (t) => {
  const prepared = await signSample(
    buildPdf({
      pages: [{ extra: '/Resources << /XObject << /X 900 0 R >> >>' }],
    }),
  )
  t.match((await validateLevels(prepared)).join(), /^(TOTAL_PASSED \w+,?){3}$/)
  t.same(await validateLevels(appended(prepared, { 900: stream('0 0 9 9 re f') })), REFUSED)
})

t.test('an entry that leads beyond the signed bytes cannot be filled', async (t) => {
  const place = 90_000
  const original = buildPdf({ objects: ['null'], pages: [{ extra: `/Foo ${FIRST_EXTRA} 0 R` }] })
  const signed = await signAround(original)
  const offset = String(original.indexOf(`${FIRST_EXTRA} 0 obj`)).padStart(10, '0')
  signed.write(String(place).padStart(10, '0'), signed.indexOf(offset), 'latin1')
  const filled = Buffer.alloc(place + 60, ' ')
  signed.copy(filled)
  filled.write(`${FIRST_EXTRA} 0 obj (shown) endobj`, place, 'latin1')
  const end = `startxref\n${startXref(signed)}\n%%EOF\n`
  const file = Buffer.concat([filled, Buffer.from(end, 'latin1')])
  const { signatures, document } = (await validateBehind(file, OPTIONS, original.length)).report
  t.ok(document.unsignedTailBytes > 0)
  t.notOk(signatures.some(({ indication }) => indication === 'TOTAL_PASSED'))
})

t.test('a byte range that leaves out more than its own Contents fails', async (t) => {
  const text = sample.toString('latin1')
  const at = text.lastIndexOf('/ByteRange [') + '/ByteRange ['.length
  const [zero, first, second, length] = text.slice(at, text.indexOf(']', at)).split(' ').map(Number)
  const wider = `${zero} ${first - 20} ${second} ${length}`
  const file = Buffer.from(sample)
  file.write(wider.padEnd(text.indexOf(']', at) - at, ' '), at, 'latin1')
  const { signatures } = await validateSignatures(file, OPTIONS)
  t.match(signatures.at(-1), { indication: 'TOTAL_FAILED', subIndication: 'FORMAT_FAILURE' })
})

t.test('a signature container of another document fails', async (t) => {
  const other = await signSample(buildPdf({ pages: [{}, {}] }))
  const hole = /\/Contents <([0-9a-f]+)>/g
  const [[, foreign]] = [...other.toString('latin1').matchAll(hole)].slice(-1)
  const [own] = [...sample.toString('latin1').matchAll(hole)].slice(-1)
  const file = Buffer.from(sample)
  const digits = foreign.slice(0, own[1].length).padEnd(own[1].length, '0')
  file.write(digits, own.index + '/Contents <'.length, 'latin1')
  const last = (await validateSignatures(file, OPTIONS)).signatures.at(-1)
  t.match(last, { indication: 'TOTAL_FAILED', subIndication: 'HASH_FAILURE' })
})

t.test('bytes after the end are reported', async (t) => {
  const file = Buffer.concat([sample, Buffer.from('hello')])
  const report = await validateSignatures(file, OPTIONS)
  t.equal(report.document.unsignedTailBytes, 5)
  t.match(report.signatures[0].warnings, [{ key: 'UNSIGNED_BYTES_AT_END' }])
})
