/** What a worker does while its own canary fails, and how it gets to know. */
import t from 'tap'
import { CANARY_KEY } from '../../domain/cases/keys.ts'
import type { CanaryResult } from '../../domain/cases/results.ts'
import { runCanary } from '../../workers/canary.ts'
import {
  CANARY_RETRY_MS,
  READING_JOBS,
  SIGNING_JOBS,
  SigningHealth,
} from '../../workers/signing-health.ts'
import { settle } from '../fixtures/frozen-timers.ts'
import { RecordingJobQueue } from '../fixtures/memory-jobs.ts'
import { signingDevice, workerDeps, WORK_START } from '../fixtures/worker.ts'

const START_MS = Date.parse(WORK_START)
const MINUTE_MS = 60_000
const ALL = [...SIGNING_JOBS].sort()
const WITH_READING = [...SIGNING_JOBS, ...READING_JOBS].sort()

async function world() {
  const shared = await workerDeps()
  let isBroken = false
  let seals = 0
  const sign: typeof signingDevice.sign = async (key, data) => {
    if (isBroken) throw new Error('out of reach')
    seals++
    return signingDevice.sign(key, data)
  }
  const jobs = new RecordingJobQueue()
  const deps = { ...shared, jobs, signingDevice: { ...signingDevice, sign } }
  const health = new SigningHealth(deps, 'own')
  /** Moves the clock and lets canaries seal. */
  const moveTo = async (ms: number) => {
    await shared.timers.moveTo(START_MS + ms)
    await health.check()
    await settle()
  }
  const start = async () => {
    health.start()
    await health.check()
    await settle()
  }
  return {
    shared,
    deps,
    health,
    start,
    moveTo,
    paused: () => [...jobs.paused].sort(),
    seals: () => seals,
    breakKeys: (value = true) => void (isBroken = value),
    stored: () => shared.objects.json<CanaryResult>(CANARY_KEY),
    other: () => runCanary(shared, 'other'),
  }
}

t.test('before its first canary a worker takes no job that needs a key', async (t) => {
  const w = await world()
  t.equal(w.health.fault(), 'no canary has run yet')
  w.health.start()
  t.same(w.paused(), ALL)
  const { values } = w.shared.metrics
  t.equal(values.get('sigcase_worker_can_sign'), 0)
  await w.health.check()
  await settle()
  t.same(w.paused(), [])
  t.equal(w.health.fault(), undefined)
  t.equal(values.get('sigcase_worker_can_sign'), 1)
  t.equal(values.get('sigcase_canary_last_success_timestamp_seconds'), START_MS / 1000)
})

t.test('a worker that cannot sign leaves signing to one that can', async (t) => {
  const w = await world()
  await w.other()
  w.breakKeys()
  await w.start()
  t.same(w.paused(), ALL)
  t.equal(w.health.fault(), 'the last canary failed')
  t.match(w.stored(), { outcome: 'passed' }, 'the service signs')
  t.match(w.stored()?.workers, { own: { outcome: 'failed' }, other: { outcome: 'passed' } })
})

t.test('while none can, jobs are tried all the same, and the service says so', async (t) => {
  const w = await world()
  w.breakKeys()
  await w.start()
  t.same(w.paused(), [])
  t.equal(w.health.fault(), 'the last canary failed')
  t.match(w.stored(), { outcome: 'failed', reason: /out of reach/ })
})

t.test('it tries again sooner, and takes jobs again when its canary passes', async (t) => {
  const w = await world()
  await w.other()
  w.breakKeys()
  await w.start()
  w.breakKeys(false)
  await w.shared.timers.moveTo(START_MS + CANARY_RETRY_MS - 1)
  t.same(w.paused(), ALL)
  await w.moveTo(CANARY_RETRY_MS)
  t.same(w.paused(), [])
  t.equal(w.health.fault(), undefined)
})

t.test('a job that failed leads to a canary at once, and not after each failure', async (t) => {
  const w = await world()
  await w.other()
  await w.start()
  const sealed = w.seals()
  await w.shared.timers.moveTo(START_MS + 10_000)
  await w.other()
  w.breakKeys()
  w.health.suspect('notify')
  t.same(w.paused(), [], 'a mail needs no key')
  w.health.suspect('finalise')
  t.same(w.paused(), ALL, 'held while in doubt')
  await w.health.check()
  await settle()
  t.same(w.paused(), ALL)
  t.equal(w.health.fault(), 'the last canary failed')
  w.breakKeys(false)
  await w.moveTo(10_000 + CANARY_RETRY_MS)
  t.same(w.paused(), [])
  for (let failure = 0; failure < 100; failure++) w.health.suspect('finalise')
  await settle()
  t.ok(w.seals() - sealed < 10, `${w.seals() - sealed} signatures after 100 failures`)
})

t.test(
  'a canary every minute, one line for what goes on failing, none after the end',
  async (t) => {
    const w = await world()
    await w.start()
    const each = w.seals()
    await w.shared.timers.moveTo(START_MS + MINUTE_MS - 1)
    t.equal(w.seals(), each)
    await w.moveTo(MINUTE_MS)
    t.equal(w.seals(), 2 * each)
    w.breakKeys()
    await w.moveTo(2 * MINUTE_MS)
    await w.moveTo(2 * MINUTE_MS + CANARY_RETRY_MS)
    await w.moveTo(2 * MINUTE_MS + 2 * CANARY_RETRY_MS)
    t.equal(w.shared.warnings.length, 1)
    w.health.stop()
    w.breakKeys(false)
    await w.shared.timers.moveTo(START_MS + 10 * MINUTE_MS)
    await settle()
    t.equal(w.seals(), 2 * each)
  },
)

t.test('a canary that hangs has failed after a minute', async (t) => {
  const w = await world()
  await w.other()
  const stamp = () => new Promise<never>(() => {})
  const timeStamps = { ...w.shared.timeStamps, stamp }
  const jobs = new RecordingJobQueue()
  const health = new SigningHealth({ ...w.deps, jobs, timeStamps }, 'own')
  health.start()
  await settle()
  t.same([...jobs.paused].sort(), ALL)
  await w.shared.timers.moveTo(START_MS + MINUTE_MS)
  await settle()
  t.equal(health.fault(), 'the last canary failed')
})

t.test('a worker does not wait for ever for another one that is gone', async (t) => {
  const w = await world()
  let isHanging = false
  const { timeStamps, timers } = w.shared
  const stamp: typeof timeStamps.stamp = (...args) =>
    isHanging ? new Promise<never>(() => {}) : timeStamps.stamp(...args)
  const jobs = new RecordingJobQueue()
  const deps = { ...w.deps, jobs, timeStamps: { ...timeStamps, stamp } }
  const health = new SigningHealth(deps, 'own')
  await w.other()
  w.breakKeys()
  health.start()
  await health.check()
  await settle()
  t.same([...jobs.paused].sort(), ALL, 'the other worker can sign')
  isHanging = true
  w.breakKeys(false)
  // The other worker writes no more results, and the own canaries have none in time.
  for (let ms = 0; ms <= 5 * MINUTE_MS; ms += CANARY_RETRY_MS) {
    await timers.moveTo(START_MS + ms)
    await settle()
  }
  t.equal(health.fault(), 'the last canary failed')
  t.same([...jobs.paused], [], 'no worker can be relied on: the jobs run')
})

t.test('a worker whose canaries hang leaves signing to one that can', async (t) => {
  const w = await world()
  const stamp = () => new Promise<never>(() => {})
  const timeStamps = { ...w.shared.timeStamps, stamp }
  const jobs = new RecordingJobQueue()
  const lines: string[] = []
  const log = { ...w.shared.log, info: (_: object, line: string) => void lines.push(line) }
  const health = new SigningHealth({ ...w.deps, jobs, timeStamps, log }, 'own')
  await w.other()
  health.start()
  for (let ms = 0; ms <= 10 * MINUTE_MS; ms += CANARY_RETRY_MS) {
    await w.shared.timers.moveTo(START_MS + ms)
    if (ms % MINUTE_MS === 0) await w.other()
    await settle()
    t.same([...jobs.paused].sort(), ALL, `after ${ms} ms`)
  }
  t.equal(health.fault(), 'the last canary failed')
  t.notMatch(lines.join(), 'recovered')
})

t.test('a bucket that hangs too does not hold the jobs for ever', async (t) => {
  const w = await world()
  const never = () => new Promise<never>(() => {})
  const timeStamps = { ...w.shared.timeStamps, stamp: never }
  const objects = Object.assign(Object.create(w.shared.objects) as typeof w.shared.objects, {
    get: never,
  })
  const jobs = new RecordingJobQueue()
  const health = new SigningHealth({ ...w.deps, jobs, timeStamps, objects }, 'own')
  health.start()
  let isFree = false
  for (let ms = 0; ms <= 5 * MINUTE_MS; ms += CANARY_RETRY_MS) {
    await w.shared.timers.moveTo(START_MS + ms)
    await settle()
    isFree ||= jobs.paused.size === 0
  }
  t.equal(health.fault(), 'the last canary failed')
  t.ok(isFree, 'jobs are tried between canaries')
})

t.test('a worker whose reader hangs leaves reading and signing to one that can', async (t) => {
  const w = await world()
  const hang = Promise.withResolvers<void>()
  const { sandbox } = w.shared
  const inspect: typeof sandbox.inspect = async (...args) => {
    await hang.promise
    return sandbox.inspect(...args)
  }
  const hanging = Object.assign(Object.create(sandbox) as typeof sandbox, { inspect })
  const jobs = new RecordingJobQueue()
  const health = new SigningHealth({ ...w.deps, jobs, sandbox: hanging }, 'own')
  health.start()
  await w.shared.timers.moveTo(START_MS + MINUTE_MS)
  await settle()
  t.same([...jobs.paused], [], 'no other worker can read: the jobs are tried')
  t.match(
    JSON.stringify(w.shared.warnings),
    /the sandbox has not read the document within 60000 ms/,
  )
  await w.other()
  for (let ms = MINUTE_MS; ms <= 10 * MINUTE_MS; ms += CANARY_RETRY_MS) {
    await w.shared.timers.moveTo(START_MS + ms)
    if (ms % MINUTE_MS === 0) await w.other()
    await settle()
    if (ms < 3 * MINUTE_MS) continue
    t.same([...jobs.paused].sort(), WITH_READING, `after ${ms} ms`)
  }
  hang.resolve()
  await health.check()
  await settle()
  t.equal(health.fault(), undefined)
  t.same([...jobs.paused], [], 'it takes all jobs again')
})

t.test('a worker whose key service hangs still reads documents', async (t) => {
  const w = await world()
  const { promise: isRead, resolve: describing } = Promise.withResolvers<void>()
  const describe = () => {
    describing()
    return new Promise<never>(() => {})
  }
  const jobs = new RecordingJobQueue()
  const { signingDevice: device } = w.deps
  const health = new SigningHealth(
    { ...w.deps, jobs, signingDevice: { ...device, describe } },
    'own',
  )
  await w.other()
  health.start()
  await isRead
  await w.shared.timers.moveTo(START_MS + MINUTE_MS)
  await settle()
  t.equal(health.fault(), 'the last canary failed')
  t.same([...jobs.paused].sort(), ALL)
})
