/** What each process reports about itself while parts of the cluster are unavailable. */
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Child } from '../../dev/local-cluster/child.ts'
import { RESTARTED, withLocalCluster } from '../fixtures/local-cluster.ts'

t.setTimeout(600_000)

const PATIENCE_MS = 60_000
const POLL_MS = 250
const RECOVERED = 'recovered: the queue failed'

async function ask(child: Child | undefined, path: string) {
  const { origin } = new URL(child?.options.readyUrl ?? '')
  const answer = await fetch(origin + path)
  return { status: answer.status, text: await answer.text() }
}

const isReady = async (child: Child | undefined) => (await ask(child, '/readyz')).status === 200

/** @throws Error when it never is */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += POLL_MS) {
    if (await holds()) return
    await sleep(POLL_MS)
  }
  throw new Error('it never came')
}

await withLocalCluster(RESTARTED, ({ api, controllers, workers, ...rest }) => {
  const { redis, plane } = rest
  const [controller] = controllers
  const all = [api, ...controllers, ...workers]

  t.test('a cluster that works is ready, check by check', async (t) => {
    for (const child of all) {
      await until(() => isReady(child))
      const { status, text } = await ask(child, '/readyz')
      t.equal(status, 200)
      t.match(text, /^redis: ok$/m)
      t.match(text, /^objects: ok$/m)
    }
    for (const one of controllers) t.match((await ask(one, '/readyz')).text, /^lease: ok$/m)
    t.match((await ask(api, '/readyz')).text, /^drawings: ok$/m)
    for (const worker of workers) {
      t.match((await ask(worker, '/readyz')).text, /^mail: ok$/m)
      t.match((await ask(worker, '/readyz')).text, /^queue: ok\n[^]*^signing: ok$/m)
      t.match((await ask(worker, '/metrics')).text, /^sigcase_worker_can_sign 1$/m)
    }
  })

  t.test('without Redis no worker is ready; the API goes on, and nothing is to end', async (t) => {
    const lines = (message: string) =>
      rest.logged(new RegExp(`"component":"worker".*"msg":"${message}"`)).length
    const before = { failed: lines('the queue failed'), recovered: lines(RECOVERED) }
    await redis.end('SIGKILL')
    for (const worker of workers) {
      await until(async () => !(await isReady(worker)))
      t.match(await ask(worker, '/readyz'), { status: 503, text: /^redis: does not answer$/m })
    }
    for (const child of [api, controller]) t.ok(await isReady(child))
    for (const child of all) t.match(await ask(child, '/healthz'), { status: 200 })
    redis.start()
    for (const worker of workers) await until(() => isReady(worker))
    t.pass('both take jobs again')
    // A long outage has another one each minute.
    const failed = lines('the queue failed') - before.failed
    t.ok(failed <= 2 * workers.length, 'no line for each failure')
    await until(async () => lines(RECOVERED) - before.recovered >= workers.length)
  })

  t.test('workers end on Node and on Deno while Redis is unavailable', async (t) => {
    await redis.end('SIGKILL')
    for (const worker of workers) await until(async () => !(await isReady(worker)))
    t.same(await Promise.all(workers.map((worker) => worker.end('SIGTERM'))), [0, 0])
    redis.start()
    for (const worker of workers) worker.start()
    await Promise.all(workers.map((worker) => worker.ready()))
    for (const worker of workers) await until(() => isReady(worker))
  })

  t.test('without the API server no controller is ready, and nothing is to end', async (t) => {
    await plane.killApiServer()
    for (const one of controllers) {
      await until(async () => !(await isReady(one)))
      t.match(await ask(one, '/readyz'), {
        text: /^lease: the leader has not been known for/m,
      })
    }
    for (const child of [api, ...workers]) t.ok(await isReady(child))
    for (const child of all) t.match(await ask(child, '/healthz'), { status: 200 })
    await plane.restartApiServer()
    for (const one of controllers) await until(() => isReady(one))
    t.pass('one of them leads again')
  })

  t.test('a process that was given a wrong address never gets work', async (t) => {
    const [worker] = workers as [Child]
    const { environment } = worker.options
    t.teardown(async () => {
      await worker.end('SIGKILL')
      Object.assign(worker.options, { environment })
      worker.start()
    })
    await worker.end('SIGTERM')
    Object.assign(worker.options, { environment: { ...environment, REDIS_URL: 'redis://[::1]:1' } })
    worker.start()
    await until(() =>
      ask(worker, '/healthz').then(
        () => true,
        () => false,
      ),
    )
    t.match(await ask(worker, '/readyz'), { status: 503, text: /^redis: does not answer$/m })
  })
})
