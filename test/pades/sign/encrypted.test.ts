/** Encrypted documents are signed inside their encryption, and others read what was signed. */
import { Buffer } from 'node:buffer'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { textOf } from '../../../pades/pdf/acro-form.ts'
import { readDocument } from '../../../pades/pdf/open.ts'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { isInstalled } from '../../../dev/outside-programs.ts'
import { decryptedPdf, encryptedPdf, SCHEMES, WITHOUT_QPDF } from '../../fixtures/encrypted-pdf.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'
import { longTerm, published, publishedStamp } from '../../fixtures/pki.ts'
import { OPTIONS, signerRequest, signSample } from '../validate/sample.ts'

const folder = mkdtempSync(join(tmpdir(), 'pades-encrypted-'))
t.teardown(() => rmSync(folder, { recursive: true }))

const { janka, lubos } = published
const LASTING = {
  signers: [signerRequest(janka, 'Janka', 500), signerRequest(lubos, 'Lubos', 600)],
  seal: { fieldName: 'Seal', name: 'Test Seal', credential: published.seal },
  timeStamp: (digest: Uint8Array) => publishedStamp(digest),
  longTerm,
}

const run = (command: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}

/** Programs that draw the first page to a file of pixels. */
const RENDERERS = {
  pdftoppm: (file: string, out: string) => [...['-r', '36', '-singlefile', file], out],
  mutool: (file: string, out: string) => ['draw', '-r', '36', '-o', `${out}.ppm`, file, '1'],
  gs: (file: string, out: string) => [
    ...['-q', '-dNOPAUSE', '-dBATCH', '-dLastPage=1', '-sDEVICE=ppmraw', '-r36'],
    ...[`-sOutputFile=${out}.ppm`, file],
  ],
} as const

/** The first page of a file; its pixels follow a head in which programs write comments. */
function picture(program: keyof typeof RENDERERS, pdf: Uint8Array): Buffer {
  const [file, out] = [join(folder, 'drawn.pdf'), join(folder, program)]
  rmSync(`${out}.ppm`, { force: true })
  writeFileSync(file, pdf)
  const { status, output } = run(program, ...RENDERERS[program](file, out))
  if (status !== 0) throw new Error(output)
  return readFileSync(`${out}.ppm`)
}

/** A page with a field, a comment in a shared array, and a form, with texts in all of them. */
const base = () =>
  buildPdf({
    pages: [
      { extra: `/Annots ${FIRST_EXTRA + 1} 0 R` },
      { extra: `/Annots ${FIRST_EXTRA + 1} 0 R` },
    ],
    catalog: `/AcroForm << /Fields [${FIRST_EXTRA} 0 R] /DA (/Helv 9 Tf) >> /Lang (sk-SK)`,
    objects: [
      `<< /FT /Tx /T (town) /TU (Where \\(you\\) live) /V (Ko\\235ice) /Ff 1 >>`,
      `[<< /Type /Annot /Subtype /Link /Rect [9 9 20 20] /Border [0 0 0] /Contents (Here) >>]`,
    ],
  })

async function passes(t: Test, signed: Buffer, name: string): Promise<void> {
  const report = await validateSignatures(signed, OPTIONS)
  t.same(
    report.signatures.map((one) => [one.fieldName, one.indication, one.level]),
    ['Janka', 'Lubos', 'Seal'].map((one) => [one, 'TOTAL_PASSED', 'PAdES-BASELINE-LTA']),
    name,
  )
  t.same(
    report.documentTimestamps.map(({ indication }) => indication),
    ['TOTAL_PASSED'],
  )
  t.equal(report.document.encrypted, true)
  t.equal(report.summary.documentModifiedAfterSigning, 'permitted')
}

const pictures = (pdf: Uint8Array) =>
  Object.keys(RENDERERS)
    .filter(isInstalled)
    .map((program) => picture(program as keyof typeof RENDERERS, pdf))

t.test('others read what was signed in every encryption', { skip: WITHOUT_QPDF }, async (t) => {
  const expected = pictures(await signSample(base(), LASTING))
  for (const [index, [name, scheme]] of Object.entries(SCHEMES).entries()) {
    const args = index % 2 === 0 ? [] : ['--object-streams=generate', '--linearize']
    const original = encryptedPdf(base(), { scheme, args })
    const signed = await signSample(original, LASTING)
    t.ok(signed.subarray(0, original.length).equals(original))
    for (const text of ['Janka', 'Lubos', 'Where']) {
      t.notOk(signed.includes(`(${text}`), `${text} is not readable in the file`)
    }
    await passes(t, signed, `${name} ${args.join(' ')}`)
    const file = join(folder, 'signed.pdf')
    writeFileSync(file, signed)
    const { status, output } = run('qpdf', '--check', file)
    t.equal(status, 0, output)
    if (isInstalled('pdfsig')) {
      const verdicts = run('pdfsig', '-nocert', file).output.matchAll(/Validation: (.*)/g)
      t.same(
        Array.from(verdicts, ([, verdict]) => verdict).slice(0, 3),
        Array(3).fill('Signature is Valid.'),
      )
    }
    t.ok(
      pictures(signed).every((one, index) => one.equals(expected[index] ?? Buffer.alloc(0))),
      'every program draws what it draws of the plain document',
    )
  }
})

/** Texts of the catalog, the form, the field and the comments on both pages. */
const textsIn = (pdf: Uint8Array) =>
  readDocument(pdf, (document) => {
    const { catalog } = document
    const form = document.dictionary(catalog.get('AcroForm'))
    const fields = (document.array(form?.get('Fields')) ?? []).map((field) =>
      document.dictionary(field),
    )
    const pages = document.array(document.dictionary(catalog.get('Pages'))?.get('Kids')) ?? []
    const comments = pages.map((page) =>
      document.dictionary(document.array(document.dictionary(page)?.get('Annots'))?.[0]),
    )
    return [
      catalog.get('Lang'),
      form?.get('DA'),
      ...['T', 'TU', 'V'].map((key) => fields[0]?.get(key)),
      ...fields.slice(1).map((field) => field?.get('TU')),
      ...comments.map((comment) => comment?.get('Contents')),
    ].map((value) => textOf(document.resolve(value)))
  })

t.test('texts of rewritten objects stay what they were', { skip: WITHOUT_QPDF }, async (t) => {
  const expected = [
    ...['sk-SK', '/Helv 9 Tf', 'town', 'Where (you) live', 'Košice'],
    ...['Janka', 'Lubos', 'Test Seal', 'Document time-stamp', 'Here', 'Here'],
  ]
  for (const [name, scheme] of Object.entries(SCHEMES)) {
    for (const args of [[], ['--object-streams=generate']]) {
      const signed = await signSample(encryptedPdf(base(), { scheme, args }), LASTING)
      t.same(textsIn(signed), expected, name)
      t.same(textsIn(decryptedPdf(signed)), expected, `${name}, decrypted by qpdf`)
    }
  }
})

t.test(
  'a signature dictionary inside another object is refused',
  { skip: WITHOUT_QPDF },
  async (t) => {
    const inside = '/V << /Type /Sig /Filter /Odd /ByteRange [0 1 2 3] /Contents <00> >>'
    const pdf = encryptedPdf(
      buildPdf({ catalog: `/AcroForm << /Fields [<< /FT /Sig /T (a) ${inside} >>] >>` }),
    )
    await t.rejects(signSample(pdf), { code: 'DEFIES_SIGNING' })
  },
)

t.test('a second signing keeps the first', { skip: WITHOUT_QPDF }, async (t) => {
  for (const scheme of [SCHEMES['RC4, 40 bits'], SCHEMES['AES, 256 bits']]) {
    const once = await signSample(encryptedPdf(base(), { scheme }), LASTING)
    const signers = [signerRequest(janka, 'Zora', 100), signerRequest(lubos, 'Peter', 200)]
    const seal = { fieldName: 'Second seal', name: 'Second', credential: published.seal }
    const twice = await signSample(once, { ...LASTING, signers, seal })
    const { signatures } = await validateSignatures(twice, OPTIONS)
    t.same(
      signatures.map(({ fieldName }) => fieldName),
      ['Janka', 'Lubos', 'Seal', 'Zora', 'Peter', 'Second seal'],
    )
    t.same([...new Set(signatures.map(({ indication }) => indication))], ['TOTAL_PASSED'])
  }
})
