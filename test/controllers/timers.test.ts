/** What falls due by the clock alone, and after the clock ran on while the service was down. */
import t from 'tap'
import { testTrail } from '../fixtures/alarms.ts'
import { readReceipts } from '../../application/cases/receipts.ts'
import { recordedMails } from '../../domain/cases/due-mails.ts'
import { caseFolder, uploadKey } from '../../domain/cases/keys.ts'
import { RESYNC_INTERVAL_MS } from '../../controllers/case-runs.ts'
import { buildController } from '../../controllers/controller.ts'
import { UPLOAD_POLL_MS } from '../../controllers/signature-case/pending-jobs.ts'
import { notify } from '../../workers/notify/notify.ts'
import { FrozenTimers, settle } from '../fixtures/frozen-timers.ts'
import { MemoryCaseStore } from '../fixtures/memory-cases.ts'
import { MemoryEphemeral } from '../fixtures/memory-ephemeral.ts'
import { RecordingJobQueue, RunningJobQueue } from '../fixtures/memory-jobs.ts'
import { seededHex } from '../fixtures/seeded-hex.ts'
import {
  CASE_KEY,
  CREATED_AT,
  participant,
  signature,
  signatureCase,
} from '../fixtures/signature-case.ts'
import { workerDeps } from '../fixtures/worker.ts'

const START = '2026-11-02T08:10:00.000Z'
const START_MS = Date.parse(START)
const HOUR_MS = 60 * 60 * 1000
/** A controller's timers fire thousands of times in a day: these tests live by short days,
 * which no resync ends with by chance. */
const STEP_MS = (24 * HOUR_MS) / 50
const STEPS_IN_A_DAY = 50
const END_MS = START_MS + 20 * STEP_MS

/**
 * A controller and the mails that it brings about; a start loses all but cases and objects.
 *
 * @param steps after which participants are reminded
 */
async function world(steps: number[]) {
  const deps = await workerDeps(START)
  const { timers, mails } = deps
  const build = () => {
    const jobs = new RunningJobQueue(timers)
    const trail = testTrail(deps.objects, seededHex())
    const parts = { ...deps, jobs, trail, ephemeral: new MemoryEphemeral() }
    jobs.work('notify', 1, (payload) => notify(payload, parts))
    return buildController(parts)
  }
  const reminders = { afterDays: steps.map((step) => step / STEPS_IN_A_DAY) }
  const validUntil = new Date(END_MS).toISOString()
  const definition = { reminders, validUntil }
  deps.cases.seed(signatureCase({ phase: 'IN_PROGRESS', definition }))
  let controller = build()
  await controller.start()
  await settle()
  return {
    ...deps,
    stop: () => controller.stop(),
    async startAgain() {
      controller = build()
      await controller.start()
      await settle()
    },
    /** Subjects and recipients of the mails since the last call. */
    take: () => mails.splice(0).map(({ subject, to }) => `${subject} → ${to.address}`),
  }
}

const INVITATIONS = [
  'Na podpis: Zmluva o dielo → p1@example.com',
  'Please sign: Zmluva o dielo → p2@example.com',
]
const REMINDERS = [
  'Pripomienka podpisu: Zmluva o dielo → p1@example.com',
  'Reminder to sign: Zmluva o dielo → p2@example.com',
]

t.test('reminders go out on their days, to the instant, and never after the end', async (t) => {
  const w = await world([1, 3, 22])
  t.same(w.take(), INVITATIONS)
  await w.timers.moveTo(START_MS + STEP_MS - 1)
  t.same(w.take(), [])
  await w.timers.moveTo(START_MS + STEP_MS)
  t.same(w.take(), REMINDERS)
  const one = (await w.cases.get(CASE_KEY))!
  const signatures = [signature(participant(1))]
  await w.cases.replaceSpec({ ...one, spec: { ...one.spec, signatures } })
  await w.timers.moveTo(START_MS + 3 * STEP_MS)
  t.same(w.take(), [REMINDERS[1]], 'who has signed is left alone')
  await w.timers.moveTo(END_MS + HOUR_MS)
  t.same(w.take(), [
    'Lehota uplynula: Zmluva o dielo → p1@example.com',
    'Deadline passed: Zmluva o dielo → p2@example.com',
  ])
  await w.timers.moveTo(START_MS + 25 * STEP_MS)
  t.same(w.take(), [])
  const entries = await testTrail(w.objects, seededHex()).entries(CASE_KEY)
  const recorded = recordedMails((await w.cases.get(CASE_KEY))!, entries)
  t.equal(recorded.size + (await readReceipts(CASE_KEY, w.objects)).size, 7)
  await w.stop()
})

t.test('reminders whose days passed while the service was down are sent as one', async (t) => {
  const w = await world([1, 2, 3, 10])
  w.take()
  await w.stop()
  await w.timers.moveTo(START_MS + 5 * STEP_MS)
  await w.startAgain()
  t.same(w.take(), REMINDERS)
  await w.stop()
  await w.startAgain()
  t.same(w.take(), [], 'once')
  await w.timers.moveTo(START_MS + 10 * STEP_MS)
  t.same(w.take(), REMINDERS, 'the next on its day, counted from the invitation')
  await w.stop()
})

function polling(start: string) {
  const timers = new FrozenTimers(start)
  return { timers, jobs: new RecordingJobQueue(), cases: new MemoryCaseStore() }
}

t.test(
  'an unannounced upload is found by polling in the window that the tenant reopened',
  async (t) => {
    const deps = await workerDeps(CREATED_AT)
    const { timers, cases, objects, jobs } = { ...deps, ...polling(CREATED_AT) }
    const controller = buildController({ ...deps, timers, cases, jobs })
    let looks = 0
    const { list, stat } = objects
    objects.list = (prefix, options) => {
      if (prefix === caseFolder(CASE_KEY)) looks += 1
      return list.call(objects, prefix, options)
    }
    // A recent listing is not repeated.
    objects.stat = (key) => {
      if (key === uploadKey(CASE_KEY)) looks += 1
      return stat.call(objects, key)
    }
    const created = await cases.create(signatureCase())
    await controller.start()
    await settle()
    const looksIn = async (fromMs: number, toMs: number) => {
      await timers.moveTo(fromMs)
      const before = looks
      await timers.moveTo(toMs)
      return looks - before
    }
    const createdMs = Date.parse(CREATED_AT)
    t.ok((await looksIn(createdMs + 10 * 60_000, createdMs + 20 * 60_000)) >= 20)
    const idle = await looksIn(createdMs + 2 * HOUR_MS, createdMs + 3 * HOUR_MS)
    t.ok(idle <= HOUR_MS / RESYNC_INTERVAL_MS + 1, `only resyncs look: ${idle}`)
    const reopenedMs = createdMs + 5 * HOUR_MS
    await timers.moveTo(reopenedMs)
    const stored = (await cases.get(created && CASE_KEY))!
    const uploadRequestedAt = new Date(reopenedMs).toISOString()
    await cases.replaceSpec({ ...stored, spec: { ...stored.spec, uploadRequestedAt } })
    await settle()
    t.ok((await looksIn(reopenedMs + 50 * 60_000, reopenedMs + HOUR_MS)) >= 20)
    objects.upload(uploadKey(CASE_KEY), new Uint8Array(2000))
    jobs.take()
    await timers.moveTo(timers.nowMs() + UPLOAD_POLL_MS)
    t.match(jobs.take(), [{ kind: 'intake', payload: CASE_KEY }])
    await controller.stop()
  },
)

t.test('an upload that ends long after its URL is still found, by a resync', async (t) => {
  const deps = await workerDeps(CREATED_AT)
  const { timers, cases, jobs } = { ...deps, ...polling(CREATED_AT) }
  const controller = buildController({ ...deps, timers, cases, jobs })
  await cases.create(signatureCase())
  await controller.start()
  await timers.moveTo(Date.parse(CREATED_AT) + 3 * HOUR_MS)
  deps.objects.upload(uploadKey(CASE_KEY), new Uint8Array(2000))
  await timers.moveTo(timers.nowMs() + RESYNC_INTERVAL_MS)
  t.match(jobs.take(), [{ kind: 'intake' }])
  await controller.stop()
})
