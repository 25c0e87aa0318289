/**
 * Signatures, dates and revocation lists of paths. Each case is an equivalent, made here, of the
 * case of NIST PKITS (version 1.0.1) with the number that its name begins with: 4.1, 4.2 and 4.4.
 */
import t from 'tap'
import { SIGNATURE_ALGORITHMS } from '../../../pades/cms/algorithms.ts'
import type { Certificate } from '../../../pades/cms/certificate-reader.ts'
import {
  bitString,
  certificateTime,
  contextConstructed,
  generalizedTime,
  integer,
  objectIdentifier,
  sequence,
  TAG,
  tlv,
} from '../../../pades/cms/der.ts'
import { extension } from '../../../pades/cms/extensions.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import { RevocationEvidence } from '../../../pades/cms/revocation.ts'
import { CHAIN_KEYS, buildChain, commonName, problemsOfChain } from '../../fixtures/chains.ts'
import { NOW } from '../../fixtures/pki.ts'

const DAY_MS = 24 * 3600 * 1000
const { identifier } = SIGNATURE_ALGORITHMS[CHAIN_KEYS[0].algorithm]
const CRITICAL = true
const PRIVATE = '1.3.6.1.4.1.55555.1'
const unknown = (critical: boolean) => extension(PRIVATE, critical, objectIdentifier(PRIVATE))
const at = (days: number) => new Date(NOW.getTime() + days * DAY_MS)

/** The signer, the authority that issued it, and the root. */
const [signer, authority, root] = (await buildChain([{}, {}])) as [
  Certificate,
  Certificate,
  Certificate,
]

interface ListOptions {
  /** Name; that of the authority when absent. */
  readonly issuer?: Uint8Array
  /** Serial numbers as DER integers, with extensions of the entry. */
  readonly revoked?: readonly (readonly [serial: Uint8Array, ...extensions: Uint8Array[]])[]
  readonly extensions?: readonly Uint8Array[]
  /** Depth of the key that signs. */
  readonly depth?: number
  readonly nextUpdate?: Uint8Array
}

async function listOf({
  issuer = authority.subject,
  revoked = [],
  extensions = [],
  depth = 1,
  nextUpdate = certificateTime(at(1)),
}: ListOptions = {}): Promise<Uint8Array> {
  const entries = revoked.map(([serial, ...own]) =>
    sequence(serial, certificateTime(at(-1)), ...(own.length > 0 ? [sequence(...own)] : [])),
  )
  const numbered = extension(OID.crlNumber, !CRITICAL, integer(1))
  const toBeSigned = sequence(
    integer(1),
    identifier,
    issuer,
    certificateTime(at(-0.5)),
    nextUpdate,
    ...(entries.length > 0 ? [sequence(...entries)] : []),
    contextConstructed(0, sequence(numbered, ...extensions)),
  )
  const signature = await CHAIN_KEYS[depth].sign(toBeSigned)
  return sequence(toBeSigned, identifier, bitString(signature))
}

const statusIn = async (...lists: readonly (ListOptions | undefined)[]) => {
  const revocationLists = await Promise.all(lists.map(listOf))
  const evidence = new RevocationEvidence({ revocationLists, ocspResponses: [] })
  return evidence.statusOf(signer, authority, NOW).status
}

const own = integer(signer.serialNumber)
const other = integer(7)

t.test('4.1.1 to 4.1.3 signatures of a path', async (t) => {
  const chain = [signer, authority, root] as const
  t.same(problemsOfChain(chain), [])
  const wrong = await buildChain([{}, { name: authority.subject }, {}])
  t.same(problemsOfChain([signer, wrong[1], root]), ['NO_CERTIFICATE_CHAIN_FOUND'], 'another key')
})

t.test('4.2.1 to 4.2.7 dates of a path', async (t) => {
  const chain = [signer, authority, root]
  const YEAR_DAYS = 366
  t.same(problemsOfChain(chain, { at: at(-YEAR_DAYS) }).slice(0, 1), ['CERTIFICATE_NOT_YET_VALID'])
  t.same(problemsOfChain(chain, { at: at(YEAR_DAYS) }).slice(0, 1), ['CERTIFICATE_EXPIRED'])
  t.ok(problemsOfChain(chain, { at: at(YEAR_DAYS) }).includes('ISSUER_OUTSIDE_VALIDITY'))
})

const CASES: readonly (readonly [name: string, status: string, ...lists: ListOptions[]])[] = [
  ['4.4.1 no list', 'unknown'],
  ['4.4.3 a revoked certificate', 'revoked', { revoked: [[other], [own]] }],
  ['4.4.4 a list that another key signed', 'unknown', { depth: 2 }],
  ['4.4.5 a list with another name', 'unknown', { issuer: commonName('Other') }],
  ['4.4.6 a list of another authority', 'unknown', { issuer: root.subject, depth: 0 }],
  ['4.4.7 two lists, one of them of another', 'good', { issuer: root.subject, depth: 0 }, {}],
  [
    // RFC 5280, 5.3: such a list says nothing of any certificate.
    '4.4.8 an entry with a critical extension that is not known',
    'unknown',
    { revoked: [[own, unknown(CRITICAL)]] },
  ],
  [
    '4.4.9 a list with one, and the certificate on it',
    'unknown',
    { revoked: [[own]], extensions: [unknown(CRITICAL)] },
  ],
  [
    '4.4.10 a list with one, and another certificate on it',
    'unknown',
    { revoked: [[other]], extensions: [unknown(CRITICAL)] },
  ],
  ['an extension that is not critical', 'good', { extensions: [unknown(!CRITICAL)] }],
  ['4.4.11 a list that is outdated', 'stale', { nextUpdate: certificateTime(at(-0.1)) }],
  ['4.4.13 a time in its longer form', 'good', { nextUpdate: generalizedTime(at(1)) }],
  [
    '4.4.14 a negative serial number on the list',
    'good',
    { revoked: [[tlv(TAG.integer, Uint8Array.of(0xff))]] },
  ],
  ['4.4.16 a long serial number', 'good', { revoked: [[integer(new Uint8Array(20).fill(0x7f))]] }],
  ['the certificate on one of two lists', 'revoked', {}, { revoked: [[own]] }],
]

for (const [name, status, ...lists] of CASES) {
  t.test(name, async (t) => {
    t.equal(await statusIn(...lists), status)
  })
}

t.test('4.4.2 a revoked authority', async (t) => {
  const list = {
    issuer: root.subject,
    depth: 0,
    revoked: [[integer(authority.serialNumber)]] as const,
  }
  const evidence = new RevocationEvidence({
    revocationLists: [await listOf(list)],
    ocspResponses: [],
  })
  t.equal(evidence.statusOf(authority, root, NOW).status, 'revoked')
})

t.test('4.4.19 and 4.4.20 a key for certificates and one for lists', async (t) => {
  const listed = await listOf({ depth: 2 })
  t.equal(await statusIn({ depth: 2 }), 'unknown', 'it is not authorised')
  const chain = await buildChain([{ name: commonName('For lists') }])
  const evidence = new RevocationEvidence(
    { revocationLists: [listed], ocspResponses: [] },
    undefined,
    () => chain,
  )
  t.equal(evidence.statusOf(signer, authority, NOW).status, 'unknown', 'its name is the same')
})
