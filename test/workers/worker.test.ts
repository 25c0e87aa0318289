import t from 'tap'
import {
  failureCountKey,
  jobId,
  keyRefusalKey,
  readKeyRefusalNote,
  retryAtKey,
  retryDelayMs,
} from '../../domain/cases/jobs.ts'
import { KeyRefusedError } from '../../domain/ports/signing.ts'
import { ServiceError } from '../../domain/errors.ts'
import { BackendFault } from '../../workers/finalise/fault.ts'
import { runJob } from '../../workers/worker.ts'
import { CASE_KEY } from '../fixtures/signature-case.ts'
import { RecordingTracer } from '../fixtures/recording-tracer.ts'
import { workerDeps, WORK_START } from '../fixtures/worker.ts'

const PUBLISHED = JSON.stringify(CASE_KEY)

t.test('a job that fails marks its span', async (t) => {
  const tracer = new RecordingTracer()
  const deps = { ...(await workerDeps()), tracer }
  const fail = async () => {
    throw new Error('key is away')
  }
  await tracer.span('job', {}, () => runJob('finalise', CASE_KEY, deps, fail))
  await tracer.span('other job', {}, () => runJob('finalise', CASE_KEY, deps, async () => {}))
  t.match(tracer.spans, [{ isFailed: true }, { isFailed: false }])
})

t.test('a job that fails is noted, waits longer each time, and is asked for again', async (t) => {
  const deps = await workerDeps()
  const id = jobId('finalise', CASE_KEY)
  const fail = async () => {
    throw new Error('key is away')
  }
  await runJob('finalise', CASE_KEY, deps, fail)
  const start = Date.parse(WORK_START)
  t.equal(await deps.ephemeral.get(retryAtKey('finalise', id)), String(start + 1000))
  t.equal(deps.warnings.length, 1)
  t.same(deps.ephemeral.published, [])
  await deps.timers.moveTo(start + 999)
  t.same(deps.ephemeral.published, [])
  await deps.timers.moveTo(start + 1000)
  t.same(deps.ephemeral.published, [PUBLISHED])
  await runJob('finalise', CASE_KEY, deps, fail)
  t.equal(await deps.ephemeral.get(retryAtKey('finalise', id)), String(start + 3000))
})

t.test('a job that ends well starts over with the short delay', async (t) => {
  const deps = await workerDeps()
  const fail = async () => {
    throw new Error('key is away')
  }
  await runJob('finalise', CASE_KEY, deps, fail)
  await runJob('finalise', CASE_KEY, deps, async () => {})
  const id = jobId('finalise', CASE_KEY)
  t.equal(await deps.ephemeral.get(failureCountKey('finalise', id)), undefined)
})

t.test(
  'while the ephemeral store is unavailable, finished work does not count as failed',
  async (t) => {
    const deps = await workerDeps()
    const away = async () => {
      throw new Error('the store is away')
    }
    Object.assign(deps.ephemeral, { delete: away, increment: away, set: away })
    await runJob('finalise', CASE_KEY, deps, async () => {})
    t.same(deps.warnings, [])
    await runJob('finalise', CASE_KEY, deps, away)
    t.ok(deps.warnings.length > 0)
    await deps.timers.moveTo(Date.parse(WORK_START) + 1000)
    t.same(deps.ephemeral.published, [PUBLISHED], 'a failure is asked for again all the same')
  },
)

t.test('why a key is refused is noted with the failure, and nothing else is', async (t) => {
  const deps = await workerDeps()
  const id = jobId('finalise', CASE_KEY)
  const refused = new KeyRefusedError('SIGNING_KEY_DISABLED', 'the key is disabled')
  const canarySaidSo = new BackendFault({ code: refused.code, reason: refused.message })
  const run = (error: Error) => runJob('finalise', CASE_KEY, deps, () => Promise.reject(error))
  const note = async () => {
    const text = await deps.ephemeral.get(keyRefusalKey('finalise', id))
    return text === undefined ? undefined : readKeyRefusalNote(text)
  }
  for (const error of [refused, canarySaidSo]) {
    await run(error)
    t.match(await note(), { code: 'SIGNING_KEY_DISABLED', message: /the key is disabled/ })
  }
  await run(Object.assign(new Error('password=opensesame'), { code: 'ECONNRESET' }))
  t.equal(await note(), undefined)
  await run(refused)
  await runJob('finalise', CASE_KEY, deps, async () => {})
  t.equal(await note(), undefined)
})

t.test('a note that was not made by a worker is none', async (t) => {
  for (const text of ['', 'null', '[]', '{"code":"OTHER","message":"x"}']) {
    t.equal(readKeyRefusalNote(text), undefined)
  }
  t.equal(readKeyRefusalNote('{"code":"SIGNING_KEY_DENIED","message":1}'), undefined)
})

t.test('delays double from a second to a minute', async (t) => {
  t.same([1, 2, 3, 6, 7, 60].map(retryDelayMs), [1000, 2000, 4000, 32_000, 60_000, 60_000])
})

t.test('ids of jobs have the letters that every queue takes', async (t) => {
  const notification = jobId('notify', { ...CASE_KEY, eventId: 'e-1' })
  for (const id of [jobId('crl', {}), jobId('intake', CASE_KEY), notification]) {
    t.match(id, /^[A-Za-z0-9_-]+$/)
  }
})

t.test('jobs are measured by kind and result, and failures by their cause', async (t) => {
  const deps = await workerDeps()
  const fails = (error: Error) => async () => {
    throw error
  }
  await runJob('notify', { ...CASE_KEY, eventId: 'one' }, deps, async () => {})
  await runJob('finalise', CASE_KEY, deps, fails(new ServiceError('TIMEOUT')))
  await runJob('finalise', CASE_KEY, deps, fails(new KeyRefusedError('SIGNING_KEY_DENIED', 'no')))
  await runJob('finalise', CASE_KEY, deps, fails(new Error('about jan.novak@example.com')))
  t.same(deps.metrics.of('sigcase_job_duration_seconds'), {
    '{kind="notify",result="succeeded"}': 1,
    '{kind="finalise",result="failed"}': 3,
  })
  t.same(deps.metrics.of('sigcase_job_failures_total'), {
    '{kind="finalise",cause="TIMEOUT"}': 1,
    '{kind="finalise",cause="SIGNING_KEY_DENIED"}': 1,
    '{kind="finalise",cause="other"}': 1,
  })
})
