/** The policy file of `npm run verify`: strict, with errors that name the place. */
import t from 'tap'
import { checkPolicy, PolicyError } from '../../domain/verification-policy.ts'

const LEAST = { id: 'strict', version: 1 }

t.test('a policy needs a name and a version only', async (t) => {
  t.same(checkPolicy(LEAST), LEAST)
  const full = {
    ...LEAST,
    description: 'for archives',
    trust: {
      certificates: ['roots', 'other.pem'],
      trustedLists: { folder: 'lists', anchors: 'anchors.pem', publication: 'https://x.example' },
    },
    validationTime: '2026-11-02T09:00:00Z',
    revocation: 'ifPresent',
    modifications: { formFilling: 'permitted', annotations: 'notPermitted' },
    algorithms: [{ algorithm: 'sha224' }, { algorithm: 'rsa', belowBits: 3000 }],
  }
  t.same(checkPolicy(full), full)
})

t.test('what is wrong is named', async (t) => {
  const faults: [object | string, RegExp][] = [
    ['text', /^\/: Expected object/],
    [{ version: 1 }, /^\/id: /],
    [{ ...LEAST, version: 0 }, /^\/version: /],
    [{ ...LEAST, formFilling: 'permitted' }, /^\/formFilling: Unexpected property/],
    [
      { ...LEAST, modifications: { formFilling: true } },
      /^\/modifications\/formFilling: Expected one of "permitted", "notPermitted"$/,
    ],
    [{ ...LEAST, modifications: { annotations: 'permitted' } }, /^\/modifications\/annotations: /],
    [{ ...LEAST, trust: { trustedLists: { folder: 'x' } } }, /^\/trust\/trustedLists\/anchors: /],
    [{ ...LEAST, validationTime: '2026-11-02' }, /^\/validationTime: /],
    [{ ...LEAST, validationTime: '2026-02-30T00:00:00Z' }, /^\/validationTime: .* is not a time$/],
    [{ ...LEAST, algorithms: [{ algorithm: 'SHA-1' }] }, /^\/algorithms\/0\/algorithm: /],
    [
      { ...LEAST, algorithms: [{ algorithm: 'sha256', until: '2029-13-01T00:00:00Z' }] },
      /^\/algorithms\/0\/until: .* is not a time$/,
    ],
    [
      { ...LEAST, algorithms: [{ algorithm: 'sha256', belowBits: 200 }] },
      /^\/algorithms\/0\/belowBits: sha256 is not a type of key$/,
    ],
  ]
  for (const [policy, message] of faults) {
    t.throws(() => checkPolicy(policy), { name: PolicyError.name, message }, String(message))
  }
})
