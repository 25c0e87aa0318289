/** Which cases a new controller reads after the former one has stopped, or was killed. */
import t from 'tap'
import { RESYNC_INTERVAL_MS } from '../../controllers/case-runs.ts'
import { buildController, type Controller } from '../../controllers/controller.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { CASE_CHANGED } from '../../domain/ports/pub-sub.ts'
import { controllerDeps } from '../fixtures/controller.ts'
import { settle } from '../fixtures/frozen-timers.ts'
import { Life, mortal } from '../fixtures/life.ts'
import { MemoryTables, MemoryValue } from '../fixtures/memory-rests.ts'
import {
  CASE_KEY,
  participant,
  signatureCase,
  type CaseOptions,
} from '../fixtures/signature-case.ts'

const SECOND_MS = 1_000
/** Nobody gets mails, so that no mail is pending. */
const SILENT = [1, 2].map((position) => participant(position, { notify: false }))

/** A controller, and how it ends without doing anything else. */
interface Leader extends Controller {
  kill(): void
}

/** One case that rests, and the controllers that have it one after the other. */
async function restingWorld(options: CaseOptions = {}) {
  const deps = { ...controllerDeps('2026-11-10T08:00:00.000Z'), areUploadsReported: true }
  const tables = new MemoryTables(deps.now)
  const current = new MemoryValue()
  deps.cases.seed(signatureCase({ phase: 'IN_PROGRESS', participants: SILENT, ...options }))
  let reads = 0
  const get = deps.cases.get.bind(deps.cases)
  deps.cases.get = (key) => {
    reads += 1
    return get(key)
  }
  const begin = async (): Promise<Leader> => {
    const life = new Life()
    const rests = {
      tables: mortal(tables, life, []),
      current: mortal(current, life, []),
      isLeader: () => true,
    }
    const cases = mortal(deps.cases, life, [])
    const objects = mortal(deps.objects, life, [])
    const ephemeral = mortal(deps.ephemeral, life, [])
    const controller = buildController({ ...deps, cases, objects, ephemeral, rests })
    await controller.start()
    await settle()
    return {
      start: () => controller.start(),
      stop: () => controller.stop(),
      kill: () => void (life.writesLeft = 0),
    }
  }
  /** Runs work. @returns how often the case was read meanwhile */
  const readsOf = async (work: () => Promise<unknown>) => {
    reads = 0
    await work()
    return reads
  }
  const pass = (ms: number) => deps.timers.moveTo(deps.timers.nowMs() + ms)
  const notify = async () => {
    await deps.ephemeral.publish(CASE_CHANGED, JSON.stringify(CASE_KEY))
    await settle()
  }
  const controller = await begin()
  // The status that the first run writes is held back for a while.
  await pass(2 * RESYNC_INTERVAL_MS)
  return { ...deps, tables, current, controller, begin, get, pass, notify, readsOf }
}

type World = Awaited<ReturnType<typeof restingWorld>>

/** How a controller ends. */
const ENDS: Readonly<Record<string, (controller: Leader) => Promise<void>>> = {
  stopped: (controller) => controller.stop(),
  killed: async (controller) => controller.kill(),
}

/** Ends the controller of the world and starts another. @returns how often the case was read */
async function readsOfNext(w: World, end: (controller: Leader) => Promise<void>) {
  await end(w.controller)
  let next = w.controller
  const reads = await w.readsOf(async () => (next = await w.begin()))
  return { reads, next }
}

for (const [name, end] of Object.entries(ENDS)) {
  t.test(`a controller does not read a case that rests when the former is ${name}`, async (t) => {
    const w = await restingWorld()
    const { reads, next } = await readsOfNext(w, end)
    t.equal(reads, 0)
    t.equal(await w.readsOf(w.notify), 1, 'a notification ends the rest')
    t.equal(await w.readsOf(() => w.pass(RESYNC_INTERVAL_MS)), 0)
    await end(next)
    let third = next
    t.equal(await w.readsOf(async () => (third = await w.begin())), 0, 'the next one, too')
    w.ephemeral.wipe()
    t.equal(await w.readsOf(() => w.pass(SECOND_MS)), 1, 'another epoch ends the rest')
    await end(third)
    t.equal(await w.readsOf(async () => (third = await w.begin())), name === 'stopped' ? 0 : 1)
    await third.stop()
  })

  t.test(`a case that changed after the former controller was ${name} is read`, async (t) => {
    const w = await restingWorld()
    await end(w.controller)
    await w.cases.replaceSpec((await w.get(CASE_KEY)) as SignatureCase)
    let second = w.controller
    t.ok((await w.readsOf(async () => (second = await w.begin()))) >= 1)
    await second.stop()
  })

  t.test(`a case is read on time after the former controller was ${name}`, async (t) => {
    const w = await restingWorld()
    const { next } = await readsOfNext(w, end)
    t.ok((await w.readsOf(() => w.pass(60 * 60_000))) >= 1)
    await next.stop()
  })

  t.test(`a NEW case is read after the former controller was ${name}`, async (t) => {
    const w = await restingWorld({ phase: 'NEW' })
    await w.pass(2 * 60 * 60_000)
    t.equal(await w.readsOf(() => w.pass(RESYNC_INTERVAL_MS)), 0, 'it rests')
    t.same(w.tables.names, [])
    const { reads, next } = await readsOfNext(w, end)
    t.equal(reads, 1)
    await next.stop()
  })
}

t.test('a case whose run was interrupted is read, although nothing was written', async (t) => {
  const w = await restingWorld()
  t.equal(w.tables.names.length, 1)
  const list = w.objects.list.bind(w.objects)
  const held = Promise.withResolvers<never>()
  w.objects.list = () => held.promise
  await w.notify()
  t.same(w.tables.names, [], 'the row is deleted before the run begins')
  w.controller.kill()
  w.objects.list = list
  let second = w.controller
  t.equal(await w.readsOf(async () => (second = await w.begin())), 1)
  await second.stop()
})

t.test('a case whose run has just ended is read after a crash', async (t) => {
  const w = await restingWorld()
  await w.notify()
  const { reads, next } = await readsOfNext(w, async (controller) => controller.kill())
  t.equal(reads, 1)
  await next.stop()
})

t.test('a case is reconciled although its row cannot be deleted', async (t) => {
  const w = await restingWorld()
  w.tables.isAway = true
  t.equal(await w.readsOf(w.notify), 1)
  w.tables.isAway = false
  const { reads, next } = await readsOfNext(w, async (controller) => controller.kill())
  t.equal(reads, 1, 'the row that is left does not count')
  await next.stop()
})

t.test('a case waits while no store of rests answers, and is reconciled then', async (t) => {
  const w = await restingWorld()
  w.tables.isAway = w.current.isAway = true
  t.equal(await w.readsOf(w.notify), 0)
  w.current.isAway = false
  t.ok((await w.readsOf(() => w.pass(SECOND_MS))) >= 1)
  await w.controller.stop()
})

t.test(
  'a case is read if notifications were lost before the former controller read it',
  async (t) => {
    const w = await restingWorld()
    const list = w.cases.list.bind(w.cases)
    w.cases.list = () => new Promise(() => {})
    w.ephemeral.wipe()
    await w.pass(SECOND_MS)
    w.controller.kill()
    w.cases.list = list
    let second = w.controller
    t.equal(await w.readsOf(async () => (second = await w.begin())), 1)
    await second.stop()
  },
)

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

t.test('a crash before the end of the first resync loses no rest', async (t) => {
  const w = await restingWorld()
  w.controller.kill()
  const list = w.cases.list.bind(w.cases)
  w.cases.list = () => new Promise(() => {})
  const second = await w.begin()
  second.kill()
  w.cases.list = list
  let third = second
  t.equal(await w.readsOf(async () => (third = await w.begin())), 0)
  await third.stop()
})

t.test('without the value that names the tables, every case is read once it is back', async (t) => {
  const w = await restingWorld()
  w.controller.kill()
  w.current.isAway = true
  let second = w.controller
  t.equal(await w.readsOf(async () => (second = await w.begin())), 0)
  t.match(w.warnings, ['the resting cases could not be taken over', 'reconcile failed'])
  w.current.isAway = false
  t.ok((await w.readsOf(() => w.pass(SECOND_MS))) >= 1)
  await second.stop()
})
