/** Responses of Cloud KMS whose bodies are cut, stop or come slowly, over real connections. */
import process from 'node:process'
import t, { type Test } from 'tap'
import { KmsClient } from '../../../adapters/kms/client.ts'
import { googleAuth } from '../../../adapters/shared/google-auth.ts'
import { EmulatedIdentity } from '../../../dev/emulators/google-identity.ts'
import type { Fault } from '../../../dev/emulators/http.ts'
import { emulatedKey, emulatedKms } from '../../../dev/emulators/kms/server.ts'

/** A response that stops takes up the limit of one request, ten seconds. */
t.setTimeout(300_000)

const VERSION = 'projects/p/locations/l/keyRings/r/cryptoKeys/seal/cryptoKeyVersions/1'
/** How often a request is sent before the adapter gives up. */
const ATTEMPTS = 4
const identity = new EmulatedIdentity()
const accounts = await identity.serve()
t.teardown(() => accounts.close())
process.env.GCE_METADATA_HOST = new URL(accounts.origin).host

async function open(t: Test) {
  const kms = await emulatedKms({
    keys: [emulatedKey(VERSION, 'EC_SIGN_P256_SHA256')],
    identity,
  })
  t.teardown(() => kms.close())
  const client = new KmsClient({ endpoint: new URL(kms.origin), auth: googleAuth({}) })
  t.teardown(() => client.close())
  const ask = {
    sign: async () => client.sign(VERSION, 'ecdsa-p256-sha256', new Uint8Array(3)),
    publicKey: async () => (await client.publicKey(VERSION)).publicKeySpki,
  }
  return { kms, ask }
}

/** Requests that one response of each kind takes. */
const FAULTS: Readonly<Record<NonNullable<Fault['body']>, number>> = {
  cut: 2,
  stalled: 2,
  slow: 1,
}

for (const [kind, requests] of Object.entries(FAULTS)) {
  const body = kind as keyof typeof FAULTS

  t.test(`a body that is ${body} is read whole in the end`, async (t) => {
    const names = ['sign', 'publicKey'] as const
    const asked = names.map(async (name) => {
      const { kms, ask } = await open(t)
      kms.faults.push({ matches: () => true, body, times: 1 })
      t.ok((await ask[name]()).length > 0, name)
      t.equal(kms.requests.length, requests, `${name}: requests`)
    })
    await Promise.all(asked)
  })
}

t.test('bodies that are always cut are an outage', async (t) => {
  const { kms, ask } = await open(t)
  kms.faults.push({ matches: () => true, body: 'cut', times: ATTEMPTS })
  await t.rejects(ask.sign(), { name: 'ServiceError', code: 'TIMEOUT' })
  t.equal(kms.requests.length, ATTEMPTS)
})
