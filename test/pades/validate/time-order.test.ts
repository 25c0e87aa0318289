/** Time-stamps whose times contradict the order in which they were made. */
import type { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import { objectIdentifier, sequence, setOf } from '../../../pades/cms/der.ts'
import { readDer } from '../../../pades/cms/der-reader.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import { signedDataTemplate } from '../../../pades/cms/signed-data.ts'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { identity, lubos, NOW, stamp } from '../../fixtures/pki.ts'
import { appendSigned, SIGNATURE, withFieldOnPage } from './foreign-signer.ts'
import { RECTANGLE } from './later-changes.ts'
import { OPTIONS, signSample } from './sample.ts'

const sample = await signSample()
const stranger = await identity({ profile: 'tsa', subject: { commonName: 'Stranger' } })
const before = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1_000)
const sha256 = (octets: Uint8Array) => createHash('sha256').update(octets).digest()

const OUT_OF_ORDER = 'TIME_STAMPS_OUT_OF_ORDER'
const NOT_TRUSTED = 'SIGNATURE_TIME_STAMP_NOT_TRUSTED'

/** The file with a document time-stamp. */
const stampedAt = (time: Date, file: Buffer = sample, authority?: typeof stranger) =>
  appendSigned(file, withFieldOnPage(file, `/Rect [0 0 0 0] /F 132 /V ${SIGNATURE} 0 R`), {
    subFilter: 'ETSI.RFC3161',
    makeContents: (signed) => stamp(sha256(signed), time, authority),
  })

const keysOf = (findings: readonly { key: string }[]) => findings.map(({ key }) => key)

async function assertFindings(
  t: Test,
  file: Uint8Array,
  expected: { errors?: readonly string[]; warnings?: readonly string[] },
): Promise<void> {
  const { signatures } = await validateSignatures(file, OPTIONS)
  t.ok(signatures.length > 0)
  for (const { indication, subIndication, errors, warnings, secondOpinion } of signatures) {
    t.same(keysOf(errors), expected.errors ?? [])
    t.same(keysOf(warnings), expected.warnings ?? [])
    const isOpen = expected.errors !== undefined
    t.equal(indication, isOpen ? 'INDETERMINATE' : 'TOTAL_PASSED')
    t.equal(subIndication, isOpen ? 'TIMESTAMP_ORDER_FAILURE' : undefined)
    t.not(secondOpinion?.value, 'wrong')
  }
}

t.test('a document time-stamp from before the time-stamps that it covers', async (t) => {
  const [errors, warnings] = [[OUT_OF_ORDER], [NOT_TRUSTED]]
  await assertFindings(t, await stampedAt(before(120)), { errors, warnings })
  const beforeTheCertificates = new Date('2026-03-01T00:00:00Z')
  await assertFindings(t, await stampedAt(beforeTheCertificates), { errors, warnings })
})

t.test('the clocks of two authorities may differ by a minute', async (t) => {
  await assertFindings(t, await stampedAt(before(59)), {})
  const { documentTimestamps } = await validateSignatures(await stampedAt(before(-59)), {
    ...OPTIONS,
    validationTime: NOW,
  })
  t.match(documentTimestamps, [{ indication: 'TOTAL_PASSED' }])
})

t.test('authorities that are not trusted contradict nobody', async (t) => {
  await assertFindings(t, await stampedAt(before(120), sample, stranger), {})
  const file = await signSample(undefined, { timeStamp: (digest) => stamp(digest, NOW, stranger) })
  const stamped = await stampedAt(before(120), file)
  await assertFindings(t, stamped, { warnings: [NOT_TRUSTED] })
})

/** A signature with a time-stamp of its content, and one of its value. */
const withContentStamp = (time: Date, stamped = (content: Buffer): Uint8Array => content) =>
  appendSigned(sample, withFieldOnPage(sample, `${RECTANGLE} /F 4 /V ${SIGNATURE} 0 R`), {
    async makeContents(signed) {
      const template = signedDataTemplate(lubos)
      const type = objectIdentifier(OID.contentTimeStampToken)
      const token = await stamp(sha256(stamped(signed)), time)
      const usual = template.signedAttributes(createHash(template.hash).update(signed).digest())
      const attributes = setOf(
        ...readDer(usual).children.map(({ encoded }) => encoded),
        sequence(type, setOf(token)),
      )
      const value = await lubos.sign(attributes)
      return template.encode(attributes, value, await stamp(sha256(value)))
    },
  })

t.test('a time-stamp of the content from after that of the signature', async (t) => {
  const reportOn = async (file: Uint8Array) => {
    const { signatures } = await validateSignatures(file, OPTIONS)
    const { indication, subIndication, errors, warnings } = signatures.at(-1) ?? {}
    const keys = [...(errors ?? []), ...(warnings ?? [])].map(({ key }) => key)
    return [indication, subIndication, ...keys]
  }
  const passed = ['TOTAL_PASSED', undefined]
  t.same(await reportOn(await withContentStamp(before(600))), passed)
  t.same(await reportOn(await withContentStamp(before(-59))), passed)
  const late = ['INDETERMINATE', 'TIMESTAMP_ORDER_FAILURE', OUT_OF_ORDER]
  const open = 'CONTENT_TIME_STAMP_NOT_TRUSTED'
  t.same(await reportOn(await withContentStamp(before(-600))), [...late, open])
  const another = (content: Buffer) => content.subarray(1)
  t.same(await reportOn(await withContentStamp(before(600), another)), [...passed, open])
})
