/** Specification 2.10, 4.12, 4.13: the public verification of signed PDFs. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import { MAXIMUM_PDF_BYTES } from '../../domain/limits.ts'
import { descendants, readXml } from '../../trusted-lists/xml.ts'
import { minimalPdf } from '../fixtures/minimal-pdf.ts'
import { pdfText, skipPdfText } from '../fixtures/pdf-text.ts'
import { conformance } from './conformance.ts'
import { HOUR_MS, openWorld, type Answer, type Json } from './world.ts'

t.setTimeout(600_000)
const world = await openWorld(t)

const done = await world.done()
const signed = await world.download(done.signedDocument.url)
const first = await world.verify(signed)
const report: Json = first.json

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

function refuses(t: Test, { status, json }: Answer, expected: number, code: string): void {
  t.equal(status, expected)
  t.match(json, { code, message: /\w+/ })
}

/** Whether something is still uploaded under the key. */
const isThere = async (key: string) =>
  (await world.ask('POST', '/verify', { body: { key } })).status !== 404

conformance(world, '2.10 Validation report', {
  async indication(t) {
    t.equal(first.status, 200, first.text.slice(0, 300))
    t.equal(report.signatures.length, 2, 'the participant and the seal')
    for (const one of report.signatures) t.equal(one.indication, 'TOTAL_PASSED')
    const broken = Buffer.from(signed)
    broken[300] ^= 1
    const [changed] = (await world.verify(broken)).json.signatures
    t.match(changed, { indication: 'TOTAL_FAILED', subIndication: 'HASH_FAILURE' })
  },
  async level(t) {
    for (const { level } of report.signatures) t.equal(level, 'PAdES-BASELINE-LTA')
  },
  async signer(t) {
    const [participant, seal] = report.signatures
    t.match(participant.signer, {
      commonName: 'Jana Nováková',
      certificateSha256: /^[0-9a-f]{64}$/,
    })
    t.match(seal.signer.subject, /CN=/)
    t.match(participant.certificateChain.at(-1).trustAnchor, { source: 'service-root' })
  },
  async 'eIDAS qualification'(t) {
    for (const { qualification } of report.signatures) t.equal(qualification.level, 'NA')
  },
  async timestamps(t) {
    for (const { timestamps } of report.signatures) {
      t.match(timestamps, [
        { type: 'signature', indication: 'TOTAL_PASSED', tsa: /CN=/, qualification: 'NA' },
      ])
    }
    t.match(report.documentTimestamps, [{ type: 'document', indication: 'TOTAL_PASSED' }])
  },
  async "the document's SHA-256"(t) {
    t.equal(report.document.sha256, createHash('sha256').update(signed).digest('hex'))
    t.equal(report.document.sha256, done.signedDocument.sha256)
  },
  async issuedByService(t) {
    t.equal(report.issuedByService, true)
    const evidence = await world.download(done.evidenceDocument.url)
    t.match((await world.verify(evidence)).json, {
      issuedByService: true,
      summary: { indication: 'TOTAL_PASSED' },
    })
    const tail = Buffer.concat([signed, Buffer.from('\n')])
    t.equal((await world.verify(tail)).json.issuedByService, true, 'a revision of it was issued')
    const [, , start, length] = report.signatures[0].integrity.byteRange
    const early = signed.subarray(0, start + length)
    t.match((await world.verify(early)).json, { issuedByService: false }, 'never by a name')
  },
  async 'no signatures'(t) {
    const { status, json } = await world.verify(minimalPdf())
    t.equal(status, 200)
    t.same(json.signatures, [])
    t.equal(json.issuedByService, false)
  },
})

conformance(world, '4.12 Upload for verification', {
  async response(t) {
    const { status, json } = await world.ask('POST', '/verify/uploads')
    t.equal(status, 200)
    t.match(json, { key: /^[0-9a-f-]{36}$/, upload: { type: 'PUT', url: /^http/ } })
  },
  async 'the upload is accepted under the key'(t) {
    const key = await world.uploadForVerification(minimalPdf())
    t.equal((await world.ask('POST', '/verify', { body: { key } })).status, 200)
    const late = await openWorld(t)
    const { json } = await late.ask('POST', '/verify/uploads')
    late.clock.pass(HOUR_MS + 1)
    t.equal(await late.upload(json, minimalPdf()), late.statusOfExpired, 'for one hour')
  },
})

conformance(world, '4.13 POST /verify', {
  async 'no Authorization header'(t) {
    t.equal(first.status, 200)
  },
  async key(t) {
    for (const body of [{}, { key: 1 }, { key: 'x'.repeat(256) }, undefined]) {
      const { status, json } = await world.ask('POST', '/verify', { body })
      t.equal(status, 400)
      t.ok(json.validationErrors.length > 0)
    }
    for (const key of ['', '../canary', `${UNKNOWN_ID}/../x`]) {
      refuses(t, await world.ask('POST', '/verify', { body: { key } }), 404, 'DOCUMENT_NOT_FOUND')
    }
  },
  async response(t) {
    t.match(report, {
      reportVersion: 1,
      validationTime: String,
      policy: { id: String, version: Number },
      document: { size: signed.length, encrypted: false, unsignedTailBytes: 0 },
      summary: { indication: 'TOTAL_PASSED', signaturesCount: 2, validSignaturesCount: 2 },
    })
    t.match(report.signatures[0].revocation, [{ status: 'good', type: 'CRL', origin: 'DSS' }])
  },
  async 'the upload is deleted afterwards'(t) {
    for (const bytes of [minimalPdf(), Buffer.from('hello'), Buffer.alloc(MAXIMUM_PDF_BYTES + 1)]) {
      const key = await world.uploadForVerification(bytes)
      const { status } = await world.ask('POST', '/verify', { body: { key } })
      t.ok(status < 500)
      t.notOk(await isThere(key), `after ${status}`)
    }
  },
  async DOCUMENT_NOT_FOUND(t) {
    const nothing = (await world.ask('POST', '/verify/uploads')).json.key
    for (const key of [UNKNOWN_ID, nothing]) {
      const answer = await world.ask('POST', '/verify', { body: { key } })
      refuses(t, answer, 404, 'DOCUMENT_NOT_FOUND')
      t.match(answer.headers.get('content-type'), 'application/json')
    }
    const late = await openWorld(t)
    const key = await late.uploadForVerification(minimalPdf())
    late.clock.pass(HOUR_MS + 1)
    refuses(t, await late.ask('POST', '/verify', { body: { key } }), 404, 'DOCUMENT_NOT_FOUND')
  },
  async DOCUMENT_TOO_LARGE(t) {
    const answer = await world.verify(new Uint8Array(MAXIMUM_PDF_BYTES + 1))
    refuses(t, answer, 413, 'DOCUMENT_TOO_LARGE')
  },
  async NOT_A_PDF(t) {
    for (const text of ['', 'hello', '<html>']) {
      refuses(t, await world.verify(Buffer.from(text)), 422, 'NOT_A_PDF')
    }
  },
  async UNREADABLE_DOCUMENT(t) {
    const answer = await world.verify(Buffer.from('%PDF-1.7\nnothing\n%%EOF\n'))
    refuses(t, answer, 422, 'UNREADABLE_DOCUMENT')
  },
  async throttling(t) {
    const narrow = await openWorld(t, { PUBLIC_REQUESTS_PER_MINUTE: '2' })
    // Otherwise the next minute may begin between two requests.
    t.teardown(narrow.clock.stop())
    const ask = () => narrow.ask('POST', '/verify', { body: { key: UNKNOWN_ID } })
    t.equal((await ask()).status, 404)
    t.equal((await narrow.ask('POST', '/verify/uploads')).status, 200)
    const { status, json } = await ask()
    t.equal(status, 429)
    t.same(Object.keys(json), ['message'])
  },
})

/** Verifies a PDF with a header `Accept`. */
async function verifyAs(bytes: Uint8Array, accept: string) {
  const key = await world.uploadForVerification(bytes)
  const answer = await fetch(`${world.url}/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify({ key }),
  })
  const octets = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, type: answer.headers.get('content-type'), octets, key }
}

const tampered = Buffer.from(signed)
tampered[300] ^= 1
const DOCUMENTS = [
  ['signed', signed],
  ['changed after signing', tampered],
  ['without a signature', minimalPdf()],
] as const

/** Indications of the signatures in XML, in the words of JSON. */
function indicationsIn(xml: Buffer): string[] {
  const all = [...descendants(readXml(xml.toString()))]
  return all
    .filter(({ name }) => name === 'SignatureValidationReport')
    .map((one) => {
      const states = [...descendants(one)].filter(
        ({ name }) => name === 'SignatureValidationStatus',
      )
      const main = states.flatMap((state) =>
        [...descendants(state)].filter(({ name }) => name === 'MainIndication'),
      )
      return `${main[0]?.text.split(':').at(-1)}`.replace('-', '_').toUpperCase()
    })
}

t.test('4.13, addition: the same report as XML of ETSI TS 119 102-2', async (t) => {
  for (const [name, bytes] of DOCUMENTS) {
    const { json } = await world.verify(bytes)
    const { status, type, octets, key } = await verifyAs(bytes, 'application/xml')
    t.equal(status, 200)
    t.equal(type, 'application/xml')
    const indications = json.signatures.map((one: Json) => one.indication)
    t.same(indicationsIn(octets), indications.length > 0 ? indications : ['INDETERMINATE'], name)
    const digest = Buffer.from(json.document.sha256, 'hex').toString('base64')
    t.ok(octets.includes(digest), 'of the same file')
    t.notOk(await isThere(key), 'the upload is deleted')
  }
})

t.test('4.13, addition: the same report as a PDF to print', { skip: skipPdfText }, async (t) => {
  for (const [name, bytes] of DOCUMENTS) {
    const { json } = await world.verify(bytes)
    const { status, type, octets, key } = await verifyAs(bytes, 'application/pdf')
    t.equal(status, 200)
    t.equal(type, 'application/pdf')
    const text = pdfText(octets)
    t.match(text, json.summary.indication ?? 'No signature was found', name)
    t.match(text.replace(/\s/g, ''), json.document.sha256)
    t.notOk(await isThere(key), 'the upload is deleted')
  }
})

t.test('4.13, addition: everything else gets JSON, and errors always are', async (t) => {
  for (const accept of ['*/*', 'text/html,application/xml;q=0.9,*/*;q=0.8', 'image/png']) {
    const { status, type, octets } = await verifyAs(minimalPdf(), accept)
    t.equal(status, 200)
    t.match(type, 'application/json')
    t.same(JSON.parse(octets.toString()).signatures, [])
  }
  const { status, octets } = await verifyAs(Buffer.from('hello'), 'application/pdf')
  t.equal(status, 422)
  t.match(JSON.parse(octets.toString()), { code: 'NOT_A_PDF' })
})
