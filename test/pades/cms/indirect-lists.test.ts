/**
 * Lists that another authority issues. Both judges come to the same result. Each case is an
 * equivalent, made here, of the case of NIST PKITS (version 1.0.1) with the number that its name
 * begins with: 4.14.24 to 4.14.35.
 */
import t from 'tap'
import type { Certificate } from '../../../pades/cms/certificate-reader.ts'
import { PathFinder } from '../../../pades/cms/certification-path.ts'
import { objectIdentifier, sequence, setOf, tlv, utf8String } from '../../../pades/cms/der.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import { RevocationEvidence } from '../../../pades/cms/revocation.ts'
import { readRevocationList } from '../../../pades/cms/revocation-list-reader.ts'
import { EvidenceJudge } from '../../../pades/second-judge/revocation.ts'
import { findListIssuers } from '../../../pades/validate/list-issuers.ts'
import { Anchors } from '../../../pades/validate/trust-anchors.ts'
import {
  basicConstraintsOf,
  GENERAL_NAME,
  issue,
  KEY_BITS,
  keyUsageOf,
  nameOf,
} from '../../fixtures/chains.ts'
import { NOW } from '../../fixtures/pki.ts'
import {
  buildList,
  crlIssuer,
  fullName,
  INDIRECT,
  type ListOptions,
  points,
  relativeName,
} from '../../fixtures/scoped-lists.ts'

const { directory } = GENERAL_NAME
const { certificates: ISSUES, lists: LISTS, signing } = KEY_BITS
const authority = [basicConstraintsOf(true), keyUsageOf(ISSUES | LISTS)]
/** Keys by number, as the fixtures have them. */
const KEY = { root: 0, own: 1, listIssuer: 2, leaf: 3, otherRoot: 4 } as const

const named = (text: string) => nameOf([OID.countryName, 'US'], [OID.commonName, text])
const ROOT = named('Root of lists')
const OWN = named('Authority')
const LIST_ISSUER = named('Issuer of lists')
const POINT = nameOf(
  [OID.countryName, 'US'],
  [OID.commonName, 'Issuer of lists'],
  [OID.commonName, 'Point'],
)
const OTHER_POINT = named('Another point')

const root = await issue(ROOT, ROOT, authority, KEY.root)
const own = await issue(ROOT, OWN, authority, [KEY.own, KEY.root])
/** An authority beside the one that issued the certificate. */
const beside = await issue(ROOT, LIST_ISSUER, authority, [KEY.listIssuer, KEY.root])
/** An issuer of lists below the authority. */
const below = await issue(OWN, LIST_ISSUER, [keyUsageOf(LISTS)], [KEY.listIssuer, KEY.own])

const BY_POINT = points([fullName(directory(POINT)), crlIssuer(LIST_ISSUER)])
const BY_RELATIVE_NAME = points([relativeName('Point'), crlIssuer(LIST_ISSUER)])
const SCOPE = [fullName(directory(POINT)), INDIRECT]

const leafWith = (...extensions: readonly Uint8Array[]) =>
  issue(OWN, named('Signer'), [keyUsageOf(signing), ...extensions], [KEY.leaf, KEY.own])
const listOf = (options: Partial<ListOptions> = {}) =>
  buildList({ issuer: LIST_ISSUER, depth: KEY.listIssuer, scope: SCOPE, ...options })
/** The authority's list about its own certificates. */
const ownList = await buildList({ issuer: OWN, depth: KEY.own })
const rootList = await buildList({ issuer: ROOT, depth: KEY.root })

interface Given {
  readonly lists: readonly Uint8Array[]
  /** Certificates in the file. */
  readonly known: readonly Certificate[]
  readonly anchors?: readonly Certificate[]
  readonly issuer?: Certificate
}

/** What both judges say of a certificate. */
async function statusOf(leaf: Certificate, given: Given) {
  const { lists, known, anchors = [root], issuer = own } = given
  const data = { revocationLists: lists, ocspResponses: [] }
  const paths = new PathFinder()
  const find = findListIssuers({
    anchors: new Anchors(
      anchors.map(({ der }) => der),
      paths,
    ),
    paths,
    certificates: [...known, own],
    evidence: new RevocationEvidence(data),
    acceptUncheckedRevocation: false,
  })
  const evidence = new RevocationEvidence(data, undefined, (...question) =>
    find(...question).map(({ certificate }) => certificate),
  )
  const judge = new EvidenceJudge({
    ...data,
    listIssuers: (der) => {
      const list = readRevocationList(der)
      return find(list.issuer, list.thisUpdate, issuer).map(({ path, checked }) => ({
        certificates: path.map((one) => one.der),
        checked,
      }))
    },
  })
  const question = { certificate: leaf.der, issuer: issuer.der, at: NOW }
  return [evidence.statusOf(leaf, issuer, NOW).status, await judge.judge(question)]
}

const GOOD = ['good', 'right']
const REVOKED = ['revoked', 'wrong']
const UNKNOWN = ['unknown', 'wrong']

t.test('4.14.24 an indirect list of another authority', async (t) => {
  const leaf = await leafWith(BY_POINT)
  const lists = [await listOf()]
  t.same(await statusOf(leaf, { lists, known: [beside] }), GOOD)
  t.same(await statusOf(leaf, { lists, known: [] }), UNKNOWN, 'whose certificate is not known')
})

t.test('4.14.25 an entry of the same number of another authority', async (t) => {
  const leaf = await leafWith(BY_POINT)
  const revoked = [{ certificate: leaf, issuer: named('Another authority') }]
  t.same(await statusOf(leaf, { lists: [await listOf({ revoked })], known: [beside] }), GOOD)
  const unnamed = [await listOf({ revoked: [{ certificate: leaf }] })]
  t.same(await statusOf(leaf, { lists: unnamed, known: [beside] }), GOOD, 'of the list issuer')
})

t.test('4.14.26 an indirect list with another distribution point', async (t) => {
  const leaf = await leafWith(points([fullName(directory(OTHER_POINT)), crlIssuer(LIST_ISSUER)]))
  t.same(await statusOf(leaf, { lists: [await listOf()], known: [beside] }), UNKNOWN)
  const plain = await leafWith()
  t.same(await statusOf(plain, { lists: [await listOf()], known: [beside] }), UNKNOWN, 'no point')
})

t.test('4.14.27 a list that does not say that it is indirect', async (t) => {
  const leaf = await leafWith(points([crlIssuer(LIST_ISSUER)]))
  const lists = [await listOf({ scope: undefined })]
  t.same(await statusOf(leaf, { lists, known: [beside] }), UNKNOWN)
  const scoped = [await listOf({ scope: [fullName(directory(POINT))] })]
  t.same(await statusOf(await leafWith(BY_POINT), { lists: scoped, known: [beside] }), UNKNOWN)
})

t.test('4.14.28 and 4.14.29 an issuer of lists below the authority', async (t) => {
  const lists = [await listOf(), ownList]
  t.same(await statusOf(await leafWith(BY_POINT), { lists, known: [below] }), GOOD)
  t.same(await statusOf(await leafWith(BY_RELATIVE_NAME), { lists, known: [below] }), GOOD)
  const withPoint = points([fullName(directory(OTHER_POINT))])
  const published = [keyUsageOf(LISTS), withPoint]
  const issuer = await issue(OWN, LIST_ISSUER, published, [KEY.listIssuer, KEY.own])
  const leaf = await leafWith(BY_POINT)
  t.same(await statusOf(leaf, { lists, known: [issuer] }), GOOD, 'which its authority covers')
  const revoked = [{ certificate: issuer }]
  const revoking = [await listOf(), await buildList({ issuer: OWN, depth: KEY.own, revoked })]
  t.same(await statusOf(leaf, { lists: revoking, known: [issuer] }), UNKNOWN, 'which is revoked')
  t.same(await statusOf(leaf, { lists: [await listOf()], known: [issuer] }), UNKNOWN, 'no list')
})

/**
 * PKITS calls this path valid, and says that applications need not support it. RFC 5280, 6.3.3 (f),
 * has the path of the issuer of the list validated first, which needs the status of that issuer
 * (6.1.3 (a) (3)): the list would vouch for the key that signed it, also when that key is stolen.
 */
t.test('4.14.30 an issuer of lists that only its own list says to be good', async (t) => {
  const extensions = [keyUsageOf(LISTS), BY_POINT]
  const issuer = await issue(OWN, LIST_ISSUER, extensions, [KEY.listIssuer, KEY.own])
  const leaf = await leafWith(BY_POINT)
  t.same(await statusOf(leaf, { lists: [await listOf()], known: [issuer] }), UNKNOWN)
})

t.test('4.14.31 and 4.14.32 an indirect list that has the certificate', async (t) => {
  for (const extension of [BY_POINT, BY_RELATIVE_NAME]) {
    const leaf = await leafWith(extension)
    const other = { certificate: root, issuer: named('Another authority') }
    const revoked = [other, { certificate: leaf, issuer: OWN }]
    t.same(await statusOf(leaf, { lists: [await listOf({ revoked })], known: [beside] }), REVOKED)
    const after = [{ certificate: root, issuer: OWN }, { certificate: leaf }]
    const lists = [await listOf({ revoked: after })]
    t.same(
      await statusOf(leaf, { lists, known: [beside] }),
      REVOKED,
      'the issuer of the entry before',
    )
  }
})

t.test('4.14.33 an indirect list that has other certificates of the authority', async (t) => {
  const leaf = await leafWith(BY_POINT)
  const revoked = [
    { certificate: root, issuer: OWN },
    { certificate: leaf, issuer: named('Another authority') },
  ]
  t.same(await statusOf(leaf, { lists: [await listOf({ revoked })], known: [beside] }), GOOD)
})

t.test('4.14.34 an indirect list that has a certificate of its own issuer', async (t) => {
  const leaf = await issue(
    LIST_ISSUER,
    named('Signer of another'),
    [keyUsageOf(signing), points([fullName(directory(POINT))])],
    [KEY.leaf, KEY.listIssuer],
  )
  const given = { known: [beside], issuer: beside }
  const first = [await listOf({ revoked: [{ certificate: leaf }] })]
  t.same(await statusOf(leaf, { ...given, lists: first }), REVOKED, 'before entries of others')
  const revoked = [
    { certificate: root, issuer: OWN },
    { certificate: leaf, issuer: LIST_ISSUER },
  ]
  t.same(await statusOf(leaf, { ...given, lists: [await listOf({ revoked })] }), REVOKED, 'after')
  t.same(await statusOf(leaf, { ...given, lists: [await listOf()] }), GOOD)
})

t.test('4.14.35 a point whose list is of somebody else', async (t) => {
  const leaf = await issue(
    LIST_ISSUER,
    named('Signer of another'),
    [keyUsageOf(signing), points([fullName(directory(POINT)), crlIssuer(OWN)])],
    [KEY.leaf, KEY.listIssuer],
  )
  const given = { known: [beside], issuer: beside }
  t.same(await statusOf(leaf, { ...given, lists: [await listOf()] }), UNKNOWN)
})

t.test('an issuer of lists has the trust anchor of the certificate', async (t) => {
  const name = named('Another root')
  const otherRoot = await issue(name, name, authority, [KEY.otherRoot, KEY.otherRoot])
  const stranger = await issue(name, LIST_ISSUER, authority, [KEY.listIssuer, KEY.otherRoot])
  const leaf = await leafWith(BY_POINT)
  const given = { lists: [await listOf(), rootList], known: [stranger] }
  t.same(await statusOf(leaf, { ...given, anchors: [root, otherRoot] }), UNKNOWN)
  const both = { ...given, known: [stranger, beside], anchors: [root, otherRoot] }
  t.same(await statusOf(leaf, both), GOOD, 'beside another of the same name')
})

t.test('the name of an authority in an entry may be written otherwise', async (t) => {
  const relative = (type: string, value: Uint8Array) =>
    setOf(sequence(objectIdentifier(type), value))
  const loud = sequence(
    relative(OID.countryName, tlv(0x13, new TextEncoder().encode('us'))),
    relative(OID.commonName, utf8String('AUTHORITY')),
  )
  const leaf = await leafWith(BY_POINT)
  const lists = [await listOf({ revoked: [{ certificate: leaf, issuer: loud }] })]
  t.same(await statusOf(leaf, { lists, known: [beside] }), REVOKED)
})
