/** A signing is rehearsed: what defies it is refused, what does not is left as it is. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import t from 'tap'
import { inspect } from '../../../pades/pdf/inspect.ts'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { rehearse, type Rehearsal } from '../../../pades/sign/rehearse.ts'
import { buildPdf, type FileStructure, FIRST_EXTRA, type PdfSpec } from '../../fixtures/pdf.ts'
import { longTerm, publishedStamp } from '../../fixtures/pki.ts'
import { OPTIONS, signSample } from '../validate/sample.ts'

const place = (page: number, x = 10) => ({
  page,
  x,
  y: 10,
  width: 90,
  height: 40,
  unit: 'pt' as const,
})

const foreseen = (...places: ReturnType<typeof place>[]): Rehearsal => ({
  signers: [
    { fieldName: 'first', name: 'Jana', places: [place(1)] },
    { fieldName: 'second', name: 'Ľuboš', places: places.length > 0 ? places : [place(1, 200)] },
  ],
  seal: { fieldName: 'seal', name: 'Service' },
  archiveFieldName: 'archive',
})

/** `passes`, or the code of the refusal. */
async function outcome(pdf: Uint8Array, rehearsal = foreseen()): Promise<string> {
  try {
    await rehearse(pdf, rehearsal)
    return 'passes'
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}

const STRUCTURES: readonly FileStructure[] = [
  ...(['table', 'stream', 'object-streams', 'hybrid', 'linearized'] as const),
]

t.test('files of every structure pass, signed by others or not', async (t) => {
  for (const structure of STRUCTURES) {
    const pdf = buildPdf({ structure, pages: [{}, {}, {}] })
    t.equal(await outcome(pdf, foreseen(place(2), place(3))), 'passes', structure)
    const signed = await signSample(pdf, {
      timeStamp: (digest) => publishedStamp(digest),
      longTerm,
    })
    t.equal(await outcome(signed, foreseen(place(2), place(3))), 'passes', `${structure}, signed`)
  }
})

t.test('rehearsals of one process have the same substitutes', async (t) => {
  const certificatesOf = async (pdf: Uint8Array) => {
    const { signatures } = await validateSignatures(await rehearse(pdf, foreseen()), OPTIONS)
    return signatures.map(({ certificateChain }) => certificateChain.map(({ sha256 }) => sha256))
  }
  const first = await certificatesOf(buildPdf())
  t.equal(first.length, 3)
  t.ok(first[0]?.[0])
  t.same(await certificatesOf(buildPdf({ pages: [{}, {}] })), first)
})

t.test('a file that has to be repaired passes', async (t) => {
  const pdf = buildPdf()
  const damaged = Buffer.from(
    pdf.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7'),
    'latin1',
  )
  t.equal(inspect(damaged).repaired, true)
  t.equal(await outcome(damaged), 'passes')
})

const FIRST = `${FIRST_EXTRA} 0 R`

/** Its objects are many times as long as the file. */
function taggedPdf(): Buffer {
  const elements = Array.from(
    { length: 8_000 },
    (_, at) =>
      `<< /Type /StructElem /S /P /P ${FIRST} /K ${at} /Pg 10 0 R /Lang (sk-SK)` +
      ` /T (Odsek ${(at * 7919) % 100_003} zmluvy) /A << /O /Layout /SpaceBefore 12.5` +
      ' /SpaceAfter 12.5 /TextAlign /Justify /LineHeight /Normal >> >>',
  )
  const kids = elements.map((_, at) => `${FIRST_EXTRA + 1 + at} 0 R`).join(' ')
  const root = `<< /Type /StructTreeRoot /K [${kids}] >>`
  const catalog = `/StructTreeRoot ${FIRST}`
  return buildPdf({ structure: 'object-streams', catalog, objects: [root, ...elements] })
}

t.test('a well compressed document of many objects passes, and is valid when signed', async (t) => {
  const pdf = taggedPdf()
  t.ok(pdf.length < 300_000)
  t.equal(await outcome(pdf), 'passes')
  const { signatures } = await validateSignatures(await signSample(pdf), OPTIONS)
  t.same(
    signatures.map(({ indication, modifications }) => [indication, modifications.level]),
    signatures.map((_, at) => ['TOTAL_PASSED', at === 2 ? 'NONE' : 'FORM_FILLING']),
  )
})
/** Odd, and signed all the same. */
const HARMLESS: Readonly<Record<string, PdfSpec>> = {
  'a form that is a number': { catalog: '/AcroForm 7' },
  'fields that are not fields': { catalog: '/AcroForm << /Fields [null 7 (a) /B [] << >>] >>' },
  'fields that are a name': { catalog: '/AcroForm << /Fields /None >>' },
  'a field with types that are none': {
    catalog: `/AcroForm << /Fields [${FIRST}] >>`,
    objects: ['<< /T 7 /FT (Sig) /Kids (a) /V [] >>'],
  },
  'a validation store that is a number': { catalog: '/DSS 7' },
  'a validation store of what is written anew': { catalog: '/DSS << /Certs (none) /VRI 7 >>' },
  'static XFA': { catalog: '/AcroForm << /Fields [] /XFA [(template) (nothing)] >>' },
  'a reference far beyond the file': { catalog: '/Metadata 90000 0 R' },
  'an annotation far beyond the file': { pages: [{ extra: '/Annots [90000 0 R]' }] },
}
for (const [name, spec] of Object.entries(HARMLESS)) {
  t.test(`${name}: passes`, async (t) => t.equal(await outcome(buildPdf(spec)), 'passes'))
}

t.test('pages that share a long array of annotations take bounded memory', async (t) => {
  const annotations = `[${'7 0 R '.repeat(12_000)}]`
  const pages = Array.from({ length: 490 }, () => ({ extra: `/Annots ${FIRST}` }))
  const many = buildPdf({ pages, objects: [annotations] })
  t.equal(await outcome(many), 'LIMIT_EXCEEDED')
})

/** Each passes the look at the document alone. */
const DEFYING: Readonly<Record<string, PdfSpec>> = {
  'a form that is the catalog itself': { catalog: '/AcroForm 1 0 R' },
  'a validation store that is the catalog itself': { catalog: '/DSS 1 0 R' },
  'a validation store with answers that are none': { catalog: '/DSS << /OCSPs (none) >>' },
  'a validation store with entries of its own kind': { catalog: '/DSS << /Passwords [1 0 R] >>' },
  'certificates that are not streams': { catalog: '/DSS << /Certs [7 (a)] >>' },
  'a page that is the form': {
    catalog: '/AcroForm 12 0 R',
    pages: [{}, { extra: '/Fields []' }],
  },
  'a reference to what signing will write': { catalog: `/Metadata ${FIRST_EXTRA + 9} 0 R` },
}
for (const [name, spec] of Object.entries(DEFYING)) {
  t.test(`${name}: refused`, async (t) => {
    const pdf = buildPdf({ objects: ['null'], ...spec })
    t.equal(inspect(pdf).encrypted, false)
    t.equal(await outcome(pdf), 'DEFIES_SIGNING')
  })
}

t.test('what can be reported more exactly is', async (t) => {
  t.equal(await outcome(buildPdf(), foreseen(place(2))), 'PAGE_MISSING')
  t.equal(await outcome(Buffer.from('hello')), 'NOT_A_PDF')
  t.equal(await outcome(buildPdf({ trailer: '/Encrypt << /Filter /Standard >>' })), 'ENCRYPTED')
})

t.test(
  'the file is not changed; what is appended can go behind it in its own buffer',
  async (t) => {
    const pdf = buildPdf()
    const roomy = Buffer.alloc(pdf.length + 200_000)
    roomy.set(pdf)
    const before = createHash('sha256').update(pdf).digest('hex')
    let appended = 0
    await rehearse(roomy.subarray(0, pdf.length), foreseen(), (tail) => {
      appended = tail.length
      roomy.set(tail, pdf.length)
      return roomy.subarray(0, pdf.length + tail.length)
    })
    t.ok(appended > 1_000)
    const after = createHash('sha256').update(roomy.subarray(0, pdf.length)).digest('hex')
    t.equal(after, before)
  },
)

t.test('what is reported of the result depends on what is read of it', async (t) => {
  const spoilt = (tail: Uint8Array) =>
    Buffer.concat([
      pdf,
      Buffer.from(Buffer.from(tail).toString('latin1').replace('/Annots', '/Annotz'), 'latin1'),
    ])
  const pdf = buildPdf()
  await t.rejects(rehearse(pdf, foreseen(), spoilt), { code: 'DEFIES_SIGNING' })
})

t.test('fifty people with several places each pass', async (t) => {
  const signers = Array.from({ length: 50 }, (_, index) => ({
    fieldName: `person-${index}`,
    name: `Person ${index}`,
    places: [place(1), place(1, 100), place(1, 200)],
  }))
  t.equal(await outcome(buildPdf(), { ...foreseen(), signers }), 'passes')
})
