import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { BullJobQueue } from '../../adapters/bullmq/job-queue.ts'
import { connectRedis } from '../../adapters/redis/connect.ts'
import { RedisEphemeral } from '../../adapters/redis/ephemeral.ts'
import { buildController } from '../../controllers/controller.ts'
import { RecordingAlarm, testTrail, uploadResult } from '../fixtures/alarms.ts'
import { DELIVERY_TIMES } from '../../domain/cases/webhook-attempts.ts'
import { commonReceiptKey, intakeKey, uploadKey } from '../../domain/cases/keys.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { NO_METRICS } from '../../domain/ports/metrics.ts'
import { CASE_CHANGED } from '../../domain/ports/pub-sub.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { systemTimers } from '../../adapters/shared/system-timers.ts'
import { until } from '../fixtures/until.ts'
import { MemoryCaseStore, MemorySecretStore } from '../fixtures/memory-cases.ts'
import { MemoryObjectStore } from '../fixtures/memory-objects.ts'
import { seededHex } from '../fixtures/seeded-hex.ts'
import { KEPT_FOR_EVER } from '../fixtures/retention.ts'
import { MemoryDeviceStore } from '../fixtures/memory-devices.ts'
import { RedisServer, withoutRedis } from '../fixtures/redis-server.ts'
import { keyring, signatureCase, TENANT } from '../fixtures/signature-case.ts'

const CASES = 100
const JOB_MS = 5
/** This file uses the clock of the machine, by which the date of other tests has passed. */
const VALID_MS = 24 * 60 * 60_000
const now = () => new Date(systemTimers.nowMs())
const nothing = () => undefined
const after = (ms: number) => new Promise<void>((resolve) => void systemTimers.after(ms, resolve))

/** A worker whose jobs write what theirs would, after a while. */
function work(
  jobs: BullJobQueue,
  objects: MemoryObjectStore,
  publish: (key: CaseKey) => Promise<void>,
) {
  const put = (name: string, value: object) =>
    objects.putIfAbsent(name, encodeJson(value), 'application/json')
  jobs.work('intake', 2, async (key) => {
    await after(JOB_MS)
    const decidedAt = now().toISOString()
    const verdict = { outcome: 'rejected', code: 'UNREADABLE', reason: 'no', size: 1, decidedAt }
    uploadResult(objects, intakeKey(key), verdict)
    await publish(key)
  })
  jobs.work('notify', 2, async ({ eventId, others = [], ...key }) => {
    await put(commonReceiptKey(key, [eventId, ...others]), {})
    await publish(key)
  })
}

async function world(t: Test) {
  const server = await RedisServer.start()
  const options = { prefix: 'sigcase', onError: nothing }
  const connect = () => connectRedis(server.url, nothing)
  const ephemeral = new RedisEphemeral({ ...options, client: connect() })
  const jobs = new BullJobQueue({ ...options, client: connect(), onFailed: nothing })
  const cases = new MemoryCaseStore()
  const objects = new MemoryObjectStore(now)
  const secrets = new MemorySecretStore(now)
  const trail = testTrail(objects, seededHex())
  const keys = Array.from({ length: CASES }, () => ({ tenant: TENANT, caseId: randomUUID() }))
  const validUntil = new Date(systemTimers.nowMs() + VALID_MS).toISOString()
  for (const key of keys) {
    const value = signatureCase({ definition: { validUntil } })
    objects.upload(uploadKey(key), new Uint8Array(1))
    cases.seed({ ...value, metadata: { ...value.metadata, name: key.caseId } })
  }
  await until(() => ephemeral.epoch().then(Boolean, () => false))
  const log = { info: nothing, warn: nothing }
  const deps = {
    cases,
    devices: new MemoryDeviceStore(),
    deliveryTimes: DELIVERY_TIMES,
    secrets,
    objects,
    trail,
    keyring,
    alarm: new RecordingAlarm(),
    ephemeral,
    retention: KEPT_FOR_EVER,
    metrics: NO_METRICS,
    jobs,
    timers: systemTimers,
    log,
  }
  const controller = buildController(deps)
  work(jobs, objects, (key) => ephemeral.publish(CASE_CHANGED, JSON.stringify(key)))
  t.teardown(async () => {
    await controller.stop()
    await jobs.close()
    await ephemeral.close()
    await server.close()
  })
  const ended = async () => {
    const values = await Promise.all(keys.map((key) => cases.get(key)))
    return values.filter((value) => value?.status?.phase === 'UPLOAD_REJECTED').length
  }
  return { server, controller, ended, jobs }
}

const needsRedis = { skip: withoutRedis }

t.test(`redis is wiped again and again: every case ends, and soon`, needsRedis, async (t) => {
  const { server, controller, ended } = await world(t)
  await controller.start()
  for (let wipe = 0; wipe < 3; wipe++) {
    await until(async () => (await ended()) > wipe * 10)
    await server.command('FLUSHALL')
  }
  t.ok((await ended()) < CASES, 'the last wipe came before the end')
  await until(async () => (await ended()) === CASES)
  t.equal(await ended(), CASES)
})

t.test(`redis is killed and comes back empty: every case ends`, needsRedis, async (t) => {
  const { server, controller, ended } = await world(t)
  await controller.start()
  await until(async () => (await ended()) > 10)
  await server.kill()
  t.ok((await ended()) < CASES, 'it was killed before the end')
  await after(1_500)
  await server.restart()
  await until(async () => (await ended()) === CASES)
  t.equal(await ended(), CASES)
})
