/** Which cases a new controller reads after the former one has stopped, or was killed. */
import t from 'tap'
import { CaseRuns, RESYNC_INTERVAL_MS } from '../../controllers/case-runs.ts'
import { buildController } from '../../controllers/controller.ts'
import { leaveResting, takeResting } from '../../controllers/handed-over-rests.ts'
import type { RestingCase } from '../../controllers/quiet-cases.ts'
import { Resync } from '../../controllers/resync.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { CASE_CHANGED } from '../../domain/ports/pub-sub.ts'
import { controllerDeps } from '../fixtures/controller.ts'
import { settle } from '../fixtures/frozen-timers.ts'
import { MemoryEphemeral } from '../fixtures/memory-ephemeral.ts'
import { CASE_KEY, keyring, participant, signatureCase } from '../fixtures/signature-case.ts'

const SECOND_MS = 1_000
const WHOLE = { index: 0, count: 1 }
const PLACE = 'resting-cases/0-of-1'
/** Nobody gets mails, so that no mail is pending. */
const SILENT = [1, 2].map((position) => participant(position, { notify: false }))

/** One case that rests, and the controllers that have it one after the other. */
async function restingWorld() {
  const deps = { ...controllerDeps('2026-11-10T08:00:00.000Z'), areUploadsReported: true }
  deps.cases.seed(signatureCase({ phase: 'IN_PROGRESS', participants: SILENT }))
  let reads = 0
  const get = deps.cases.get.bind(deps.cases)
  deps.cases.get = (key) => {
    reads += 1
    return get(key)
  }
  const begin = async () => {
    const controller = buildController(deps)
    await controller.start()
    await settle()
    return controller
  }
  /** Runs work. @returns how often the case was read meanwhile */
  const readsOf = async (work: () => Promise<unknown>) => {
    reads = 0
    await work()
    return reads
  }
  const pass = (ms: number) => deps.timers.moveTo(deps.timers.nowMs() + ms)
  const controller = await begin()
  // The status that the first run writes is held back for a while.
  await pass(2 * RESYNC_INTERVAL_MS)
  return { ...deps, controller, begin, get, pass, readsOf }
}

t.test('a controller does not read a case that rested when the former one stopped', async (t) => {
  const w = await restingWorld()
  await w.controller.stop()
  let second = w.controller
  t.equal(await w.readsOf(async () => (second = await w.begin())), 0)
  const notify = async () => {
    await w.ephemeral.publish(CASE_CHANGED, JSON.stringify(CASE_KEY))
    await settle()
  }
  t.equal(await w.readsOf(notify), 1, 'a notification ends the rest')
  t.equal(await w.readsOf(() => w.pass(RESYNC_INTERVAL_MS)), 0)
  await second.stop()
  t.equal(await w.readsOf(async () => (second = await w.begin())), 0, 'the next one, too')
  w.ephemeral.wipe()
  t.equal(await w.readsOf(() => w.pass(SECOND_MS)), 1, 'another epoch ends the rest')
  await second.stop()
})

t.test('a controller reads each case again after a crash of the former one', async (t) => {
  const w = await restingWorld()
  await w.controller.stop()
  await w.begin()
  // That one is never stopped, as if it was killed.
  t.notOk(w.ephemeral.values.has(PLACE), 'what it took over is not used twice')
  let third = w.controller
  t.equal(await w.readsOf(async () => (third = await w.begin())), 1)
  await third.stop()
})

t.test('a case that changed between two controllers is read', async (t) => {
  const w = await restingWorld()
  await w.controller.stop()
  await w.cases.replaceSpec((await w.get(CASE_KEY)) as SignatureCase)
  let second = w.controller
  t.ok((await w.readsOf(async () => (second = await w.begin()))) >= 1)
  await second.stop()
})

t.test('nothing is handed over when notifications were lost', async (t) => {
  for (const lose of [
    (ephemeral: MemoryEphemeral) => ephemeral.wipe(),
    (ephemeral: MemoryEphemeral) =>
      void (ephemeral.epoch = () => Promise.reject(new Error('redis is away'))),
  ]) {
    const w = await restingWorld()
    lose(w.ephemeral)
    await w.controller.stop()
    t.notOk(w.ephemeral.values.has(PLACE))
  }
})

t.test('a controller that has not listed all cases hands nothing over', async (t) => {
  const w = await restingWorld()
  await w.controller.stop()
  w.cases.list = () => Promise.reject(new Error('the API server is away'))
  const second = await w.begin()
  await second.stop()
  t.notOk(w.ephemeral.values.has(PLACE))
})

t.test('a failed first resync is repeated with every case', async (t) => {
  const w = await restingWorld()
  await w.controller.stop()
  const list = w.cases.list.bind(w.cases)
  w.cases.list = () => Promise.reject(new Error('the API server is away'))
  const second = await w.begin()
  w.cases.list = list
  t.equal(await w.readsOf(() => w.pass(SECOND_MS)), 1)
  await second.stop()
})

const RESTING: RestingCase[] = [['acme/a', '7', 9_000]]

t.test('a note that is found after the first resync began is not used', async (t) => {
  const deps = controllerDeps('2026-11-10T08:00:00.000Z')
  const runs = new CaseRuns(deps)
  const resync = new Resync(runs)
  await resync.start()
  await leaveResting(WHOLE, RESTING, deps.timers.nowMs(), deps)
  await resync.takeOver()
  t.same(runs.quiet.list(), [])
})

t.test('only an unchanged and recent note of the same group counts', async (t) => {
  const ephemeral = new MemoryEphemeral()
  const deps = { ephemeral, keyring }
  const leave = () => leaveResting(WHOLE, RESTING, 1_000, deps)
  await leave()
  t.same(await takeResting(WHOLE, 2_000, deps), RESTING)
  t.same(await takeResting(WHOLE, 2_000, deps), [], 'once')
  await leave()
  t.same(await takeResting(WHOLE, 1_000 + 5 * 60_000, deps), [], 'too old')
  await leave()
  t.same(await takeResting({ index: 1, count: 2 }, 2_000, deps), [])
  const text = ephemeral.values.get(PLACE) as string
  ephemeral.values.set('resting-cases/1-of-2', text)
  t.same(await takeResting({ index: 1, count: 2 }, 2_000, deps), [], 'of another group')
  ephemeral.values.set(PLACE, text.replace('acme/a', 'acme/b'))
  t.same(await takeResting(WHOLE, 2_000, deps), [], 'changed')
  ephemeral.values.set(PLACE, 'null')
  await t.rejects(takeResting(WHOLE, 2_000, deps))
})

t.test('a store that cannot delete the note hands nothing over', async (t) => {
  const ephemeral = new MemoryEphemeral()
  await leaveResting(WHOLE, RESTING, 1_000, { ephemeral, keyring })
  ephemeral.delete = () => Promise.reject(new Error('redis is away'))
  await t.rejects(takeResting(WHOLE, 2_000, { ephemeral, keyring }))
})

t.test('a note that cannot be read is reported, and every case is read', async (t) => {
  const w = await restingWorld()
  await w.controller.stop()
  w.ephemeral.values.set(PLACE, 'null')
  let second = w.controller
  t.equal(await w.readsOf(async () => (second = await w.begin())), 1)
  t.match(w.warnings, ['the resting cases could not be taken over'])
  w.ephemeral.set = () => Promise.reject(new Error('redis is away'))
  await second.stop()
  t.match(w.warnings.at(-1), 'the resting cases could not be handed over')
})
