import t from 'tap'
import { findMacFault, makeMac } from '../../domain/keyed-mac.ts'
import { keyring } from '../fixtures/signature-case.ts'

const PURPOSE = 'worker-result'
const VALUE = ['test/v1', { b: 2, a: 1 }] as const

t.test('a MAC is valid for its value in any order of members, and for no other', async (t) => {
  const mac = makeMac(keyring, PURPOSE, VALUE)
  t.equal(findMacFault(keyring, PURPOSE, VALUE, mac), undefined)
  t.equal(findMacFault(keyring, PURPOSE, ['test/v1', { a: 1, b: 2 }], mac), undefined)
  for (const other of [
    ['test/v2', { a: 1, b: 2 }],
    ['test/v1', { a: 1, b: 3 }],
    ['test/v1', { a: 1 }],
    ['test/v1', undefined],
  ] as const) {
    t.equal(findMacFault(keyring, PURPOSE, other, mac), 'wrongMac')
  }
})

t.test('an unknown key, and members that are not texts, are faults', async (t) => {
  const mac = makeMac(keyring, PURPOSE, VALUE)
  const faultOf = (given: object) => findMacFault(keyring, PURPOSE, VALUE, { ...mac, ...given })
  t.equal(faultOf({ kid: 'unknown' }), 'unknownKey')
  for (const given of [{ kid: 1 }, { mac: undefined }, { mac: '' }, { mac: `${mac.mac}00` }]) {
    t.equal(faultOf(given), 'wrongMac')
  }
})
