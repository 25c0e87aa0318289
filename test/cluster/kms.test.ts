/** A signing key that is refused shows where the platform team looks, and only while it is. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { googleAuth } from '../../adapters/google-auth.ts'
import { bootstrap, kmsKey } from '../../adapters/kms/bootstrap.ts'
import { KmsClient } from '../../adapters/kms/client.ts'
import { generateKey } from '../../pades/index.ts'
import { EmulatedIdentity } from '../emulators/google-identity.ts'
import { emulatedKey, emulatedKms } from '../emulators/kms/server.ts'
import { TENANT, withLocalCluster } from '../fixtures/local-cluster.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'

t.setTimeout(590_000)

const RING = 'projects/project/locations/europe-west1/keyRings/sigcase/cryptoKeys'
const versionOf = (name: string) => `${RING}/${name}/cryptoKeyVersions/1`
const NAMES = ['issuing-ca', 'seal', 'time-stamp-authority'] as const
/** A job that failed is tried again within a minute. */
const PATIENCE_MS = 90_000
const POLL_MS = 100

const folder = mkdtempSync(join(tmpdir(), 'sigcase-kms-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const identity = new EmulatedIdentity()
const accounts = await identity.serve()
t.teardown(() => accounts.close())
process.env.GCE_METADATA_HOST = new URL(accounts.origin).host
const keys = NAMES.map((name) => emulatedKey(versionOf(name), 'EC_SIGN_P256_SHA256'))
const kms = await emulatedKms({ keys, identity })
t.teardown(() => kms.close())

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += POLL_MS) {
    if (await holds()) return
    await sleep(POLL_MS)
  }
  throw new Error('it never came')
}

async function issueCertificates(): Promise<void> {
  const client = new KmsClient({ endpoint: new URL(kms.origin), auth: googleAuth({}) })
  const named = NAMES.map(async (name) => [name, await kmsKey(client, versionOf(name))] as const)
  await bootstrap({
    now: new Date(),
    baseUrl: 'http://127.0.0.1',
    names: { organisation: 'Acme', prefix: 'Acme' },
    folder,
    root: generateKey(),
    keys: new Map(await Promise.all(named)),
  })
  await client.close()
}

await issueCertificates()
const environment = {
  GCE_METADATA_HOST: new URL(accounts.origin).host,
  SIGNING_KEYS_FOLDER: '',
  KMS_ENDPOINT: kms.origin,
  KMS_CERTIFICATES: folder,
  KMS_ISSUING_CA_KEY: versionOf('issuing-ca'),
  KMS_SEAL_KEY: versionOf('seal'),
  KMS_TSA_KEY: versionOf('time-stamp-authority'),
}

await withLocalCluster({ workers: ['node'], environment }, ({ client, admin, logged, workers }) => {
  const delayed = async (id: string) => {
    const path = `/apis/sigcase.dev/v1/namespaces/${TENANT}/signaturecases/${id}`
    const { status } = await admin.send<{ status?: { conditions: { type: string }[] } }>({ path })
    return status?.conditions.find(({ type }) => type === 'Delayed') as
      { reason: string; message: string } | undefined
  }
  const events = async (id: string) => {
    const path = `/api/v1/namespaces/${TENANT}/events`
    const { items } = await admin.send<{
      items: { involvedObject: { name: string }; reason: string; message: string }[]
    }>({ path })
    return items.filter(({ involvedObject }) => involvedObject.name === id)
  }

  t.test('a case waits for its key, says so, and goes on when the key works', async (t) => {
    const people = await client(PATIENCE_MS)
    const { case: created, upload } = await people.create('Contract', [{}], { quickSign: true })
    await people.upload(upload.url, await smallDocument())
    const [participant] = (await people.untilNot('NEW', created.id, PATIENCE_MS)).participants
    const [issuing] = keys as [(typeof keys)[number]]
    issuing.isPermitted = false
    t.equal((await people.sign(participant?.signerUrl ?? '')).status, 200)
    await until(async () => (await delayed(created.id)) !== undefined)
    const denied = await delayed(created.id)
    t.equal(denied?.reason, 'SigningKeyDenied')
    t.match(denied?.message, /issuing-ca.*PERMISSION_DENIED.*roles\/cloudkms.signerVerifier/)
    Object.assign(issuing, { isPermitted: true, state: 'DISABLED' })
    await until(async () => (await delayed(created.id))?.reason === 'SigningKeyDisabled')
    // An Event follows the status that it tells of.
    const isTold = async (sentence: RegExp) =>
      (await events(created.id)).some(
        (one) => one.reason === 'Delayed' && sentence.test(one.message),
      )
    await until(() => isTold(/PERMISSION_DENIED/))
    await until(() => isTold(/disabled or destroyed/))
    issuing.state = 'ENABLED'
    t.equal((await people.untilNot('IN_PROGRESS', created.id, PATIENCE_MS)).status, 'DONE')
    t.equal(await delayed(created.id), undefined)
  })

  t.test('a verification that needs the key fails at once, and not late', async (t) => {
    const people = await client(PATIENCE_MS)
    const answer = await people.request('POST', '/verify/uploads', { token: '' })
    const { key, upload } = (await answer.json()) as { key: string; upload: { url: string } }
    await people.upload(upload.url, await smallDocument())
    const verify = async () => {
      const startedMs = performance.now()
      const { status } = await (await client()).request('POST', '/verify', { body: { key } })
      return { status, tookMs: performance.now() - startedMs }
    }
    // One that starts anew knows no public key.
    const [worker] = workers
    await worker?.end()
    for (const one of keys) one.isPermitted = false
    worker?.start()
    await worker?.ready()
    const failed = await verify()
    t.equal(failed.status, 503)
    t.ok(failed.tookMs < 10_000, `${Math.round(failed.tookMs)} ms of a budget of 25 s`)
    for (const one of keys) one.isPermitted = true
    t.equal((await verify()).status, 200, 'the upload was kept')
  })

  t.test('nobody asked for more than its role allows', async (t) => {
    t.same(logged(/is forbidden: /), [])
  })
})
