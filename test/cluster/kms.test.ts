/** A signing key that is refused shows where the platform team looks, and only while it is. */
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { VerificationUploadAnswer } from '../../domain/contract/answers.ts'
import type { Child } from '../../dev/local-cluster/child.ts'
import { watchCores } from '../fixtures/busy.ts'
import { TENANT, withLocalCluster } from '../fixtures/local-cluster.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'

t.setTimeout(590_000)

const KEYS = ['KMS_ISSUING_CA_KEY', 'KMS_SEAL_KEY', 'KMS_TSA_KEY'] as const
/** A job that failed is tried again within a minute. */
const PATIENCE_MS = 90_000
const POLL_MS = 100

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += POLL_MS) {
    if (await holds()) return
    await sleep(POLL_MS)
  }
  throw new Error('it never came')
}

/** Whether the worker's port for operations answers 200 at the path. */
async function answers(worker: Child | undefined, path: string): Promise<boolean> {
  const { origin } = new URL(worker?.options.readyUrl ?? '')
  const answer = await fetch(origin + path).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.ok === true
}

await withLocalCluster({ workers: ['node'] }, ({ client, admin, logged, workers, outside }) => {
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
    const issuing = 'KMS_ISSUING_CA_KEY'
    await outside.changeKey(issuing, { isPermitted: false })
    t.equal((await people.sign(participant?.signerUrl ?? '')).status, 200)
    await until(async () => (await delayed(created.id)) !== undefined)
    const denied = await delayed(created.id)
    t.equal(denied?.reason, 'SigningKeyDenied')
    t.match(denied?.message, /issuing-ca.*PERMISSION_DENIED.*roles\/cloudkms.signerVerifier/)
    await outside.changeKey(issuing, { isPermitted: true, state: 'DISABLED' })
    await until(async () => (await delayed(created.id))?.reason === 'SigningKeyDisabled')
    // An Event follows the status that it describes.
    const isReported = async (sentence: RegExp) =>
      (await events(created.id)).some(
        (one) => one.reason === 'Delayed' && sentence.test(one.message),
      )
    await until(() => isReported(/PERMISSION_DENIED/))
    await until(() => isReported(/disabled or destroyed/))
    await outside.changeKey(issuing, { state: 'ENABLED' })
    t.equal((await people.untilNot('IN_PROGRESS', created.id, PATIENCE_MS)).status, 'DONE')
    t.equal(await delayed(created.id), undefined)
  })

  t.test('a verification that needs the key fails at once, and not late', async (t) => {
    const people = await client(PATIENCE_MS)
    const answer = await people.request('POST', '/verify/uploads', { token: '' })
    const { key, upload } = (await answer.json()) as VerificationUploadAnswer
    await people.upload(upload.url, await smallDocument(), upload.headers)
    const verify = async () => {
      const startedMs = performance.now()
      const isBusy = watchCores()
      const { status } = await (await client()).request('POST', '/verify', { body: { key } })
      return { status, tookMs: performance.now() - startedMs, wasBusy: isBusy() }
    }
    // One that starts anew knows no public key.
    const [worker] = workers
    await worker?.end()
    for (const key of KEYS) await outside.changeKey(key, { isPermitted: false })
    worker?.start()
    await until(() => answers(worker, '/healthz'))
    t.notOk(await answers(worker, '/readyz'), 'it cannot sign')
    const failed = await verify()
    t.equal(failed.status, 503)
    t.ok(
      failed.tookMs < 10_000 || failed.wasBusy,
      `${Math.round(failed.tookMs)} ms of a budget of 25 s`,
    )
    for (const key of KEYS) await outside.changeKey(key, { isPermitted: true })
    t.equal((await verify()).status, 200, 'the upload was kept')
  })

  t.test('no component asked for more than its role allows', async (t) => {
    t.same(logged(/is forbidden: /), [])
  })
})
