import { Buffer } from 'node:buffer'
import t from 'tap'
import { generalizedTime } from '../../../pades/cms/der.ts'
import { extension } from '../../../pades/cms/extensions.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import { EvidenceJudge } from '../../../pades/second-judge/revocation.ts'
import {
  basicConstraintsOf,
  buildChain,
  commonName,
  issue,
  KEY_BITS,
  keyUsageOf,
} from '../../fixtures/chains.ts'
import { goodAnswer, revokedStatus } from '../../fixtures/ocsp.ts'
import {
  identity,
  issuingCa,
  janka,
  NOW,
  revocationList,
  root as testRoot,
} from '../../fixtures/pki.ts'
import type { RevokedCertificate } from '../../../pades/cms/revocation-list.ts'
import { readCertificate as readOwn } from '../../../pades/cms/certificate-reader.ts'
import { buildList } from '../../fixtures/scoped-lists.ts'
import { countVerifications } from './count-verifications.ts'

const COPIES = 60
const LISTS = 20
const OTHER_KEY = 6

t.test('copies of the key of an authority do not multiply the signatures to verify', async (t) => {
  const name = commonName('Root with copies')
  const [leaf, root] = await buildChain([{}], { name })
  const extensions = [basicConstraintsOf(true), keyUsageOf(KEY_BITS.lists)]
  const copies = await Promise.all(
    Array.from({ length: COPIES }, (_, number) =>
      issue(commonName(`Somebody ${number}`), name, extensions, [0, OTHER_KEY]),
    ),
  )
  const revocationLists = await Promise.all(
    Array.from({ length: LISTS }, () => buildList({ issuer: name, depth: OTHER_KEY })),
  )
  const judge = new EvidenceJudge({
    revocationLists,
    ocspResponses: [],
    otherKeys: () => copies.map(({ der }) => der),
  })
  const verified = countVerifications(t)
  const question = { certificate: leaf!.der, issuer: root!.der, at: NOW }
  t.equal(await judge.judge(question), 'wrong')
  t.ok(verified() <= COPIES + LISTS, `${verified()} signatures were verified`)
  await judge.judge(question)
  t.ok(verified() <= COPIES + LISTS, 'nor does the next certificate of the authority')
})

const DAY_MS = 24 * 3_600_000
const after = (days: number) => new Date(NOW.getTime() + days * DAY_MS)
const { serialNumber, notAfter } = readOwn(janka.certificate)
const QUESTION = { certificate: janka.certificate, issuer: issuingCa.certificate, at: NOW }
const listWith = (entries: readonly RevokedCertificate[], from = 0) =>
  revocationList(issuingCa, entries, { thisUpdate: after(from), nextUpdate: after(from + 7) })
const revokedAt = (days: number) => ({ serialNumber, revokedAt: after(days) })
const judged = (
  revocationLists: readonly Uint8Array[],
  question: object = {},
  evidence: object = {},
) =>
  new EvidenceJudge({ revocationLists, ocspResponses: [], ...evidence }).judge({
    ...QUESTION,
    ...question,
  })

t.test('what says that a certificate was revoked counts first', async (t) => {
  const good = await listWith([])
  const revoking = await listWith([revokedAt(-1)])
  t.equal(await judged([good]), 'right')
  t.equal(await judged([good, revoking]), 'wrong')
  t.equal(await judged([revoking, good]), 'wrong')
  const times = { thisUpdate: NOW, nextUpdate: after(1) }
  const ocspResponses = [
    await goodAnswer(janka.certificate, issuingCa, times),
    await goodAnswer(janka.certificate, issuingCa, { ...times, status: revokedStatus(after(-1)) }),
  ]
  t.equal(await judged([good], {}, { ocspResponses: ocspResponses.slice(0, 1) }), 'right')
  t.equal(await judged([good], {}, { ocspResponses }), 'wrong')
  const other = await identity({ issuer: testRoot, profile: 'issuing-ca' })
  const forged = await goodAnswer(janka.certificate, issuingCa, {
    ...times,
    signer: other,
    status: revokedStatus(after(-1)),
  })
  t.equal(await judged([good], {}, { ocspResponses: [forged] }), 'right', 'somebody else says it')
})

t.test('a certificate of which nothing is known may not be revoked', async (t) => {
  const mustBeGood = false
  t.equal(await judged([], { mustBeGood }), 'right')
  t.equal(await judged([await listWith([revokedAt(1)])], { mustBeGood }), 'right', 'it was later')
  t.equal(await judged([await listWith([revokedAt(-1)])], { mustBeGood }), 'wrong')
  t.equal(await judged([await listWith([revokedAt(0)])], { mustBeGood }), 'wrong')
})

t.test('evidence of the wrong time shows nothing', async (t) => {
  const [early, late] = [await listWith([], -100), await listWith([], 2)]
  t.ok(after(2) > notAfter)
  t.equal(await judged([early], { at: after(-95) }), 'wrong', 'before it was issued')
  t.equal(await judged([late]), 'wrong', 'after it expired')
  t.equal(await judged([await listWith([], 0.5)], {}, { until: NOW }), 'wrong', 'in the future')
  t.equal(await judged([await listWith([], 0.5)], {}, { until: after(0.5) }), 'right')
  const since = (time: Date) => [extension(OID.ocspArchiveCutoff, false, generalizedTime(time))]
  const answered = async (singleExtensions: readonly Uint8Array[]) => {
    const times = { thisUpdate: after(2), nextUpdate: after(3), singleExtensions }
    return judged(
      [],
      {},
      { ocspResponses: [await goodAnswer(janka.certificate, issuingCa, times)] },
    )
  }
  t.equal(await answered([]), 'wrong')
  t.equal(await answered(since(notAfter)), 'right', 'it names those that expired then')
  t.equal(await answered(since(after(1.5))), 'wrong')
})

t.test('what our reader relies on is judged by itself where not all can be read', async (t) => {
  const junk = Buffer.from('not a list')
  const good = await listWith([])
  const judgedBy = (direct?: object) => {
    const nothing = { revocationLists: [], ocspResponses: [] }
    const directSources = () => direct && { ...nothing, ...direct }
    return judged([junk], {}, { directSources, until: NOW })
  }
  t.equal(await judgedBy(), 'unknown')
  t.equal(await judgedBy({ revocationLists: [good] }), 'right')
  t.equal(await judgedBy({ revocationLists: [junk] }), 'unknown')
  t.equal(await judgedBy({ revocationLists: [await listWith([revokedAt(-1)])] }), 'wrong')
  t.equal(await judgedBy({ revocationLists: [await listWith([], 0.5)] }), 'wrong', 'in the future')
  const times = { thisUpdate: NOW, nextUpdate: after(1) }
  const answer = await goodAnswer(janka.certificate, issuingCa, times)
  t.equal(await judgedBy({ ocspResponses: [answer] }), 'right')
  const forged = await goodAnswer(janka.certificate, issuingCa, { ...times, signer: testRoot })
  t.equal(await judgedBy({ ocspResponses: [forged] }), 'wrong')
})
