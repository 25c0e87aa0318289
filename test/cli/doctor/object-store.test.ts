/** `sigcase doctor` tries the conditions of writes, on which the work of workers depends. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { objectRemedy, objectStoreChecks } from '../../../cli/doctor/object-store.ts'
import { emulatedS3, type EmulatedS3Options } from '../../../dev/emulators/s3/server.ts'
import { openS3 } from '../../../runtime/cluster/s3.ts'

const ACCOUNT = { accessKeyId: 'AKEXAMPLE', secretAccessKey: 'secret' }

async function check(t: Test, options: Partial<EmulatedS3Options> = {}) {
  const store = { bucket: 'cases', region: 'us-east-1', account: ACCOUNT }
  const s3 = await emulatedS3({ ...store, ...options })
  t.teardown(() => s3.close())
  const text = '[default]\naws_access_key_id = AKEXAMPLE\naws_secret_access_key = secret\n'
  const file = join(t.testdir({ credentials: text }), 'credentials')
  const config = {
    bucket: 'cases',
    region: 'us-east-1',
    addressing: 'path' as const,
    endpoint: s3.origin,
    publicEndpoint: s3.origin,
    identity: { file },
  }
  const objects = openS3(config, { now: () => new Date() })
  t.teardown(() => objects.close())
  return { checks: objectStoreChecks(config, objects, 'worker'), objects, config }
}

for (const needsQuotes of [false, true]) {
  t.test(`a store that obeys conditions is used, quoted tags: ${needsQuotes}`, async (t) => {
    const { checks, objects } = await check(t, { needsQuotes })
    const [conditions, clock] = checks
    t.match(await conditions?.ask(), { outcome: 'ok' })
    t.match(await clock?.ask(), { outcome: 'ok' })
    t.same(await objects.list('', { limit: 1 }), [], 'nothing is left behind')
  })
}

t.test('a store that ignores conditions is not used', async (t) => {
  const { checks, objects } = await check(t, { ignoresConditions: true })
  t.match(await checks[0]?.ask(), {
    outcome: 'failed',
    detail: 'a write with If-None-Match replaced an object',
    remedy: /use a store that supports If-None-Match/,
  })
  t.same(await objects.list('', { limit: 1 }), [], 'nothing is left behind')
})

t.test('the controller may not delete the object of the check', async (t) => {
  const { config, objects } = await check(t)
  t.equal(objectStoreChecks(config, objects, 'api').length, 2)
  t.equal(objectStoreChecks(config, objects, 'controller').length, 1)
  t.same(objectStoreChecks({ folder: '/objects' }, objects, 'worker'), [])
  t.match(objectRemedy(config), /S3_BUCKET/)
  t.match(objectRemedy({ folder: '/objects' }), /GCS_BUCKET/)
})
