/** A hold may end: then what was said later counts, from then on (RFC 5280, 5.3.1). */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { readCertificate } from '../../../pades/cms/certificate-reader.ts'
import { RevocationEvidence } from '../../../pades/cms/revocation.ts'
import { EvidenceJudge } from '../../../pades/second-judge/revocation.ts'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { buildList } from '../../fixtures/numbered-lists.ts'
import { goodAnswer, revokedStatus } from '../../fixtures/ocsp.ts'
import { issuingCa, janka, NOW } from '../../fixtures/pki.ts'
import { OPTIONS, signSample } from '../validate/sample.ts'

const MINUTE_MS = 60_000
const at = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS)
const certificate = readCertificate(janka.certificate)
const issuer = readCertificate(issuingCa.certificate)
/** Number of CRLReason. */
const HOLD = 6

interface Said {
  readonly lists?: readonly Uint8Array[]
  readonly answers?: readonly Uint8Array[]
}

/** What both judges say of the certificate at a time, six minutes after it was put on hold. */
async function statusAt(minutes: number, { lists = [], answers = [] }: Said) {
  const data = { revocationLists: lists, ocspResponses: answers }
  const { status } = new RevocationEvidence(data).statusOf(certificate, issuer, at(minutes))
  const question = { certificate: certificate.der, issuer: issuer.der, at: at(minutes) }
  return [status, await new EvidenceJudge(data).judge(question)]
}

const GOOD = ['good', 'right']
const HELD = ['revoked', 'wrong']

const held = await buildList({ number: 1, from: -5, until: 1, reason: 'certificateHold' })
const released = await buildList({ number: 2, from: 2, until: 5 })
const later = await buildList({ number: 3, from: 9 })

t.test('a list that is newer than a hold and has no entry ends it', async (t) => {
  t.same(await statusAt(0, { lists: [held] }), HELD)
  t.same(await statusAt(3, { lists: [held, released] }), GOOD)
  t.same(await statusAt(3, { lists: [released, held] }), GOOD)
  t.same(await statusAt(0, { lists: [held, released] }), HELD, 'it had not ended yet')
  t.same(await statusAt(7, { lists: [held, released, later] }), GOOD, 'between two lists')
  t.same(await statusAt(7, { lists: [held, later] }), HELD, 'it may have ended afterwards')
})

t.test('nothing else ends a hold', async (t) => {
  const early = await buildList({ number: 0, from: -9, until: 60 })
  t.same(await statusAt(3, { lists: [held, early] }), HELD, 'an older list')
  const again = await buildList({ number: 3, from: 3, reason: 'certificateHold' })
  t.same(await statusAt(4, { lists: [held, released, again] }), HELD, 'a second hold')
  const ofOthers = await buildList({ number: 2, from: 2, isForAuthorities: true })
  t.same(await statusAt(3, { lists: [held, ofOthers] }), HELD, 'a list of other certificates')
  const revoking = await buildList({ number: 1, from: -5, reason: 'keyCompromise' })
  t.same(await statusAt(3, { lists: [revoking, released] }), HELD, 'another reason')
  const ended = await buildList({ number: 2, from: 2, reason: 'cessationOfOperation' })
  t.same(await statusAt(3, { lists: [held, ended] }), HELD, 'it was revoked at last')
})

t.test('answers end a hold, too', async (t) => {
  const answer = (from: number, status?: Uint8Array) =>
    goodAnswer(janka.certificate, issuingCa, {
      thisUpdate: at(from),
      nextUpdate: at(from + 5),
      ...(status && { status }),
    })
  const onHold = await answer(-5, revokedStatus(at(-6), HOLD))
  const good = await answer(2)
  t.same(await statusAt(3, { answers: [onHold, good] }), GOOD)
  t.same(await statusAt(1, { answers: [onHold, good] }), HELD)
  t.same(await statusAt(3, { answers: [good], lists: [held] }), GOOD)
  t.same(await statusAt(3, { answers: [onHold], lists: [released] }), GOOD)
})

t.test('a hold that a delta list ended was one until then', async (t) => {
  const base = await buildList({ number: 1, from: -5, until: 9, reason: 'certificateHold' })
  const delta = await buildList({ number: 2, base: 1, from: 2, reason: 'removeFromCRL' })
  const [status] = await statusAt(3, { lists: [base, delta] })
  t.equal(status, 'good')
  const [before] = await statusAt(1, { lists: [base, delta] })
  t.equal(before, 'revoked')
})

t.test('a signature during a hold may be confirmed later', async (t) => {
  const file = Buffer.from(await signSample())
  const verdictWith = async (...revocationLists: readonly Uint8Array[]) => {
    const revocationData = { revocationLists, ocspResponses: [] }
    const { signatures } = await validateSignatures(file, { ...OPTIONS, revocationData })
    const { indication, subIndication, errors } = signatures[0]!
    return [indication, subIndication, ...errors.map(({ key }) => key)]
  }
  const onHold = ['INDETERMINATE', 'TRY_LATER', 'CERTIFICATE_ON_HOLD']
  t.same(await verdictWith(held), onHold)
  t.same(await verdictWith(held, released), onHold)
  const earlier = await buildList({ number: 2, from: -1 })
  t.same(await verdictWith(held, earlier), ['TOTAL_PASSED', undefined])
  const revoking = await buildList({ number: 2, from: -1, reason: 'keyCompromise' })
  const revoked = ['INDETERMINATE', 'REVOKED_NO_POE', 'CERTIFICATE_REVOKED']
  t.same(await verdictWith(held, revoking), revoked)
})
