/** What a weak key has signed does not show that a certificate was not revoked. */
import { generateKeyPairSync, sign as signBy } from 'node:crypto'
import t from 'tap'
import { issueCertificate } from '../../../pades/cms/certificate.ts'
import { readCertificate } from '../../../pades/cms/certificate-reader.ts'
import { keyStrength } from '../../../pades/cms/key-strength.ts'
import { RevocationEvidence } from '../../../pades/cms/revocation.ts'
import { EvidenceJudge } from '../../../pades/second-judge/revocation.ts'
import { goodAnswer, revokedStatus } from '../../fixtures/ocsp.ts'
import { janka, nextSerialNumber, NOW, revocationList, root } from '../../fixtures/pki.ts'
import type { Identity } from '../../fixtures/pki.ts'

const MINUTE_MS = 60_000
const after = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS)

/** An authority with an RSA key, and a certificate that it has issued. */
async function authorityWith(modulusLength: number) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength })
  const sign = (data: Uint8Array) => new Uint8Array(signBy('sha256', data, privateKey))
  const algorithm = 'rsa-pkcs1-sha256' as const
  const common = {
    subject: { commonName: 'Authority' },
    serialNumber: nextSerialNumber(),
    notBefore: after(-60),
    notAfter: after(60),
  }
  const publicKeySpki = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }))
  const certificate = await issueCertificate(
    {
      ...common,
      publicKeySpki,
      issuer: root.certificate,
      algorithm: root.algorithm,
      profile: 'issuing-ca',
    },
    root.sign,
  )
  const leaf = await issueCertificate(
    {
      ...common,
      publicKeySpki: janka.key.publicKeySpki,
      issuer: certificate,
      algorithm,
      profile: 'signer',
    },
    sign,
  )
  const authority = { ...root, certificate, certificates: [certificate], algorithm, sign }
  return { authority: authority satisfies Identity, leaf }
}

/** The status by both judges. */
async function statusBy(authority: Identity, leaf: Uint8Array, data: object) {
  const evidence = { revocationLists: [], ocspResponses: [], ...data }
  const question = { certificate: leaf, issuer: authority.certificate, at: NOW }
  const [certificate, issuer] = [readCertificate(leaf), readCertificate(authority.certificate)]
  const { status } = new RevocationEvidence(evidence).statusOf(certificate, issuer, NOW)
  return [status, await new EvidenceJudge(evidence).judge(question)]
}

const BITS = [
  [2048, 'strong', ['good', 'right']],
  [1024, 'weak', ['unknown', 'wrong']],
] as const
for (const [bits, strength, expected] of BITS) {
  t.test(`lists and answers by a key of ${bits} bits`, async (t) => {
    const { authority, leaf } = await authorityWith(bits)
    t.equal(keyStrength(readCertificate(authority.certificate).publicKeyKind), strength)
    const lists = [await revocationList(authority)]
    t.same(await statusBy(authority, leaf, { revocationLists: lists }), expected)
    const times = { thisUpdate: NOW, nextUpdate: after(60) }
    const answer = await goodAnswer(leaf, authority, times)
    t.same(await statusBy(authority, leaf, { ocspResponses: [answer] }), expected)
    const status = revokedStatus(after(-1))
    const revoked = await goodAnswer(leaf, authority, { ...times, status })
    t.same(await statusBy(authority, leaf, { ocspResponses: [revoked] }), ['revoked', 'wrong'])
  })
}
