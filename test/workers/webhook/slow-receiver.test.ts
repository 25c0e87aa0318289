/** A worker whose tenants have one receiver that does not answer, and others that do. */
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { InProcessJobQueue } from '../../../adapters/embedded/job-queue.ts'
import { dueWebhooks } from '../../../domain/cases/webhooks.ts'
import { jobId } from '../../../domain/cases/jobs.ts'
import { MAXIMUM_OF_HOST } from '../../../workers/webhook/receiver-turns.ts'
import type { WorkerDeps } from '../../../workers/deps.ts'
import { buildWorker } from '../../../workers/worker.ts'
import { FakeEndpoint, FakeTokens } from '../../fixtures/endpoint.ts'
import { callback, signatureCase, TENANT } from '../../fixtures/signature-case.ts'
import { until } from '../../fixtures/until.ts'
import { workerDeps, type TestWorkerDeps } from '../../fixtures/worker.ts'

const SLOW = 'https://slow.example/hooks'
/** More than the 64 jobs of a worker. */
const MANY = 80

/** Adds the job of a webhook that is due. */
async function addDue(
  { cases, jobs }: Pick<TestWorkerDeps, 'cases'> & Pick<WorkerDeps, 'jobs'>,
  url: string,
) {
  const made = signatureCase({
    phase: 'CANCELLED',
    definition: { callback: callback({ url, authType: 'NONE' }) },
  })
  const caseId = randomUUID()
  const value = { ...made, metadata: { ...made.metadata, name: caseId } }
  cases.seed(value)
  const [event] = dueWebhooks(value, [])
  const payload = { tenant: TENANT, caseId, eventId: event?.eventId ?? '' }
  await jobs.add('webhook', jobId('webhook', payload), payload)
}

t.test('webhooks to a receiver that does not answer do not stop those to others', async (t) => {
  const plain = await workerDeps()
  const http = new FakeEndpoint(plain.timers)
  const jobs = new InProcessJobQueue(plain.timers, (error) => t.fail(String(error)))
  const deps = { ...plain, jobs, outboundHttp: http, accessTokens: new FakeTokens() }
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let running = 0
  let most = 0
  http.whileAsked = async ({ url }) => {
    if (url !== SLOW) return
    running += 1
    most = Math.max(most, running)
    await released
    running -= 1
  }
  const worker = buildWorker(deps, { first: [] })
  worker.start()
  t.teardown(() => worker.stop())
  for (let count = 0; count < MANY; count++) await addDue(deps, SLOW)
  await until(() => running === MAXIMUM_OF_HOST)
  await addDue(deps, 'https://fast.example/hooks')
  const sentTo = (host: string) => http.received.filter(({ url }) => url.includes(host)).length
  await until(() => sentTo('fast') === 1)
  t.equal(sentTo('fast'), 1)
  t.equal(sentTo('slow'), MAXIMUM_OF_HOST)
  release()
  await until(async () => {
    await deps.timers.moveTo(deps.timers.nowMs() + 1_000)
    return sentTo('slow') === MANY
  })
  t.equal(sentTo('slow'), MANY)
  t.equal(most, MAXIMUM_OF_HOST)
  const { waiting } = await jobs.count('webhook')
  t.equal(waiting, 0)
})

t.test('a webhook that cannot return to the queue is logged', async (t) => {
  const deps = await workerDeps()
  const jobs = new InProcessJobQueue(deps.timers, (error) => t.fail(String(error)))
  const http = new FakeEndpoint(deps.timers)
  http.whileAsked = () => new Promise<void>(() => {})
  const all = { ...deps, jobs, outboundHttp: http, accessTokens: new FakeTokens() }
  const worker = buildWorker(all, { first: [] })
  worker.start()
  for (let count = 0; count <= MAXIMUM_OF_HOST; count++) await addDue(all, SLOW)
  await until(() => http.received.length === MAXIMUM_OF_HOST)
  await until(async () => (await jobs.count('webhook')).running === MAXIMUM_OF_HOST)
  const error = new Error('the queue is away')
  jobs.add = () => Promise.reject(error)
  worker.stop()
  await until(() => deps.warnings.length > 0)
  t.match(deps.warnings, [{ err: error, job: 'webhook', tenant: TENANT }])
})
