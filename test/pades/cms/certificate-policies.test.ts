/**
 * Certificate policies along a path. Each case is an equivalent, made here, of the case of NIST
 * PKITS (version 1.0.1) with the number that its name begins with: sections 4.8 to 4.12.
 */

import t from 'tap'
import type { PolicyOptions } from '../../../pades/cms/certificate-policies.ts'
import { policiesHold } from '../../../pades/cms/certificate-policies.ts'
import { DerError } from '../../../pades/cms/der-reader.ts'
import { extension } from '../../../pades/cms/extensions.ts'
import { sequence } from '../../../pades/cms/der.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import {
  buildChain,
  inhibitAnyPolicy,
  mappings,
  policies,
  policyConstraints,
  policyOf,
  problemsOfChain,
} from '../../fixtures/chains.ts'
import type { Link } from '../../fixtures/chains.ts'

/** `valid`: the path is good; `invalid`: the policies are not. */
type Verdict = 'valid' | 'invalid'

/** Settings of the caller, as PKITS has them, and what comes of them. */
type Subtest = readonly [options: PolicyOptions, verdict: Verdict]

interface Case {
  readonly name: string
  readonly links: readonly Link[]
  readonly subtests: readonly Subtest[]
}

const only = (verdict: Verdict): readonly Subtest[] => [[{}, verdict]]
const accepts = (...numbers: readonly number[]): PolicyOptions => ({
  acceptedPolicies: numbers.map(policyOf),
})
const explicitly = (options: PolicyOptions = {}): PolicyOptions => ({
  ...options,
  requiresPolicy: true,
})

/** A certificate with policies, and further extensions. */
const link = (numbers: readonly number[], ...more: readonly Uint8Array[]): Link => ({
  extensions: [...(numbers.length > 0 ? [policies(...numbers)] : []), ...more],
})
const selfIssued = (one: Link): Link => ({ ...one, isSelfIssued: true })
const required = policyConstraints({ require: 0 })
const requiredAfter = (count: number, numbers: readonly number[] = []) =>
  link(numbers, policyConstraints({ require: count }))
const unmapped = (count: number) => policyConstraints({ require: 0, inhibitMapping: count })
const none = link([])
const p1 = link([1])
const p2 = link([2])
const any = link([0])

const CERTIFICATE_POLICIES: readonly Case[] = [
  {
    name: '4.8.1 all certificates have the same policy',
    links: [link([1], required), p1],
    subtests: [
      [explicitly(), 'valid'],
      [explicitly(accepts(1)), 'valid'],
      [explicitly(accepts(2)), 'invalid'],
      [explicitly(accepts(1, 2)), 'valid'],
    ],
  },
  {
    name: '4.8.2 no certificate has a policy',
    links: [none, none],
    subtests: [
      [{}, 'valid'],
      [explicitly(), 'invalid'],
    ],
  },
  {
    name: '4.8.3 the certificates have different policies',
    links: [p1, p2, p1],
    subtests: [
      [{}, 'valid'],
      [explicitly(), 'invalid'],
      [explicitly(accepts(1, 2)), 'invalid'],
    ],
  },
  {
    name: '4.8.4 the last one has another policy, and one is required',
    links: [link([1], required), p1, p2],
    subtests: only('invalid'),
  },
  {
    name: '4.8.5 an authority has another policy, and one is required',
    links: [p1, link([2], required), p1],
    subtests: only('invalid'),
  },
  {
    name: '4.8.6 overlapping policies',
    links: [link([1, 2, 3], required), link([1, 2]), p1, p1],
    subtests: [
      [{}, 'valid'],
      [accepts(1), 'valid'],
      [accepts(2), 'invalid'],
    ],
  },
  {
    name: '4.8.7 no policy is left at the end',
    links: [link([1, 2, 3], required), link([1, 2]), p1, p2],
    subtests: only('invalid'),
  },
  {
    name: '4.8.8 no policy is left in between',
    links: [link([1, 2], required), p1, p2, p2],
    subtests: only('invalid'),
  },
  {
    name: '4.8.9 no policy is left after three authorities',
    links: [link([1, 2, 3], required), link([1, 2]), link([2]), p1, p1],
    subtests: only('invalid'),
  },
  {
    name: '4.8.10 all certificates have the same two policies',
    links: [link([1, 2], required), link([1, 2])],
    subtests: [
      [{}, 'valid'],
      [accepts(1), 'valid'],
      [accepts(2), 'valid'],
      [accepts(3), 'invalid'],
    ],
  },
  {
    name: '4.8.11 all certificates have any policy',
    links: [link([0], required), any],
    subtests: [
      [{}, 'valid'],
      [accepts(1), 'valid'],
    ],
  },
  {
    name: '4.8.12 authority and last one have different policies',
    links: [link([3], required), link([4])],
    subtests: only('invalid'),
  },
  {
    name: '4.8.13 all certificates have the same three policies',
    links: [link([1, 2, 3], required), link([1, 2, 3])],
    subtests: [1, 2, 3].map((number) => [accepts(number), 'valid'] as const),
  },
  {
    name: '4.8.14 the authority has any policy, the last one has one',
    links: [link([0], required), p1],
    subtests: [
      [accepts(1), 'valid'],
      [accepts(2), 'invalid'],
    ],
  },
]

const REQUIRE_EXPLICIT_POLICY: readonly Case[] = [
  ...([10, 5] as const).map((count, index) => ({
    name: `4.9.${index + 1} a policy is required after ${count} certificates`,
    links: [requiredAfter(count), none, none, none, none],
    subtests: only('valid'),
  })),
  {
    name: '4.9.3 a policy is required after four certificates, and there are four',
    links: [requiredAfter(4), none, none, none, none],
    subtests: only('invalid'),
  },
  {
    name: '4.9.4 a policy is required and there is one',
    links: [requiredAfter(0, [1]), p1, p1, p1, p1],
    subtests: only('valid'),
  },
  {
    name: '4.9.5 an authority below requires it sooner',
    links: [requiredAfter(7), requiredAfter(2), requiredAfter(4), none],
    subtests: only('invalid'),
  },
  {
    name: '4.9.6 a self-issued certificate does not count',
    links: [requiredAfter(2), selfIssued(none), none],
    subtests: only('valid'),
  },
  {
    name: '4.9.7 what is below a self-issued certificate counts',
    links: [requiredAfter(2), selfIssued(none), none, none],
    subtests: only('invalid'),
  },
  {
    name: '4.9.8 a second self-issued certificate does not help',
    links: [requiredAfter(2), selfIssued(none), none, selfIssued(none), none],
    subtests: only('invalid'),
  },
]

const POLICY_MAPPINGS: readonly Case[] = [
  {
    name: '4.10.1 a policy is mapped',
    links: [link([1], required, mappings([1, 2])), p2],
    subtests: [
      [accepts(1), 'valid'],
      [accepts(2), 'invalid'],
      [{ inhibitsMapping: true }, 'invalid'],
    ],
  },
  {
    name: '4.10.2 the policy from which was mapped does not hold below',
    links: [link([1], required, mappings([1, 2])), p1],
    subtests: [
      [{}, 'invalid'],
      [{ inhibitsMapping: true }, 'invalid'],
    ],
  },
  {
    name: '4.10.3 one of two policies is mapped, twice',
    links: [
      link([1, 2], required, mappings([2, 3])),
      link([3], mappings([3, 4])),
      link([4], mappings([4, 5])),
      link([5]),
    ],
    subtests: [
      [accepts(1), 'invalid'],
      [accepts(2), 'valid'],
    ],
  },
  {
    name: '4.10.4 the last mapping is not followed',
    links: [
      link([1, 2], required, mappings([1, 3])),
      link([3], mappings([3, 4])),
      link([4], mappings([4, 5])),
      link([4]),
    ],
    subtests: only('invalid'),
  },
  {
    name: '4.10.5 two policies are mapped to one each, and one to two',
    links: [link([1], required, mappings([1, 2], [1, 6])), link([2], mappings([2, 7])), link([7])],
    subtests: [
      [accepts(1), 'valid'],
      [accepts(6), 'invalid'],
    ],
  },
  {
    name: '4.10.6 the second of two mappings of one policy is followed',
    links: [link([1], required, mappings([1, 2], [1, 6])), link([6])],
    subtests: [
      [accepts(1), 'valid'],
      [accepts(6), 'invalid'],
    ],
  },
  {
    name: '4.10.7 any policy is mapped',
    links: [link([0], mappings([0, 1])), p1],
    subtests: only('invalid'),
  },
  {
    name: '4.10.8 a policy is mapped to any policy',
    links: [link([1], mappings([1, 0])), p1],
    subtests: only('invalid'),
  },
  {
    name: '4.10.9 a policy is mapped by an authority with any policy',
    links: [link([0], required, mappings([1, 2])), p1],
    subtests: only('valid'),
  },
  {
    name: '4.10.10 the same, below an authority with that policy: it does not hold',
    links: [link([1], required), link([0], mappings([1, 2])), p1],
    subtests: only('invalid'),
  },
  {
    name: '4.10.11 the same: the policy to which it is mapped holds',
    links: [link([1], required), link([0], mappings([1, 2])), p2],
    subtests: only('valid'),
  },
  {
    name: '4.10.12 two policies, of which one is mapped',
    links: [link([1, 2], required, mappings([1, 3])), link([2, 3])],
    subtests: [
      [accepts(1), 'valid'],
      [accepts(2), 'valid'],
      [accepts(3), 'invalid'],
    ],
  },
  {
    name: '4.10.13 an authority with a policy and any policy maps the first',
    links: [link([1, 0], required, mappings([1, 2])), p2],
    subtests: only('valid'),
  },
  {
    name: '4.10.14 the same, and the last one has the policy from which was mapped',
    links: [link([1, 0], required, mappings([1, 2])), p1],
    subtests: only('valid'),
  },
]

const INHIBIT_POLICY_MAPPING: readonly Case[] = [
  {
    name: '4.11.1 mapping is inhibited at once',
    links: [link([1], unmapped(0)), link([1], mappings([1, 2])), p2],
    subtests: only('invalid'),
  },
  {
    name: '4.11.2 mapping is inhibited after one authority',
    links: [link([1, 2], unmapped(1)), link([1, 2], mappings([1, 3], [2, 4])), link([3])],
    subtests: only('valid'),
  },
  {
    name: '4.11.3 the second authority below does not map',
    links: [link([1, 2], unmapped(1)), link([1]), link([1], mappings([1, 3])), link([3])],
    subtests: only('invalid'),
  },
  {
    name: '4.11.4 a mapping before the limit holds beyond it',
    links: [link([1, 2], unmapped(1)), link([1, 2], mappings([1, 3])), link([3]), link([3])],
    subtests: only('valid'),
  },
  {
    name: '4.11.5 an authority below lowers the limit',
    links: [link([1], unmapped(5)), link([1], unmapped(1)), p1, link([1], mappings([1, 2])), p2],
    subtests: only('invalid'),
  },
  {
    name: '4.11.6 an authority below does not raise the limit',
    links: [link([1], unmapped(1)), link([1], unmapped(5)), link([1], mappings([1, 2])), p2],
    subtests: only('invalid'),
  },
  {
    name: '4.11.7 a self-issued certificate does not count',
    links: [link([1], unmapped(1)), selfIssued(p1), link([1], mappings([1, 2])), p2],
    subtests: only('valid'),
  },
  {
    name: '4.11.8 what is below a self-issued certificate counts',
    links: [link([1], unmapped(1)), selfIssued(p1), p1, link([1], mappings([1, 2])), p2],
    subtests: only('invalid'),
  },
  {
    name: '4.11.9 two mappings, of which the second is beyond the limit',
    links: [
      link([1], unmapped(1)),
      selfIssued(p1),
      link([1], mappings([1, 2])),
      link([2], mappings([2, 3])),
      link([3]),
    ],
    subtests: only('invalid'),
  },
  {
    name: '4.11.10 a self-issued certificate beyond the limit does not map',
    links: [link([1], unmapped(1)), p1, selfIssued(link([1], mappings([1, 2]))), p2],
    subtests: only('invalid'),
  },
  {
    name: '4.11.11 the same, and the last one has the policy from which was mapped',
    links: [link([1], unmapped(1)), p1, selfIssued(link([1], mappings([1, 2]))), p1],
    subtests: only('invalid'),
  },
]

const bound = (count: number, ...numbers: readonly number[]) =>
  link(numbers, required, inhibitAnyPolicy(count))

const INHIBIT_ANY_POLICY: readonly Case[] = [
  { name: '4.12.1 any policy is inhibited', links: [bound(0, 1), any], subtests: only('invalid') },
  {
    name: '4.12.2 any policy is inhibited and another one holds',
    links: [bound(0, 1), link([0, 1])],
    subtests: only('valid'),
  },
  {
    name: '4.12.3 any policy is inhibited after one certificate',
    links: [bound(1, 1), any, p1],
    subtests: [
      [{}, 'valid'],
      [{ inhibitsAnyPolicy: true }, 'invalid'],
    ],
  },
  {
    name: '4.12.4 any policy is beyond the limit',
    links: [bound(1, 1), any, any],
    subtests: only('invalid'),
  },
  {
    name: '4.12.5 an authority below lowers the limit',
    links: [bound(5, 1), link([1], inhibitAnyPolicy(1)), p1, any],
    subtests: only('invalid'),
  },
  {
    name: '4.12.6 an authority below does not raise the limit',
    links: [bound(1, 1), link([1], inhibitAnyPolicy(5)), any],
    subtests: only('invalid'),
  },
  {
    name: '4.12.7 a self-issued certificate does not count',
    links: [bound(1, 1), selfIssued(p1), any, p1],
    subtests: only('valid'),
  },
  {
    name: '4.12.8 what is below a self-issued certificate counts',
    links: [bound(1, 1), selfIssued(p1), p1, any],
    subtests: only('invalid'),
  },
  {
    name: '4.12.9 a self-issued certificate may have any policy beyond the limit',
    links: [bound(1, 1), selfIssued(any), p1, selfIssued(any), p1],
    subtests: only('valid'),
  },
  {
    name: '4.12.10 the last certificate may not, also when it is self-issued',
    links: [bound(1, 1), p1, selfIssued(any)],
    subtests: only('invalid'),
  },
]

const CASES = [
  ...CERTIFICATE_POLICIES,
  ...REQUIRE_EXPLICIT_POLICY,
  ...POLICY_MAPPINGS,
  ...INHIBIT_POLICY_MAPPING,
  ...INHIBIT_ANY_POLICY,
]

for (const { name, links, subtests } of CASES) {
  t.test(name, async (t) => {
    const chain = await buildChain(links)
    for (const [policy, verdict] of subtests) {
      const expected = verdict === 'valid' ? [] : ['POLICY_CONSTRAINTS_NOT_MET']
      t.same(problemsOfChain(chain, { policy }), expected, JSON.stringify(policy))
    }
  })
}

t.test('the constraints of an anchor count, and policies of one below a root', async (t) => {
  const root = { extensions: [policies(7), required] }
  t.same(problemsOfChain(await buildChain([p1, p1], root)), [], 'a root need not name policies')
  t.same(problemsOfChain(await buildChain([p1, none], root)), ['POLICY_CONSTRAINTS_NOT_MET'])
  const [leaf, authority] = await buildChain([link([1], required), p2])
  t.same(problemsOfChain([leaf, authority]), ['POLICY_CONSTRAINTS_NOT_MET'])
  const [good, same] = await buildChain([link([1], required), p1])
  t.same(problemsOfChain([good, same]), [])
})

t.test('constraints that cannot be read are refused, critical or not', async (t) => {
  for (const type of [OID.policyConstraints, OID.policyMappings, OID.inhibitAnyPolicy]) {
    const odd = extension(type, false, sequence(sequence()))
    const chain = await buildChain([link([1], odd), p1])
    t.throws(() => policiesHold(chain), DerError)
    t.same(problemsOfChain(chain), ['UNKNOWN_CRITICAL_EXTENSION'])
  }
})
