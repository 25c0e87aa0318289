/** Two readings of a document are compared page by page, before and after signing. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { checkReadings } from '../../../pades/compare/check-readings.ts'
import {
  type SecondPage,
  type SecondReading,
  SecondStream,
} from '../../../pades/compare/second-reading.ts'
import { PadesError } from '../../../pades/errors.ts'
import { PdfDocument } from '../../../pades/pdf/document.ts'
import { type Page, readPages } from '../../../pades/pdf/page-tree.ts'
import { type PdfReference, PdfStream, type PdfValue } from '../../../pades/pdf/values.ts'
import { buildPdf, FIRST_EXTRA, type PdfSpec } from '../../fixtures/pdf.ts'

const EXTRA = `${FIRST_EXTRA} 0 R`
const stream = (text: string) => `<< /Length ${text.length} >>\nstream\n${text}\nendstream`

/** A second reader that agrees with the first one about any file. */
class Agreeing implements SecondReading {
  readonly #document: PdfDocument
  readonly #pages: readonly Page[]

  constructor(bytes: Uint8Array) {
    this.#document = new PdfDocument(bytes)
    this.#document.readSections()
    this.#pages = readPages(this.#document)
  }

  get pageCount() {
    return this.#pages.length
  }

  get catalog() {
    return this.#document.catalog
  }

  async page(index: number): Promise<SecondPage> {
    const { reference, dictionary, resources, geometry } = this.#pages[index] as Page
    return {
      ...(reference && { reference }),
      dictionary,
      resources: this.#document.dictionary(resources) ?? new Map(),
      annotations: this.#document.array(dictionary.get('Annots')) ?? [],
      view: geometry.cropBox,
      rotate: geometry.rotate,
      userUnit: geometry.userUnit,
    }
  }

  object(reference: PdfReference): PdfValue {
    const value = this.#document.get(reference)
    if (!(value instanceof PdfStream)) return value
    return new SecondStream(value.dictionary, value.start, this.#document.encoded(value).length)
  }
}

/** What is said of one document, when the second reader takes it for others. */
async function findFault(
  own: PdfSpec,
  second: PdfSpec | SecondReading,
  signed: PdfSpec = own,
): Promise<string | undefined> {
  const original = buildPdf(own)
  const open = async (bytes: Uint8Array) => {
    if (bytes !== original) return new Agreeing(buildPdf(signed))
    return 'page' in second ? (second as SecondReading) : new Agreeing(buildPdf(second as PdfSpec))
  }
  try {
    await checkReadings(original, new Uint8Array(), open)
    return undefined
  } catch (error) {
    if (error instanceof PadesError && error.code === 'READ_DIFFERENTLY') return error.message
    throw error
  }
}

/** Entries of the same length, so that streams lie at the same offset in both files. */
const padded = (entries: string) => entries.padEnd(80)

const RICH: PdfSpec = {
  pages: [{}, { extra: `/Annots [${EXTRA}] /Group << /S /Transparency /I true >>`, rotate: 90 }],
  objects: [
    `<< /Type /Annot /Subtype /Square /Rect [0 0 9 9] /AP << /N ${FIRST_EXTRA + 1} 0 R >> >>`,
    stream('0 0 9 9 re f'),
    '<< /Contents (x) /Next null >>',
  ],
}

t.test('readings that agree are fine, also of objects that refer to each other', async (t) => {
  t.equal(await findFault({}, {}), undefined)
  t.equal(await findFault(RICH, RICH), undefined)
  const circle = { pages: [{ extra: `/Group ${EXTRA}` }], objects: [`<< /Next ${EXTRA} >>`] }
  t.equal(await findFault(circle, circle), undefined)
})

t.test('each difference on a page is found', async (t) => {
  const page = (extra: string, ...objects: string[]): PdfSpec => ({
    pages: [{}, { extra: padded(extra) }],
    objects: [...objects],
  })
  const pairs: Record<string, [PdfSpec, PdfSpec]> = {
    'media box': [page(''), page('/MediaBox [0 0 595 843]')],
    'crop box': [page(''), page('/CropBox [0 0 595 800]')],
    rotation: [page(''), page('/Rotate 90')],
    unit: [page(''), page('/UserUnit 2')],
    contents: [page('/Contents 11 0 R'), page('/Contents 13 0 R')],
    'a further stream': [page('/Contents [13 0 R]'), page('/Contents [13 0 R 11 0 R]')],
    'an annotation more': [page(''), page('/Annots [3 0 R]')],
    'a resource more': [page(''), page('/Resources << /Font << /F2 3 0 R >> >>')],
    'an entry deep down': [
      page(`/Group ${EXTRA}`, '<< /A << /B [1 2 << /C (x) >>] >> >>'),
      page(`/Group ${EXTRA}`, '<< /A << /B [1 2 << /C (y) >>] >> >>'),
    ],
    'a resource of a name that is skipped elsewhere': [
      page('/Resources << /XObject << /Metadata 11 0 R >> >>'),
      page('/Resources << /XObject << /Metadata 13 0 R >> >>'),
    ],
    'the length of a stream': [
      page(`/Group ${EXTRA}`, stream('0 0 9 9 re f')),
      page(`/Group ${EXTRA}`, '<< /Length 12 >>\nstream\n0 0 9 9 endstream re f\nendstream'),
    ],
    kinds: [page('/Group 1'), page('/Group /1')],
  }
  for (const [difference, [own, second]] of Object.entries(pairs)) {
    t.match(await findFault(own, second), /^Page 2 is read differently/, difference)
  }
})

t.test('numbers of pages that differ are reported', async (t) => {
  t.match(await findFault({ pages: [{}, {}] }, {}), /different number of pages/)
})

t.test('what decides on all pages is compared too', async (t) => {
  const catalog = (entries: string) => ({ catalog: padded(entries) })
  const layers = catalog('/OCProperties << /D << /OFF [3 0 R] >> >>')
  t.match(await findFault(layers, catalog('')), /^The PDF is read differently/)
  const form = catalog('/AcroForm << /DA (/F1 9 Tf) >>')
  t.match(await findFault(catalog(''), form), /^The PDF is read differently/)
  t.equal(await findFault(form, form), undefined)
})

t.test('a page or an object that the second reader cannot read is a difference', async (t) => {
  const blind = new Agreeing(buildPdf(RICH))
  blind.object = () => {
    throw new Error('unreadable')
  }
  t.match(await findFault(RICH, blind), /^Page 1 is read differently/)
  const lost = new Agreeing(buildPdf(RICH))
  lost.page = async () => {
    throw new Error('no such page')
  }
  t.match(await findFault(RICH, lost), /^Page 1 is read differently/)
})

t.test('signing may add annotations that are new objects, and nothing else', async (t) => {
  const pages = (entries: string) => [{ extra: padded(entries) }]
  const own: PdfSpec = { pages: pages(`/Annots [${EXTRA}]`), objects: ['<< /A 1 >>'] }
  const second = '<< /B 1 >>'
  const signedWith = (extra: string, objects = ['<< /A 1 >>', second]) =>
    findFault(own, own, { pages: pages(extra), objects })
  const added = `${FIRST_EXTRA + 1} 0 R`
  t.equal(await signedWith(`/Annots [${EXTRA} ${added}]`), undefined)
  t.match(await signedWith(`/Annots [${added} ${EXTRA}]`), /^Page 1/, 'put below')
  t.match(await signedWith(`/Annots [${added}]`), /^Page 1/, 'replaced')
  t.match(await signedWith(`/Annots [${EXTRA} 11 0 R]`), /^Page 1/, 'an old object')
  t.match(await signedWith(`/Annots [${EXTRA} << /B 1 >>]`), /^Page 1/, 'no object')
  t.match(await signedWith(`/Annots [${EXTRA}]`, ['<< /A 2 >>']), /^Page 1/, 'changed')
  t.match(await signedWith(`/Annots [${EXTRA}] /Contents 3 0 R`), /^Page 1/, 'contents')
})

t.test('a document with a wrong cross-reference is compared as it is repaired', async (t) => {
  const pdf = buildPdf({ pages: [{ extra: `/Group ${EXTRA}` }], objects: [`<< /A ${EXTRA} >>`] })
  const text = Buffer.from(pdf).toString('latin1')
  const at = text.indexOf(`${FIRST_EXTRA} 0 obj`).toString().padStart(10, '0')
  const broken = Buffer.from(text.replace(at, '0000000012'), 'latin1')
  t.not(broken.toString('latin1'), text)
  const open = async () => new Agreeing(pdf)
  await t.resolves(checkReadings(broken, broken, open))
})

t.test('an end-of-line marker before the end of a stream is not a difference', async (t) => {
  const pages = [{ extra: `/Group ${EXTRA}` }]
  const own = { pages, objects: [stream('0 0 9 9 re f\n')] }
  const shorter = new Agreeing(buildPdf(own))
  const object = shorter.object.bind(shorter)
  let cutBytes = 1
  shorter.object = (reference) => {
    const value = object(reference)
    const isIt = reference.number === FIRST_EXTRA && value instanceof SecondStream
    if (!isIt) return value
    return new SecondStream(value.dictionary, value.start, value.length - cutBytes)
  }
  t.equal(await findFault(own, shorter), undefined)
  cutBytes = 2
  t.match(await findFault(own, shorter), /^Page 1/)
})

t.test('the counts of a large tree have to be right, because readers skip by them', async (t) => {
  const pages = Array.from({ length: 301 }, () => ({}))
  t.equal(await findFault({ pages }, { pages }), undefined)
  const source = Buffer.from(buildPdf({ pages })).toString('latin1')
  const wrong = Buffer.from(source.replace('/Count 301', '/Count 300'), 'latin1')
  const open = async () => new Agreeing(wrong)
  await t.rejects(checkReadings(wrong, wrong, open), { code: 'READ_DIFFERENTLY' })
})
