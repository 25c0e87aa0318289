/** Paths end at a trust anchor and every certificate of them may be at its place. */

import { Buffer } from 'node:buffer'
import t from 'tap'
import { readCertificate } from '../../../pades/cms/certificate-reader.ts'
import { PathFinder } from '../../../pades/cms/certification-path.ts'
import type { PathOptions } from '../../../pades/cms/certification-path.ts'
import {
  bitString,
  certificateTime,
  contextConstructed,
  contextPrimitive,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  setOf,
  TAG,
  tlv,
  TRUE,
} from '../../../pades/cms/der.ts'
import { SIGNATURE_ALGORITHMS } from '../../../pades/cms/algorithms.ts'
import { extension } from '../../../pades/cms/extensions.ts'
import { generateKey } from '../../../pades/cms/keys.ts'
import { encodeName } from '../../../pades/cms/names.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import {
  basicConstraintsOf,
  buildChain,
  issue,
  KEY_BITS,
  keyUsageOf,
  problemsOfChain,
} from '../../fixtures/chains.ts'
import type { Link } from '../../fixtures/chains.ts'
import type { Identity } from '../../fixtures/pki.ts'
import {
  identity,
  issuingCa,
  janka,
  nextSerialNumber,
  NOW,
  root,
  signer,
  timeStampAuthority,
} from '../../fixtures/pki.ts'

const find = (leaf: Uint8Array, others: readonly Identity[], changes: Partial<PathOptions> = {}) =>
  new PathFinder().find(readCertificate(leaf), {
    anchors: [readCertificate(root.certificate)],
    intermediates: others.map(({ certificate }) => readCertificate(certificate)),
    at: NOW,
    purpose: 'signature',
    ...changes,
  })

t.test('a path leads from a signer to the root', async (t) => {
  const path = find(janka.certificate, [issuingCa])
  t.same(path.problems, [])
  t.same(
    path.certificates.map(({ commonName }) => commonName),
    ['Janka Žltá', 'Test Issuing CA', 'Test Root'],
  )
})

t.test('without the authority between there is none', async (t) => {
  t.same(find(janka.certificate, []).problems, ['NO_CERTIFICATE_CHAIN_FOUND'])
  t.same(find(janka.certificate, [issuingCa], { anchors: [] }).problems, [
    'NO_CERTIFICATE_CHAIN_FOUND',
  ])
})

t.test('a certificate counts from its first to its last second', async (t) => {
  const { notBefore, notAfter } = readCertificate(janka.certificate)
  for (const [at, problems] of [
    [notBefore, []],
    [notAfter, []],
    [new Date(notBefore.getTime() - 1), ['CERTIFICATE_NOT_YET_VALID']],
    [new Date(notAfter.getTime() + 1), ['CERTIFICATE_EXPIRED']],
  ] as const)
    t.same(find(janka.certificate, [issuingCa], { at }).problems, problems)
  const longLived = await signer('Ján', { notAfter: new Date('2060-01-01T00:00:00Z') })
  const at = new Date('2055-01-01T00:00:00Z')
  t.same(find(longLived.certificate, [issuingCa], { at }).problems, ['ISSUER_OUTSIDE_VALIDITY'])
})

t.test('an issuer that is not an authority is refused', async (t) => {
  const forged = await signer('Forged', { issuer: janka })
  t.same(find(forged.certificate, [janka, issuingCa]).problems, [
    'ISSUER_IS_NO_AUTHORITY',
    'PATH_TOO_LONG',
  ])
})

t.test('an authority below one that allows none is refused', async (t) => {
  const subject = { commonName: 'Below' }
  const below = await identity({ profile: 'issuing-ca', issuer: issuingCa, subject })
  const leaf = await signer('Leaf', { issuer: below })
  t.same(find(leaf.certificate, [below, issuingCa]).problems, ['PATH_TOO_LONG'])
})

t.test('an authority of the same name with another key is not the issuer', async (t) => {
  const twin = await identity({
    profile: 'issuing-ca',
    issuer: root,
    subject: { countryName: 'SK', organizationName: 'Sigcase Test', commonName: 'Test Issuing CA' },
  })
  t.same(find(janka.certificate, [twin]).problems, ['NO_CERTIFICATE_CHAIN_FOUND'])
  t.same(find(janka.certificate, [twin, issuingCa]).problems, [])
})

t.test('key identifiers find the issuer among many authorities of its name', async (t) => {
  const key = generateKey()
  // More than the signatures that a search tries.
  const twins = await Promise.all(
    Array.from({ length: 220 }, () =>
      identity({
        profile: 'issuing-ca',
        key,
        issuer: root,
        subject: {
          countryName: 'SK',
          organizationName: 'Sigcase Test',
          commonName: 'Test Issuing CA',
        },
      }),
    ),
  )
  // Verdicts on the certificates of other tests are known already.
  const { certificate } = await signer('Anna')
  t.same(find(certificate, [...twins, issuingCa]).problems, [])
})

t.test('a time-stamp authority is not a signer', async (t) => {
  const path = find(timeStampAuthority.certificate, [issuingCa])
  t.same(path.problems, ['KEY_USAGE_FORBIDS'])
})

async function withExtension(type: string, critical: boolean): Promise<Uint8Array> {
  const { identifier } = SIGNATURE_ALGORITHMS[issuingCa.algorithm]
  const toBeSigned = sequence(
    contextConstructed(0, integer(2)),
    integer(nextSerialNumber()),
    identifier,
    readCertificate(issuingCa.certificate).subject,
    sequence(certificateTime(NOW), certificateTime(NOW)),
    encodeName({ commonName: 'Odd' }),
    generateKey().publicKeySpki,
    contextConstructed(
      3,
      sequence(
        sequence(objectIdentifier(type), ...(critical ? [TRUE] : []), octetString(sequence())),
      ),
    ),
  )
  return sequence(toBeSigned, identifier, bitString(await issuingCa.sign(toBeSigned)))
}

t.test('an unknown critical extension is refused, an unknown other one is not', async (t) => {
  const odd = '1.3.6.1.4.1.99999.7'
  t.same(find(await withExtension(odd, true), [issuingCa]).problems, ['UNKNOWN_CRITICAL_EXTENSION'])
  t.same(find(await withExtension(odd, false), [issuingCa]).problems, [])
})

t.test('a search through a heap of authorities of one name ends', async (t) => {
  const heap = await Promise.all(
    Array.from({ length: 60 }, () =>
      identity({
        profile: 'issuing-ca',
        key: issuingCa.key,
        issuer: issuingCa,
        subject: {
          countryName: 'SK',
          organizationName: 'Sigcase Test',
          commonName: 'Test Issuing CA',
        },
      }),
    ),
  )
  t.same(find(janka.certificate, heap).problems, ['NO_CERTIFICATE_CHAIN_FOUND'])
})

const end = { isAuthority: false }
const limited = (pathLength: number, more: Link = {}): Link => ({ pathLength, ...more })
const selfIssued = { isSelfIssued: true }
const { certificates, lists, signing } = KEY_BITS
const usage = (bits: number, critical = true) => ({
  basics: [basicConstraintsOf(true), keyUsageOf(bits, critical)],
})

/**
 * Equivalents, made here, of the cases of NIST PKITS (version 1.0.1) with these numbers: sections
 * 4.6 and 4.7. The last certificate of some is an authority.
 */
const PKITS: readonly (readonly [
  name: string,
  links: readonly Link[],
  problems: readonly string[],
])[] = [
  [
    '4.6.1 an issuer without basic constraints',
    [{ basics: [keyUsageOf(certificates)] }, end],
    ['ISSUER_IS_NO_AUTHORITY'],
  ],
  ...([true, false] as const).map(
    (critical) =>
      [
        `4.6.${critical ? 2 : 3} basic constraints that deny it, critical: ${critical}`,
        [
          { basics: [basicConstraintsOf(false, undefined, critical), keyUsageOf(certificates)] },
          end,
        ],
        ['ISSUER_IS_NO_AUTHORITY'],
      ] as const,
  ),
  [
    '4.6.4 basic constraints that are not critical',
    [{ basics: [basicConstraintsOf(true, undefined, false), keyUsageOf(certificates)] }, end],
    [],
  ],
  ['4.6.5 an authority below one that allows none', [limited(0), {}, end], ['PATH_TOO_LONG']],
  ['4.6.6 the same, and the last one is an authority', [limited(0), {}, {}], ['PATH_TOO_LONG']],
  ['4.6.7 a certificate below an authority that allows none', [limited(0), end], []],
  ['4.6.8 an authority as the last certificate below it', [limited(0), {}], []],
  ['4.6.9 two that allow none', [limited(6), limited(0), limited(0), end], ['PATH_TOO_LONG']],
  [
    '4.6.10 the same with an authority',
    [limited(6), limited(0), limited(0), {}],
    ['PATH_TOO_LONG'],
  ],
  [
    '4.6.11 two below one that allows one',
    [limited(6), limited(1), {}, {}, end],
    ['PATH_TOO_LONG'],
  ],
  ['4.6.12 the same with an authority', [limited(6), limited(1), {}, {}, {}], ['PATH_TOO_LONG']],
  ['4.6.13 as many as are allowed', [limited(6), limited(4), limited(1), {}, end], []],
  ['4.6.14 the same with an authority', [limited(6), limited(4), limited(1), {}, {}], []],
  ['4.6.15 a self-issued authority does not count', [limited(0), selfIssued, end], []],
  [
    '4.6.16 what is below a self-issued authority counts',
    [limited(0), limited(0, selfIssued), {}, end],
    ['PATH_TOO_LONG'],
  ],
  [
    '4.6.17 two self-issued authorities do not count',
    [limited(1), limited(1, selfIssued), {}, selfIssued, end],
    [],
  ],
  ['4.7.1 a key that does not sign certificates', [usage(lists), end], ['ISSUER_IS_NO_AUTHORITY']],
  ['4.7.2 the same, not critical', [usage(lists, false), end], ['ISSUER_IS_NO_AUTHORITY']],
  ['4.7.3 a key that signs them, not critical', [usage(certificates | signing, false), end], []],
]

/** Another way to write a name: other string types, case and white space (RFC 5280, 7.1). */
const spelt = (text: string, tag: number = TAG.printableString) =>
  sequence(setOf(sequence(objectIdentifier(OID.commonName), tlv(tag, Buffer.from(text, 'latin1')))))

t.test('PKITS 4.3 names chain where they differ only in how they are written', async (t) => {
  const key = (number: number) => octetString(Uint8Array.of(1, 2, number))
  const subjectKey = extension(OID.subjectKeyIdentifier, false, key(1))
  const authorityKey = (number: number) =>
    extension(
      OID.authorityKeyIdentifier,
      false,
      sequence(contextPrimitive(0, key(number).slice(2))),
    )
  const authority = [basicConstraintsOf(true), keyUsageOf(certificates), subjectKey]
  const rootName = spelt('Trust Anchor')
  const above = await issue(rootName, rootName, [basicConstraintsOf(true)], 0)
  const between = await issue(rootName, spelt('Good CA', TAG.utf8String), authority, 1)
  const problemsBelow = async (issuer: Uint8Array, ...extensions: readonly Uint8Array[]) => {
    const usages = [keyUsageOf(signing), ...extensions]
    return problemsOfChain([await issue(issuer, spelt('Signer'), usages, 2), between, above])
  }
  t.same(await problemsBelow(spelt('Good CA', TAG.utf8String)), [], 'the same octets')
  const written = {
    '4.3.3 white space': spelt('  Good   CA '),
    '4.3.5 capitals': spelt('GOOD ca'),
    '4.3.9 another string type': spelt('Good CA'),
    '4.3.11 type and capitals': spelt('gOOD CA', TAG.utf8String),
  }
  const none = ['NO_CERTIFICATE_CHAIN_FOUND']
  for (const [name, issuer] of Object.entries(written)) {
    t.same(await problemsBelow(issuer, authorityKey(1)), [], name)
    t.same(await problemsBelow(issuer, authorityKey(2)), none, `${name}, another key`)
  }
  t.same(await problemsBelow(spelt('Bad CA'), authorityKey(1)), none, '4.3.1 another name')
})

for (const [name, links, problems] of PKITS) {
  t.test(name, async (t) => {
    const made = links.map((link, index) =>
      index === links.length - 1 && link !== end
        ? { ...link, basics: [basicConstraintsOf(true), keyUsageOf(certificates | signing)] }
        : link,
    )
    t.same(problemsOfChain(await buildChain(made)), problems)
  })
}
