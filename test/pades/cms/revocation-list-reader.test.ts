/** Lists from after a certificate expired need not name it any more (RFC 5280, 3.3). */
import t from 'tap'
import { readCertificate } from '../../../pades/cms/certificate-reader.ts'
import { generalizedTime, NULL } from '../../../pades/cms/der.ts'
import { extension } from '../../../pades/cms/extensions.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import { RevocationEvidence } from '../../../pades/cms/revocation.ts'
import { buildList } from '../../fixtures/numbered-lists.ts'
import type { ListOptions } from '../../fixtures/numbered-lists.ts'
import { issuingCa, janka, NOW } from '../../fixtures/pki.ts'

const MINUTE_MS = 60_000
/** Janka's certificate expires a day after {@link NOW}; the unit is minutes. */
const EXPIRES = 24 * 60
const LATE = { from: EXPIRES + 1, until: EXPIRES + 60 }
const [certificate, issuer] = [janka, issuingCa].map((one) => readCertificate(one.certificate))

async function statusIn(...lists: readonly Partial<ListOptions>[]) {
  const revocationLists = await Promise.all(
    lists.map((options, index) => buildList({ number: index + 1, ...options })),
  )
  const evidence = new RevocationEvidence({ revocationLists, ocspResponses: [] })
  return evidence.statusOf(certificate!, issuer!, NOW).status
}

const retained = (value: Uint8Array) => [extension(OID.expiredCertificatesOnList, false, value)]
const since = (minutes: number) =>
  retained(generalizedTime(new Date(NOW.getTime() + minutes * MINUTE_MS)))

t.test('a list from after the certificate expired', async (t) => {
  t.equal(await statusIn({ from: EXPIRES, until: EXPIRES + 60 }), 'good', 'from its last second')
  t.equal(await statusIn(LATE), 'stale', 'the list need not name it')
  t.equal(await statusIn({ ...LATE, extensions: since(EXPIRES) }), 'good', 'it names those, too')
  t.equal(await statusIn({ ...LATE, extensions: since(EXPIRES + 1) }), 'stale', 'only newer ones')
  t.equal(await statusIn({ ...LATE, extensions: retained(NULL) }), 'stale', 'it cannot be read')
  t.equal(await statusIn({ ...LATE, reason: 'superseded' }), 'revoked', 'what it says counts')
  t.equal(await statusIn({}, LATE), 'good', 'one from before does not count for less')
})
