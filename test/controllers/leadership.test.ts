import t from 'tap'
import { Leadership } from '../../controllers/leadership.ts'

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
  const leadership = new Leadership(
    () => [controller],
    log,
    () => nowMs,
  )
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
  leadership.onElected()
  leadership.onKnown()
  await settle()
  t.equal(leadership.fault(), 'this replica is the leader, but has not started its controllers')
  started.resolve()
  await settle()
  t.equal(leadership.fault(), undefined)
  leadership.onLost()
  await settle()
  t.same(received, ['started', 'stopped'])
  t.equal(leadership.fault(), undefined, 'it is a standby')
})

t.test('one whose controllers did not start is not ready', async (t) => {
  const { leadership, errors } = world(() => Promise.reject(new Error('no')))
  leadership.onElected()
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
