/** Only the answers about a certificate in question are read, however many a document has. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { Answers } from '../../../pades/second-judge/answers.ts'
import { readCertificate } from '../../../pades/second-judge/read-certificate.ts'
import { EvidenceJudge } from '../../../pades/second-judge/revocation.ts'
import { elementsOf, firstElement } from '../../../pades/second-judge/elements.ts'
import { goodAnswer } from '../../fixtures/ocsp.ts'
import * as pki from '../../fixtures/pki.ts'
import { countVerifications } from './count-verifications.ts'

const HOUR_MS = 3_600_000
const times = { thisUpdate: pki.NOW, nextUpdate: new Date(pki.NOW.getTime() + HOUR_MS) }
const later = new Date(times.nextUpdate.getTime() + HOUR_MS)
const { certificate: leaf } = await pki.signer('Asked about')
const { certificate: stranger } = await pki.signer('Somebody else')
const about = (certificate: Uint8Array) => goodAnswer(certificate, pki.issuingCa, times)
const own = await about(leaf)
const other = await about(stranger)
const copies = (der: Uint8Array, count: number) =>
  Array.from({ length: count }, () => Uint8Array.from(der))
const question = { certificate: leaf, issuer: pki.issuingCa.certificate, at: pki.NOW }
const judge = (ocspResponses: readonly Uint8Array[]) =>
  new EvidenceJudge({ revocationLists: [], ocspResponses })

/** The BasicOCSPResponse within an OCSPResponse. */
function basicOf(answer: Uint8Array): Uint8Array {
  const [, wrapped] = elementsOf(firstElement(answer).content)
  const [, octets] = elementsOf(firstElement(wrapped!.content).content)
  return octets!.content
}

t.test('an answer is found behind hundreds of others', async (t) => {
  const answers = [...copies(other, 500), own]
  t.equal(await judge(answers).judge(question), 'right')
  const shelf = new Answers(answers)
  t.equal(shelf.about(readCertificate(leaf)).length, 1)
  t.ok(shelf.isWhole)
  t.equal(await judge([basicOf(own)]).judge(question), 'right', 'the inner structure alone')
})

t.test('without an answer, the verdict says whether all of them were looked at', async (t) => {
  t.equal(await judge(copies(other, 500)).judge(question), 'wrong')
  t.equal(await judge([Buffer.from('3000', 'hex')]).judge(question), 'unknown', 'a broken one')
  t.equal(await judge(copies(other, 1_001)).judge(question), 'unknown', 'too many')
  const late = { ...question, at: later }
  t.equal(await judge(copies(own, 200)).judge(late), 'wrong')
  t.equal(await judge(copies(own, 201)).judge(late), 'unknown', 'too many about one certificate')
})

t.test('an answer is verified once for each key, however often it is asked for', async (t) => {
  const verified = countVerifications(t)
  const damaged = Uint8Array.from(own)
  damaged[damaged.length - 1]! ^= 1
  const evidence = judge([damaged])
  for (let asked = 0; asked < 3; asked++) t.equal(await evidence.judge(question), 'wrong')
  t.equal(verified(), 1)
})
