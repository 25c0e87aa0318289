/** A worker whose tenants have one receiver that does not answer, and others that do. */
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { InProcessJobQueue } from '../../../adapters/embedded/job-queue.ts'
import { dueWebhooks } from '../../../domain/cases/webhooks.ts'
import { jobId } from '../../../domain/cases/jobs.ts'
import { MAXIMUM_OF_HOST } from '../../../workers/webhook/receiver-turns.ts'
import { buildWorker } from '../../../workers/worker.ts'
import { FakeEndpoint, FakeTokens } from '../../fixtures/endpoint.ts'
import { callback, signatureCase, TENANT } from '../../fixtures/signature-case.ts'
import { until } from '../../fixtures/until.ts'
import { workerDeps } from '../../fixtures/worker.ts'

const SLOW = 'https://slow.example/hooks'
/** More than the 64 jobs of a worker. */
const MANY = 80

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
  const add = async (url: string) => {
    const made = signatureCase({
      phase: 'CANCELLED',
      definition: { callback: callback({ url, authType: 'NONE' }) },
    })
    const caseId = randomUUID()
    const value = { ...made, metadata: { ...made.metadata, name: caseId } }
    deps.cases.seed(value)
    const [event] = dueWebhooks(value, [])
    const payload = { tenant: TENANT, caseId, eventId: event?.eventId ?? '' }
    await jobs.add('webhook', jobId('webhook', payload), payload)
  }
  for (let count = 0; count < MANY; count++) await add(SLOW)
  await until(() => running === MAXIMUM_OF_HOST)
  await add('https://fast.example/hooks')
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
