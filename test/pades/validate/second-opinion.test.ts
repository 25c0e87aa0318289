/** A signature passes only when both judges say so, and a second opinion never makes it better. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import t from 'tap'
import { readCertificate, type Certificate } from '../../../pades/cms/certificate-reader.ts'
import type { RevocationData } from '../../../pades/cms/revocation.ts'
import { conclude, type FindingKey } from '../../../pades/findings.ts'
import { signDocument } from '../../../pades/sign/sign-document.ts'
import type { ValidationReport } from '../../../pades/validate/report.ts'
import { addSecondOpinion, type Brief } from '../../../pades/validate/second-opinion.ts'
import { authorityKey } from '../../../pades/validate/time-stamps.ts'
import { validate, validateBehind } from '../../../pades/validate/validate-signatures.ts'
import * as pki from '../../fixtures/pki.ts'
import { smallDocument } from '../../fixtures/signed-by-all.ts'

const { certificates, algorithm, sign } = pki.published.seal
const { bytes } = await signDocument(await smallDocument(), {
  signers: [],
  seal: { fieldName: 'Seal', name: 'Seal', credential: { certificates, algorithm, sign } },
  sealedAt: pki.NOW,
  timeStamp: (digest) => pki.publishedStamp(digest),
  longTerm: pki.longTerm,
})
const file = Buffer.from(bytes)
const OPTIONS = { trustAnchors: pki.trustAnchors, validationTime: pki.NOW }
const EVIDENCE: RevocationData = {
  revocationLists: [await pki.revocationList(pki.published.ca), await pki.revocationList(pki.root)],
  ocspResponses: [],
}

const judged = await validate(file, OPTIONS)
/** What our own reader says, without the second judge. */
const own = (await validateBehind(file, OPTIONS, 0)).report
const FINDING = 'SECOND_JUDGE_DISAGREES'

type Reports = Pick<ValidationReport, 'signatures' | 'documentTimestamps'>
type Changes = { contents?: (octets: Buffer) => Buffer; signed?: Buffer } & Partial<Brief>

/** Signatures as found in a file, with contents, signed bytes or other parts changed. */
function briefOf({ contents = (octets) => octets, signed, ...more }: Changes = {}): Brief {
  const found = (one: Reports['signatures' | 'documentTimestamps'][number]) => {
    const [, start = 0, end = 0, length = 0] = one.integrity.byteRange
    const octets = Buffer.from(file.toString('latin1', start + 1, end - 1), 'hex')
    const covered =
      signed ?? Buffer.concat([file.subarray(0, start), file.subarray(end, end + length)])
    const isDocumentTimeStamp = !('level' in one)
    const subFilter = isDocumentTimeStamp ? 'ETSI.RFC3161' : 'ETSI.CAdES.detached'
    return { found: { contents: contents(octets), subFilter, isDocumentTimeStamp }, range: covered }
  }
  return {
    examined: [...own.signatures, ...own.documentTimestamps].map(found),
    digests: { of: (range: Buffer, hash: string) => createHash(hash).update(range).digest() },
    certificates: judged.certificates,
    evidence: EVIDENCE,
    authorityChecks: new Map(),
    ...more,
  } as unknown as Brief
}

const keysOf = ({ errors }: Pick<Reports['signatures'][number], 'errors'>) =>
  errors.map(({ key }) => key)

/** The own report on the signature with findings of our own reader. */
function ownWith(finding: FindingKey, signatureValueValid: boolean): Reports {
  const [signature] = own.signatures
  const integrity = { ...signature.integrity, signatureValueValid }
  return { ...own, signatures: [{ ...signature, ...conclude([finding]), integrity }] }
}

t.test('both judges agree about a signature that lasts', async (t) => {
  const [signature] = judged.report.signatures
  const [stamp] = judged.report.documentTimestamps
  t.equal(judged.report.summary.indication, 'TOTAL_PASSED')
  t.same(signature.secondOpinion, { value: 'right', path: 'right', revocation: 'right' })
  const whole = { value: 'right', path: 'right', revocation: 'right' }
  t.same(signature.timestamps[0]?.secondOpinion, whole)
  t.same(stamp?.secondOpinion, whole)
  t.equal(own.signatures[0].secondOpinion, undefined, 'a rehearsal does not ask')
  t.equal(own.summary.indication, 'TOTAL_PASSED')
})

t.test('what the second judge does not confirm is INDETERMINATE', async (t) => {
  const others: Record<string, Changes> = {
    'a value over other bytes': { signed: Buffer.from('other bytes') },
    'no CMS': { contents: () => Buffer.from('no CMS') },
    revoked: {
      evidence: {
        revocationLists: [
          await pki.revocationList(pki.published.ca, [
            { serialNumber: readCertificate(certificates[0]).serialNumber, revokedAt: pki.NOW },
          ]),
          await pki.revocationList(pki.root),
        ],
        ocspResponses: [],
      },
    },
    'no list': { evidence: { revocationLists: [], ocspResponses: [] } },
    'a list of another authority': {
      evidence: { revocationLists: [await pki.revocationList(pki.issuingCa)], ocspResponses: [] },
    },
    'another issuer in the path': {
      certificates: judged.certificates.map((one) =>
        one.selfIssued ? one : ({ sha256: one.sha256, der: pki.janka.certificate } as Certificate),
      ),
    },
  }
  for (const [name, changes] of Object.entries(others)) {
    const { signatures } = await addSecondOpinion(own, briefOf(changes))
    t.equal(signatures[0].indication, 'INDETERMINATE', name)
    t.same(keysOf(signatures[0]), [FINDING], name)
  }
})

t.test('the second judge confirms that time-stamp authorities were not revoked', async (t) => {
  const [stamp] = own.documentTimestamps
  const [authority] = stamp.certificateChain
  const check = { at: pki.NOW, good: new Set([authority.sha256]) }
  const key = authorityKey(authority.sha256, stamp.productionTime)
  const authorityChecks = new Map([[key, check]])
  const ask = async (evidence: RevocationData) => {
    const brief = briefOf({ authorityChecks, evidence })
    const { documentTimestamps } = await addSecondOpinion(own, brief)
    return documentTimestamps[0]
  }
  t.equal((await ask(EVIDENCE)).indication, 'TOTAL_PASSED')
  const revokedAt = new Date(pki.NOW.getTime() - 1_000)
  const serialNumber = readCertificate(pki.published.authority.certificate).serialNumber
  const lists = [
    await pki.revocationList(pki.published.ca, [{ serialNumber, revokedAt }]),
    ...EVIDENCE.revocationLists.slice(1),
  ]
  const revoked = await ask({ revocationLists: lists, ocspResponses: [] })
  t.equal(revoked.indication, 'INDETERMINATE')
  t.equal(revoked.secondOpinion?.revocation, 'wrong')
  t.same(keysOf(revoked), [FINDING])
  t.equal((await ask({ revocationLists: [], ocspResponses: [] })).indication, 'INDETERMINATE')
})

t.test('every octet of the signature value counts for the second judge, too', async (t) => {
  const broken = (octets: Buffer) => {
    const copy = Buffer.from(octets)
    copy[copy.findLastIndex((octet) => octet !== 0) - 3] ^= 1
    return copy
  }
  const { signatures, documentTimestamps } = await addSecondOpinion(
    own,
    briefOf({ contents: broken }),
  )
  t.equal(documentTimestamps[0].indication, 'INDETERMINATE')
  t.equal(documentTimestamps[0].secondOpinion?.value, 'wrong')
  t.equal(signatures[0].timestamps[0].indication, 'INDETERMINATE', 'its token is last')
  t.same(keysOf(signatures[0]), [FINDING], 'the time of the signature is in doubt')
})

t.test('a failed verdict stays failed, and says that the judges disagree', async (t) => {
  const reports = ownWith('SIGNATURE_VALUE_WRONG', false)
  const { signatures } = await addSecondOpinion(reports, briefOf())
  t.equal(signatures[0].indication, 'TOTAL_FAILED')
  t.equal(signatures[0].subIndication, 'SIG_CRYPTO_FAILURE')
  t.same(keysOf(signatures[0]), ['SIGNATURE_VALUE_WRONG', FINDING])
})

t.test('a failed verdict that both share needs no further finding', async (t) => {
  const reports = ownWith('DIGEST_DIFFERS', true)
  const [signature] = reports.signatures
  const failed = { ...signature, integrity: { ...signature.integrity, digestMatch: false } }
  const brief = briefOf({ signed: Buffer.from('other bytes') })
  const shared = { signatures: [failed], documentTimestamps: [] }
  const { signatures } = await addSecondOpinion(shared, {
    ...brief,
    examined: brief.examined.slice(0, 1),
  })
  t.same(keysOf(signatures[0]), ['DIGEST_DIFFERS'])
  t.equal(signatures[0].secondOpinion?.value, 'wrong')
})

t.test('data that nobody can read do not silence the second judge', async (t) => {
  const junk = Array.from({ length: 101 }, (_, number) => Buffer.from(`no list ${number}`))
  const revocationData = { revocationLists: junk, ocspResponses: [] }
  const { report } = await validate(file, { ...OPTIONS, revocationData })
  t.equal(report.summary.indication, 'TOTAL_PASSED')
  t.equal(report.signatures[0]?.secondOpinion?.revocation, 'right')
  t.equal(report.documentTimestamps[0]?.secondOpinion?.revocation, 'right')
})
