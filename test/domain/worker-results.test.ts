import t from 'tap'
import { encodeJson } from '../../domain/json-object.ts'
import { decodeResult, encodeResult } from '../../domain/worker-results.ts'
import { keyring } from '../fixtures/signature-case.ts'

const KEY = 'tenants/acme/cases/1/result.json'
const RESULT = { outcome: 'accepted', size: 9 }

t.test('a result is valid under its own key alone', async (t) => {
  const bytes = encodeResult(keyring, KEY, { ...RESULT, reason: undefined })
  t.same(decodeResult(keyring, { key: KEY, bytes }), { value: RESULT })
  t.same(decodeResult(keyring, { key: `${KEY}x`, bytes }), { fault: 'wrongMac' })
})

t.test('a result without the MAC of a worker is a fault', async (t) => {
  const stored = JSON.parse(new TextDecoder().decode(encodeResult(keyring, KEY, RESULT)))
  const faultOf = (value: unknown) => decodeResult(keyring, { key: KEY, bytes: encodeJson(value) })
  t.same(faultOf({ ...stored, size: 10 }), { fault: 'wrongMac' })
  t.same(faultOf({ ...stored, more: 1 }), { fault: 'wrongMac' })
  t.same(faultOf({ ...stored, kid: 'other' }), { fault: 'unknownKey' })
  t.same(faultOf(RESULT), { fault: 'wrongMac' })
  for (const value of ['text', null, 1]) t.same(faultOf(value), { fault: 'unreadable' })
  for (const bytes of [new Uint8Array([0xff]), new Uint8Array()]) {
    t.same(decodeResult(keyring, { key: KEY, bytes }), { fault: 'unreadable' })
  }
})
