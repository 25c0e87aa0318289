/** The sandbox accepts encrypted documents that may be signed, and validates them. */
import t from 'tap'
import { DenoPdfSandbox } from '../../../adapters/pdf-sandbox/pdf-sandbox.ts'
import { encryptedPdf, SCHEMES, WITHOUT_QPDF } from '../../fixtures/encrypted-pdf.ts'
import { FORESEEN_SIGNING } from '../../fixtures/foreseen-signing.ts'
import { buildPdf } from '../../fixtures/pdf.ts'
import { trustAnchors } from '../../fixtures/pki.ts'
import { sharedReader } from '../../fixtures/shared-reader.ts'
import { OPTIONS, signSample } from '../../pades/validate/sample.ts'

/** One of each cipher. */
const TRIED = ['RC4, 40 bits', 'AES, 128 bits', 'AES, 256 bits'] as const

t.test('an encrypted document is accepted', { skip: WITHOUT_QPDF }, async (t) => {
  const sandbox = new DenoPdfSandbox({ reader: sharedReader() })
  const { validationTime } = OPTIONS
  const request = {
    trustAnchors: trustAnchors.map((certificate) => ({ certificate })),
    validationTime,
  }
  for (const name of TRIED) {
    const args = ['--object-streams=generate']
    const pdf = encryptedPdf(buildPdf(), { scheme: SCHEMES[name], args })
    t.match(await sandbox.inspect(pdf, FORESEEN_SIGNING), { outcome: 'accepted' }, name)
    const signed = await signSample(pdf)
    t.match(await sandbox.validate(signed, request), {
      validation: { report: { summary: { indication: 'TOTAL_PASSED' } } },
    })
  }
  const again = await signSample(encryptedPdf(buildPdf()))
  t.match(await sandbox.inspect(again, FORESEEN_SIGNING), { outcome: 'accepted' })
})

t.test('a refusal says why', { skip: WITHOUT_QPDF }, async (t) => {
  const sandbox = new DenoPdfSandbox({ reader: sharedReader() })
  const restricted = encryptedPdf(buildPdf(), { scheme: ['256', '--modify=none'] })
  t.match(await sandbox.inspect(restricted, FORESEEN_SIGNING), {
    outcome: 'rejected',
    reason: /permissions of the PDF forbid adding signature fields/,
  })
  const closed = encryptedPdf(buildPdf(), { userPassword: 'secret' })
  t.match(await sandbox.inspect(closed, FORESEEN_SIGNING), {
    outcome: 'rejected',
    reason: /opens only with a password/,
  })
})
