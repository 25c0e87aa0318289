import t from 'tap'
import { RESYNC_INTERVAL_MS } from '../../controllers/case-runs.ts'
import { buildController } from '../../controllers/controller.ts'
import { REMOVED_FOLDER } from '../../domain/cases/keys.ts'
import { controllerWorld, startedController } from '../fixtures/controller.ts'
import { settle } from '../fixtures/frozen-timers.ts'
import { signatureCase } from '../fixtures/signature-case.ts'

const DAY_MS = 24 * 60 * 60_000

t.test('a wiped ephemeral store is noticed and answered with a resync', async (t) => {
  const w = controllerWorld()
  w.cases.seed(signatureCase({ phase: 'IN_PROGRESS', signed: 2 }))
  const controller = await startedController(w)
  w.jobs.take()
  w.ephemeral.values.clear()
  await w.timers.moveTo(w.timers.nowMs() + 1_000)
  t.match(w.jobs.take(), [{ kind: 'finalise' }])
  await controller.stop()
})

t.test('a wipe in the midst of a resync is answered with another one', async (t) => {
  const w = controllerWorld()
  w.cases.seed(signatureCase({ phase: 'IN_PROGRESS', signed: 2 }))
  const listed = Promise.withResolvers<void>()
  const list = w.cases.list.bind(w.cases)
  w.cases.list = async (options) => {
    const page = await list(options)
    await listed.promise
    return page
  }
  const controller = buildController(w.deps)
  await controller.start()
  w.ephemeral.values.clear()
  await w.timers.moveTo(w.timers.nowMs() + 1_000)
  listed.resolve()
  await settle()
  t.match(w.jobs.take(), [{ kind: 'finalise' }])
  await w.timers.moveTo(w.timers.nowMs() + 1_000)
  t.match(w.jobs.take(), [{ kind: 'finalise' }])
  await w.timers.moveTo(w.timers.nowMs() + 10_000)
  t.same(w.jobs.take(), [])
  await controller.stop()
})

/** A controller whose listing waits, at the first time or at the second. */
async function heldListing(which: number) {
  const w = controllerWorld()
  const counts = { listings: 0 }
  const held = Promise.withResolvers<void>()
  const list = w.cases.list.bind(w.cases)
  w.cases.list = async (options) => {
    if (++counts.listings === which) await held.promise
    return list(options)
  }
  const controller = await startedController(w)
  return { ...w, controller, counts, release: () => held.resolve() }
}

t.test('what becomes due while a resync runs is found soon after it', async (t) => {
  const w = await heldListing(2)
  await w.timers.moveTo(w.timers.nowMs() + RESYNC_INTERVAL_MS)
  t.equal(w.counts.listings, 2)
  await w.timers.leapTo(w.timers.nowMs() + DAY_MS)
  w.release()
  await settle()
  t.equal(w.counts.listings, 2, 'there is a pause between two resyncs')
  await w.timers.moveTo(w.timers.nowMs() + 1_000)
  t.equal(w.counts.listings, 3)
  await w.timers.moveTo(w.timers.nowMs() + RESYNC_INTERVAL_MS - 1)
  t.equal(w.counts.listings, 3)
  await w.controller.stop()
})

t.test('what becomes due while the first resync runs is found after it', async (t) => {
  const w = await heldListing(1)
  await w.timers.leapTo(w.timers.nowMs() + DAY_MS)
  t.equal(w.counts.listings, 1)
  w.release()
  await settle()
  t.equal(w.counts.listings, 2)
  await w.controller.stop()
})

t.test('a controller that stops during a resync starts no other', async (t) => {
  const w = await heldListing(1)
  await w.timers.leapTo(w.timers.nowMs() + DAY_MS)
  const stopped = w.controller.stop()
  w.release()
  await stopped
  await settle()
  t.equal(w.counts.listings, 1)
})

t.test('an erasure that fails is not tried again at once', async (t) => {
  const w = controllerWorld()
  const list = w.objects.list.bind(w.objects)
  w.objects.list = (prefix, options) =>
    prefix === REMOVED_FOLDER ? Promise.reject(new Error('store is down')) : list(prefix, options)
  const controller = await startedController(w)
  t.same(w.warnings, ['resync failed'])
  await w.timers.moveTo(w.timers.nowMs() + 10_000)
  t.same(w.warnings, ['resync failed'])
  await w.timers.moveTo(w.timers.nowMs() + RESYNC_INTERVAL_MS)
  t.same(w.warnings, ['resync failed', 'resync failed'])
  await controller.stop()
})

t.test('a resync that failed after a wipe is tried again at once', async (t) => {
  const w = controllerWorld()
  w.cases.seed(signatureCase({ phase: 'IN_PROGRESS', signed: 2 }))
  const controller = await startedController(w)
  w.jobs.take()
  const list = w.cases.list.bind(w.cases)
  w.cases.list = async () => {
    throw new Error('store is down')
  }
  w.ephemeral.values.clear()
  await w.timers.moveTo(w.timers.nowMs() + 3_000)
  t.same(w.warnings, ['resync failed', 'resync failed', 'resync failed'])
  t.same(w.jobs.take(), [])
  w.cases.list = list
  await w.timers.moveTo(w.timers.nowMs() + 1_000)
  t.match(w.jobs.take(), [{ kind: 'finalise' }])
  await controller.stop()
})
