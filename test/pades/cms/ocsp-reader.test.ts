import { createHash } from 'node:crypto'
import t from 'tap'
import { readCertificate } from '../../../pades/cms/certificate-reader.ts'
import type { Certificate } from '../../../pades/cms/certificate-reader.ts'
import {
  generalizedTime,
  NULL,
  objectIdentifier,
  octetString,
  sequence,
} from '../../../pades/cms/der.ts'
import { extension } from '../../../pades/cms/extensions.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import { RevocationEvidence } from '../../../pades/cms/revocation.ts'
import { buildChain, CHAIN_KEYS, commonName, issue } from '../../fixtures/chains.ts'
import { goodAnswer, revokedStatus } from '../../fixtures/ocsp.ts'
import { issuingCa, janka, NOW } from '../../fixtures/pki.ts'
import type { Identity } from '../../fixtures/pki.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const CRITICAL = true
/** Depth of the key of a responder. */
const RESPONDER = 5
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
  t.equal(await statusWith(hash(issuingCa.certificate)), 'stale')
  t.equal(await statusWith(extension(OID.certHash, !CRITICAL, NULL)), 'stale')
  const revoked = revokedStatus(after(HOUR_MS))
  t.equal((await statusBy({ ...late, status: revoked })).status, 'revoked', 'it counts ever')
})

t.test('a responder that is not the authority', async (t) => {
  const name = commonName('Authority with a responder')
  const [leaf, authority] = await buildChain([{}], { name })
  const uses = (...oids: readonly string[]) => [
    extension(OID.extendedKeyUsage, !CRITICAL, sequence(...oids.map(objectIdentifier))),
  ]
  const issued = async (extensions: readonly Uint8Array[], [own, signer] = [RESPONDER, 0]) =>
    issue(name, commonName('Responder'), extensions, [own!, signer!])
  const status = async (responder: Certificate) => {
    const [issuer, signer] = [
      { certificate: authority!.der, key: CHAIN_KEYS[0] },
      { certificate: responder.der, key: CHAIN_KEYS[RESPONDER] },
    ].map(({ certificate, key }) => ({
      certificate,
      algorithm: key!.algorithm,
      sign: (data: Uint8Array) => key!.sign(data),
    })) as [Identity, Identity]
    const times = { thisUpdate: NOW, nextUpdate: after(HOUR_MS) }
    const options = { ...times, signer, isDelegated: true }
    const answer = await goodAnswer(leaf!.der, issuer, options)
    const evidence = new RevocationEvidence({ revocationLists: [], ocspResponses: [answer] })
    return evidence.statusOf(leaf!, authority!, NOW).status
  }
  t.equal(await status(await issued(uses(OID.ocspSigning))), 'good')
  t.equal(await status(await issued([])), 'unknown', 'it is not for answers')
  t.equal(
    await status(await issued(uses(OID.ocspSigning), [RESPONDER, 2])),
    'unknown',
    'by another',
  )
})
