import t from 'tap'
import type { OwnSignature } from '../../../workers/finalise/own-output.ts'
import { onePerParticipant, signatureEvents } from '../../../workers/finalise/signature-events.ts'

const CASE_ID = '4a3f7d5e-4d6e-4a1c-9a51-1f8f2f0f4a10'
const at = (time: string) => `2026-11-02T${time}Z`

const signature = (given: Partial<OwnSignature>): OwnSignature => ({
  fieldName: `sigcase-${given.participantId ?? 'seal'}`,
  subject: 'CN=Jana',
  issuer: 'CN=Issuing CA',
  certificateSerial: given.participantId ?? 'seal',
  certificateSha256: 'ab',
  rootSha256: 'cd',
  notBefore: at('08:50:00.000'),
  notAfter: at('20:50:00.000'),
  signedAt: at('09:00:05.000'),
  timeStampedAt: at('09:00:05.000'),
  level: 'PAdES-BASELINE-LTA',
  infos: [],
  ...given,
})

const DOCUMENT = { sha256: 'ef', size: 5000, level: 'PAdES-BASELINE-LTA' }

const timesOf = (signatures: OwnSignature[], causedAt: string) =>
  signatureEvents(CASE_ID, { document: DOCUMENT, signatures }, causedAt, '01').map(
    ({ type, participantId, occurredAt }) =>
      [type.split('.')[1], participantId, occurredAt.slice(11, 23)] as const,
  )

t.test('a signature is applied with its time-stamp, and the seal follows them all', (t) => {
  const signatures = [
    signature({ participantId: 'one', timeStampedAt: at('09:00:06.700') }),
    signature({ participantId: 'two', timeStampedAt: at('09:00:06.600') }),
    signature({ timeStampedAt: at('09:00:06.650') }),
  ]
  t.same(timesOf(signatures, at('09:00:05.437')), [
    ['certificate_issued', 'one', '09:00:05.437'],
    ['certificate_issued', 'two', '09:00:05.437'],
    ['signature_applied', 'one', '09:00:06.700'],
    ['signature_applied', 'two', '09:00:06.600'],
    ['finalised', undefined, '09:00:06.700'],
  ])
  t.end()
})

t.test('an authority whose clock is behind dates nothing before its cause', (t) => {
  const signatures = [signature({ participantId: 'one', timeStampedAt: at('08:59:00.000') })]
  const times = timesOf(signatures, at('09:00:05.437')).map(([, , time]) => time)
  t.same(new Set(times), new Set(['09:00:05.437']))
  t.end()
})

t.test('further places of a participant belong to the first signature', (t) => {
  const signatures = [
    signature({ participantId: 'one' }),
    signature({ participantId: 'one', fieldName: 'sigcase-one-2' }),
    signature({}),
  ]
  t.equal(onePerParticipant(signatures).length, 2)
  const document = { document: DOCUMENT, signatures }
  const [, applied] = signatureEvents(CASE_ID, document, at('09:00:05.000'), '01')
  t.match(applied?.data, { fieldName: 'sigcase-one', furtherFieldNames: ['sigcase-one-2'] })
  t.end()
})
