/** Validation data count wherever the security store has them (EN 319 142-1, 5.4.2). */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { readCertificate } from '../../../pades/cms/certificate-reader.ts'
import { signDocument } from '../../../pades/sign/sign-document.ts'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { buildPdf } from '../../fixtures/pdf.ts'
import * as pki from '../../fixtures/pki.ts'
import { appended, sourceOf, stream, withEntry } from '../../fixtures/revisions.ts'
import { OPTIONS } from './sample.ts'

/** Numbers that no sample uses. */
const [FIRST, SECOND, THIRD] = [1950, 1951, 1952]
const BOTH = `[${FIRST} 0 R ${SECOND} 0 R]`

const { certificates, algorithm, sign, certificate } = pki.published.seal
const signed = await signDocument(buildPdf(), {
  signers: [],
  seal: { fieldName: 'Seal', name: 'Seal', credential: { certificates, algorithm, sign } },
  sealedAt: pki.NOW,
  timeStamp: (digest) => pki.publishedStamp(digest),
})
const SAMPLE = Buffer.from(signed.bytes)

const pieceOf = (der: Uint8Array) =>
  stream(Buffer.from(der).toString('hex')).replace('<<', '<< /Filter /ASCIIHexDecode')

const [ofIssuer, ofRoot] = pki.revocationLists as [Uint8Array, Uint8Array]
const { serialNumber } = readCertificate(certificate)
const revoking = await pki.revocationList(pki.published.ca, [
  { serialNumber, revokedAt: new Date('2026-05-01T00:00:00Z'), reason: 'keyCompromise' },
])

/** The sample with three revocation lists, the last of which revokes, and a store. */
function withStore(entries: string): Buffer {
  return appended(SAMPLE, {
    [FIRST]: pieceOf(ofIssuer),
    [SECOND]: pieceOf(ofRoot),
    [THIRD]: pieceOf(revoking),
    1: withEntry(sourceOf(SAMPLE, 1), `/DSS << ${entries} >>`),
  })
}

async function verdictOn(entries: string) {
  const { signatures } = await validateSignatures(withStore(entries), OPTIONS)
  const [{ level, indication, errors } = { level: 'none', indication: 'none', errors: [] }] =
    signatures
  return { level, indication, errors: errors.map(({ key }) => key) }
}

const LASTS = { level: 'PAdES-BASELINE-LT', indication: 'TOTAL_PASSED', errors: [] }

t.test('data that only the part about a signature has are those of the store', async (t) => {
  t.same(await verdictOn(`/CRLs ${BOTH}`), LASTS)
  t.same(await verdictOn(`/VRI << /AB << /CRL ${BOTH} >> >>`), LASTS, 'all in one part')
  const parts = `/AB << /CRL [${FIRST} 0 R] >> /CD << /CRL [${SECOND} 0 R null] >> /Type /VRI`
  t.same(await verdictOn(`/VRI << ${parts} >>`), LASTS, 'each in another part')
  const none = { level: 'PAdES-BASELINE-T', errors: ['REVOCATION_UNKNOWN'] }
  t.match(await verdictOn(`/VRI << /AB << /OCSP ${BOTH} >> >>`), none, 'lists are not answers')
})

t.test('a revocation that only the part about a signature has counts', async (t) => {
  const hidden = `/CRLs ${BOTH} /VRI << /AB << /CRL [${THIRD} 0 R] >> >>`
  t.match(await verdictOn(hidden), { indication: 'INDETERMINATE', errors: ['CERTIFICATE_REVOKED'] })
})

t.test('parts may repeat what the store has, and no more than is read', async (t) => {
  const ENTRIES = 1_900
  const TOO_MANY = 101_000
  const repeated = `/CRL [${`${FIRST} 0 R `.repeat(ENTRIES)}]`
  const parts = (count: number) =>
    Array.from({ length: count }, (_, part) => `/P${part} << ${repeated} >>`).join(' ')
  t.same(await verdictOn(`/CRLs ${BOTH} /VRI << ${parts(2)} >>`), LASTS)
  const tooMuch = { errors: ['MODIFIED_AFTER_SIGNING', 'TOO_MUCH_VALIDATION_DATA'] }
  t.match(await verdictOn(`/CRLs ${BOTH} /VRI << ${parts(TOO_MANY / ENTRIES)} >>`), tooMuch)
})
