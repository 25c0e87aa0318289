/**
 * Name constraints along a path. Each case is an equivalent, made here, of the case of NIST PKITS
 * (version 1.0.1) with the number that its name begins with: section 4.13.
 */

import t from 'tap'
import {
  contextConstructed,
  contextPrimitive,
  integer,
  sequence,
  utf8String,
} from '../../../pades/cms/der.ts'
import { extension } from '../../../pades/cms/extensions.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import {
  alternativeNames,
  buildChain,
  commonName,
  GENERAL_NAME,
  nameConstraints,
  nameOf,
  problemsOfChain,
} from '../../fixtures/chains.ts'
import type { Link } from '../../fixtures/chains.ts'

const { address, directory, dns, mail, other, registered, uri } = GENERAL_NAME

const test = (...units: readonly string[]) =>
  nameOf(
    [OID.countryName, 'US'],
    [OID.organizationName, 'Test Certificates'],
    ...units.map((unit) => [OID.organizationalUnitName, unit] as const),
  )
const person = (...units: readonly string[]) =>
  nameOf(
    [OID.countryName, 'US'],
    [OID.organizationName, 'Test Certificates'],
    ...units.map((unit) => [OID.organizationalUnitName, unit] as const),
    [OID.commonName, 'Person'],
  )

const permits = (...names: readonly Uint8Array[]): Link => ({
  name: test('authority'),
  extensions: [nameConstraints({ permitted: names })],
})
const excludes = (...names: readonly Uint8Array[]): Link => ({
  name: test('authority'),
  extensions: [nameConstraints({ excluded: names })],
})
const named = (name: Uint8Array, ...names: readonly Uint8Array[]): Link => ({
  name,
  ...(names.length > 0 && { extensions: [alternativeNames(...names)] }),
})
const having = (...names: readonly Uint8Array[]) => named(person(), ...names)
const below = (link: Link, name: Uint8Array): Link => ({ ...link, name })

const PERMITTED_1 = directory(test('permitted 1'))
const PERMITTED_2 = directory(test('permitted 2'))
const EXCLUDED_1 = directory(test('excluded 1'))
const EXCLUDED_2 = directory(test('excluded 2'))
const WITHIN_1 = person('permitted 1')
const WITHIN_2 = person('permitted 2')
const AUTHORITY_1 = test('permitted 1', 'authority')

/** Name of a subject with a mail address. */
const withMail = (text: string) =>
  nameOf([OID.countryName, 'US'], [OID.commonName, 'Person'], [OID.emailAddress, text])

const VALID = true
const INVALID = false

type Case = readonly [name: string, isValid: boolean, links: readonly Link[]]

const DIRECTORY_NAMES: readonly Case[] = [
  ['4.13.1 a subject in the permitted subtree', VALID, [permits(PERMITTED_1), named(WITHIN_1)]],
  ['4.13.2 a subject outside of it', INVALID, [permits(PERMITTED_1), named(WITHIN_2)]],
  [
    '4.13.3 an alternative name outside of it',
    INVALID,
    [permits(PERMITTED_1), named(WITHIN_1, directory(person('excluded 1')))],
  ],
  [
    '4.13.4 an alternative name in it',
    VALID,
    [permits(PERMITTED_1), named(WITHIN_1, directory(person('permitted 1', 'more')))],
  ],
  [
    '4.13.5 names in two permitted subtrees',
    VALID,
    [permits(PERMITTED_1, PERMITTED_2), named(WITHIN_1, directory(WITHIN_2))],
  ],
  ['4.13.6 a subject beside the excluded subtree', VALID, [excludes(EXCLUDED_1), named(WITHIN_1)]],
  ['4.13.7 a subject in it', INVALID, [excludes(EXCLUDED_1), named(person('excluded 1'))]],
  [
    '4.13.8 a subject in the first of two',
    INVALID,
    [excludes(EXCLUDED_1, EXCLUDED_2), named(person('excluded 1'))],
  ],
  [
    '4.13.9 a subject in the second of two',
    INVALID,
    [excludes(EXCLUDED_1, EXCLUDED_2), named(person('excluded 2'))],
  ],
  ...(
    [
      ['4.13.10 in the excluded part of what is permitted', INVALID, ['permitted 1', 'excluded']],
      ['4.13.11 in the rest of what is permitted', VALID, ['permitted 1', 'other']],
    ] as const
  ).map(([name, isValid, units]): Case => {
    const permitted = [PERMITTED_1]
    const excluded = [directory(test('permitted 1', 'excluded'))]
    const both = { extensions: [nameConstraints({ permitted, excluded })] }
    return [name, isValid, [below(both, test('authority')), named(person(...units))]]
  }),
  [
    '4.13.12 in the subtree of the first authority, not of the second',
    INVALID,
    [
      permits(PERMITTED_1),
      below(permits(directory(test('permitted 1', 'a'))), AUTHORITY_1),
      named(WITHIN_1),
    ],
  ],
  [
    '4.13.13 in the subtree of the second authority, not of the first',
    INVALID,
    [permits(PERMITTED_1), below(permits(PERMITTED_2), AUTHORITY_1), named(WITHIN_2)],
  ],
  [
    '4.13.14 two subtrees without a common part, and no name at all',
    VALID,
    [
      permits(PERMITTED_1),
      below(permits(PERMITTED_2), AUTHORITY_1),
      named(nameOf(), mail('person@example.test')),
    ],
  ],
  ...(['4.13.15', '4.13.16'] as const).map((number, index): Case => [
    `${number} both authorities exclude, and the name is in the subtree of number ${index + 1}`,
    INVALID,
    [
      excludes(EXCLUDED_1),
      below(excludes(EXCLUDED_2), test('second')),
      named(person(index === 0 ? 'excluded 1' : 'excluded 2')),
    ],
  ]),
  [
    '4.13.17 the first authority excludes and the second permits',
    INVALID,
    [
      excludes(EXCLUDED_1),
      below(permits(PERMITTED_1), test('second')),
      named(person('excluded 1')),
    ],
  ],
  [
    '4.13.18 a name that the one does not exclude and the other permits',
    VALID,
    [excludes(EXCLUDED_1), below(permits(PERMITTED_1), test('second')), named(WITHIN_1)],
  ],
  [
    '4.13.19 a self-issued authority need not be within',
    VALID,
    [permits(PERMITTED_1), { isSelfIssued: true }, named(WITHIN_1)],
  ],
  [
    '4.13.20 a self-issued certificate at the end must be within',
    INVALID,
    [permits(PERMITTED_1), { isSelfIssued: true }],
  ],
]

const HOST = 'testcertificates.gov'
const BOTH = [directory(test()), mail(HOST)]

const OTHER_FORMS: readonly Case[] = [
  [
    '4.13.21 mail below a permitted domain',
    VALID,
    [permits(mail(`.${HOST}`)), having(mail(`a@mail.${HOST}`))],
  ],
  [
    '4.13.22 mail of the domain itself',
    INVALID,
    [permits(mail(`.${HOST}`)), having(mail(`a@${HOST}`))],
  ],
  ['4.13.23 mail of a permitted host', VALID, [permits(mail(HOST)), having(mail(`a@${HOST}`))]],
  [
    '4.13.24 mail below a permitted host',
    INVALID,
    [permits(mail(HOST)), having(mail(`a@mail.${HOST}`))],
  ],
  [
    '4.13.25 mail beside an excluded host',
    VALID,
    [excludes(mail(HOST)), having(mail(`a@mail.${HOST}`))],
  ],
  ['4.13.26 mail of an excluded host', INVALID, [excludes(mail(HOST)), having(mail(`a@${HOST}`))]],
  ['4.13.27 subject and mail are permitted', VALID, [permits(...BOTH), having(mail(`a@${HOST}`))]],
  [
    '4.13.28 only the subject is permitted',
    INVALID,
    [permits(...BOTH), having(mail(`a@mail.${HOST}`))],
  ],
  [
    '4.13.29 mail in the subject is not permitted',
    INVALID,
    [permits(mail(HOST)), named(withMail(`a@mail.${HOST}`))],
  ],
  [
    '4.13.30 a host below a permitted domain',
    VALID,
    [permits(dns(HOST)), having(dns(`a.${HOST}`))],
  ],
  ['4.13.31 a host elsewhere', INVALID, [permits(dns(HOST)), having(dns('a.example.test'))]],
  [
    '4.13.32 a host beside an excluded domain',
    VALID,
    [excludes(dns(HOST)), having(dns('a.example.test'))],
  ],
  [
    '4.13.33 a host below an excluded domain',
    INVALID,
    [excludes(dns(HOST)), having(dns(`a.${HOST}`))],
  ],
  [
    '4.13.34 a URI below a permitted domain',
    VALID,
    [permits(uri(`.${HOST}`)), having(uri(`http://a.${HOST}/b`))],
  ],
  [
    '4.13.35 a URI of the domain itself',
    INVALID,
    [permits(uri(`.${HOST}`)), having(uri(`http://${HOST}/b`))],
  ],
  [
    '4.13.36 a URI beside an excluded host',
    VALID,
    [excludes(uri(HOST)), having(uri(`ftp://a.${HOST}:21/b`))],
  ],
  [
    '4.13.37 a URI of an excluded host',
    INVALID,
    [excludes(uri(HOST)), having(uri(`http://b@${HOST}?c`))],
  ],
  [
    '4.13.38 a host that ends with the name of the domain',
    INVALID,
    [permits(dns(HOST)), having(dns(`my${HOST}`))],
  ],
  [
    'mail of a permitted address',
    VALID,
    [permits(mail(`a@${HOST}`)), having(mail(`a@${HOST.toUpperCase()}`))],
  ],
  ['mail of another person', INVALID, [permits(mail(`a@${HOST}`)), having(mail(`A@${HOST}`))]],
  [
    'mail in the subject that is permitted',
    VALID,
    [permits(mail(HOST)), named(withMail(`a@${HOST}`))],
  ],
  [
    'an address in a permitted network',
    VALID,
    [permits(address(10, 1, 0, 0, 255, 255, 0, 0)), having(address(10, 1, 2, 3))],
  ],
  [
    'an address in another network',
    INVALID,
    [permits(address(10, 1, 0, 0, 255, 255, 0, 0)), having(address(10, 2, 2, 3))],
  ],
  [
    'an address of the other kind',
    INVALID,
    [permits(address(10, 1, 0, 0, 255, 255, 0, 0)), having(address(...Array(16).fill(1)))],
  ],
  [
    'an international mailbox of a permitted host',
    VALID,
    [
      permits(mail('xn--bcher-kva.test')),
      having(other('1.3.6.1.5.5.7.8.9', utf8String('ž@bücher.test'))),
    ],
  ],
  [
    'an international mailbox elsewhere',
    INVALID,
    [permits(mail(HOST)), having(other('1.3.6.1.5.5.7.8.9', utf8String('ž@bücher.test')))],
  ],
  [
    'names that differ in case and white space',
    VALID,
    [
      permits(
        directory(nameOf([OID.countryName, 'us'], [OID.organizationName, ' test  CERTIFICATES '])),
      ),
      having(),
    ],
  ],
  [
    'names of forms that are not constrained',
    VALID,
    [
      permits(dns(HOST)),
      having(uri('urn:x'), registered('1.2.3'), other('1.2.3', utf8String('x'))),
    ],
  ],
  [
    'a registered identifier that is the same',
    VALID,
    [permits(registered('1.2.3')), having(registered('1.2.3'))],
  ],
  [
    'another name that is excluded',
    INVALID,
    [excludes(other('1.2.3', utf8String('x'))), having(other('1.2.3', utf8String('x')))],
  ],
]

for (const [name, isValid, links] of [...DIRECTORY_NAMES, ...OTHER_FORMS]) {
  t.test(name, async (t) => {
    const expected = isValid ? [] : ['NAME_CONSTRAINTS_NOT_MET']
    t.same(problemsOfChain(await buildChain(links)), expected)
  })
}

/** RFC 5280, 4.2.1.10: what cannot be processed is refused. */
const UNPROCESSED: Readonly<Record<string, readonly Link[]>> = {
  'a URI without a host': [permits(uri(HOST)), having(uri('urn:x'))],
  'a URI with an address': [permits(uri(HOST)), having(uri('http://10.1.2.3/'))],
  'another name of a constrained type': [
    permits(other('1.2.3', utf8String('x'))),
    having(other('1.2.3', utf8String('y'))),
  ],
  'another registered identifier': [excludes(registered('1.2.3')), having(registered('1.2.4'))],
  'a mask of the wrong size': [permits(address(10, 1)), having(address(10, 1, 2, 3))],
  'a subtree with a minimum': [
    {
      extensions: [
        extension(
          OID.nameConstraints,
          false,
          sequence(
            contextConstructed(0, sequence(dns(HOST), contextPrimitive(0, Uint8Array.of(1)))),
          ),
        ),
      ],
    },
    having(),
  ],
  'constraints that are not readable': [
    { extensions: [extension(OID.nameConstraints, false, integer(1))] },
    having(),
  ],
}

for (const [name, links] of Object.entries(UNPROCESSED)) {
  t.test(`${name} is refused`, async (t) => {
    t.same(problemsOfChain(await buildChain(links)), ['UNKNOWN_CRITICAL_EXTENSION'])
  })
}

t.test('the constraints of an anchor count', async (t) => {
  const root = { name: commonName('Constrained root'), ...permits(PERMITTED_1) }
  const chain = (name: Uint8Array) => buildChain([{ name: AUTHORITY_1 }, named(name)], root)
  t.same(problemsOfChain(await chain(WITHIN_1)), [])
  t.same(problemsOfChain(await chain(WITHIN_2)), ['NAME_CONSTRAINTS_NOT_MET'])
})

t.test('constraints count whether or not they are critical', async (t) => {
  const lenient = { extensions: [nameConstraints({ permitted: [PERMITTED_1] }, false)] }
  t.same(problemsOfChain(await buildChain([lenient, named(WITHIN_2)])), [
    'NAME_CONSTRAINTS_NOT_MET',
  ])
})
