/** Which runs of the controller are spans, and to which trace they belong. */
import t from 'tap'
import { reconcile } from '../../../controllers/signature-case/reconcile.ts'
import { controllerDeps } from '../../fixtures/controller.ts'
import { RecordingTracer } from '../../fixtures/recording-tracer.ts'
import { CASE_KEY, signatureCase } from '../../fixtures/signature-case.ts'

/** Ten seconds after the creation of the case, when the controller appends its first entry. */
const NOW = '2026-11-02T08:00:10.000Z'
const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

function world(annotations?: Record<string, string>) {
  const tracer = new RecordingTracer()
  const deps = { ...controllerDeps(NOW), tracer }
  const made = signatureCase({ phase: 'NEW' })
  deps.cases.seed({ ...made, metadata: { ...made.metadata, ...(annotations && { annotations }) } })
  return { tracer, deps }
}

t.test('a run that changes something is a span in the trace of the case', async (t) => {
  const { tracer, deps } = world({ 'sigcase.dev/traceparent': PARENT })
  await reconcile(CASE_KEY, deps)
  t.match(tracer.spans[0], {
    name: 'reconcile',
    parent: PARENT,
    attributes: { 'sigcase.tenant': CASE_KEY.tenant, 'sigcase.case_id': CASE_KEY.caseId },
  })
})

t.test('a case without a trace starts one', async (t) => {
  const { tracer, deps } = world()
  await reconcile(CASE_KEY, deps)
  t.match(tracer.spans[0], { name: 'reconcile', parent: undefined })
})

t.test('a run that changes nothing is not a span', async (t) => {
  const { tracer, deps } = world({ 'sigcase.dev/traceparent': PARENT })
  for (let run = 0; run < 5; run++) await reconcile(CASE_KEY, deps)
  const { length } = tracer.spans
  for (let run = 0; run < 5; run++) await reconcile(CASE_KEY, deps)
  t.ok(length > 0)
  t.equal(tracer.spans.length, length)
})

t.test('a run that fails marks its span', async (t) => {
  const { tracer, deps } = world()
  const broken = new Error('broken')
  deps.trail.append = () => Promise.reject(broken)
  await t.rejects(reconcile(CASE_KEY, deps), broken)
  t.match(tracer.spans, [{ name: 'reconcile', isFailed: true }])
})
