/** A load test of a few seconds against the real service on one machine. */
import t from 'tap'
import { readDocuments } from '../../bench/load/documents.ts'
import { findFaults } from '../../bench/load/report.ts'
import { runLoad } from '../../bench/load/run.ts'
import { startOneProcess } from '../../bench/load/services.ts'

t.setTimeout(600_000)

t.test('every case ends as DONE, and each webhook comes once', async (t) => {
  const service = await startOneProcess()
  t.teardown(() => service.end())
  const options = { rate: 2, durationMs: 1_500, participants: 2, patienceMs: 300_000 }
  const documents = readDocuments().slice(0, 1)
  const run = await runLoad(options, documents, service, () => undefined)
  t.same(findFaults(run), [])
  t.same(run.faults, {})
  t.ok(run.counts.started >= 2)
  t.equal(run.counts.done, run.counts.started)
  for (const stage of ['create', 'accepted', 'done'] as const) {
    t.equal(run.samples.quantiles(stage).count, run.counts.done, stage)
  }
  for (const stage of ['sign', 'webhook'] as const) {
    t.ok(run.samples.quantiles(stage).count > run.counts.done, stage)
  }
  const { service: own = 0, sandboxes = 0 } = run.cpuSeconds
  t.ok(own > 0 && sandboxes > 0, 'the CPU time of the sandbox has a row of its own')
  t.ok(run.readings.some(({ memoryMb }) => (memoryMb.service ?? 0) > 20))
})
