/** Two workers on one Redis: one of them loses its keys, and the other goes on signing. */
import t from 'tap'
import { BullJobQueue } from '../../adapters/bullmq/job-queue.ts'
import { connectRedis } from '../../adapters/redis/connect.ts'
import { systemTimers } from '../../adapters/system-timers.ts'
import { canaryState } from '../../application/cases/signing-availability.ts'
import { buildWorker } from '../../workers/worker.ts'
import { RedisServer, withoutRedis } from '../fixtures/redis-server.ts'
import { until } from '../fixtures/until.ts'
import { signingDevice, workerDeps } from '../fixtures/worker.ts'

const JOBS = 60
const nothing = () => undefined
const isTrue = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  )

t.test('a worker without keys leaves signing to the others', { skip: withoutRedis }, async (t) => {
  const server = await RedisServer.start()
  t.teardown(() => server.close())
  const shared = await workerDeps()
  let isBroken = false
  const failed: Record<string, number> = { sick: 0, sound: 0 }
  const signed: Record<string, number> = { sick: 0, sound: 0 }
  const start = (id: 'sick' | 'sound') => {
    const jobs = new BullJobQueue({
      client: connectRedis(server.url, nothing),
      prefix: 'sigcase',
      onFailed: nothing,
      onError: nothing,
    })
    const sign: typeof signingDevice.sign = async (key, data) => {
      if (id === 'sick' && isBroken) throw new Error('the key service is out of reach')
      if (key === 'issuing-ca') signed[id] = (signed[id] ?? 0) + 1
      return signingDevice.sign(key, data)
    }
    const log = {
      info: nothing,
      warn: (_details: object, message: string) => {
        if (message === 'job failed') failed[id] = (failed[id] ?? 0) + 1
      },
    }
    const device = { ...signingDevice, sign }
    const deps = { ...shared, timers: systemTimers, jobs, log, signingDevice: device }
    const worker = buildWorker(deps, { first: [], id })
    worker.start()
    t.teardown(() => {
      worker.stop()
      return jobs.close()
    })
    return { jobs, worker }
  }
  const sick = start('sick')
  const sound = start('sound')
  await until(() => !sick.worker.signing.fault() && !sound.worker.signing.fault())
  const add = async (from: number) => {
    for (let index = from; index < from + JOBS; index++) {
      await until(() => isTrue(sound.jobs.add('crl', `crl-${index}`, {})))
    }
  }
  const areDone = async () => {
    const { waiting, running } = await sound.jobs.count('crl')
    return waiting + running === 0
  }
  await add(0)
  await until(areDone)
  t.ok(signed.sick && signed.sound, 'both sign')
  isBroken = true
  const before = { ...signed }
  await add(JOBS)
  await until(areDone)
  t.ok((failed.sick ?? 0) <= 2, `${failed.sick} of ${JOBS} jobs failed before the worker knew it`)
  t.equal(failed.sound, 0)
  t.equal((signed.sound ?? 0) - (before.sound ?? 0) + (failed.sick ?? 0), JOBS)
  await until(() => sick.worker.signing.fault() !== undefined)
  t.equal(sick.worker.signing.fault(), 'the last canary failed')
  t.equal(sound.worker.signing.fault(), undefined)
  t.equal((await canaryState(shared)).outcome, 'passed', 'the service signs')
  t.ok(sick.jobs.isConsumed(), 'it takes other jobs')
})
