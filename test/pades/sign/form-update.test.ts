import { Buffer } from 'node:buffer'
import t from 'tap'
import { acroFormOf, readFields } from '../../../pades/pdf/acro-form.ts'
import type { PdfDocument } from '../../../pades/pdf/document.ts'
import { addAnnotations, addFields } from '../../../pades/sign/form-update.ts'
import { IncrementalUpdate } from '../../../pades/pdf/incremental-update.ts'
import { readDocument } from '../../../pades/pdf/open.ts'
import { readPages } from '../../../pades/pdf/page-tree.ts'
import { PdfReference, type PdfValue } from '../../../pades/pdf/values.ts'
import { buildPdf, FIRST_EXTRA, type PdfSpec } from '../../fixtures/pdf.ts'

const reference = (index: number) => `${FIRST_EXTRA + index} 0 R`

interface Change {
  /** Indices of pages that get the new annotation. */
  pages?: readonly number[]
  isSigned?: boolean
  isField?: boolean
}

/** Adds one object as an annotation or a field, and gives the result with the object's number. */
function change(spec: PdfSpec, { pages = [], isSigned = false, isField = true }: Change) {
  const original = buildPdf(spec)
  return readDocument(original, (document) => {
    const update = new IncrementalUpdate(document)
    const number = update.add('<< /Type /Annot /Subtype /Widget /FT /Sig /T (New) >>')
    const additions = new Map(pages.map((page) => [page, [number]]))
    addAnnotations(document, update, readPages(document), additions)
    if (isField) addFields(document, update, [number], isSigned)
    update.endRevision(Buffer.alloc(16))
    return { file: Buffer.concat([original, update.tail]), number, tail: Buffer.from(update.tail) }
  })
}

const annotationsOf = (document: PdfDocument, page: number): (PdfValue | number)[] =>
  (document.array(readPages(document)[page].dictionary.get('Annots')) ?? []).map((item) =>
    item instanceof PdfReference ? item.number : item,
  )

t.test('a document without a form gets one, and the page keeps its annotations', async (t) => {
  const pages = [{ extra: `/Annots [${reference(0)}] /Tabs /S` }]
  const spec = { pages, objects: ['<< /Subtype /Link >>'] }
  const { file, number } = change(spec, { pages: [0] })
  readDocument(file, (document) => {
    t.same(annotationsOf(document, 0), [FIRST_EXTRA, number])
    t.ok(readPages(document)[0].dictionary.has('Tabs'))
    t.same(
      readFields(document).map(({ name }) => name),
      ['New'],
    )
    t.equal(acroFormOf(document)?.get('SigFlags'), 3)
  })
})

t.test('an array of annotations that is an object is all that changes', async (t) => {
  const spec = {
    pages: [{ extra: `/Annots ${reference(0)}` }],
    objects: [`[${reference(1)}]`, '<< >>'],
  }
  const { file, number, tail } = change(spec, { pages: [0], isField: false })
  readDocument(file, (document) => t.same(annotationsOf(document, 0), [FIRST_EXTRA + 1, number]))
  t.notMatch(tail.toString('latin1'), /\/Type \/Page/)
})

t.test('an array of annotations that two pages share is not changed for both', async (t) => {
  const shared = `/Annots ${reference(0)}`
  const pages = [{ extra: shared }, { extra: shared }]
  const spec = { pages, objects: [`[${reference(1)}]`, '<< >>'] }
  const { file, number } = change(spec, { pages: [1], isField: false })
  readDocument(file, (document) => {
    t.same(annotationsOf(document, 0), [FIRST_EXTRA + 1])
    t.same(annotationsOf(document, 1), [FIRST_EXTRA + 1, number])
  })
})

const FORMS: Readonly<Record<string, PdfSpec>> = {
  'in the catalog': { catalog: `/AcroForm << /Fields [${reference(0)}] /DA (/Helv 0 Tf) >>` },
  'as an object': { catalog: `/AcroForm ${reference(1)}` },
  'as an object with a list apart': { catalog: `/AcroForm ${reference(2)}` },
}
for (const [where, spec] of Object.entries(FORMS)) {
  t.test(`a form ${where} keeps its fields and entries`, async (t) => {
    const objects = [
      '<< /FT /Tx /T (Old) /V (x) >>',
      `<< /Fields [${reference(0)}] /DA (/Helv 0 Tf) >>`,
      `<< /Fields ${reference(3)} /DA (/Helv 0 Tf) >>`,
      `[${reference(0)}]`,
    ]
    readDocument(change({ ...spec, objects }, {}).file, (document) => {
      t.same(
        readFields(document).map(({ name }) => name),
        ['Old', 'New'],
      )
      t.ok(acroFormOf(document)?.has('DA'))
      t.equal(acroFormOf(document)?.get('SigFlags'), 3)
    })
  })
}

t.test('a list of fields apart is the only thing to change when the flags are set', async (t) => {
  const objects = [`<< /Fields ${reference(1)} /SigFlags 3 >>`, '[]']
  const spec = { catalog: `/AcroForm ${reference(0)}`, objects }
  const { file, tail } = change(spec, { isSigned: true })
  readDocument(file, (document) => t.equal(readFields(document).length, 1))
  t.notMatch(tail.toString('latin1'), /SigFlags/)
})

const withForm = (entries: string, field: string): PdfSpec => ({
  catalog: `/AcroForm << /Fields [${reference(0)}] ${entries} >>`,
  objects: [field],
})
const entriesAfter = (spec: PdfSpec, isSigned: boolean): string[] =>
  readDocument(change(spec, { isSigned }).file, (document) => [
    ...(acroFormOf(document)?.keys() ?? []),
  ])

t.test('NeedAppearances goes unless somebody has signed', async (t) => {
  const complete = withForm('/NeedAppearances true', '<< /FT /Tx /T (a) /AP << >> >>')
  t.notOk(entriesAfter(complete, false).includes('NeedAppearances'))
  t.ok(entriesAfter(complete, true).includes('NeedAppearances'), 'not under a signature')
})

t.test('a static XFA description goes unless somebody has signed', async (t) => {
  const form = withForm('/XFA [(config) 9 0 R]', '<< /FT /Tx /T (a) /AP << >> >>')
  t.notOk(entriesAfter(form, false).includes('XFA'))
  t.ok(entriesAfter(form, true).includes('XFA'))
})

t.test('fields of a tree have qualified names and inherit type and value', async (t) => {
  const objects = [
    `<< /T (Top) /FT /Sig /V 7 /Kids [${reference(1)} ${reference(2)}] >>`,
    '<< /T (One) >>',
    `<< /T (Two) /V 8 /Kids [${reference(3)}] >>`,
    '<< /Subtype /Widget >>',
  ]
  const catalog = `/AcroForm << /Fields [${reference(0)} ${reference(0)}] >>`
  readDocument(buildPdf({ catalog, objects }), (document) => {
    t.same(
      readFields(document).map(({ name, type, value }) => [name, type, value]),
      [
        ['Top.One', 'Sig', 7],
        ['Top.Two', 'Sig', 8],
      ],
    )
  })
})
