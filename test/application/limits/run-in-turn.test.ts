/** Issue 12: an address that floods the verification delays only itself. */
import { Buffer } from 'node:buffer'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { VALIDATION_REPORT } from '../../../domain/contract/report-example.ts'
import { encodeJson } from '../../../domain/json-object.ts'
import type { JobQueue } from '../../../domain/ports/jobs.ts'
import {
  verificationChannel,
  verificationResultKey,
  verificationUploadKey,
  type VerificationKey,
} from '../../../domain/verification.ts'
import { testApi, type TestApi } from '../../fixtures/api.ts'
import { until } from '../../fixtures/until.ts'

const HOSTILE = '198.51.100.66'
const HONEST = '192.0.2.7'
/** As one process of workers. */
const JOBS_AT_ONCE = 2
const HONEST_REQUESTS = 5

/** Works off jobs as one worker process does: some at once, the others in the order they came. */
class Worker {
  readonly begun: string[] = []
  /** What was asked of the workers, whether a worker had time for it or not. */
  readonly asked = new Set<string>()
  readonly #slow = new Set<string>()
  readonly #waiting: VerificationKey[] = []
  readonly #finish = new Map<string, () => void>()
  #running = 0
  api: TestApi | undefined

  readonly add: JobQueue['add'] = async (_kind, _id, payload) => {
    const key = payload as VerificationKey
    if (this.asked.has(key.verificationId)) return
    this.asked.add(key.verificationId)
    this.#waiting.push(key)
    this.#next()
  }

  /** The validation of this upload ends when the test says so. */
  slow(verificationId: string): void {
    this.#slow.add(verificationId)
  }

  finishOne(): void {
    const [[id, finish] = []] = this.#finish
    if (id === undefined) return
    this.#finish.delete(id)
    finish?.()
  }

  #next(): void {
    if (this.#running >= JOBS_AT_ONCE) return
    const key = this.#waiting.shift()
    if (!key) return
    this.#running++
    this.begun.push(key.verificationId)
    void this.#run(key).finally(() => {
      this.#running--
      this.#next()
    })
  }

  async #run(key: VerificationKey): Promise<void> {
    const { objects, ephemeral } = this.api!
    if (this.#slow.has(key.verificationId)) {
      await new Promise<void>((resolve) => this.#finish.set(key.verificationId, resolve))
    }
    const report = encodeJson({ report: VALIDATION_REPORT })
    await objects.putIfAbsent(verificationResultKey(key), report, 'application/json')
    await ephemeral.publish(verificationChannel(key.requestId), '')
  }
}

async function open(t: Test, more: Parameters<typeof testApi>[1] = {}) {
  const worker = new Worker()
  const api = await testApi(t, { jobs: worker, trustedProxies: ['127.0.0.1'], ...more })
  worker.api = api
  return { api, worker }
}

async function uploaded(api: TestApi): Promise<string> {
  const { key } = (await api.ask('POST', '/verify/uploads', { token: '' })).json()
  api.objects.upload(verificationUploadKey(key), Buffer.from('%PDF-1.7'))
  return key
}

const verify = (api: TestApi, key: string, ip: string) =>
  api.ask('POST', '/verify', { token: '', body: { key }, headers: { 'x-forwarded-for': ip } })

/** Slow requests of one address. */
async function flood(api: TestApi, worker: Worker, count: number, ip = HOSTILE) {
  const answers: ReturnType<typeof verify>[] = []
  for (let n = 0; n < count; n++) {
    const key = await uploaded(api)
    worker.slow(key)
    answers.push(verify(api, key, ip))
  }
  return answers
}

t.test('others are answered while one address has eight slow requests in flight', async (t) => {
  const { api, worker } = await open(t)
  const hostile = await flood(api, worker, 8)
  await until(() => worker.begun.length > 0)
  const waits: number[] = []
  for (let n = 0; n < HONEST_REQUESTS; n++) {
    const key = await uploaded(api)
    const startedMs = performance.now()
    t.equal((await verify(api, key, HONEST)).statusCode, 200)
    waits.push(Math.round(performance.now() - startedMs))
  }
  t.comment(`with 8 in flight, ${HONEST_REQUESTS} others in ${waits.join(', ')} ms`)
  t.equal(worker.begun.length, 1 + HONEST_REQUESTS, 'of the address one runs')
  for (let n = 0; n < 8; n++) {
    await until(() => worker.begun.length === n + 1 + HONEST_REQUESTS)
    worker.finishOne()
  }
  for (const answer of await Promise.all(hostile)) t.equal(answer.statusCode, 200)
})

t.test('addresses of one /64 count as one, IPv4 addresses by themselves', async (t) => {
  const { api, worker } = await open(t)
  const ips = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', '2001:db8:1:3::1']
  const answers = (await Promise.all(ips.map((ip) => flood(api, worker, 1, ip)))).flat()
  await until(() => worker.asked.size === 2)
  await setTimeout(50)
  t.equal(worker.asked.size, 2)
  for (let n = 0; n < 3; n++) {
    await until(() => worker.begun.length > n)
    worker.finishOne()
    await setTimeout(20)
  }
  for (const answer of await Promise.all(answers)) t.equal(answer.statusCode, 200)
})

t.test('an address with too many waiting gets 429 with the message alone', async (t) => {
  const { api, worker } = await open(t, { requestBudgetMs: 2_000 })
  const waiting = await flood(api, worker, 17)
  const refused = await verify(api, await uploaded(api), HOSTILE)
  t.equal(refused.statusCode, 429)
  t.same(Object.keys(refused.json()), ['message'])
  t.equal(refused.headers['retry-after'], '10')
  t.equal((await verify(api, await uploaded(api), HONEST)).statusCode, 200)
  const late = await Promise.all(waiting)
  t.ok(late.every(({ statusCode }) => statusCode === 503))
  worker.finishOne()
  await setTimeout(50)
  t.equal(worker.begun.length, 2, 'a request past its deadline is not begun')
})

t.test('when too many addresses wait, the answer is 503 TIMEOUT', async (t) => {
  const { api, worker } = await open(t, { requestBudgetMs: 5_000 })
  const crowd = Array.from({ length: 4 + 128 }, (_, n) => `203.0.113.${n}`)
  const answers = (await Promise.all(crowd.map((ip) => flood(api, worker, 1, ip)))).flat()
  const refused = await verify(api, await uploaded(api), HONEST)
  t.equal(refused.statusCode, 503)
  t.match(refused.json(), { code: 'TIMEOUT', retryAfterSeconds: 10 })
  await Promise.all(answers)
})
