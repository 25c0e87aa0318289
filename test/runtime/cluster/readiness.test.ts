import t from 'tap'
import { serveOperations } from '../../../runtime/cluster/operations.ts'
import { answers, hasAnswered, Readiness, type Check } from '../../../runtime/cluster/readiness.ts'
import { watchCores } from '../../fixtures/busy.ts'

const away = async () => {
  throw new Error('redis://user:opensesame@redis is away')
}

t.test('every check is a line, and one that fails is enough', async (t) => {
  const fault: Check = async () => 'nothing yet'
  const fine: Check = async () => undefined
  t.same(await new Readiness({ a: fine }).answer(), { ready: true, text: 'a: ok\n' })
  const both = new Readiness({ a: fine, b: fault })
  t.same(await both.answer(), { ready: false, text: 'a: ok\nb: nothing yet\n' })
})

t.test('what a check throws is not shown', async (t) => {
  const { ready, text } = await new Readiness({ redis: answers(away) }).answer()
  t.notOk(ready)
  t.equal(text, 'redis: does not answer\n')
})

t.test('a check that hangs is answered before a probe gives up', async (t) => {
  const process = setInterval(() => {}, 1_000)
  t.teardown(() => clearInterval(process))
  const silent = new Readiness({ redis: answers(() => new Promise(() => {})) })
  const startedMs = performance.now()
  const isBusy = watchCores()
  t.same(await silent.answer(), { ready: false, text: 'redis: does not answer\n' })
  t.ok(performance.now() - startedMs < 5_000 || isBusy())
})

t.test('what has to answer now is asked each time', async (t) => {
  let isAway = true
  const now = new Readiness({ redis: answers(async () => (isAway ? away() : 1)) })
  t.equal((await now.answer()).ready, false)
  isAway = false
  t.equal((await now.answer()).ready, true)
  isAway = true
  t.equal((await now.answer()).ready, false)
})

t.test(
  'a service that has answered once is not checked again: a later outage is tolerated',
  async (t) => {
    let asked = 0
    let isAway = true
    const ask = async () => {
      asked++
      return isAway ? away() : 1
    }
    const once = new Readiness({ redis: hasAnswered(ask) })
    t.equal((await once.answer()).ready, false, 'a wrong address never gets work')
    isAway = false
    t.equal((await once.answer()).ready, true)
    isAway = true
    t.equal((await once.answer()).ready, true)
    t.equal(asked, 2)
  },
)

t.test('a process that drains gets no work', async (t) => {
  const readiness = new Readiness({ a: async () => undefined })
  readiness.drain()
  t.same(await readiness.answer(), { ready: false, text: 'process: draining\n' })
})

t.test('life asks nothing but the process', async (t) => {
  let text = 'redis: does not answer\n'
  const operations = {
    readiness: async () => ({ ready: text.endsWith('ok\n'), text }),
    metrics: away,
  }
  const server = await serveOperations({ host: '127.0.0.1', port: 0 }, operations)
  t.teardown(() => server.close())
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`)
    return { status: answer.status, text: await answer.text() }
  }
  t.same(await ask('/readyz'), { status: 503, text })
  t.same(await ask('/healthz'), { status: 200, text: 'ok\n' })
  t.same(await ask('/metrics'), { status: 503, text: 'not available\n' })
  t.equal((await ask('/')).status, 404)
  text = 'redis: ok\n'
  t.same(await ask('/readyz?verbose'), { status: 200, text })
})
