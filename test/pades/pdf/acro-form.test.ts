import { Buffer } from 'node:buffer'
import t from 'tap'
import { readFields, textOf } from '../../../pades/pdf/acro-form.ts'
import { MAX_DEPTH } from '../../../pades/pdf/limits.ts'
import { readDocument } from '../../../pades/pdf/open.ts'
import { nameOf, PdfString } from '../../../pades/pdf/values.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'

const reference = (index: number) => `${FIRST_EXTRA + index} 0 R`

/** Reads the fields of a form whose first object is its only root. */
function fieldsOf(...objects: string[]) {
  const bytes = buildPdf({ catalog: `/AcroForm << /Fields [${reference(0)}] >>`, objects })
  return readDocument(bytes, (document) =>
    readFields(document).map(({ name, type, value, reference: own }) => ({
      name,
      ...(type !== undefined && { type }),
      ...(value !== undefined && { value: nameOf(value) }),
      ...(own && { number: own.number }),
    })),
  )
}

t.test('a field inherits name, type and value from the fields above it', async (t) => {
  t.strictSame(
    fieldsOf(
      `<< /T (person) /FT /Btn /V /On /Kids [${reference(1)} ${reference(2)}] >>`,
      '<< /T (first) >>',
      `<< /T (more) /FT /Ch /Kids [${reference(3)}] >>`,
      '<< /T (last) /V /Off >>',
    ),
    [
      { name: 'person.first', type: 'Btn', value: 'On', number: FIRST_EXTRA + 1 },
      { name: 'person.more.last', type: 'Ch', value: 'Off', number: FIRST_EXTRA + 3 },
    ],
  )
})

t.test('kids without a partial name are widgets, and a field may be a direct object', async (t) => {
  t.strictSame(
    fieldsOf(`<< /T (one) /FT /Tx /Kids [${reference(1)}] >>`, '<< /Rect [0 0 9 9] >>'),
    [{ name: 'one', type: 'Tx', number: FIRST_EXTRA }],
  )
  t.strictSame(fieldsOf('<< /T (one) /Kids [<< /T (two) >>] >>'), [{ name: 'one.two' }])
})

t.test('an empty partial name adds no full stop', async (t) => {
  t.strictSame(
    fieldsOf(`<< /T () /Kids [${reference(1)}] >>`, '<< /T (two) >>').map(({ name }) => name),
    ['two'],
  )
})

t.test('a text string is in UTF-16, in UTF-8, or in PDFDocEncoding', (t) => {
  const texts: [number[], string][] = [
    [[0x53, 0x97, 0x99, 0x9d, 0x9e, 0xa0], 'SŠŽšž€'],
    [[0x18, 0x1f, 0x80, 0x8d, 0x9b], '˘˜•“ł'],
    [[0xe1, 0xfd, 0x0a, 0x7f, 0x9f, 0xad], 'áý\n\u007f\u009f\u00ad'],
    [[0xfe, 0xff, 0x01, 0x60], 'Š'],
    [[0xff, 0xfe, 0x60, 0x01], 'Š'],
    [[0xef, 0xbb, 0xbf, 0xc5, 0xa0], 'Š'],
  ]
  for (const [bytes, text] of texts) t.equal(textOf(new PdfString(Uint8Array.from(bytes))), text)
  t.end()
})

t.test('a field that is its own kid is read once', async (t) => {
  t.strictSame(fieldsOf(`<< /T (one) /Kids [${reference(0)}] >>`), [])
})

t.test('fields that are nested too deeply are refused', async (t) => {
  const chain = Array.from({ length: MAX_DEPTH + 2 }, (_, index) =>
    index > MAX_DEPTH ? '<< /T (x) >>' : `<< /T (x) /Kids [${reference(index + 1)}] >>`,
  )
  t.throws(() => fieldsOf(...chain), { code: 'LIMIT_EXCEEDED' })
  t.equal(fieldsOf(...chain.slice(0, MAX_DEPTH), '<< /T (x) >>').length, 1)
})

t.test(
  'text strings are UTF-16 or UTF-8 with their marks, else one character a byte',
  async (t) => {
    const textIn = (hex: string) => textOf(new PdfString(Buffer.from(hex, 'hex')))
    t.equal(textIn('feff010d'), 'č')
    t.equal(textIn('fffe0d01'), 'č')
    t.equal(textIn('efbbbfc48d'), 'č')
    t.equal(textIn('e8'), 'è')
    t.equal(textOf(null), undefined)
  },
)
