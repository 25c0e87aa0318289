import { Buffer } from 'node:buffer'
import { generateKeyPairSync, sign, verify } from 'node:crypto'
import t from 'tap'
import { plainEcdsaValue } from '../../../pades/cms/ecdsa-value.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

t.test('both numbers get the length of the curve', async (t) => {
  t.same(plainEcdsaValue(hex('30 06 02 01 01 02 01 7f'), 2), hex('0001 007f'))
  t.same(plainEcdsaValue(hex('30 08 02 02 00 80 02 02 00 ff'), 1), hex('80 ff'), 'a sign octet')
})

t.test('a value that the engine made has the plain form that it verifies', async (t) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const data = Buffer.from('data')
  for (let round = 0; round < 50; round += 1) {
    const plain = plainEcdsaValue(sign('sha256', data, privateKey), 32)
    const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
    if (!verify('sha256', data, key, plain)) t.fail(Buffer.from(plain).toString('hex'))
  }
  t.pass('fifty values')
})

t.test('numbers that are too long, and what is not DER, are refused', async (t) => {
  t.throws(() => plainEcdsaValue(hex('30 08 02 02 01 00 02 02 00 ff'), 1), RangeError)
  for (const other of [
    '',
    '04 06 02 01 01 02 01 01',
    '30 03 02 01 01',
    '30 06 02 01 01 04 01 01',
  ]) {
    t.throws(() => plainEcdsaValue(hex(other), 1), other)
  }
})
