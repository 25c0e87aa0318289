import t from 'tap'
import { CANARY_KEY } from '../../domain/cases/keys.ts'
import type { CanaryResult } from '../../domain/cases/results.ts'
import { SandboxBusyError } from '../../domain/ports/pdf-sandbox.ts'
import { KeyRefusedError } from '../../domain/ports/signing.ts'
import { runCanary } from '../../workers/canary.ts'
import { signingDevice, workerDeps, WORK_START } from '../fixtures/worker.ts'

t.test('a backend that seals and stamps well passes', async (t) => {
  const deps = await workerDeps()
  await runCanary(deps, 'worker')
  const passed = { outcome: 'passed', at: WORK_START }
  t.same(deps.objects.json(CANARY_KEY), { ...passed, workers: { worker: passed } })
})

t.test(
  'a key or an authority that is unavailable, and a key that signs wrongly, fail it',
  async (t) => {
    const away = async () => {
      throw new Error('out of reach')
    }
    const wrongly = () => signingDevice.sign('seal', Uint8Array.of(1))
    for (const broken of [
      { signingDevice: { ...signingDevice, sign: away } },
      { signingDevice: { ...signingDevice, sign: wrongly } },
      { signingDevice: { ...signingDevice, describe: away } },
      { timeStamps: { stamp: away, trustAnchors: async () => [] } },
    ]) {
      const deps = { ...(await workerDeps()), ...broken }
      await runCanary(deps, 'worker')
      const result = deps.objects.json<CanaryResult>(CANARY_KEY)
      t.match(result, { outcome: 'failed', at: WORK_START })
      t.ok(result?.reason)
    }
  },
)

t.test('a sandbox that reads no document fails it; a slow one does not', async (t) => {
  const { sandbox } = await workerDeps()
  const outcomeWith = async (inspect: typeof sandbox.inspect) => {
    const deps = await workerDeps()
    const broken = { ...deps, sandbox: Object.assign(Object.create(sandbox), { inspect }) }
    await runCanary(broken, 'worker')
    return deps.objects.json<CanaryResult>(CANARY_KEY)
  }
  const away = await outcomeWith(() => Promise.reject(new Error('no such program')))
  t.match(away, { outcome: 'failed', reason: 'Error: no such program' })
  const refused = await outcomeWith(async () => ({
    outcome: 'rejected',
    code: 'NOT_A_PDF',
    reason: 'not a PDF',
  }))
  t.match(refused, { outcome: 'failed', reason: /refused the canary: not a PDF/ })
  const slow = await outcomeWith(() => Promise.reject(new SandboxBusyError(1)))
  t.match(slow, { outcome: 'passed' })
})

t.test('a key that is refused is reported with its code', async (t) => {
  const message = 'the account needs rights on the key'
  const sign = () => Promise.reject(new KeyRefusedError('SIGNING_KEY_DENIED', message))
  const deps = { ...(await workerDeps()), signingDevice: { ...signingDevice, sign } }
  await runCanary(deps, 'worker')
  const { code, reason } = deps.objects.json<CanaryResult>(CANARY_KEY) ?? {}
  t.equal(code, 'SIGNING_KEY_DENIED')
  t.match(reason, message)
})

t.test('a later result replaces an earlier one', async (t) => {
  const deps = await workerDeps()
  await runCanary(deps, 'worker')
  await deps.timers.moveTo(Date.parse(WORK_START) + 60_000)
  await runCanary(deps, 'worker')
  t.match(deps.objects.json(CANARY_KEY), { at: '2026-11-02T09:01:05.000Z' })
})

t.test('results of workers that write at the same time are all kept', async (t) => {
  const deps = await workerDeps()
  const ids = ['a', 'b', 'c', 'd']
  await Promise.all(ids.map((id) => runCanary(deps, id)))
  const { workers = {} } = deps.objects.json<CanaryResult>(CANARY_KEY) ?? {}
  t.same(Object.keys(workers).sort(), ids)
})

t.test('an object that is not ours is replaced', async (t) => {
  const deps = await workerDeps()
  deps.objects.upload(CANARY_KEY, new TextEncoder().encode('{'), 'application/json')
  await runCanary(deps, 'worker')
  t.match(deps.objects.json(CANARY_KEY), { outcome: 'passed' })
})

t.test('a worker keeps its own result while the store is unavailable', async (t) => {
  const deps = await workerDeps()
  const { objects } = deps
  const swap = objects.compareAndSwap.bind(objects)
  objects.compareAndSwap = async (key, ...more) => {
    if (key === CANARY_KEY) throw new Error('the store is away')
    return swap(key, ...more)
  }
  const run = await runCanary(deps, 'worker')
  t.match(run, { own: { outcome: 'passed' } })
  t.equal(run.canAnotherSign, undefined)
  t.equal(deps.warnings.length, 1)
})
