/** What a signature forbids to those who change the document after it. */
import t from 'tap'
import { readDocument } from '../../../pades/pdf/open.ts'
import { readSignatureRules } from '../../../pades/pdf/signature-rules.ts'
import { findSignatures } from '../../../pades/validate/signature-fields.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'

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
    const { dictionary, field } = signature
    const { docMdp, certification, locks } = readSignatureRules(
      document,
      dictionary,
      field.dictionary,
    )
    const isCertification = certification !== undefined
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
  t.same(lockedBy('/Action /Include /Fields []'), [])
  for (const fields of ['', '/Fields (x)', '/Fields [/x]', '/Fields [(x) null]'])
    t.same(lockedBy(`/Action /Include ${fields}`), names, 'not a list of names')
  t.same(restrictionsOf({ reference: fieldMdp('') }, names).locked, names, 'without parameters')
  t.same(restrictionsOf({ field: '/Lock << >>' }, names).locked, names)
  t.end()
})
