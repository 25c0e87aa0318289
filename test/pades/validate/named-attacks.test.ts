/** Published attacks on signed PDFs, each made by code; none of them passes. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import { signedDataTemplate } from '../../../pades/cms/signed-data.ts'
import { PadesError } from '../../../pades/errors.ts'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { appendRevision, buildPdf, FIRST_EXTRA, startXref } from '../../fixtures/pdf.ts'
import {
  type Identity,
  identity,
  janka,
  lubos,
  NOW,
  rsaKey,
  signer,
  stamp,
} from '../../fixtures/pki.ts'
import { appended, referenceIn, sourceOf, stream, withEntry } from '../../fixtures/revisions.ts'
import { appendSigned, SIGNATURE, withFieldOnPage } from './foreign-signer.ts'
import { OPTIONS, signerRequest, signSample } from './sample.ts'

const PAGE = 10
const CONTENT = 11
const sample = await signSample()
const latin1 = (text: string) => Buffer.from(text, 'latin1')

async function reportOn(file: Uint8Array) {
  try {
    return await validateSignatures(file, OPTIONS)
  } catch (error) {
    if (error instanceof PadesError) return undefined
    throw error
  }
}

/** None of the victims' signatures is good: what cannot be read at all is refused as a whole. */
async function isRefused(t: Test, file: Uint8Array, what: string): Promise<void> {
  const { signatures = [] } = (await reportOn(file)) ?? {}
  const passed = signatures.filter(({ indication }) => indication === 'TOTAL_PASSED')
  t.same(
    passed.map(({ fieldName }) => fieldName),
    [],
    what,
  )
}

/** Signed by one person, over a page that is prepared for the attack. */
async function prepared(spec: Parameters<typeof buildPdf>[0]): Promise<Buffer> {
  const file = await signSample(buildPdf(spec))
  const report = await reportOn(file)
  if (report?.summary.indication !== 'TOTAL_PASSED') throw new Error('the victim is not valid')
  return file
}

const OVERLAY = FIRST_EXTRA
const overlaid = {
  pages: [{ extra: `/Resources << /XObject << /Cover ${OVERLAY} 0 R >> >>` }],
  objects: [
    '<< /Type /XObject /Subtype /Form /BBox [0 0 595 842] /Length 26 >>' +
      '\nstream\n1 g 0 0 595 842 re f 0 g  \nendstream',
  ],
}

/** A revision of nothing but a cross-reference entry. */
function withEntryOf(file: Buffer, number: number, entry: string, root = 1): Buffer {
  const text =
    `xref\n${number} 1\n${entry} \ntrailer\n<< /Size 2001 /Root ${root} 0 R /Info 4 0 R` +
    ` /Prev ${startXref(file)} >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.concat([file, latin1(text)])
}

t.test('shadow attack, hide: what covers the content is taken away', async (t) => {
  const file = await prepared(overlaid)
  await isRefused(t, withEntryOf(file, OVERLAY, '0000000000 00001 f'), 'the entry is freed')
  await isRefused(t, appended(file, { [OVERLAY]: 'null' }), 'the object is null')
  const empty = '<< /Type /XObject /Subtype /Form /BBox [0 0 0 0] /Length 0 >>\nstream\n\nendstream'
  await isRefused(t, appended(file, { [OVERLAY]: empty }), 'the object shows nothing')
  const page = sourceOf(file, PAGE).replace(/\/Cover \d+ 0 R/, '')
  await isRefused(t, appended(file, { [PAGE]: page }), 'the page leaves it out')
})

t.test('shadow attack, replace: what is thought to be harmless is another one', async (t) => {
  const field = FIRST_EXTRA
  const file = await prepared({
    catalog: `/AcroForm << /Fields [${field} 0 R] >>`,
    objects: ['<< /FT /Tx /T (Amount) /V (100) /DA (/F1 12 Tf 0 g) >>'],
  })
  const value = sourceOf(file, field).replace('(100)', '(900)')
  await isRefused(t, appended(file, { [field]: value }), 'the value of a form field')
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>'
  await isRefused(t, appended(file, { 3: font }), 'the font of the text')
})

t.test('shadow attack, hide and replace: a hidden document is brought to light', async (t) => {
  const [catalog, pages, page] = [FIRST_EXTRA, FIRST_EXTRA + 1, FIRST_EXTRA + 2]
  const hidden = await prepared({
    objects: [
      `<< /Type /Catalog /Pages ${pages} 0 R >>`,
      `<< /Type /Pages /Count 1 /Kids [${page} 0 R] >>`,
      `<< /Type /Page /Parent ${pages} 0 R /MediaBox [0 0 595 842] >>`,
    ],
  })
  const elsewhere = withEntryOf(hidden, 0, '0000000000 65535 f', catalog)
  await isRefused(t, elsewhere, 'the trailer names the hidden catalog')
  const acroForm = referenceIn(sourceOf(hidden, 1), 'AcroForm')
  const both = withEntry(sourceOf(hidden, catalog), `/AcroForm ${acroForm} 0 R`)
  await isRefused(t, appended(hidden, { 1: both }), 'the catalog shows the hidden pages')
  const offset = String(hidden.indexOf(`${page} 0 obj`)).padStart(10, '0')
  await isRefused(t, withEntryOf(hidden, PAGE, `${offset} 00000 n`), 'the page is the hidden one')
})

t.test('incremental saving: a revision without what belongs to one', async (t) => {
  const body = `${CONTENT} 0 obj\n${stream('BT (You owe me) Tj ET')}\nendobj\n`
  const trailer = `trailer\n<< /Size 2001 /Root 1 0 R /Prev ${startXref(sample)} >>\n`
  const end = `startxref\n${sample.length}\n%%EOF\n`
  const old = `startxref\n${startXref(sample)}\n%%EOF\n`
  const revisions = {
    'objects alone': body,
    'objects and a trailer': body + trailer,
    'objects, a trailer and an end': body + trailer + end,
    'objects and the old end': body + old,
    'objects, a trailer and the old end': body + trailer + old,
    'an empty cross-reference': `${body}xref\n0 0\n${trailer}${end}`,
  }
  for (const [what, text] of Object.entries(revisions)) {
    await isRefused(t, Buffer.concat([sample, latin1(text)]), what)
  }
})

/** Number of the last signature's dictionary object, with its source. */
function lastSignature(file: Buffer) {
  const text = file.toString('latin1')
  const at = text.lastIndexOf('/ByteRange')
  const headers = [...text.slice(0, at).matchAll(/\n(\d+) 0 obj/g)]
  const number = Number(headers.at(-1)?.[1])
  return { number, source: sourceOf(file, number) }
}

t.test('signature wrapping: the signed bytes are elsewhere', async (t) => {
  const { number, source } = lastSignature(sample)
  const range = /\/ByteRange \[([^\]]*)\]/.exec(source)?.[1] as string
  const [, first = 0, second = 0, length = 0] = range.trim().split(/\s+/).map(Number)
  const tail = sample.subarray(second, second + length)
  const wrapped = (start: number) =>
    appended(sample, { [number]: source.replace(range, `0 ${first} ${start} ${length}`) })
  const start = wrapped(0).length + 10
  const forged = wrapped(start)
  const filler = Buffer.alloc(Math.max(start - forged.length, 0), ' ')
  await isRefused(t, Buffer.concat([forged, filler, tail]), 'a copy of the end is at the end')
  await isRefused(t, wrapped(second), 'the dictionary is written anew')
})

t.test('universal forgery: parts of the signature are missing or of another kind', async (t) => {
  const { number, source } = lastSignature(sample)
  const [range] = /\/ByteRange \[[^\]]*\]/.exec(source) ?? ['']
  const [contents] = /\/Contents <[0-9a-f]*>/.exec(source) ?? ['']
  const swaps: [string, string][] = [
    ...[
      '',
      '/ByteRange null',
      '/ByteRange []',
      '/ByteRange [0 0 0 0]',
      '/ByteRange [0 -1 -1 0]',
    ].map((other): [string, string] => [range, other]),
    ...['', '/Contents null', '/Contents <00>', '/Contents <>', '/Contents (x)'].map(
      (other): [string, string] => [contents, other],
    ),
  ]
  for (const [own, other] of swaps) {
    t.ok(own.length > 0)
    await isRefused(t, appended(sample, { [number]: source.replace(own, other) }), other)
    const inPlace = sample.toString('latin1').replace(own, () => other.padEnd(own.length, ' '))
    await isRefused(t, latin1(inPlace).subarray(0, sample.length), `in place: ${other}`)
  }
})

t.test('a byte range that is not around exactly its Contents', async (t) => {
  const text = sample.toString('latin1')
  const at = text.lastIndexOf('/ByteRange [') + '/ByteRange ['.length
  const end = text.indexOf(']', at)
  const [zero = 0, first = 0, second = 0, length = 0] = text.slice(at, end).split(' ').map(Number)
  for (const other of [
    [zero + 1, first - 1, second, length],
    [zero, first - 1, second, length],
    [zero, first, second + 1, length - 1],
    [zero, first, second, length - 1],
    [zero, first, second, length + 1],
    [zero, second, first, length],
    [zero, first],
  ]) {
    const file = Buffer.from(sample)
    file.write(
      other
        .join(' ')
        .padEnd(end - at, ' ')
        .slice(0, end - at),
      at,
      'latin1',
    )
    const { signatures = [] } = (await reportOn(file)) ?? {}
    const own = signatures.find(({ fieldName }) => fieldName === 'Seal')
    t.match(own, { indication: 'TOTAL_FAILED', integrity: { coverage: String } }, other.join(' '))
  }
})

t.test('a form overlay: a later signature is laid over an earlier one', async (t) => {
  const first = await signSample(buildPdf(), { signers: [signerRequest(janka, 'Janka', 500)] })
  const over = await signSample(first, {
    signers: [signerRequest(lubos, 'Cover', 500)],
    seal: { fieldName: 'Seal 2', name: 'Seal 2', credential: lubos },
  })
  const { signatures = [] } = (await reportOn(over)) ?? {}
  t.match(signatures[0], { fieldName: 'Janka', indication: 'INDETERMINATE' })
  t.equal(signatures[0]?.modifications.level, 'OTHER')
})

t.test(
  'a sneaky signature: anyone paints over the text with a signature of their own',
  async (t) => {
    const mallory = await identity({ subject: { commonName: 'Mallory' } })
    const look =
      '<< /Type /XObject /Subtype /Form /BBox [0 0 595 152] /Length 23 >>' +
      '\nstream\n1 g 0 0 595 152 re f    \nendstream'
    const withLook = (rectangle: string) => ({
      ...withFieldOnPage(
        sample,
        `/Rect [${rectangle}] /F 132 /V ${SIGNATURE} 0 R /AP << /N 1901 0 R >>`,
      ),
      1901: look,
    })
    const signedBy = async (who: Identity, rectangle = '0 690 595 842') => {
      const makeContents = async (signed: Buffer) => {
        const template = signedDataTemplate(who)
        const digest = createHash(template.hash).update(signed).digest()
        const attributes = template.signedAttributes(digest)
        return template.encode(attributes, await who.sign(attributes))
      }
      return appendSigned(sample, withLook(rectangle), { makeContents })
    }
    const painted = await signedBy(mallory)
    await isRefused(t, painted, 'a signature that is trusted by nobody')
    const { signatures = [] } = (await reportOn(painted)) ?? {}
    t.match(signatures[0]?.errors, [{ key: 'COVERED_BY_UNTRUSTED' }])
    const [first] = (await reportOn(await signedBy(lubos)))?.signatures ?? []
    t.match(first, { fieldName: 'Janka', indication: 'TOTAL_PASSED' }, 'its signer is trusted')
  },
)

t.test('permission upgrade: the certification that forbids changes is taken away', async (t) => {
  const { number, source } = lastSignature(sample)
  const reference =
    '/Reference [<< /Type /SigRef /TransformMethod /DocMDP' +
    ' /TransformParams << /Type /TransformParams /P 1 /V /1.2 >> >>]'
  const catalog = sourceOf(sample, 1)
  const certified = appended(sample, {
    1: withEntry(catalog, `/Perms << /DocMDP ${number} 0 R >>`),
  })
  await isRefused(t, certified, 'a certification is claimed afterwards')
  const upgraded = appended(sample, { [number]: withEntry(source, reference) })
  await isRefused(t, upgraded, 'the dictionary claims other permissions')
})

t.test('a signature field that is listed twice, or copied, is refused', async (t) => {
  const catalog = sourceOf(sample, 1)
  const formNumber = referenceIn(catalog, 'AcroForm')
  const form = sourceOf(sample, formNumber)
  const field = referenceIn(form, 'Fields')
  const source = sourceOf(sample, field)
  const more = (item: string) => form.replace(/(\/Fields \[[^\]]*)\]/, `$1 ${item}]`)
  await isRefused(t, appended(sample, { [formNumber]: more(`${field} 0 R`) }), 'listed twice')
  await isRefused(
    t,
    appended(sample, { [formNumber]: more('900 0 R'), 900: source }),
    'a copy shows the same signature',
  )
  const twice = await signSample(sample, {
    signers: [signerRequest(lubos, 'Janka', 300)],
    seal: { fieldName: 'Seal 2', name: 'Seal 2', credential: lubos },
  }).catch(() => undefined)
  if (!twice) return
  const { signatures = [] } = (await reportOn(twice)) ?? {}
  const named = signatures.filter(({ fieldName }) => fieldName === 'Janka')
  t.notOk(named.length > 1 && named.some(({ indication }) => indication === 'TOTAL_PASSED'))
})

t.test('a time-stamp token that was copied from another signature', async (t) => {
  const foreign = await stamp(new Uint8Array(32).fill(7))
  const file = await signSample(undefined, { timeStamp: async () => foreign })
  const { signatures = [] } = (await reportOn(file)) ?? {}
  t.equal(signatures.length, 3)
  for (const { indication, timestamps, errors } of signatures) {
    t.not(indication, 'TOTAL_PASSED')
    t.match(timestamps, [{ subIndication: 'HASH_FAILURE' }])
    t.ok(errors.some(({ key }) => key === 'SIGNATURE_TIME_STAMP_BROKEN'))
  }
})

t.test('a certificate that was issued by one that is not an authority', async (t) => {
  const mallory = await identity({ subject: { commonName: 'Mallory' }, issuer: janka })
  const file = await signSample(undefined, { signers: [signerRequest(mallory, 'Mallory', 500)] })
  const [first] = (await reportOn(file))?.signatures ?? []
  t.match(first, { indication: 'INDETERMINATE', subIndication: 'CHAIN_CONSTRAINTS_FAILURE' })
})

/** The file with other octets of the same length in the container of its last signature. */
function withOid(file: Buffer, from: string, to: string): Buffer {
  const text = file.toString('latin1')
  const at = text.lastIndexOf('/Contents <')
  const tail = text.slice(at)
  if (!tail.includes(from)) throw new Error('nothing to replace')
  return latin1(text.slice(0, at) + tail.replaceAll(from, to))
}

/** DER of dotted OIDs, hex. */
const ECDSA_SHA256 = '06082a8648ce3d040302'
const ECDSA_SHA384 = '06082a8648ce3d040303'
const ECDSA_SHA1 = '06072a8648ce3d0401'
const SHA256 = '0609608648016503040201'
const SHA384 = '0609608648016503040202'
const RSA_SHA256 = '06092a864886f70d01010b'
const RSA_PSS = '06092a864886f70d01010a'

t.test('algorithm confusion: the container names another algorithm than was used', async (t) => {
  await isLastRefused(t, withOid(sample, ECDSA_SHA256, ECDSA_SHA384), 'another hash of ECDSA')
  await isLastRefused(t, withOid(sample, SHA256, SHA384), 'another digest')
  await isLastRefused(t, withOid(sample, ECDSA_SHA256, `${ECDSA_SHA1}00`), 'no OID at all')
  const key = rsaKey()
  const rsa = await signer('RSA signer', { key })
  const seal = { fieldName: 'Seal', name: 'Seal', credential: rsa }
  const file = await signSample(undefined, { signers: [], seal })
  t.match((await reportOn(file))?.signatures, [{ indication: 'TOTAL_PASSED' }])
  await isLastRefused(t, withOid(file, RSA_SHA256, RSA_PSS), 'RSA as PSS')
})

async function isLastRefused(t: Test, file: Buffer, what: string): Promise<void> {
  const last = (await reportOn(file))?.signatures.at(-1)
  t.not(last?.indication, 'TOTAL_PASSED', what)
}

t.test('an object that is defined twice in the newest revision', async (t) => {
  const file = appendRevision(
    sample,
    { [CONTENT]: stream('BT (You owe me) Tj ET') },
    `/Size 2001 /Root 1 0 R /Info 4 0 R /Prev ${startXref(sample)}`,
  )
  await isRefused(t, Buffer.concat([file, latin1(`${CONTENT} 0 obj\nnull\nendobj\n`)]), 'content')
})

t.test('the fixtures are of their time', async (t) => {
  t.ok(OPTIONS.validationTime > NOW)
})
