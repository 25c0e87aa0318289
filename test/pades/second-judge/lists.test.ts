/** Certificates are found on revocation lists of any length. */
import t from 'tap'
import { readCertificate as readOwn } from '../../../pades/cms/certificate-reader.ts'
import { JudgeEngine } from '../../../pades/second-judge/engine.ts'
import { isListed, readList } from '../../../pades/second-judge/lists.ts'
import { readCertificate } from '../../../pades/second-judge/read-certificate.ts'
import { EvidenceJudge } from '../../../pades/second-judge/revocation.ts'
import { commonName } from '../../fixtures/chains.ts'
import * as pki from '../../fixtures/pki.ts'
import { buildList, INDIRECT } from '../../fixtures/scoped-lists.ts'

/** More than asn1js takes in one structure. */
const MANY = 20_000
const revokedAt = new Date('2026-05-01T00:00:00Z')
const { certificate: leaf } = pki.janka
const { certificate: revoked } = pki.lubos
const serialOf = (der: Uint8Array) => readOwn(der).serialNumber

const entries = [
  ...Array.from({ length: MANY }, (_, number) => ({
    serialNumber: Uint8Array.of(0x11, number >> 8, number & 0xff),
    revokedAt,
    reason: 'superseded' as const,
  })),
  { serialNumber: serialOf(revoked), revokedAt },
]
const long = await pki.revocationList(pki.issuingCa, entries)

t.test('a long list is read, and its signature is verified', async (t) => {
  const { list } = readList(long)
  t.ok(isListed(list, readCertificate(revoked)))
  t.notOk(isListed(list, readCertificate(leaf)))
  const issuerCertificate = readCertificate(pki.issuingCa.certificate)
  t.ok(await list.verify({ issuerCertificate }, new JudgeEngine()))
  const changed = Uint8Array.from(long)
  // The last octet of the last serial number, which the reader does not pass to pkijs.
  const at = Buffer.from(changed).lastIndexOf(serialOf(revoked))
  changed[at + serialOf(revoked).length - 1]! ^= 1
  const { list: other } = readList(changed)
  t.notOk(await other.verify({ issuerCertificate }, new JudgeEngine()), 'a changed entry')
})

t.test('a long list is evidence', async (t) => {
  const judge = new EvidenceJudge({ revocationLists: [long], ocspResponses: [] })
  const ask = (certificate: Uint8Array) =>
    judge.judge({ certificate, issuer: pki.issuingCa.certificate, at: pki.NOW })
  t.equal(await ask(leaf), 'right')
  t.equal(await ask(revoked), 'wrong')
})

t.test('lists beyond the limit of a document leave no opinion', async (t) => {
  const larger = new Uint8Array(9 * 1_048_576)
  const judge = new EvidenceJudge({ revocationLists: [larger], ocspResponses: [] })
  const question = { certificate: leaf, issuer: pki.issuingCa.certificate, at: pki.NOW }
  t.equal(await judge.judge(question), 'unknown')
})

t.test('entries that name issuers are bounded', async (t) => {
  const issuer = commonName('Issuer of the list')
  const certificate = readOwn(leaf)
  const listed = (count: number) => {
    const one = { certificate, issuer: certificate.issuer }
    return buildList({
      issuer,
      scope: [INDIRECT!],
      revoked: Array.from({ length: count }, () => one),
    })
  }
  t.ok(isListed(readList(await listed(2)).list, readCertificate(leaf)))
  const { list } = readList(await listed(60))
  t.ok(isListed(list, readCertificate(revoked)), 'a list with too many may have every certificate')
})

t.test('a list without entries has none', async (t) => {
  const { list } = readList(await pki.revocationList(pki.issuingCa))
  t.notOk(isListed(list, readCertificate(leaf)))
  t.throws(() => readList(Uint8Array.of(0x30, 0x80, 0, 0)), 'no definite length')
})
