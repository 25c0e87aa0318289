/**
 * Lists with distribution points, and indirect lists. Each case is an equivalent, made here, of the
 * case of NIST PKITS (version 1.0.1) with the number that its name begins with: 4.7 and 4.14.
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
  setOf,
  objectIdentifier,
  tlv,
  utf8String,
} from '../../../pades/cms/der.ts'
import { readDer } from '../../../pades/cms/der-reader.ts'
import { extension } from '../../../pades/cms/extensions.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import { RevocationEvidence } from '../../../pades/cms/revocation.ts'
import {
  basicConstraintsOf,
  CHAIN_KEYS,
  buildChain,
  commonName,
  GENERAL_NAME,
  issue,
  KEY_BITS,
  keyUsageOf,
  nameOf,
} from '../../fixtures/chains.ts'
import { NOW } from '../../fixtures/pki.ts'

const DAY_MS = 24 * 3600 * 1000
const { identifier } = SIGNATURE_ALGORITHMS[CHAIN_KEYS[0].algorithm]
const CRITICAL = true
const { directory, uri } = GENERAL_NAME

const relative = (text: string) => sequence(objectIdentifier(OID.commonName), utf8String(text))
const fullName = (...names: readonly Uint8Array[]) =>
  contextConstructed(0, contextConstructed(0, ...names))
const relativeName = (text: string) => contextConstructed(0, contextConstructed(1, relative(text)))
const reasons = (number: number, bits: number) => contextPrimitive(number, Uint8Array.of(0, bits))
const flag = (number: number) => contextPrimitive(number, Uint8Array.of(0xff))
const crlIssuer = (name: Uint8Array) => contextConstructed(2, directory(name))
const [USERS, AUTHORITIES, INDIRECT, ATTRIBUTES] = [flag(1), flag(2), flag(4), flag(5)]
/** Bits of ReasonFlags; without the last one, aACompromise, which has an octet of its own. */
const COMPROMISE = 0x60
const OTHER_REASONS = 0x1f

const points = (...parts: readonly (readonly Uint8Array[])[]) =>
  extension(OID.crlDistributionPoints, !CRITICAL, sequence(...parts.map((one) => sequence(...one))))

interface ListOptions {
  readonly issuer: Uint8Array
  /** Parts of the issuingDistributionPoint; absent without. */
  readonly scope?: readonly Uint8Array[]
  readonly revoked?: readonly { certificate: Certificate; issuer?: Uint8Array }[]
  readonly extensions?: readonly Uint8Array[]
  /** Depth of the signing key. */
  readonly depth?: number
}

async function buildList({ issuer, scope, revoked = [], extensions = [], depth = 1 }: ListOptions) {
  const entries = revoked.map(({ certificate, issuer: named }) =>
    sequence(
      integer(certificate.serialNumber),
      certificateTime(new Date(NOW.getTime() - DAY_MS)),
      ...(named
        ? [sequence(extension(OID.certificateIssuer, CRITICAL, sequence(directory(named))))]
        : []),
    ),
  )
  const scopes = scope
    ? [extension(OID.issuingDistributionPoint, CRITICAL, sequence(...scope))]
    : []
  const toBeSigned = sequence(
    integer(1),
    identifier,
    issuer,
    certificateTime(new Date(NOW.getTime() - DAY_MS)),
    certificateTime(new Date(NOW.getTime() + DAY_MS)),
    ...(entries.length > 0 ? [sequence(...entries)] : []),
    contextConstructed(
      0,
      sequence(extension(OID.crlNumber, !CRITICAL, integer(1)), ...scopes, ...extensions),
    ),
  )
  const signature = await CHAIN_KEYS[depth].sign(toBeSigned)
  return sequence(toBeSigned, identifier, bitString(signature))
}

const AUTHORITY = nameOf([OID.countryName, 'US'], [OID.commonName, 'Lists'])
const POINT = nameOf([OID.countryName, 'US'], [OID.commonName, 'Lists'], [OID.commonName, 'Point'])
const OTHER = commonName('Another point')

type Status = 'good' | 'revoked' | 'unknown'
type List = Omit<ListOptions, 'issuer' | 'revoked'> & { isRevoked?: boolean }

interface Case {
  readonly name: string
  /** Parts of the distribution point of the certificate. */
  readonly point?: readonly Uint8Array[]
  readonly isAuthority?: boolean
  readonly lists: readonly List[]
  readonly status: Status
}

const good = { isRevoked: false }
const bad = { isRevoked: true }

const CASES: readonly Case[] = [
  {
    name: '4.14.1 the same full name',
    point: [fullName(directory(POINT))],
    lists: [{ scope: [fullName(directory(POINT))], ...good }],
    status: 'good',
  },
  {
    name: '4.14.2 the same full name, and the certificate was revoked',
    point: [fullName(directory(POINT))],
    lists: [{ scope: [fullName(directory(POINT))], ...bad }],
    status: 'revoked',
  },
  {
    name: '4.14.3 another full name',
    point: [fullName(directory(POINT))],
    lists: [{ scope: [fullName(directory(OTHER))], ...good }],
    status: 'unknown',
  },
  {
    name: '4.14.4 both names are relative',
    point: [relativeName('Point')],
    lists: [{ scope: [relativeName('Point')], ...good }],
    status: 'good',
  },
  {
    name: '4.14.5 the name of the list is relative, that of the certificate is full',
    point: [fullName(directory(POINT))],
    lists: [{ scope: [relativeName('Point')], ...good }],
    status: 'good',
  },
  {
    name: '4.14.6 the same, and the certificate was revoked',
    point: [relativeName('Point')],
    lists: [{ scope: [fullName(directory(POINT))], ...bad }],
    status: 'revoked',
  },
  {
    name: '4.14.7 one of several names is the same',
    point: [fullName(uri('http://lists.test/a'), uri('http://lists.test/b'))],
    lists: [{ scope: [fullName(directory(OTHER), uri('http://lists.test/b'))], ...good }],
    status: 'good',
  },
  {
    name: '4.14.8 none of several names is the same',
    point: [fullName(uri('http://lists.test/a'), uri('http://lists.test/b'))],
    lists: [{ scope: [fullName(directory(OTHER), uri('http://lists.test/c'))], ...good }],
    status: 'unknown',
  },
  {
    name: '4.14.9 another name, and the list has the certificate',
    point: [fullName(directory(POINT))],
    lists: [{ scope: [fullName(directory(OTHER))], ...bad }],
    status: 'unknown',
  },
  {
    name: '4.14.10 a list that does not name its scope',
    point: [fullName(directory(POINT))],
    lists: [good],
    status: 'good',
  },
  {
    name: '4.14.22 an indirect list of the issuer itself',
    lists: [{ scope: [INDIRECT], ...good }],
    status: 'good',
  },
  {
    name: '4.14.23 the same, and the certificate was revoked',
    lists: [{ scope: [INDIRECT], ...bad }],
    status: 'revoked',
  },
  {
    name: '4.14.11 a list for users, of an authority',
    lists: [{ scope: [USERS], ...good }],
    isAuthority: true,
    status: 'unknown',
  },
  {
    name: '4.14.12 a list for authorities, of a user',
    lists: [{ scope: [AUTHORITIES], ...good }],
    status: 'unknown',
  },
  {
    name: '4.14.13 a list for authorities, of an authority',
    lists: [{ scope: [AUTHORITIES], ...good }],
    isAuthority: true,
    status: 'good',
  },
  {
    name: '4.14.14 a list for attribute certificates',
    lists: [{ scope: [ATTRIBUTES], ...good }],
    status: 'unknown',
  },
  {
    name: '4.14.15 one of two lists for some reasons has the certificate',
    lists: [
      { scope: [reasons(3, COMPROMISE)], ...bad },
      { scope: [reasons(3, OTHER_REASONS)], ...good },
    ],
    status: 'revoked',
  },
  {
    name: '4.14.17 one list for some reasons alone',
    lists: [{ scope: [reasons(3, COMPROMISE)], ...good }],
    status: 'unknown',
  },
  {
    name: '4.14.18 two lists for all reasons together',
    lists: [
      { scope: [reasons(3, COMPROMISE)], ...good },
      { scope: [contextPrimitive(3, Uint8Array.of(7, OTHER_REASONS, 0x80))], ...good },
    ],
    status: 'good',
  },
  {
    name: 'two lists that together lack a reason',
    lists: [
      { scope: [reasons(3, COMPROMISE)], ...good },
      { scope: [reasons(3, OTHER_REASONS)], ...good },
    ],
    status: 'unknown',
  },
  {
    name: 'a point for some reasons alone',
    point: [fullName(directory(POINT)), reasons(1, COMPROMISE)],
    lists: [{ scope: [fullName(directory(POINT))], ...good }],
    status: 'unknown',
  },
  {
    name: 'a list with another critical extension',
    lists: [{ extensions: [extension('2.5.29.27', CRITICAL, integer(1))], ...good }],
    status: 'unknown',
  },
]

const AUTHORITY_BASICS = [
  basicConstraintsOf(true),
  keyUsageOf(KEY_BITS.certificates | KEY_BITS.lists),
]

for (const { name, point, isAuthority = false, lists, status } of CASES) {
  t.test(name, async (t) => {
    const extensions = point ? [points(point)] : []
    const [leaf, issuer] = await buildChain([{ name: AUTHORITY }, { isAuthority, extensions }])
    const revocationLists = await Promise.all(
      lists.map(({ isRevoked, ...options }) =>
        buildList({
          ...options,
          issuer: AUTHORITY,
          revoked: isRevoked ? [{ certificate: leaf }] : [],
        }),
      ),
    )
    const evidence = new RevocationEvidence({ revocationLists, ocspResponses: [] })
    t.equal(evidence.statusOf(leaf, issuer, NOW).status, status)
  })
}

for (const [number, critical] of [
  ['4.7.4', true],
  ['4.7.5', false],
] as const) {
  t.test(`${number} a key that does not sign lists, critical: ${critical}`, async (t) => {
    const basics = [basicConstraintsOf(true), keyUsageOf(KEY_BITS.certificates, critical)]
    const [leaf, issuer] = await buildChain([{ name: AUTHORITY, basics }, {}])
    const revocationLists = [await buildList({ issuer: AUTHORITY })]
    const evidence = new RevocationEvidence({ revocationLists, ocspResponses: [] })
    t.equal(evidence.statusOf(leaf, issuer, NOW).status, 'unknown')
  })
}

const LIST_ISSUER = commonName('Issuer of lists')

/** A certificate whose lists another authority issues; that one's key is of depth 2. */
async function indirect(revokedIssuer: Uint8Array | undefined, scope: readonly Uint8Array[]) {
  const extensions = [points([fullName(directory(POINT)), crlIssuer(LIST_ISSUER)])]
  const [leaf, issuer, root] = await buildChain([{ name: AUTHORITY }, { extensions }])
  const signer = await issue(root.subject, LIST_ISSUER, AUTHORITY_BASICS, 1)
  const revoked = revokedIssuer ? [{ certificate: leaf, issuer: revokedIssuer }] : []
  const revocationLists = [await buildList({ issuer: LIST_ISSUER, scope, revoked })]
  const statusOf = (trusted: readonly Certificate[]) =>
    new RevocationEvidence({ revocationLists, ocspResponses: [] }, undefined, (name) =>
      readDer(name).encoded.join() === LIST_ISSUER.join() ? trusted : [],
    ).statusOf(leaf, issuer, NOW).status
  return { signer, statusOf }
}

const SCOPE = [fullName(directory(POINT)), INDIRECT]

t.test('4.14.24 an indirect list of another issuer, who is trusted', async (t) => {
  const { signer, statusOf } = await indirect(undefined, SCOPE)
  t.equal(statusOf([signer]), 'good')
  t.equal(statusOf([]), 'unknown', 'no issuer is trusted for it')
})

t.test('4.14.31 an indirect list of another issuer that has the certificate', async (t) => {
  const { signer, statusOf } = await indirect(AUTHORITY, SCOPE)
  t.equal(statusOf([signer]), 'revoked')
})

t.test('4.14.25 an entry of the same number of another authority', async (t) => {
  const { signer, statusOf } = await indirect(commonName('Another authority'), SCOPE)
  t.equal(statusOf([signer]), 'good')
})

t.test('a list of another issuer that does not say that it is indirect', async (t) => {
  const { signer, statusOf } = await indirect(undefined, [fullName(directory(POINT))])
  t.equal(statusOf([signer]), 'unknown')
})

t.test('the name of an authority in an entry may be written otherwise', async (t) => {
  const loud = sequence(
    setOf(sequence(objectIdentifier(OID.countryName), tlv(0x13, new TextEncoder().encode('us')))),
    setOf(relative('LISTS')),
  )
  const { signer, statusOf } = await indirect(loud, SCOPE)
  t.equal(statusOf([signer]), 'revoked')
})
