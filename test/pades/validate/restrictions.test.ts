/** Changes that a signature forbids are named. */
import t from 'tap'
import { readDocument } from '../../../pades/pdf/open.ts'
import { readRestrictions } from '../../../pades/validate/restrictions.ts'
import { findSignatures } from '../../../pades/validate/signature-fields.ts'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'
import { appended, sourceOf } from '../../fixtures/revisions.ts'
import { appendSigned, FIELD, SIGNATURE, withFieldOnPage } from './foreign-signer.ts'
import { OPTIONS, signSample } from './sample.ts'
import { RECTANGLE, NEW } from './later-changes.ts'

const FORBIDDING: Readonly<Record<string, string>> = {
  DocMDP: '/P 2',
  FieldMDP: '/Action /All',
}

for (const [method, parameters] of Object.entries(FORBIDDING)) {
  t.test(`a change that ${method} forbids is named`, async (t) => {
    const sample = await signSample()
    const transform = `/TransformMethod /${method} /TransformParams << ${parameters} >>`
    const entries = `/Reference [<< /Type /SigRef ${transform} >>]`
    const objects = withFieldOnPage(sample, `${RECTANGLE} /F 4 /V ${SIGNATURE} 0 R`)
    const file = await appendSigned(sample, objects, { entries })
    const later = Object.entries(withFieldOnPage(file, '')).map(
      ([number, source]) => [number, source.replace(`${FIELD} 0 R]`, `${NEW} 0 R]`)] as const,
    )
    const field = '<< /FT /Sig /T (Later) /Type /Annot /Subtype /Widget /Rect [0 0 0 0] >>'
    const again = appended(file, {
      ...Object.fromEntries(later),
      [FIELD]: sourceOf(file, FIELD),
      [NEW]: field,
    })
    const { signatures } = await validateSignatures(again, OPTIONS)
    for (const { fieldName, indication, modifications } of signatures) {
      const refused = modifications.changes.filter(({ permitted }) => !permitted)
      const isForbidden = fieldName === 'New'
      t.equal(indication, isForbidden ? 'INDETERMINATE' : 'TOTAL_PASSED')
      t.same(
        refused.map(({ object, path }) => [object, path]),
        isForbidden ? [[NEW, `${NEW}.${method}`]] : [],
      )
    }
  })
}

/** The level that a signature gives, and which of the names it locks. */
function restrictionsOf(
  { reference = '', field = '' }: { reference?: string; field?: string },
  names: readonly string[] = [],
) {
  const value = `/V << /Type /Sig ${reference} >>`
  const bytes = buildPdf({
    catalog: `/AcroForm << /Fields [${FIRST_EXTRA} 0 R] >>`,
    objects: [`<< /FT /Sig /T (Signature) ${field} ${value} >>`],
  })
  return readDocument(bytes, (document) => {
    const [signature] = findSignatures(document)
    if (!signature) throw new Error('the form has a signature')
    const { docMdp, isCertification, locks } = readRestrictions(document, signature)
    return { docMdp, isCertification, locked: names.filter((name) => locks(name)) }
  })
}

const docMdp = (parameters: string) => `/Reference [<< /TransformMethod /DocMDP ${parameters} >>]`
const fieldMdp = (parameters: string) =>
  `/Reference [<< /TransformMethod /FieldMDP ${parameters} >>]`

t.test('what is not a level of DocMDP is the strictest one', (t) => {
  const levels: Record<string, 1 | 2 | 3> = {
    '': 2,
    '/TransformParams << /V /1.2 >>': 2,
    '/TransformParams << /P null >>': 2,
    '/TransformParams << /P 1 >>': 1,
    '/TransformParams << /P 2 >>': 2,
    '/TransformParams << /P 3 >>': 3,
    '/TransformParams << /P 0 >>': 1,
    '/TransformParams << /P 4 >>': 1,
    '/TransformParams << /P 1.5 >>': 1,
    '/TransformParams << /P (3) >>': 1,
    '/TransformParams << /P /None >>': 1,
  }
  for (const [parameters, level] of Object.entries(levels)) {
    const found = restrictionsOf({ reference: docMdp(parameters) })
    t.match(found, { docMdp: level, isCertification: true }, parameters)
  }
  const alone = docMdp('/TransformParams << /P 1 >>').replace(/[[\]]/g, '')
  t.match(restrictionsOf({ reference: alone }), { docMdp: 1, isCertification: true })
  t.match(restrictionsOf({ field: '/Lock << /Action /Include /Fields [] /P 2 >>' }), { docMdp: 2 })
  t.match(restrictionsOf({ field: '/Lock << /Action /Include /Fields [] /P (3) >>' }), {
    docMdp: 1,
    isCertification: false,
  })
  t.equal(restrictionsOf({ field: '/Lock << /Action /All >>' }).docMdp, undefined)
  t.end()
})

t.test('FieldMDP locks the named fields, in whichever encoding, and those below', (t) => {
  const names = ['Š 1', 'Š 1.a', 'Š 10', 'Ž']
  const lockedBy = (parameters: string) =>
    restrictionsOf({ reference: fieldMdp(`/TransformParams << ${parameters} >>`) }, names).locked
  // In PDFDocEncoding and UTF-16.
  for (const name of ['<972031>', '<FEFF0160002000 31>']) {
    t.same(lockedBy(`/Action /Include /Fields [${name}]`), ['Š 1', 'Š 1.a'], name)
    t.same(lockedBy(`/Action /Exclude /Fields [${name}]`), ['Š 10', 'Ž'], name)
  }
  t.same(lockedBy('/Action /All'), names)
  t.same(lockedBy('/Action /Other /Fields [(x)]'), names)
  t.same(lockedBy('/Action /Exclude'), names)
  t.same(lockedBy('/Action /Include'), [])
  t.same(restrictionsOf({ reference: fieldMdp('') }, names).locked, names, 'without parameters')
  t.same(restrictionsOf({ field: '/Lock << >>' }, names).locked, names)
  t.end()
})
