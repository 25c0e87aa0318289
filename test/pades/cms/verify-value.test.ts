import { Buffer } from 'node:buffer'
import { constants, type KeyObject, generateKeyPairSync, sign } from 'node:crypto'
import tap from 'tap'
import { CURVE_NAMES } from '../../../pades/cms/elliptic-curves.ts'
import type { PublicKeyKind } from '../../../pades/cms/public-key.ts'
import {
  forgetRightValues,
  nameOfRightValue,
  rememberRightValues,
  type ValueScheme,
  verifyValue,
} from '../../../pades/cms/verify-value.ts'

const ECDSA: ValueScheme = { family: 'ec', hash: 'sha256', saltBytes: undefined }
const PSS: ValueScheme = { family: 'rsa-pss', hash: 'sha256', saltBytes: 32 }
const DATA = Buffer.from('signed attributes')

/** A key whose uses by the engine are counted. */
function counted(kind: PublicKeyKind, publicKey: KeyObject) {
  const key = {
    kind,
    uses: 0,
    engineKey: () => {
      key.uses++
      return publicKey
    },
  }
  return key
}

function curveKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([
    Buffer.of(4),
    Buffer.from(x, 'base64url'),
    Buffer.from(y, 'base64url'),
  ])
  const kind = { type: 'ec', curve: 'prime256v1', point } as const
  return { privateKey, kind, publicKey, key: counted(kind, publicKey) }
}

tap.test('a right value is verified once', async (t) => {
  t.ok(Object.values(CURVE_NAMES).includes('prime256v1'), 'the curve has the name of the readers')
  const { privateKey, key, kind, publicKey } = curveKey()
  const value = sign('sha256', DATA, privateKey)
  t.equal(verifyValue(ECDSA, key, DATA, value), true)
  t.equal(verifyValue(ECDSA, key, DATA, value), true)
  t.equal(key.uses, 1)
  // The other judge reads the same key on its own.
  const same = counted({ ...kind, point: Uint8Array.from(kind.point) }, publicKey)
  t.equal(verifyValue({ ...ECDSA }, same, Uint8Array.from(DATA), Uint8Array.from(value)), true)
  t.equal(same.uses, 0)
})

tap.test('a value that another process has verified is not verified', async (t) => {
  const { privateKey, key } = curveKey()
  const value = sign('sha256', DATA, privateKey)
  const name = nameOfRightValue(ECDSA, key, DATA, value)
  if (name === undefined) return t.fail('a right value has a name')
  forgetRightValues()
  rememberRightValues([name])
  t.equal(key.uses, 1)
  t.equal(verifyValue(ECDSA, key, DATA, value), true)
  t.equal(key.uses, 1)
  t.equal(verifyValue(ECDSA, key, Buffer.from('other attributes'), value), false)
  t.equal(nameOfRightValue(ECDSA, key, Buffer.from('other attributes'), value), undefined)
})

tap.test('whatever differs is verified again', async (t) => {
  const { privateKey, key } = curveKey()
  const value = sign('sha256', DATA, privateKey)
  t.equal(verifyValue(ECDSA, key, DATA, value), true)
  const { key: other } = curveKey()
  t.equal(verifyValue(ECDSA, other, DATA, value), false, 'another key')
  t.equal(verifyValue(ECDSA, key, Buffer.from('other attributes'), value), false, 'other data')
  t.equal(verifyValue({ ...ECDSA, hash: 'sha384' }, key, DATA, value), false, 'another hash')
  const changed = Buffer.from(value)
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
  t.equal(verifyValue(ECDSA, key, DATA, changed), false, 'another value')
  const moved = [Buffer.concat([DATA, value.subarray(0, 1)]), value.subarray(1)] as const
  t.equal(verifyValue(ECDSA, key, ...moved), false, 'the same octets, divided differently')
  t.equal(verifyValue({ ...ECDSA, family: 'rsa' }, key, DATA, value), false, 'another scheme')
  t.equal(key.uses, 5)
})

tap.test('wrong values are not remembered', async (t) => {
  const { key } = curveKey()
  const value = sign('sha256', DATA, curveKey().privateKey)
  t.equal(verifyValue(ECDSA, key, DATA, value), false)
  t.equal(verifyValue(ECDSA, key, DATA, value), false)
  t.equal(key.uses, 2)
})

tap.test('a key that may restrict what it verifies is asked each time', async (t) => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const padding = constants.RSA_PKCS1_PSS_PADDING
  const value = sign('sha256', DATA, { key: privateKey, padding, saltLength: 32 })
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
  const [modulus, exponent] = [n, e].map((text) => Buffer.from(text, 'base64url')) as [
    Buffer,
    Buffer,
  ]
  const kind = { type: 'rsa', modulus, exponent, isForPss: true, isRestricted: false } as const
  const key = counted(kind, publicKey)
  t.equal(verifyValue(PSS, key, DATA, value), true)
  t.equal(verifyValue(PSS, key, DATA, value), true)
  t.equal(key.uses, 2)
})

tap.test('values of keys that cost too much time are not verified', async (t) => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
  const rsa = {
    type: 'rsa',
    modulus: Buffer.from(n, 'base64url'),
    exponent: Buffer.from(e, 'base64url'),
    isForPss: false,
    isRestricted: false,
  } as const
  const scheme = { family: 'rsa', hash: 'sha256', saltBytes: undefined } as const
  const value = sign('sha256', DATA, privateKey)
  const verdictWith = (changes: { exponent?: Buffer; modulus?: Buffer }) =>
    verifyValue(scheme, counted({ ...rsa, ...changes }, publicKey), DATA, value)
  t.equal(verdictWith({}), true)
  t.equal(verdictWith({ exponent: Buffer.alloc(32, 0xff) }), true, 'the engine has the right key')
  t.equal(verdictWith({ exponent: Buffer.alloc(33, 0xff) }), undefined)
  t.equal(verdictWith({ modulus: Buffer.alloc(2049, 0xff) }), undefined)
})
