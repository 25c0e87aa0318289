/** A load test does not wait for answers, and finds what a service loses or does twice. */
import t from 'tap'
import { findFaults, formatFiles, formatText } from '../../../bench/load/report.ts'
import { runLoad } from '../../../bench/load/run.ts'
import { startScripted } from './scripted-service.ts'

const DOCUMENTS = [{ name: 'one.pdf', pdf: new Uint8Array(8) }]
const OPTIONS = { rate: 50, durationMs: 200, participants: 2, patienceMs: 60_000 }
/** Tests in which something never comes take as long; what comes needs less on a slow machine. */
const PATIENCE_MS = 4_000
const silent = () => undefined

t.test('cases start at their times although no earlier one is answered', async (t) => {
  const held: (() => void)[] = []
  // The first case is the one of the warm-up; the others wait for each other.
  const service = await startScripted(t, {
    beforeCreate: (count) =>
      new Promise((resolve) => {
        if (count === 1) return resolve()
        held.push(resolve)
        if (held.length >= 5) for (const release of held) release()
      }),
  })
  const run = await runLoad(OPTIONS, DOCUMENTS, service, silent)
  t.ok(run.counts.started >= 5)
  t.equal(run.counts.done, run.counts.started)
  t.equal(run.counts.webhooksReceived, 3 * run.counts.done)
  t.same(findFaults(run), [])
  const { maximum } = run.samples.quantiles('create')
  const { fromMs } = run.samples.overTime('create', 1).at(-1)!
  t.ok(maximum > 0 && fromMs < OPTIONS.durationMs, 'latencies count from the intended start')
})

t.test('cases that stay as they are, and repeated webhooks, are faults', async (t) => {
  const service = await startScripted(t, { isStuck: (count) => count === 3, deliveries: 2 })
  const run = await runLoad({ ...OPTIONS, patienceMs: PATIENCE_MS }, DOCUMENTS, service, silent)
  t.equal(run.counts.lost, 1)
  t.equal(run.counts.webhooksRepeated, run.counts.webhooksReceived + 3, 'also those of the warm-up')
  t.match(findFaults(run).join(), /1 cases were lost,\d+ webhooks came twice/)
  t.match(run.faults, { 'lost: stays NEW': 1 })
  t.match(formatText(run), /1 × lost: stays NEW/)
})

t.test('cases that are not created are refused, and not lost', async (t) => {
  const service = await startScripted(t, { isRefused: (count) => count > 1 })
  const run = await runLoad(OPTIONS, DOCUMENTS, service, silent)
  t.match(run.counts, { done: 0, lost: 0, refused: run.counts.started, webhooksExpected: 0 })
  t.same(findFaults(run), [`${run.counts.started} cases were refused`])
})

t.test('webhooks that do not come are faults', async (t) => {
  const service = await startScripted(t, { deliveries: 0 })
  const run = await runLoad({ ...OPTIONS, patienceMs: PATIENCE_MS }, DOCUMENTS, service, silent)
  t.same(findFaults(run), [`${3 * run.counts.done} webhooks are missing`])
})

t.test('the page of a run requests nothing, and has no markup of others', async (t) => {
  const service = await startScripted(t)
  const run = await runLoad(OPTIONS, DOCUMENTS, service, silent)
  const files = formatFiles({ ...run, about: { name: '<script>' } })
  const html = files['load.html']
  t.notMatch(html, /<script|(?:src|href)=|url\(|@import/)
  t.match(html, /&lt;script&gt;/)
  t.ok(html.includes(files['load.svg'].trim()))
  t.match(JSON.parse(files['load.json']), {
    counts: { lost: 0 },
    latencies: { done: { count: run.counts.done } },
    failed: [],
  })
})
