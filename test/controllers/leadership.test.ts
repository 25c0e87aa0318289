import t from 'tap'
import { Leadership } from '../../controllers/leadership.ts'

const isHeld = () => true
const settle = () => new Promise((resolve) => setImmediate(resolve))

function world(start: () => Promise<void> = async () => {}) {
  let nowMs = 1_000
  const errors: string[] = []
  const log = { info: () => {}, error: (_: object, message: string) => errors.push(message) }
  const received: string[] = []
  const controller = {
    async start() {
      received.push('started')
      await start()
    },
    async stop() {
      received.push('stopped')
    },
  }
  const leadership = new Leadership(2, () => [controller], { log, nowMs: () => nowMs })
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { leadership, errors, received, pass }
}

t.test('a standby replica is ready once it knows the leader', async (t) => {
  const { leadership } = world()
  t.equal(leadership.fault(), 'the leader is not known yet')
  leadership.onKnown()
  t.equal(leadership.fault(), undefined)
})

t.test('one that leads is ready once its controllers work', async (t) => {
  const started = Promise.withResolvers<void>()
  const { leadership, received } = world(() => started.promise)
  leadership.onElected(0, isHeld)
  leadership.onKnown()
  await settle()
  t.equal(leadership.fault(), 'this replica is the leader, but has not started its controllers')
  started.resolve()
  await settle()
  t.equal(leadership.fault(), undefined)
  leadership.onLost(0)
  await settle()
  t.same(received, ['started', 'stopped'])
  t.equal(leadership.fault(), undefined, 'it is a standby')
})

t.test('one whose controllers did not start is not ready', async (t) => {
  const { leadership, errors } = world(() => Promise.reject(new Error('no')))
  leadership.onElected(0, isHeld)
  leadership.onKnown()
  await settle()
  t.equal(leadership.fault(), 'this replica is the leader, but has not started its controllers')
  t.equal(errors.length, 1)
})

t.test('a replica without news of the lease for longer than it lasts is not ready', async (t) => {
  const { leadership, pass } = world()
  leadership.onKnown()
  pass(15_000)
  t.equal(leadership.fault(), undefined)
  pass(1_000)
  t.equal(leadership.fault(), 'the leader has not been known for 16 s')
  leadership.onKnown()
  t.equal(leadership.fault(), undefined)
})

t.test('each group starts and stops for itself', async (t) => {
  const received: string[] = []
  const build = (group: number) => [
    {
      start: async () => void received.push(`start ${group}`),
      stop: async () => void received.push(`stop ${group}`),
    },
  ]
  const log = { info: () => {}, error: () => {} }
  const leadership = new Leadership(3, build, { log })
  leadership.onElected(2, isHeld)
  leadership.onElected(0, isHeld)
  await settle()
  t.same(leadership.groups, [0, 2])
  await leadership.onLost(2)
  t.same(received, ['start 2', 'start 0', 'stop 2'], 'it has stopped when the promise resolves')
  t.same(leadership.groups, [0])
  await leadership.end()
  leadership.onElected(1, isHeld)
  await settle()
  t.same(received.slice(3), ['stop 0'], 'nothing starts after the end')
})
