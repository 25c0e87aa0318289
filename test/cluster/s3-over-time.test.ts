/**
 * Cases in an S3-compatible store are archived, sought in the archive, and erased by retention, on
 * a clock that is put forward. The store is an emulator, which has the same clock.
 */
import process from 'node:process'
import t, { type Test } from 'tap'
import { findBinaries } from '../../dev/control-plane/binaries.ts'
import { emulatedS3 } from '../../dev/emulators/s3/server.ts'
import type { Tombstone } from '../../domain/cases/erasure.ts'
import { archiveKey, caseFolder, tombstoneKey } from '../../domain/cases/keys.ts'
import { decodeJson } from '../../domain/json-object.ts'
import { openS3 } from '../../runtime/cluster/s3.ts'
import { EnvironmentReader } from '../../runtime/config/reader.ts'
import { readS3, type S3Config } from '../../runtime/config/s3.ts'
import { DAY_MS, HOUR_MS, World } from '../conformance/world.ts'
import { dataDirectory, TENANT } from '../e2e/harness.ts'
import { clusterServices } from '../fixtures/cluster-service.ts'
import { withoutRedis } from '../fixtures/redis-server.ts'
import { S3_TEST_BUCKET, s3Environment } from '../fixtures/s3-service.ts'
import { ShiftableTimers } from '../fixtures/shiftable-timers.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'

const ACCOUNT = { accessKeyId: 'AKEXAMPLE', secretAccessKey: 'secret' }
const REGION = 'us-east-1'
const RETENTION_DAYS = 30
const MAXIMUM_OBJECTS = 1_000

t.setTimeout(600_000)

/** A service on an emulated store that archives cases one hour after their end. */
async function onEmulator(t: Test) {
  const clock = new ShiftableTimers()
  const nowMs = () => clock.nowMs()
  const store = { bucket: S3_TEST_BUCKET, region: REGION, account: ACCOUNT }
  const s3 = await emulatedS3({ ...store, nowMs })
  t.teardown(() => s3.close())
  const folder = await dataDirectory(t)
  const environment = s3Environment(folder, s3.origin, ACCOUNT)
  const more = { ...environment, ARCHIVE_AFTER_HOURS: '1' }
  const { start, admin } = await clusterServices(t, folder, [TENANT], clock, more)
  const service = await start()
  const world = new World({ start, service, folder, clock, document: await smallDocument() })
  t.teardown(() => world.close())
  const objects = openS3(readS3(new EnvironmentReader(environment)) as S3Config, {
    now: () => clock.now(),
  })
  t.teardown(() => objects.close())
  return { clock, world, objects, admin }
}

async function archivesAndErases(t: Test): Promise<void> {
  const { clock, world, objects, admin } = await onEmulator(t)
  const retention = { spec: { retentionDays: RETENTION_DAYS } }
  const tenantPath = `/apis/sigcase.dev/v1/tenants/${TENANT}`
  await admin.send({ method: 'PATCH', path: tenantPath, body: retention })
  const { id } = await world.done()
  await world.untilEvent(id, 'case.completed')
  const key = { tenant: TENANT, caseId: id }
  const before = await world.get(id)

  clock.pass(HOUR_MS)
  await world.untilResynced('the archiving', () => objects.stat(archiveKey(key)))
  const path = `/apis/sigcase.dev/v1/namespaces/${TENANT}/signaturecases/${id}`
  await world.untilResynced('the end of the resource', async () =>
    admin.send({ path }).then(
      () => undefined,
      () => true,
    ),
  )
  const archived = await world.get(id)
  t.match(archived, { id, status: 'DONE', signedDocument: { level: 'PAdES-BASELINE-LTA' } })
  t.equal(archived.signedDocument.sha256, before.signedDocument.sha256)
  t.equal(await world.digestAt(archived.signedDocument.url), archived.signedDocument.sha256)

  clock.pass((RETENTION_DAYS + 1) * DAY_MS)
  const tombstone = await world.untilResynced('the erasure', async () => {
    const stored = await objects.get(tombstoneKey(key))
    const found = stored && decodeJson<Tombstone>(stored)
    return found?.erasedAt === undefined ? undefined : found
  })
  t.match(tombstone, { rule: 'retention', retentionDays: RETENTION_DAYS })
  t.ok(tombstone.objects.some(({ name }) => name === 'archive.json'))
  t.equal((await world.asTenant('GET', `/cases/${id}`)).status, 404)
  const left = await objects.list(caseFolder(key), { limit: MAXIMUM_OBJECTS })
  t.notOk(left.some((one) => one.key.endsWith('.pdf')))
}

const why = findBinaries() ? withoutRedis : 'no kube-apiserver: see dev/control-plane'
const skip = process.env.CI === 'true' ? false : why
t.test('an ended case is archived and then erased by retention', { skip }, archivesAndErases)
