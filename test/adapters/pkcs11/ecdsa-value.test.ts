import { generateKeyPairSync, sign, verify } from 'node:crypto'
import t from 'tap'
import { encodeEcdsaValue } from '../../../adapters/pkcs11/ecdsa-value.ts'

t.test('the engine verifies encoded values of both curves', async (t) => {
  for (const namedCurve of ['P-256', 'P-384']) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve })
    const data = Buffer.from('data')
    // Among a hundred, some numbers have a high first bit and some are short.
    const isRight = Array.from({ length: 100 }, () => {
      const plain = sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return verify('sha256', data, publicKey, encodeEcdsaValue(plain))
    })
    t.notOk(isRight.includes(false), namedCurve)
  }
})
