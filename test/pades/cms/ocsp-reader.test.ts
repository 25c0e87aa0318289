import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import { readCertificate } from '../../../pades/cms/certificate-reader.ts'
import type { Certificate } from '../../../pades/cms/certificate-reader.ts'
import {
  contextPrimitive,
  generalizedTime,
  NULL,
  objectIdentifier,
  octetString,
  sequence,
} from '../../../pades/cms/der.ts'
import { extension } from '../../../pades/cms/extensions.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import { RevocationEvidence } from '../../../pades/cms/revocation.ts'
import { EvidenceJudge } from '../../../pades/second-judge/revocation.ts'
import { GOOD, goodAnswer, revokedStatus } from '../../fixtures/ocsp.ts'
import { issuingCa, janka, NOW } from '../../fixtures/pki.ts'
import {
  answerOf,
  authority,
  issueResponder,
  leaf,
  publishedInList,
  respondersList,
  uses,
} from '../../fixtures/responder.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const CRITICAL = true
/** cessationOfOperation (RFC 5280, 5.3.1). */
const CESSATION = 5
const PRIVATE = '1.3.6.1.4.1.55555.1'
const [certificate, issuer] = [janka, issuingCa].map((one) => readCertificate(one.certificate))
const after = (ms: number) => new Date(NOW.getTime() + ms)

type Options = Partial<Parameters<typeof goodAnswer>[2]>

async function statusBy(options: Options = {}, at = NOW) {
  const times = { thisUpdate: NOW, nextUpdate: after(HOUR_MS) }
  const answer = await goodAnswer(janka.certificate, issuingCa, { ...times, ...options })
  const evidence = new RevocationEvidence({ revocationLists: [], ocspResponses: [answer] })
  return evidence.statusOf(certificate!, issuer!, at)
}

/** The status by both judges, of which the second says whether it is good. */
async function goodByBoth(options: Options) {
  const times = { thisUpdate: NOW, nextUpdate: after(HOUR_MS) }
  const answer = await goodAnswer(janka.certificate, issuingCa, { ...times, ...options })
  const evidence = { revocationLists: [], ocspResponses: [answer] }
  const question = { certificate: janka.certificate, issuer: issuingCa.certificate, at: NOW }
  const second = await new EvidenceJudge(evidence).judge(question)
  const { status } = new RevocationEvidence(evidence).statusOf(certificate!, issuer!, NOW)
  return [status, second]
}

t.test('the gravest word of an answer about a certificate counts, wherever it is', async (t) => {
  const revoked = revokedStatus(NOW)
  const unknown = contextPrimitive(2, new Uint8Array())
  t.same(await goodByBoth({ statuses: [GOOD, GOOD] }), ['good', 'right'])
  t.same(await goodByBoth({ statuses: [GOOD, revoked] }), ['revoked', 'wrong'])
  t.same(await goodByBoth({ statuses: [revoked, GOOD] }), ['revoked', 'wrong'])
  t.same(await goodByBoth({ statuses: [GOOD, unknown] }), ['unknown', 'wrong'])
})

t.test('the digest of another certificate makes an answer one about another', async (t) => {
  const digest = (octets: Uint8Array) => createHash('sha256').update(octets).digest()
  const certHash = (algorithm: string, octets: Uint8Array) => ({
    singleExtensions: [
      extension(
        OID.certHash,
        !CRITICAL,
        sequence(sequence(objectIdentifier(algorithm)), octetString(octets)),
      ),
    ],
  })
  const own = digest(janka.certificate)
  t.same(await goodByBoth(certHash(OID.sha256, own)), ['good', 'right'])
  const other = digest(issuingCa.certificate)
  t.same(await goodByBoth(certHash(OID.sha256, other)), ['unknown', 'wrong'])
  t.same(await goodByBoth(certHash(PRIVATE, own)), ['good', 'right'], 'a hash that is not known')
})

t.test('the reason of a revocation is read', async (t) => {
  const SUPERSEDED = 4
  t.match(await statusBy({ status: revokedStatus(NOW, SUPERSEDED) }), {
    status: 'revoked',
    revokedAt: NOW,
    reason: 'superseded',
  })
  t.match(await statusBy({ status: revokedStatus(NOW) }), { reason: 'unspecified' })
  t.match(await statusBy({ status: revokedStatus(NOW, 99) }), { reason: 'unspecified' })
})

t.test('an answer with a critical extension that is not known says nothing', async (t) => {
  const unknown = (critical: boolean) => [extension(PRIVATE, critical, NULL)]
  const nonce = [extension(OID.ocspNonce, CRITICAL, octetString(Uint8Array.of(1)))]
  t.equal((await statusBy({ extensions: unknown(!CRITICAL) })).status, 'good')
  t.equal((await statusBy({ singleExtensions: unknown(!CRITICAL) })).status, 'good')
  t.equal((await statusBy({ extensions: nonce })).status, 'good')
  t.equal((await statusBy({ extensions: unknown(CRITICAL) })).status, 'unknown')
  t.equal((await statusBy({ singleExtensions: unknown(CRITICAL) })).status, 'unknown')
})

t.test('an answer from after the certificate expired', async (t) => {
  const late = { thisUpdate: after(2 * DAY_MS), nextUpdate: after(3 * DAY_MS) }
  const cutoff = (time: Date) => extension(OID.ocspArchiveCutoff, !CRITICAL, generalizedTime(time))
  const hash = (octets: Uint8Array) =>
    extension(
      OID.certHash,
      !CRITICAL,
      sequence(
        sequence(objectIdentifier(OID.sha256), NULL),
        octetString(createHash('sha256').update(octets).digest()),
      ),
    )
  const statusWith = async (...singleExtensions: readonly Uint8Array[]) =>
    (await statusBy({ ...late, singleExtensions })).status
  t.equal(await statusWith(), 'stale', 'the responder may have forgotten it')
  t.equal(await statusWith(cutoff(after(DAY_MS))), 'good', 'it remembers certificates so old')
  t.equal(await statusWith(cutoff(after(DAY_MS + 1_000))), 'stale', 'it remembers newer ones')
  t.equal(await statusWith(extension(OID.ocspArchiveCutoff, !CRITICAL, NULL)), 'stale')
  t.equal(await statusWith(hash(janka.certificate)), 'good', 'it knows this very certificate')
  t.equal(await statusWith(hash(issuingCa.certificate)), 'unknown', 'it knows another one')
  t.equal(await statusWith(extension(OID.certHash, !CRITICAL, NULL)), 'stale')
  const revoked = revokedStatus(after(HOUR_MS))
  t.equal((await statusBy({ ...late, status: revoked })).status, 'revoked', 'it counts ever')
})

t.test('a responder that is not the authority', async (t) => {
  const status = async (responder: Certificate) => {
    const answer = await answerOf(responder)
    const evidence = new RevocationEvidence({ revocationLists: [], ocspResponses: [answer] })
    return evidence.statusOf(leaf, authority, NOW).status
  }
  t.equal(await status(await issueResponder([uses(OID.ocspSigning)])), 'good')
  t.equal(await status(await issueResponder([])), 'unknown', 'it is not for answers')
  const by = 2
  t.equal(await status(await issueResponder([uses(OID.ocspSigning)], by)), 'unknown', 'by another')
})

/** The status by both judges, which agree. */
async function statusByAnswers(
  t: Test,
  responder: Certificate,
  revocationLists: readonly Uint8Array[] = [],
  others: readonly Certificate[] = [],
) {
  const answers = [leaf, ...others].map((about) => answerOf(responder, about))
  const evidence = { revocationLists, ocspResponses: await Promise.all(answers) }
  const { status } = new RevocationEvidence(evidence).statusOf(leaf, authority, NOW)
  const question = { certificate: leaf.der, issuer: authority.der, at: NOW }
  const second = await new EvidenceJudge(evidence).judge(question)
  t.equal(second === 'right', status === 'good', `the second judge says ${second}`)
  return status
}

t.test('a responder whose own certificate can be revoked', async (t) => {
  const status = statusByAnswers.bind(undefined, t)
  const responder = await issueResponder([uses(OID.ocspSigning), publishedInList])
  t.equal(await status(responder), 'unknown', 'nothing says that it was not revoked')
  t.equal(await status(responder, [], [responder]), 'unknown', 'nor does its own word')
  t.equal(await status(responder, [await respondersList()]), 'good')
  const revoked = await respondersList([{ certificate: responder }])
  t.equal(await status(responder, [revoked]), 'unknown', 'it was revoked before')
  t.equal(await status(responder, [await respondersList(), revoked]), 'unknown')
  const revokedAt = after(HOUR_MS)
  const stolen = await respondersList([{ certificate: responder, revokedAt }])
  t.equal(await status(responder, [stolen]), 'unknown', 'who has its key can name any time')
  const ended = await respondersList([{ certificate: responder, revokedAt, reason: CESSATION }])
  t.equal(await status(responder, [ended]), 'good', 'it answered before it ended')
})

t.test('a responder whose revocation nobody publishes', async (t) => {
  const status = statusByAnswers.bind(undefined, t)
  const noCheck = extension(OID.ocspNoCheck, !CRITICAL, NULL)
  const forEver = await issueResponder([uses(OID.ocspSigning), publishedInList, noCheck])
  t.equal(await status(forEver), 'good', 'its issuer says that it need not be asked')
  t.equal(await status(await issueResponder([uses(OID.ocspSigning)])), 'good')
})
