/**
 * Lists with distribution points. Both judges come to the same result. Each case is an equivalent,
 * made here, of the case of NIST PKITS (version 1.0.1) with the number that its name begins with:
 * 4.7 and 4.14.
 */

import t from 'tap'
import type { Certificate } from '../../../pades/cms/certificate-reader.ts'
import { contextPrimitive, integer } from '../../../pades/cms/der.ts'
import { extension } from '../../../pades/cms/extensions.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import { RevocationEvidence } from '../../../pades/cms/revocation.ts'
import { EvidenceJudge } from '../../../pades/second-judge/revocation.ts'
import {
  basicConstraintsOf,
  buildChain,
  commonName,
  GENERAL_NAME,
  KEY_BITS,
  keyUsageOf,
  nameOf,
} from '../../fixtures/chains.ts'
import { NOW } from '../../fixtures/pki.ts'
import {
  ATTRIBUTES,
  AUTHORITIES,
  buildList,
  COMPROMISE,
  fullName,
  INDIRECT,
  type ListOptions,
  OTHER_REASONS,
  points,
  reasons,
  relativeName,
  USERS,
} from '../../fixtures/scoped-lists.ts'

const CRITICAL = true
const { directory, uri } = GENERAL_NAME
const AUTHORITY = nameOf([OID.countryName, 'US'], [OID.commonName, 'Lists'])
const POINT = nameOf([OID.countryName, 'US'], [OID.commonName, 'Lists'], [OID.commonName, 'Point'])
const OTHER = commonName('Another point')

type Status = 'good' | 'revoked' | 'unknown'
type List = Omit<ListOptions, 'issuer' | 'revoked'> & { isRevoked?: boolean }

interface Case {
  readonly name: string
  /** Parts of the distribution point of the certificate. */
  readonly point?: readonly Uint8Array[]
  /** Parts of a second distribution point. */
  readonly second?: readonly Uint8Array[]
  readonly isAuthority?: boolean
  readonly lists: readonly List[]
  readonly status: Status
}

const good = { isRevoked: false }
const bad = { isRevoked: true }

/** A point, and a list of the same name, for the reasons of one list. */
const COMPROMISED = [fullName(directory(POINT)), reasons(1, COMPROMISE)]
const EVERYTHING_ELSE = contextPrimitive(3, Uint8Array.of(7, OTHER_REASONS, 0x80))
const forOthers = [fullName(directory(OTHER)), contextPrimitive(1, EVERYTHING_ELSE.subarray(2))]
const lists = (first: List, second: List): readonly List[] => [
  { scope: [fullName(directory(POINT)), reasons(3, COMPROMISE)], ...first },
  { scope: [fullName(directory(OTHER)), EVERYTHING_ELSE], ...second },
]

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
    name: '4.14.16 the other of two lists for some reasons has the certificate',
    lists: [
      { scope: [reasons(3, COMPROMISE)], ...good },
      { scope: [EVERYTHING_ELSE], ...bad },
    ],
    status: 'revoked',
  },
  {
    name: '4.14.19 two points, each with a list for some reasons',
    point: COMPROMISED,
    second: forOthers,
    lists: lists(good, good),
    status: 'good',
  },
  {
    name: '4.14.20 the same, and the certificate is on the first list',
    point: COMPROMISED,
    second: forOthers,
    lists: lists(bad, good),
    status: 'revoked',
  },
  {
    name: '4.14.21 the same, and the certificate is on the second list',
    point: COMPROMISED,
    second: forOthers,
    lists: lists(good, bad),
    status: 'revoked',
  },
  {
    name: 'two points, and the list of one of them',
    point: COMPROMISED,
    second: forOthers,
    lists: lists(good, good).slice(0, 1),
    status: 'unknown',
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
      { scope: [EVERYTHING_ELSE], ...good },
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
    lists: [{ extensions: [extension('1.3.6.1.4.1.55555.1', CRITICAL, integer(1))], ...good }],
    status: 'unknown',
  },
]

/** What both judges say of a certificate. */
async function statusOf(
  [leaf, issuer]: readonly [Certificate, Certificate],
  revocationLists: readonly Uint8Array[],
) {
  const data = { revocationLists, ocspResponses: [] }
  const { status } = new RevocationEvidence(data).statusOf(leaf, issuer, NOW)
  const question = { certificate: leaf.der, issuer: issuer.der, at: NOW }
  return [status, await new EvidenceJudge(data).judge(question)]
}

/** The second judge knows only whether a certificate is good. */
const agreed = (status: Status) => [status, status === 'good' ? 'right' : 'wrong']

for (const { name, point, second, isAuthority = false, lists, status } of CASES) {
  t.test(name, async (t) => {
    const extensions = point ? [points(point, ...(second ? [second] : []))] : []
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
    t.same(await statusOf([leaf, issuer], revocationLists), agreed(status))
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
    t.same(await statusOf([leaf, issuer], revocationLists), agreed('unknown'))
  })
}
