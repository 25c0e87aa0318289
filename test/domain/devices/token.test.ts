import t from 'tap'
import {
  deviceOfToken,
  deviceToken,
  isTokenOf,
  tokenDigest,
} from '../../../domain/devices/token.ts'
import { device } from '../../fixtures/device.ts'

const KEY = { tenant: 'acme', deviceId: '018f2c9e-7b1a-7c3d-8e4f-0123456789ab' }
const SECRET = 'A'.repeat(43)

t.test('a token names its device', async (t) => {
  const token = deviceToken(KEY, SECRET)
  t.same(deviceOfToken(token), KEY)
  for (const other of [
    '',
    token.slice(0, -1),
    `${token}A`,
    `${token}\n`,
    token.replace('kiosk', 'other'),
    token.replace('acme', 'ACME'),
    token.replace('acme', '../x'),
    token.replace(KEY.deviceId, '-'.repeat(36)),
  ]) {
    t.equal(deviceOfToken(other), undefined, other)
  }
})

t.test('only the token whose digest is stored is that of the device', async (t) => {
  const token = deviceToken(KEY, SECRET)
  const stored = device()
  const own = { ...stored, spec: { ...stored.spec, tokenSha256: tokenDigest(token) } }
  t.ok(isTokenOf(token, own))
  t.notOk(isTokenOf(deviceToken(KEY, 'B'.repeat(43)), own))
  t.notOk(isTokenOf(token, { ...stored, spec: { ...stored.spec, tokenSha256: '' } }))
})
