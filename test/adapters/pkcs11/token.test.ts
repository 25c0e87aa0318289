/** The keys of a token, over a module in memory. */
import t from 'tap'
import { Pkcs11Error, type Pkcs11Module } from '../../../adapters/pkcs11/module.ts'
import { PinRefusedError, Pkcs11Token } from '../../../adapters/pkcs11/token.ts'

const PIN_INCORRECT = 0xa0n
const SESSION_HANDLE_INVALID = 0xb3n
const DIGEST = new Uint8Array(32)
const VALUE = Buffer.from('value')

/** A module whose calls a test replaces. */
function moduleOf(calls: Partial<Pkcs11Module>): Pkcs11Module {
  return {
    slots: async () => [7n, 8n],
    tokenLabel: async (slot: bigint) => (slot === 8n ? 'mine' : 'other'),
    openSession: async () => 1n,
    closeSessions: async () => undefined,
    find: async () => [5n],
    sign: async () => VALUE,
    ...calls,
  } as Pkcs11Module
}

const tokenOf = (module: Pkcs11Module, readPin = async () => Buffer.from('1234')) =>
  new Pkcs11Token({ module, tokenLabel: 'mine', readPin })

t.test('the token is found by its label, and one login serves all calls', async (t) => {
  const slots: bigint[] = []
  const openSession = async (slot: bigint) => BigInt(slots.push(slot))
  const token = tokenOf(moduleOf({ openSession }))
  const values = await Promise.all([1, 2].map(() => token.sign('key', 1, 'ecdsa', DIGEST)))
  t.same(values, [VALUE, VALUE])
  t.same(slots, [8n])
})

t.test('calls do not overlap', async (t) => {
  let running = 0
  let most = 0
  const sign = async () => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running -= 1
    return VALUE
  }
  const token = tokenOf(moduleOf({ sign }))
  await Promise.all(Array.from({ length: 8 }, () => token.sign('key', 1, 'ecdsa', DIGEST)))
  t.equal(most, 1)
})

t.test('a PIN that was refused is not tried again, another one is', async (t) => {
  const tried: string[] = []
  let pin = 'wrong'
  const openSession = async (_slot: bigint, given: Uint8Array) => {
    tried.push(Buffer.from(given).toString())
    if (tried.at(-1) !== 'right') throw new Pkcs11Error('C_Login', PIN_INCORRECT)
    return 1n
  }
  const token = tokenOf(moduleOf({ openSession }), async () => Buffer.from(pin))
  for (let round = 0; round < 5; round++) {
    await t.rejects(token.sign('key', 1, 'ecdsa', DIGEST), PinRefusedError)
  }
  t.same(tried, ['wrong'])
  pin = 'right'
  t.same(await token.sign('key', 1, 'ecdsa', DIGEST), VALUE)
  t.same(tried, ['wrong', 'right'])
})

t.test('a session that the token ended is opened again, once', async (t) => {
  let sessions = 0
  let broken = 1n
  const token = tokenOf(
    moduleOf({
      openSession: async () => BigInt(++sessions),
      sign: async (session) => {
        if (session <= broken) throw new Pkcs11Error('C_SignInit', SESSION_HANDLE_INVALID)
        return VALUE
      },
    }),
  )
  await t.rejects(token.sign('key', 1, 'ecdsa', DIGEST), /C_SignInit returned 0xb3/)
  t.same(await token.sign('key', 1, 'ecdsa', DIGEST), VALUE, 'the next call logs in anew')
  broken = 2n
  t.same(await token.sign('key', 1, 'ecdsa', DIGEST), VALUE, 'a session that worked before')
  t.equal(sessions, 3)
})

t.test('a token or a key that is missing is distinguished', async (t) => {
  const absent = tokenOf(moduleOf({ tokenLabel: async () => 'other' }))
  await t.rejects(absent.sign('key', 1, 'ecdsa', DIGEST), /no slot has a token/)
  const empty = tokenOf(moduleOf({ find: async () => [] }))
  t.equal(await empty.sign('key', 1, 'ecdsa', DIGEST), undefined)
})

t.test('the version is the id, and RSA without PSS signs a DigestInfo', async (t) => {
  const ids: string[] = []
  const lengths: number[] = []
  const module = moduleOf({
    find: async (_session, attributes) => {
      ids.push(Buffer.from(attributes.at(-1)![1]).toString('hex'))
      return [5n]
    },
    sign: async (_session, _key, _mechanism, data) => {
      lengths.push(data.length)
      return VALUE
    },
  })
  const token = tokenOf(module)
  await token.sign('key', 1, 'pss', DIGEST)
  await token.sign('key', 300, 'pkcs1v15', DIGEST)
  t.same(ids, ['01', '012c'])
  t.same(lengths, [32, 51])
})
