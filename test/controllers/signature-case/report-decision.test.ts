/** What the log and the metrics say about the decisions of the controller. */
import t from 'tap'
import type { Plan } from '../../../controllers/signature-case/decide.ts'
import { reconcile } from '../../../controllers/signature-case/reconcile.ts'
import { reportDecision } from '../../../controllers/signature-case/report-decision.ts'
import { controllerDeps } from '../../fixtures/controller.ts'
import { RecordingMetrics } from '../../fixtures/recording-metrics.ts'
import { CASE_KEY, signatureCase } from '../../fixtures/signature-case.ts'

const DURATION = 'sigcase_case_phase_duration_seconds'

function report(replacement: Plan['replacement'], before = signatureCase(), ageMs = 90_000) {
  const metrics = new RecordingMetrics()
  const lines: object[] = []
  const plan: Plan = {
    key: CASE_KEY,
    adoptsSecrets: false,
    kubernetesEvents: [],
    isNamespaceEnding: false,
    isReleased: false,
    isOver: false,
    auditEvents: [],
    jobs: [{ kind: 'finalise', id: 'an-id', payload: CASE_KEY }],
    ...(replacement && { replacement }),
  }
  const startMs = Date.parse(
    before.status?.document?.acceptedAt ?? before.metadata.creationTimestamp ?? '',
  )
  reportDecision(plan, before, {
    log: { info: (details, message) => void lines.push({ ...details, message }) },
    metrics,
    now: () => new Date(startMs + ageMs),
  })
  return { lines, observed: metrics.observed }
}

t.test('a decision is one line, with the phase before and after', async (t) => {
  const { lines } = report(signatureCase({ phase: 'IN_PROGRESS' }))
  const ids = { tenant: CASE_KEY.tenant, caseId: CASE_KEY.caseId }
  const kinds = { events: [], jobs: ['finalise'] }
  const phases = { phase: 'IN_PROGRESS', previousPhase: 'NEW' }
  t.same(lines, [{ ...ids, ...phases, ...kinds, message: 'case decided' }])
  const { lines: others } = report(undefined)
  t.same(others, [{ ...ids, phase: 'NEW', ...kinds, message: 'case decided' }])
})

t.test('the time in a phase is measured when the case leaves the phase', async (t) => {
  const open = signatureCase({ phase: 'IN_PROGRESS' })
  t.same([...report(open).observed], [[`${DURATION}{phase="NEW"}`, [90]]])
  const ended = report(signatureCase({ phase: 'DONE' }), open, 3_600_000)
  t.same([...ended.observed], [[`${DURATION}{phase="IN_PROGRESS"}`, [3_600]]])
  t.same([...report(open, open).observed], [], 'not while the case stays in its phase')
  t.same([...report(open, signatureCase(), -5_000).observed.values()], [[0]], 'never negative')
})

t.test('a run of the controller that changes nothing writes no line', async (t) => {
  const deps = controllerDeps('2026-11-02T08:00:10.000Z')
  deps.cases.seed(signatureCase())
  for (let run = 0; run < 5; run++) await reconcile(CASE_KEY, deps)
  const { length } = deps.lines
  t.ok(length > 0)
  for (let run = 0; run < 5; run++) await reconcile(CASE_KEY, deps)
  t.equal(deps.lines.length, length)
})

t.test('the line of a decision has no value of the case', async (t) => {
  const deps = controllerDeps('2026-11-02T08:00:10.000Z')
  const made = signatureCase()
  deps.cases.seed(made)
  for (let run = 0; run < 5; run++) await reconcile(CASE_KEY, deps)
  const text = JSON.stringify(deps.lines)
  t.match(text, 'case decided')
  for (const { lastName, email } of made.spec.definition.participants) {
    t.notMatch(text, lastName)
    t.notMatch(text, email)
  }
  t.notMatch(text, made.spec.definition.title)
})
