/** The queue of one process keeps the contract of its port, and the jobs of tenants take turns. */
import t from 'tap'
import { InProcessJobQueue } from '../../../adapters/embedded/job-queue.ts'
import { systemTimers } from '../../../adapters/shared/system-timers.ts'
import { jobQueueContract } from '../../contract/small-ports.ts'
import { FrozenTimers, settle } from '../../fixtures/frozen-timers.ts'

jobQueueContract('InProcessJobQueue', async () => new InProcessJobQueue(systemTimers, () => {}))

t.test('a tenant with many jobs does not delay the job of another', async (t) => {
  const timers = new FrozenTimers('2026-11-02T08:00:00.000Z')
  const startMs = timers.nowMs()
  const queue = new InProcessJobQueue(timers, () => {})
  const add = (tenant: string, caseId: string) =>
    queue.add('finalise', `${tenant}_${caseId}`, { tenant, caseId })
  for (let number = 0; number < 1_000; number++) await add('large', String(number))
  await timers.moveTo(startMs + 1_000)
  await add('small', '0')
  await add('small', '1')
  const started: string[] = []
  queue.work('finalise', 1, async ({ tenant, caseId }) => {
    started.push(`${tenant} ${caseId}`)
    if (started.length === 5) queue.pause('finalise')
  })
  await settle()
  t.same(started, ['large 0', 'small 0', 'large 1', 'small 1', 'large 2'])
  t.equal((await queue.count('finalise')).waiting, 997)
  t.equal(await queue.oldestWaitingMs('finalise'), startMs)
  await queue.close()
})

t.test('jobs that belong to no tenant have a turn, too', async (t) => {
  const queue = new InProcessJobQueue(systemTimers, () => {})
  t.equal(await queue.oldestWaitingMs('crl'), undefined)
  await queue.add('crl', 'one', {})
  await queue.add('crl', 'two', {})
  const ran = Promise.withResolvers<void>()
  let runs = 0
  queue.work('crl', 1, async () => {
    if (++runs === 2) ran.resolve()
  })
  await ran.promise
  await queue.close()
  t.equal(runs, 2)
})
