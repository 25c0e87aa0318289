/** What the server of a token accepts and refuses. */
import t, { type Test } from 'tap'
import { PinRefusedError, type TokenKey } from '../../../adapters/pkcs11/token.ts'
import { serveTransit, type TransitServerOptions } from '../../../adapters/pkcs11/transit-server.ts'

const KEY: TokenKey = { version: 1, type: 'ecdsa-p256', publicKey: 'PEM' }
const SIGNING = {
  input: Buffer.alloc(32).toString('base64'),
  prehashed: true,
  key_version: 1,
  hash_algorithm: 'sha2-256',
  marshaling_algorithm: 'asn1',
}
const HEADERS = { 'x-vault-request': 'true', 'x-vault-token': 'secret' }

async function served(t: Test, token: Partial<TransitServerOptions['token']> = {}) {
  const faults: unknown[] = []
  const { origin, close } = await serveTransit({
    token: {
      versions: async () => [KEY],
      sign: async () => new Uint8Array(64).fill(1),
      ...token,
    },
    keys: ['seal'],
    readCallerToken: async () => Buffer.from('secret'),
    port: 0,
    onFault: (fault) => faults.push(fault),
  })
  t.teardown(close)
  const ask = async (path: string, body?: unknown, headers: Record<string, string> = HEADERS) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(`${origin}/v1/${path}`, { ...init, headers })
    return { status: response.status, body: await response.json() }
  }
  return { ask, faults }
}

t.test('a permitted key is described and signs', async (t) => {
  const { ask } = await served(t)
  t.match(await ask('transit/keys/seal'), {
    status: 200,
    body: { data: { type: 'ecdsa-p256', keys: { 1: { public_key: 'PEM' } } } },
  })
  const { status, body } = await ask('transit/sign/seal', SIGNING)
  t.equal(status, 200)
  t.match(body.data.signature, /^vault:v1:[A-Za-z0-9+/=]+$/)
  t.match(await ask('auth/token/lookup-self'), { body: { data: { renewable: false } } })
})

t.test('other callers and other requests are refused', async (t) => {
  const { ask } = await served(t)
  const strangers: Record<string, string>[] = [
    {},
    { 'x-vault-request': 'true' },
    { 'x-vault-token': 'secret' },
    { ...HEADERS, 'x-vault-token': 'secreT' },
    { ...HEADERS, 'x-vault-token': '' },
  ]
  for (const headers of strangers) {
    t.equal((await ask('transit/keys/seal', undefined, headers)).status, 403)
  }
  for (const path of ['transit/keys/other', 'transit/keys/', 'transit/export/seal', 'sys/seal']) {
    t.equal((await ask(path)).status, 403, path)
  }
  t.equal((await ask('transit/keys/seal', {})).status, 403, 'another method')
})

t.test('parameters that would sign something else are refused', async (t) => {
  const { ask } = await served(t)
  for (const change of [
    { prehashed: false },
    { input: Buffer.alloc(31).toString('base64') },
    { input: 7 },
    { hash_algorithm: 'sha2-384', input: Buffer.alloc(48).toString('base64') },
    { hash_algorithm: 'none' },
    { marshaling_algorithm: 'jws' },
    { key_version: 2 },
    { key_version: '1' },
    { key_version: undefined },
  ]) {
    const { status } = await ask('transit/sign/seal', { ...SIGNING, ...change })
    t.equal(status, 400, JSON.stringify(change))
  }
  t.equal((await ask('transit/sign/seal', { ...SIGNING, more: 'x'.repeat(5000) })).status, 400)
})

t.test('the padding of RSA has to be named', async (t) => {
  const { ask } = await served(t, { versions: async () => [{ ...KEY, type: 'rsa-2048' }] })
  const statusOf = async (more: object) => (await ask('transit/sign/seal', more)).status
  const { marshaling_algorithm: _, ...rsa } = SIGNING
  t.equal(await statusOf(rsa), 400)
  t.equal(await statusOf({ ...rsa, signature_algorithm: 'pkcs1v15' }), 200)
  t.equal(await statusOf({ ...rsa, signature_algorithm: 'pss' }), 400, 'the longest salt')
  t.equal(await statusOf({ ...rsa, signature_algorithm: 'pss', salt_length: 'hash' }), 200)
})

t.test('faults of the token are reported without their text', async (t) => {
  const { ask, faults } = await served(t, {
    versions: async () => {
      throw new Error('secret detail')
    },
  })
  const { status, body } = await ask('transit/keys/seal')
  t.equal(status, 503)
  t.notMatch(JSON.stringify(body), 'detail')
  t.match(faults, [{ message: 'secret detail' }])
  const other = await served(t, { versions: () => Promise.reject(new PinRefusedError()) })
  t.equal((await other.ask('transit/keys/seal')).status, 403)
})

t.test('a key that is missing or has versions of two types is an error', async (t) => {
  const missing = await served(t, { versions: async () => [] })
  t.equal((await missing.ask('transit/keys/seal')).status, 404)
  t.equal((await missing.ask('transit/sign/seal', SIGNING)).status, 400)
  const mixed = await served(t, {
    versions: async () => [KEY, { ...KEY, version: 2, type: 'rsa-2048' }],
  })
  t.equal((await mixed.ask('transit/keys/seal')).status, 400)
})
