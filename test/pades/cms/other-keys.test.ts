/**
 * Authorities with two keys, which self-issued certificates link. Each case is an equivalent, made
 * here, of the case of NIST PKITS (version 1.0.1) with the number that its name begins with: 4.5.
 * Both judges come to the same result.
 */
import t from 'tap'
import { SIGNATURE_ALGORITHMS } from '../../../pades/cms/algorithms.ts'
import type { Certificate } from '../../../pades/cms/certificate-reader.ts'
import {
  bitString,
  certificateTime,
  contextConstructed,
  contextPrimitive,
  integer,
  sequence,
} from '../../../pades/cms/der.ts'
import { extension } from '../../../pades/cms/extensions.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import { findOtherKeys } from '../../../pades/cms/other-keys.ts'
import { RevocationEvidence } from '../../../pades/cms/revocation.ts'
import { judgePath } from '../../../pades/second-judge/path.ts'
import { EvidenceJudge } from '../../../pades/second-judge/revocation.ts'
import {
  basicConstraintsOf,
  CHAIN_KEYS,
  commonName,
  issue,
  KEY_BITS,
  keyUsageOf,
  problemsOfChain,
} from '../../fixtures/chains.ts'
import { NOW } from '../../fixtures/pki.ts'

const DAY_MS = 24 * 3600 * 1000
const { identifier } = SIGNATURE_ALGORITHMS[CHAIN_KEYS[0].algorithm]
const { certificates, lists, signing } = KEY_BITS
const at = (days: number) => new Date(NOW.getTime() + days * DAY_MS)

const authorityWith = (bits: number) => [basicConstraintsOf(true), keyUsageOf(bits)]
const rootName = commonName('Roll-over root')
const name = commonName('Roll-over authority')
const signerName = commonName('Signer')
const root = await issue(rootName, rootName, authorityWith(certificates | lists), 0)
/** The key of an authority is the depth of its certificate; the key above signed that. */
const [FIRST, SECOND] = [1, 2]
const first = await issue(rootName, name, authorityWith(certificates | lists), FIRST)
/** The same authority with its second key, which its first key has certified. */
const second = await issue(name, name, authorityWith(certificates | lists), SECOND)
/** An authority whose first key signs certificates, and whose second key signs lists. */
const apart = commonName('Roll-over authority with two keys')
const forCertificates = await issue(rootName, apart, authorityWith(certificates), FIRST)
const forLists = await issue(apart, apart, authorityWith(lists), SECOND)

const signerBelow = (authority: Certificate, key: number) =>
  issue(authority.subject, signerName, [keyUsageOf(signing)], key + 1)
const belowFirst = await signerBelow(first, FIRST)
const belowSecond = await signerBelow(second, SECOND)
const belowApart = await signerBelow(forCertificates, FIRST)

/** An IssuingDistributionPoint with onlyContainsCACerts (RFC 5280, 5.2.5). */
const CA_ONLY = extension(
  OID.issuingDistributionPoint,
  true,
  sequence(contextPrimitive(2, Uint8Array.of(0xff))),
)

/**
 * @param options.from thisUpdate and `until` nextUpdate, in days from now
 * @param options.scope an IssuingDistributionPoint
 */
async function listOf(
  issuer: Uint8Array,
  key: number,
  revoked: readonly Certificate[] = [],
  { from = -0.5, until = 1, scope }: { from?: number; until?: number; scope?: Uint8Array } = {},
): Promise<Uint8Array> {
  const entries = revoked.map(({ serialNumber }) =>
    sequence(integer(serialNumber), certificateTime(at(-1))),
  )
  const toBeSigned = sequence(
    integer(1),
    identifier,
    issuer,
    certificateTime(at(from)),
    certificateTime(at(until)),
    ...(entries.length > 0 ? [sequence(...entries)] : []),
    contextConstructed(
      0,
      sequence(extension(OID.crlNumber, false, integer(1)), ...(scope ? [scope] : [])),
    ),
  )
  const signature = await (CHAIN_KEYS[key] as (typeof CHAIN_KEYS)[0]).sign(toBeSigned)
  return sequence(toBeSigned, identifier, bitString(signature))
}

/**
 * The list of the first key about authorities alone: PKITS has such a list about each self-issued
 * certificate, and it says nothing of signers.
 */
const aboutSecond = await listOf(name, FIRST, [], { scope: CA_ONLY })

/**
 * What both judges say of a certificate below an authority.
 *
 * @param proposed certificates that the second judge looks at
 */
async function statusOf(
  certificate: Certificate,
  issuer: Certificate,
  revocationLists: readonly Uint8Array[],
  known: readonly Certificate[],
  proposed = known,
) {
  const otherKeys = findOtherKeys([...known, root])
  const data = { revocationLists, ocspResponses: [] }
  const evidence = new RevocationEvidence(data, undefined, undefined, otherKeys)
  const judge = new EvidenceJudge({ ...data, otherKeys: () => proposed.map(({ der }) => der) })
  const question = { certificate: certificate.der, issuer: issuer.der, at: NOW }
  return [evidence.statusOf(certificate, issuer, NOW).status, await judge.judge(question)]
}

const GOOD = ['good', 'right']
const REVOKED = ['revoked', 'wrong']
const UNKNOWN = ['unknown', 'wrong']

t.test('4.5.1 and 4.5.3 a path through a self-issued certificate', async (t) => {
  const path = [belowSecond, second, first, root]
  t.same(problemsOfChain(path), [])
  t.equal(
    await judgePath(
      path.map(({ der }) => der),
      NOW,
    ),
    'right',
  )
  const list = await listOf(name, FIRST)
  t.same(await statusOf(second, first, [list], []), GOOD, 'the self-issued certificate')
  t.same(await statusOf(belowSecond, second, [list], [first, second]), GOOD, 'list by first key')
  t.same(await statusOf(belowSecond, second, [await listOf(name, SECOND)], []), GOOD, 'by its own')
})

t.test('4.5.2 and 4.5.5 the same, and the certificate is revoked', async (t) => {
  const list = await listOf(name, FIRST, [belowSecond])
  t.same(await statusOf(belowSecond, second, [list], [first]), REVOKED)
})

t.test('4.5.4 a list that the newer key signed', async (t) => {
  const list = await listOf(name, SECOND)
  t.same(problemsOfChain([belowFirst, first, root]), [])
  t.same(await statusOf(belowFirst, first, [list, aboutSecond], [second]), GOOD)
  t.same(await statusOf(belowFirst, first, [list, aboutSecond], []), UNKNOWN, 'without the link')
  const revoking = await listOf(name, SECOND, [belowFirst])
  t.same(await statusOf(belowFirst, first, [revoking, aboutSecond], [second]), REVOKED)
})

t.test('a list counts only when its key is known not to be revoked', async (t) => {
  // Without the list of the first key, nothing shows that the second key was not revoked.
  const forged = await listOf(name, SECOND)
  const real = await listOf(name, FIRST, [belowFirst, second])
  t.same(await statusOf(belowFirst, first, [forged, real], [second]), REVOKED)
  t.same(await statusOf(belowFirst, first, [forged], [second]), UNKNOWN)
  t.same(await statusOf(belowFirst, first, [forged, forged], [second]), UNKNOWN, 'its own word')
  const revoking = await listOf(name, SECOND, [belowFirst])
  t.same(await statusOf(belowFirst, first, [revoking], [second]), REVOKED, 'a revocation counts')
  const outdated = await listOf(name, FIRST, [], { from: -9, until: -0.25, scope: CA_ONLY })
  t.same(await statusOf(belowFirst, first, [forged, outdated], [second]), UNKNOWN, 'outdated')
  const backdated = await listOf(name, SECOND, [], { from: -8, until: 1 })
  t.same(await statusOf(belowFirst, first, [backdated, outdated], [second]), UNKNOWN, 'backdated')
  const later = await listOf(name, SECOND, [], { from: 2, until: 3 })
  t.same(await statusOf(belowFirst, first, [later, aboutSecond], [second]), UNKNOWN, 'newer')
})

t.test('a key for lists alone counts unless it could have been revoked', async (t) => {
  const list = await listOf(apart, SECOND)
  const points = extension(OID.crlDistributionPoints, false, sequence())
  const published = await issue(apart, apart, [...authorityWith(lists), points], SECOND)
  t.same(await statusOf(belowApart, forCertificates, [list], [published]), UNKNOWN)
})

t.test('a certificate without key usage signs no lists of an authority', async (t) => {
  const unlimited = await issue(name, name, [], SECOND)
  const list = await listOf(name, SECOND)
  t.same(await statusOf(belowFirst, first, [list, aboutSecond], [unlimited]), UNKNOWN)
})

/** Enough to hide a key from a search that looks at a fixed number of certificates. */
const JUNK = 300

t.test('other certificates of the same name do not hide a key', async (t) => {
  const revoking = await listOf(name, SECOND, [belowFirst])
  const others = await Promise.all(
    Array.from({ length: JUNK }, (_, index) =>
      issue(index % 2 ? rootName : name, name, authorityWith(lists), index % 3 ? 0 : 3),
    ),
  )
  const known = [...others, second]
  const proposed = findOtherKeys(known)(first)
  t.same(proposed, [second])
  const listsIn = async (list: Uint8Array) =>
    statusOf(belowFirst, first, [list, aboutSecond], known, proposed)
  t.same(await listsIn(revoking), REVOKED)
  t.same(await listsIn(await listOf(name, SECOND)), GOOD)
})

t.test('a key that its authority revoked signs no lists', async (t) => {
  const byNewer = await listOf(name, SECOND)
  const byFirst = await listOf(name, FIRST, [second, belowSecond])
  t.same(await statusOf(belowFirst, first, [byNewer, byFirst], [second]), GOOD, 'by the first key')
  const own = await listOf(name, SECOND, [second])
  t.same(await statusOf(belowFirst, first, [own, aboutSecond], [second]), UNKNOWN)
})

t.test('4.5.6 and 4.5.7 a key that signs lists alone', async (t) => {
  t.same(problemsOfChain([belowApart, forCertificates, root]), [])
  const list = await listOf(apart, SECOND)
  t.same(await statusOf(belowApart, forCertificates, [list], [forLists]), GOOD)
  const revoking = await listOf(apart, SECOND, [belowApart])
  t.same(await statusOf(belowApart, forCertificates, [revoking], [forLists]), REVOKED)
})

t.test('4.5.8 a key for lists has signed a certificate', async (t) => {
  const below = await signerBelow(forLists, SECOND)
  const path = [below, forLists, forCertificates, root]
  t.same(problemsOfChain(path), ['ISSUER_IS_NO_AUTHORITY'])
  t.equal(
    await judgePath(
      path.map(({ der }) => der),
      NOW,
    ),
    'wrong',
  )
})

t.test('another authority of the same name has no say', async (t) => {
  // It has a certificate of its own under the root, and no key of the authority has signed it.
  const imposter = await issue(rootName, name, authorityWith(certificates | lists), FIRST)
  const selfSigned = await issue(name, name, authorityWith(certificates | lists), 0)
  const byRootKey = await listOf(name, 0)
  t.same(await statusOf(belowFirst, first, [byRootKey, aboutSecond], [selfSigned]), UNKNOWN)
  const list = await listOf(name, SECOND)
  t.same(await statusOf(belowFirst, first, [list, aboutSecond], [imposter]), UNKNOWN)
  const withoutUse = await issue(name, name, authorityWith(certificates), SECOND)
  t.same(await statusOf(belowFirst, first, [list, aboutSecond], [withoutUse]), UNKNOWN, 'key usage')
})
