import t from 'tap'
import { decide } from '../../../controllers/signature-case/decide.ts'
import { onlySettles, PROGRESS_DELAY_MS } from '../../../controllers/signature-case/held-status.ts'
import type { Observation } from '../../../controllers/signature-case/observation.ts'
import {
  ACCEPTED,
  CANCELLATION,
  FAILURE,
  observe,
  RESULT,
  typesOf,
} from '../../fixtures/observation.ts'
import { condition, settledCase } from '../../fixtures/settled-case.ts'
import { signatureCase, SIGNED_AT, type CaseOptions } from '../../fixtures/signature-case.ts'

const CREATED_MS = Date.parse(signatureCase().spec.creation.at)
const SIGNED_MS = Date.parse(SIGNED_AT)

/** The plan for a case right after its newest progress. */
const soon = (options: CaseOptions, seen: Partial<Observation> = {}) =>
  decide(observe(options, { nowMs: (options.signed ? SIGNED_MS : CREATED_MS) + 1, ...seen }))

t.test('a status that only reports progress is held back, and its work is not', async (t) => {
  const created = soon({})
  t.equal(created.replacement, undefined)
  t.same(created.kubernetesEvents, [])
  t.notOk(created.adoptsSecrets)
  const signed = soon({ phase: 'IN_PROGRESS', signed: 2 })
  t.equal(signed.replacement, undefined)
  t.match(signed.jobs, [{ kind: 'finalise' }])
  t.equal(signed.wakeAtMs, SIGNED_MS + PROGRESS_DELAY_MS)
})

t.test('a status that was held back is written after a moment', async (t) => {
  const created = soon({}, { nowMs: CREATED_MS + PROGRESS_DELAY_MS })
  t.match(created.replacement?.status, { phase: 'NEW', signed: '0/2' })
  t.notOk(created.adoptsSecrets, 'it cannot have any')
  const nowMs = CREATED_MS + PROGRESS_DELAY_MS
  t.ok(soon({ definition: { pinRequired: true } }, { nowMs }).adoptsSecrets)
  const signed = soon({ phase: 'IN_PROGRESS', signed: 1 }, { nowMs: SIGNED_MS + PROGRESS_DELAY_MS })
  t.match(signed.replacement?.status, { phase: 'IN_PROGRESS', signed: '1/2' })
})

t.test(
  'entries wait for those of the upload, the next signature or the signed document',
  async (t) => {
    const created = soon({})
    t.same(typesOf(created), [])
    t.equal(created.wakeAtMs, CREATED_MS + PROGRESS_DELAY_MS)
    const accepted = soon({}, { intake: ACCEPTED })
    t.match(typesOf(accepted), ['case.created', 'participant.created', 'participant.created'])
    t.equal(typesOf(accepted).at(-1), 'document.uploaded')
    t.same(typesOf(soon({ phase: 'IN_PROGRESS', signed: 2 })), [])
    const signed = soon({ phase: 'IN_PROGRESS', signed: 1 })
    t.same(typesOf(signed), [])
    t.equal(signed.wakeAtMs, SIGNED_MS + PROGRESS_DELAY_MS)
  },
)

t.test('entries of older signatures, ends and failing cases are appended at once', async (t) => {
  const open: CaseOptions = { phase: 'IN_PROGRESS', signed: 2 }
  const older = { nowMs: SIGNED_MS + PROGRESS_DELAY_MS }
  t.ok(typesOf(soon({ ...open, signed: 1 }, older)).includes('participant.signed'))
  t.ok(typesOf(soon({ ...open, cancellation: CANCELLATION })).includes('case.cancelled'))
  t.ok(typesOf(soon(open, { result: RESULT })).includes('participant.signed'))
  t.ok(typesOf(soon(open, { failing: 'finalise' })).includes('participant.signed'))
  const late = soon(open, { nowMs: SIGNED_MS + PROGRESS_DELAY_MS })
  t.ok(typesOf(late).includes('participant.signed'), 'a job that was lost delays no entry for long')
  t.ok(typesOf(soon({}, { nowMs: CREATED_MS + PROGRESS_DELAY_MS })).includes('case.created'))
})

t.test('a new phase, a fault and an order of the tenant are written at once', async (t) => {
  const open: CaseOptions = { phase: 'IN_PROGRESS', signed: 2 }
  t.equal(soon(open, { result: RESULT }).replacement?.status?.phase, 'DONE')
  t.equal(soon(open, { failure: FAILURE }).replacement?.status?.phase, 'FAILED')
  t.equal(soon({ ...open, cancellation: CANCELLATION }).replacement?.status?.phase, 'CANCELLED')
  const failing = soon(open, { failing: 'finalise' })
  t.match(failing.kubernetesEvents, [{ reason: 'Delayed' }])
  t.ok(soon({}, { specFault: 'no' }).replacement)
  const failedBefore = { observedGeneration: 0, phase: 'NEW' } as const
  t.ok(soon({ status: failedBefore }).replacement, 'the controller has reported a failure')
})

t.test('an applied case is accepted at once', async (t) => {
  const { spec, ...rest } = signatureCase()
  const { ip: _, ...creation } = spec.creation
  const applied = { ...rest, spec: { ...spec, creation } }
  t.ok(soon({}, { signatureCase: applied }).replacement)
})

t.test('a time in the future holds nothing back', async (t) => {
  const plan = decide(observe({ phase: 'IN_PROGRESS', signed: 1 }, { nowMs: SIGNED_MS - 1 }))
  t.ok(plan.replacement)
})

t.test(
  'a status may reach the disk later only when all it adds is that a case is settled',
  async (t) => {
    const settled = settledCase().status!
    const conditions = [condition('Done'), condition('Ended'), condition('Settled', 'False')]
    const ended = { ...settled, conditions }
    t.ok(onlySettles(ended, settled))
    t.notOk(onlySettles(settled, ended), 'there is work again')
    t.notOk(onlySettles({ ...ended, phase: 'IN_PROGRESS' }, settled), 'it ends as well')
    t.notOk(onlySettles({ ...ended, conditions: conditions.slice(1) }, settled))
    t.notOk(onlySettles(undefined, settled))
  },
)
