/** Weak algorithms are named; those that are not known are not called weak (ETSI TS 119 312). */
import t from 'tap'
import type { Certificate } from '../../../pades/cms/certificate-reader.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import type { PublicKeyKind } from '../../../pades/cms/public-key.ts'
import {
  isExpired,
  pathAlgorithms,
  pathStrength,
  signatureAlgorithms,
  signatureStrength,
  strengthFindings,
} from '../../../pades/validate/algorithm-policy.ts'

const identifier = (type: string) => ({ type, parameters: undefined })

const certificate = (publicKeyKind: PublicKeyKind, type: string = OID.ecdsaWithSha256) =>
  ({ publicKeyKind, signatureAlgorithm: identifier(type) }) as Certificate

const onCurve = (curve: string | undefined) =>
  certificate({ type: 'ec', curve, point: new Uint8Array(65) })

const rsa = (bits: number, ...exponent: readonly number[]) =>
  certificate({
    type: 'rsa',
    modulus: new Uint8Array(bits / 8).fill(0xff),
    exponent: Uint8Array.from(exponent.length > 0 ? exponent : [1, 0, 1]),
    isForPss: false,
    isRestricted: false,
  })

t.test('SHA-1 and DSA are weak, an unlisted algorithm is unknown', async (t) => {
  t.equal(signatureStrength(identifier(OID.ecdsaWithSha256), 'sha256'), 'strong')
  t.equal(signatureStrength(identifier(OID.ecdsaWithSha1), 'sha1'), 'weak')
  t.equal(signatureStrength(identifier(OID.ecdsaWithSha1), 'sha256'), 'weak', 'and it disagrees')
  t.equal(signatureStrength(identifier(OID.dsaWithSha256), 'sha256'), 'weak')
  t.equal(signatureStrength(identifier('1.2.3.4'), 'sha256'), 'unknown')
  t.equal(signatureStrength(identifier('1.2.3.4'), 'sha1'), 'weak')
  t.equal(signatureStrength(identifier(OID.ecdsaWithSha256), undefined), 'unknown')
})

t.test('keys of a path', async (t) => {
  t.equal(pathStrength([rsa(2048), rsa(8192), onCurve('brainpoolP512r1')], true), 'strong')
  t.equal(pathStrength([rsa(1024)], true), 'weak')
  t.equal(pathStrength([rsa(2048, 3)], true), 'strong')
  t.equal(pathStrength([rsa(2048, 1)], true), 'weak', 'anybody can make its signatures')
  t.equal(pathStrength([rsa(2048, 1, 0, 0)], true), 'weak')
  t.equal(pathStrength([onCurve('secp224r1')], true), 'weak')
  for (const curve of ['secp256k1', '1.2.250.1.223.101.256.1', undefined]) {
    t.equal(pathStrength([onCurve(curve)], true), 'unknown', curve ?? 'without a name')
  }
  t.equal(pathStrength([certificate({ type: 'unknown' })], true), 'unknown')
  t.equal(pathStrength([certificate({ type: 'dsa' })], true), 'weak')
  t.equal(pathStrength([certificate({ type: 'ed448' }, '1.2.3.4')], false), 'unknown')
  t.equal(pathStrength([certificate({ type: 'ed448' }, '1.2.3.4')], true), 'strong', 'an anchor')
})

t.test('a weak and an unknown algorithm have a finding each', async (t) => {
  t.same(strengthFindings('strong'), [])
  t.same(strengthFindings('weak'), ['ALGORITHM_TOO_WEAK'])
  t.same(strengthFindings('unknown'), ['SIGNATURE_ALGORITHM_UNKNOWN'])
})

t.test('algorithms that a policy lets expire', async (t) => {
  const at = new Date('2026-06-01T00:00:00Z')
  const before = new Date('2026-01-01T00:00:00Z')
  const after = new Date('2027-01-01T00:00:00Z')
  const used = [
    ...signatureAlgorithms(identifier(OID.sha256WithRsa), 'sha256'),
    ...pathAlgorithms([rsa(2048), onCurve('prime256v1')], true),
  ]
  const expired = (algorithm: string, more: { belowBits?: number; until?: Date } = {}) =>
    isExpired(used, [{ algorithm, ...more }], at)
  t.ok(expired('sha256'), 'without a time it never counts')
  t.ok(expired('sha256', { until: before }))
  t.notOk(expired('sha256', { until: after }))
  t.notOk(expired('sha256', { until: at }), 'the last moment counts')
  t.ok(expired('rsa-pkcs1'))
  t.notOk(expired('rsa-pss'))
  t.ok(expired('rsa', { belowBits: 2049 }))
  t.notOk(expired('rsa', { belowBits: 2048 }))
  t.ok(expired('ec', { belowBits: 384 }))
  t.notOk(expired('ec', { belowBits: 256 }))
  t.notOk(expired('sha1'))
  t.notOk(isExpired(used, [], at))
})
