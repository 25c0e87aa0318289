/** RSA values that the engine cannot verify are verified as OpenSSL does (RFC 8017). */
import { Buffer } from 'node:buffer'
import { constants, generateKeyPairSync, sign } from 'node:crypto'
import t from 'tap'
import { readAlgorithmIdentifier } from '../../../pades/cms/certificate-reader.ts'
import { readDer } from '../../../pades/cms/der-reader.ts'
import { readBitString } from '../../../pades/cms/der-values.ts'
import { type RsaKey, readPublicKey } from '../../../pades/cms/public-key.ts'
import { verifyPkcs1, verifyPss } from '../../../pades/cms/rsa-verification.ts'

const DATA = Buffer.from('what was signed')
const OTHER = Buffer.from('something else')
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1032 })
const PSS = { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING }

function keyOf(spki: Buffer): RsaKey {
  const element = readDer(spki)
  const algorithm = readAlgorithmIdentifier(element.child(0))
  return readPublicKey(algorithm, readBitString(element.child(1))) as RsaKey
}

const key = keyOf(publicKey.export({ type: 'spki', format: 'der' }))

const { d = '', n = '' } = privateKey.export({ format: 'jwk' })
const [exponent, modulus] = [d, n].map((text) => {
  return BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`)
}) as [bigint, bigint]

/** The value whose block is given (RSASP1, 5.2.1); Deno has no RSA without padding. */
function valueOf(block: Buffer): Buffer {
  const base = BigInt(`0x${block.toString('hex')}`)
  let result = 1n
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus
    if (bit === '1') result = (result * base) % modulus
  }
  return Buffer.from(result.toString(16).padStart(block.length * 2, '0'), 'hex')
}

t.test('PKCS #1 v1.5: the value, and nothing that only resembles it', async (t) => {
  const value = sign('sha256', DATA, privateKey)
  t.equal(verifyPkcs1(key, 'sha256', DATA, value), true)
  t.equal(verifyPkcs1(key, 'sha256', OTHER, value), false)
  t.equal(verifyPkcs1(key, 'sha384', DATA, value), false)
  t.equal(verifyPkcs1(key, 'sha256', DATA, value.subarray(1)), false, 'too short')
  t.equal(verifyPkcs1(key, 'sha256', DATA, Buffer.concat([Buffer.of(0), value])), false)
  t.equal(
    verifyPkcs1(key, 'sha256', DATA, Buffer.from(key.modulus)),
    false,
    'not below the modulus',
  )
  const padded = Buffer.alloc(key.modulus.length, 0xff)
  padded.set([0, 1])
  t.equal(verifyPkcs1(key, 'sha256', DATA, valueOf(padded)), false, 'padding without a digest')
  t.equal(verifyPkcs1(key, 'unheard-of', DATA, value), undefined)
})

t.test('PSS: every length of salt that fits, and nothing else', async (t) => {
  for (const hash of ['sha1', 'sha256', 'sha384']) {
    for (const saltBytes of [0, 20, 32, 48]) {
      const value = sign(hash, DATA, { ...PSS, saltLength: saltBytes })
      t.equal(verifyPss(key, { hash, saltBytes }, DATA, value), true)
      t.equal(verifyPss(key, { hash, saltBytes }, OTHER, value), false)
      t.equal(verifyPss(key, { hash, saltBytes: saltBytes + 1 }, DATA, value), false)
    }
  }
  const parameters = { hash: 'sha256', saltBytes: 32 }
  t.equal(verifyPss(key, parameters, DATA, valueOf(Buffer.alloc(129))), false)
  t.equal(verifyPss(key, parameters, DATA, sign('sha256', DATA, privateKey)), false)
  t.equal(verifyPss({ ...key, isRestricted: true }, parameters, DATA, Buffer.alloc(129)), undefined)
})

t.test('an exponent that is not used in practice is refused before it costs time', async (t) => {
  const value = sign('sha256', DATA, privateKey)
  for (const exponent of [Buffer.of(1), Buffer.of(4), Buffer.alloc(9, 0xff), Buffer.alloc(0)]) {
    t.equal(verifyPkcs1({ ...key, exponent }, 'sha256', DATA, value), undefined)
  }
})
