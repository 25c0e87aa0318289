/** A queue in which a caller that asks often delays only itself. */
import t from 'tap'
import { FairQueue, type Caller } from '../../../application/limits/fair-queue.ts'

const BOUNDS = { maximumRunning: 1, maximumWaiting: 8, maximumWaitingOfMember: 4 }
const at = (name: string): Caller => ({ group: name[0]!, member: name })

/** A queue whose turns end when the test says so. */
class Desk {
  readonly began: string[] = []
  readonly ends: Record<string, string> = {}
  readonly #queue: FairQueue
  readonly #running: (() => void)[] = []

  constructor(options: Partial<typeof BOUNDS> = {}) {
    this.#queue = new FairQueue({ ...BOUNDS, ...options })
  }

  /** @param name the first letter is the group, the first two are the member */
  ask(name: string, signal?: AbortSignal): void {
    const work = () => {
      this.began.push(name)
      return new Promise<string>((resolve) => this.#running.push(() => resolve('done')))
    }
    this.#queue.run(at(name.slice(0, 2)), work, signal).then(
      (end) => (this.ends[name] = end),
      (error: Error & { by?: string }) => (this.ends[name] = error.by ?? error.name),
    )
  }

  get running(): number {
    return this.#running.length
  }

  async endOne(): Promise<void> {
    this.#running.shift()?.()
    await settled()
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

async function observeOrder(desk: Desk, names: readonly string[]): Promise<string[]> {
  for (const name of names) desk.ask(name)
  await settled()
  for (let turn = 0; turn < names.length; turn++) await desk.endOne()
  return desk.began
}

t.test('turns go round between groups, and within a group between members', async (t) => {
  const asked = ['a1', 'a1-2', 'a1-3', 'a2', 'a3', 'b1', 'b1-2', 'c1']
  const order = await observeOrder(new Desk(), asked)
  t.same(order, ['a1', 'b1', 'c1', 'a2', 'b1-2', 'a3', 'a1-2', 'a1-3'])
})

t.test('a member has one turn at a time, others run beside it', async (t) => {
  const desk = new Desk({ maximumRunning: 3 })
  for (const name of ['a1', 'a1-2', 'a2', 'b1', 'b2']) desk.ask(name)
  await settled()
  t.same(desk.began, ['a1', 'a2', 'b1'])
  await desk.endOne()
  t.same(desk.began.slice(3), ['b2'], 'the group of a1 had the turn that ended')
  t.equal(desk.running, 3)
})

t.test('a member that waits for too many turns is refused, others are not', async (t) => {
  const desk = new Desk({ maximumWaitingOfMember: 1 })
  for (const name of ['a1', 'a1-2', 'a1-3', 'a2']) desk.ask(name)
  await settled()
  t.same(desk.ends, { 'a1-3': 'member' })
  for (let turn = 0; turn < 3; turn++) await desk.endOne()
  t.same(desk.ends, { a1: 'done', 'a1-2': 'done', 'a1-3': 'member', a2: 'done' })
})

t.test('a full queue makes room at the cost of the group that waits for most', async (t) => {
  const desk = new Desk({ maximumWaiting: 4 })
  for (const name of ['a1', 'a2', 'a3', 'a3-2', 'a4']) desk.ask(name)
  await settled()
  desk.ask('b1')
  await settled()
  t.same(desk.ends, { 'a3-2': 'queue' }, 'the member with most turns gives one')
  desk.ask('b2')
  await settled()
  t.same(Object.keys(desk.ends).length, 2, 'a group with two less is helped')
  desk.ask('b3')
  await settled()
  t.equal(desk.ends.b3, 'queue', 'a group that waits for as many is not')
})

t.test('who gives up loses the place; a running turn goes on', async (t) => {
  const desk = new Desk()
  const [running, waiting, late] = [1, 2, 3].map(() => new AbortController())
  desk.ask('a1', running!.signal)
  desk.ask('b1', waiting!.signal)
  desk.ask('c1')
  await settled()
  for (const one of [running, waiting, late]) one!.abort()
  desk.ask('d1', late!.signal)
  await settled()
  t.same(desk.ends, { b1: 'AbortError', d1: 'AbortError' })
  await desk.endOne()
  await desk.endOne()
  t.same(desk.ends, { a1: 'done', b1: 'AbortError', c1: 'done', d1: 'AbortError' })
})

t.test('work that fails gives its turn on, also at once', async (t) => {
  const queue = new FairQueue(BOUNDS)
  const failing = () => Promise.reject(new Error('broken'))
  const turns = ['a1', 'a1', 'b1'].map((name) => queue.run(at(name), failing))
  const ends = await Promise.allSettled(turns)
  t.match(ends, Array(3).fill({ status: 'rejected', reason: { message: 'broken' } }))
  t.equal(await queue.run(at('a1'), async () => 'well'), 'well')
})

t.test('work learns whether it had to wait', async (t) => {
  const queue = new FairQueue(BOUNDS)
  const turns = [1, 2].map(() => queue.run(at('a1'), async (hasWaited) => hasWaited))
  t.same(await Promise.all(turns), [false, true])
})
