/** Keys in a PKCS #11 module sign cases, and only for the worker that may use them. */
import { join } from 'node:path'
import t from 'tap'
import { VaultClient } from '../../../adapters/vault/client.ts'
import { startSoftHsm, type SoftHsm } from '../../fixtures/softhsm.ts'
import { checkSignedCase, skipWithout, TRANSIT_KEYS } from '../../fixtures/transit-case.ts'

t.setTimeout(600_000)

const skip = skipWithout('softhsm2-util', 'pkcs11-tool')
const DATA = new TextEncoder().encode('data')

const clientOf = ({ origin }: SoftHsm, home: string, rsaPadding: 'pkcs1' | 'pss' = 'pkcs1') =>
  new VaultClient({
    endpoint: origin,
    mount: 'transit',
    rsaPadding,
    identity: { tokenFile: join(home, 'caller') },
  })

t.test('pdfsig accepts the PDF of a case', { skip }, async (t) => {
  const hsm = await startSoftHsm(
    t,
    TRANSIT_KEYS.map((label) => ({ type: 'EC:prime256v1', label })),
  )
  await checkSignedCase(t, hsm.origin, hsm.callerToken)
})

t.test('each kind of key signs, and versions are distinguished', { skip }, async (t) => {
  const hsm = await startSoftHsm(t, [
    { type: 'EC:secp384r1', label: 'p384', versions: 2 },
    { type: 'rsa:2048', label: 'rsa' },
  ])
  const home = t.testdir({ caller: hsm.callerToken })
  for (const padding of ['pkcs1', 'pss'] as const) {
    const client = clientOf(hsm, home, padding)
    t.teardown(() => client.close())
    const { algorithm } = await client.publicKey('rsa:1')
    t.equal(algorithm, `rsa-${padding}-sha256`)
    await t.resolves(client.sign('rsa:1', algorithm, DATA), 'the client verifies the signature')
  }
  const client = clientOf(hsm, home)
  t.teardown(() => client.close())
  const [one, two] = [await client.publicKey('p384:1'), await client.publicKey('p384:2')]
  t.notSame(one.publicKeySpki, two.publicKeySpki)
  t.equal(two.algorithm, 'ecdsa-p384-sha384')
  await Promise.all(
    ['p384:1', 'p384:2', 'p384:1'].map((key) =>
      t.resolves(client.sign(key, two.algorithm, DATA), `${key}, beside others`),
    ),
  )
  await t.rejects(client.publicKey('p384:3'), { code: 'SIGNING_KEY_MISSING' })
})

t.test('other keys, and callers without the token, are refused', { skip }, async (t) => {
  const keys = [
    { type: 'EC:prime256v1', label: 'mine' },
    { type: 'EC:prime256v1', label: 'other' },
  ] as const
  const hsm = await startSoftHsm(t, keys, ['mine', 'absent'])
  const home = t.testdir({ caller: hsm.callerToken, wrong: 'wrong' })
  const client = clientOf(hsm, home)
  t.teardown(() => client.close())
  await t.resolves(client.publicKey('mine:1'))
  await t.rejects(client.publicKey('other:1'), { code: 'SIGNING_KEY_DENIED' })
  await t.rejects(client.publicKey('absent:1'), { code: 'SIGNING_KEY_MISSING' })
  const stranger = clientOf(hsm, t.testdir({ caller: 'wrong' }))
  t.teardown(() => stranger.close())
  await t.rejects(stranger.publicKey('mine:1'), { code: 'SIGNING_CREDENTIALS_REFUSED' })
  await hsm.stop()
  await t.rejects(client.sign('mine:1', 'ecdsa-p256-sha256', DATA), { code: 'TIMEOUT' })
})

t.test('a wrong PIN is a refusal, and the right one signs afterwards', { skip }, async (t) => {
  const hsm = await startSoftHsm(t, [{ type: 'EC:prime256v1', label: 'key' }])
  const client = clientOf(hsm, t.testdir({ caller: hsm.callerToken }))
  t.teardown(() => client.close())
  hsm.setPin('000000')
  for (let round = 0; round < 20; round++) {
    await t.rejects(client.publicKey('key:1'), { code: 'SIGNING_KEY_DENIED' })
  }
  hsm.setPin()
  await t.resolves(client.sign('key:1', 'ecdsa-p256-sha256', DATA))
})
