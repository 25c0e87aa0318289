import t from 'tap'
import type { CaseStatus } from '../../../domain/cases/status.ts'
import { decide } from '../../../controllers/signature-case/decide.ts'
import type { Observation } from '../../../controllers/signature-case/observation.ts'
import { participant, signature, type CaseOptions } from '../../fixtures/signature-case.ts'
import {
  NOW_MS,
  ACCEPTED,
  RESULT,
  UPLOAD,
  observe,
  phaseOf,
  kindsOf,
  typesOf,
  condition,
} from '../../fixtures/observation.ts'

t.test('a forged or altered signature is ignored, and a condition says so', async (t) => {
  const [first, second] = [participant(1), participant(2)]
  const good = signature(first, { fieldIds: ['f1'] })
  const signedAt = '2026-11-02T09:59:00.000Z'
  const altered = { ...signature(second, { fieldIds: ['f2'] }), signedAt }
  const plan = decide(observe({ phase: 'IN_PROGRESS', signatures: [good, altered] }))
  t.notOk(kindsOf(plan).includes('finalise'))
  t.match(condition(plan, 'SignatureIgnored'), { status: 'True', reason: 'signatureNotGenuine' })
  const message = '1 of 2 participants have signed'
  t.match(condition(plan, 'EveryoneSigned'), { status: 'False', message })
  t.equal(typesOf(plan).filter((type) => type === 'participant.signed').length, 1)
})

t.test('a signature on another document is reported', async (t) => {
  const one = participant(1)
  const signatures = [signature(one, { documentSha256: 'c'.repeat(64) })]
  const plan = decide(observe({ phase: 'IN_PROGRESS', participants: [one], signatures }))
  t.match(condition(plan, 'Invalid'), { status: 'True', reason: 'documentDigestDiffers' })
})

t.test('a spec that breaks its schema moves nothing and says why', async (t) => {
  const specFault = 'spec/definition/title: too long'
  const plan = decide(observe({}, { specFault, intake: ACCEPTED }))
  t.equal(phaseOf(plan, 'NEW'), 'NEW')
  t.match(condition(plan, 'Invalid'), { status: 'True', reason: 'specBreaksSchema' })
  t.same(plan.auditEvents, [])
  t.same(plan.jobs, [])
})

t.test('a condition keeps its time while its status stays', async (t) => {
  const first = decide(observe({ phase: 'IN_PROGRESS' }))
  const since = condition(first, 'EveryoneSigned')?.lastTransitionTime
  const one = observe({ phase: 'IN_PROGRESS', signed: 1 }, { nowMs: NOW_MS + 60_000 })
  one.signatureCase.status = first.replacement?.status as CaseStatus
  const second = decide(one)
  t.equal(condition(second, 'EveryoneSigned')?.message, '1 of 2 participants have signed')
  t.equal(second.replacement?.status?.signed, '1/2')
  t.equal(condition(second, 'Done')?.status, 'False')
  t.equal(condition(second, 'EveryoneSigned')?.lastTransitionTime, since)
  const all = observe({ phase: 'IN_PROGRESS', signed: 2 }, { nowMs: NOW_MS + 120_000 })
  all.signatureCase.status = second.replacement?.status as CaseStatus
  const third = decide(all)
  t.equal(
    condition(third, 'EveryoneSigned')?.lastTransitionTime,
    new Date(NOW_MS + 120_000).toISOString(),
  )
})

t.test('the reason of Done and Ended says what the case waits for, or how it ended', async (t) => {
  const reasonsOf = (...given: Parameters<typeof observe>) => {
    const plan = decide(observe(...given))
    return [condition(plan, 'Done')?.reason, condition(plan, 'Ended')?.reason]
  }
  const twice = (reason: string) => [reason, reason]
  t.same(reasonsOf({ phase: 'NEW' }), twice('AwaitingDocument'))
  t.same(reasonsOf({ phase: 'IN_PROGRESS', signed: 1 }), twice('AwaitingSignatures'))
  t.same(reasonsOf({ phase: 'IN_PROGRESS', signed: 2 }), twice('Finalising'))
  t.same(reasonsOf({ phase: 'DONE', signed: 2 }), twice('Completed'))
  t.same(reasonsOf({ phase: 'FAILED', signed: 2 }), twice('Failed'))
  const waiting = (phase: 'NEW' | 'IN_PROGRESS', signed: number) =>
    condition(decide(observe({ phase, signed })), 'Ended')?.message
  t.equal(waiting('NEW', 0), 'the case waits for its document')
  t.equal(waiting('IN_PROGRESS', 1), 'the case waits for signatures')
  t.equal(waiting('IN_PROGRESS', 2), 'the case waits for its signed PDF')
})

t.test('the status names the generation that it was made from', async (t) => {
  const one = observe({ phase: 'IN_PROGRESS' })
  one.signatureCase.metadata.generation = 5
  t.equal(decide(one).replacement?.status?.observedGeneration, 5)
})

t.test('a job that fails repeatedly shows while it is pending', async (t) => {
  const delayed = (options: CaseOptions, seen: Partial<Observation> = {}) =>
    condition(decide(observe(options, { failing: 'finalise', ...seen })), 'Delayed')
  const everyone: CaseOptions = { phase: 'IN_PROGRESS', signed: 2 }
  t.match(delayed(everyone), {
    status: 'True',
    reason: 'JobFailing',
    message: /job finalise fails/,
  })
  t.equal(delayed(everyone, { result: RESULT }), undefined, 'it ended meanwhile')
  t.equal(delayed({ phase: 'IN_PROGRESS', signed: 1 }), undefined, 'it is not pending')
  t.match(delayed({}, { upload: UPLOAD, failing: 'intake' }), { message: /job intake fails/ })
})

t.test(
  'a signing key that is refused is reported with the remedy, and reported anew',
  async (t) => {
    const everyone: CaseOptions = { phase: 'IN_PROGRESS', signed: 2 }
    const denied = { code: 'SIGNING_KEY_DENIED', message: 'the account needs rights' } as const
    const seen = { failing: 'finalise', keyRefusal: denied } as const
    const first = decide(observe(everyone, seen))
    t.match(condition(first, 'Delayed'), {
      status: 'True',
      reason: 'SigningKeyDenied',
      message: 'the account needs rights; the service retries every minute',
    })
    t.match(first.kubernetesEvents, [
      { type: 'Warning', reason: 'Delayed', message: /needs rights/ },
    ])
    const status = first.replacement?.status as CaseStatus
    const again = (more: Partial<Observation>) => {
      const observation = observe(everyone, more)
      return decide({ ...observation, signatureCase: { ...observation.signatureCase, status } })
    }
    t.equal(again(seen).replacement, undefined, 'reported once')
    const disabled = { code: 'SIGNING_KEY_DISABLED', message: 'it is disabled' } as const
    const other = again({ ...seen, keyRefusal: disabled })
    t.match(other.kubernetesEvents, [{ reason: 'Delayed', message: /it is disabled/ }])
    const well = again({})
    t.equal(condition(well, 'Delayed'), undefined)
    t.same(well.kubernetesEvents, [])
  },
)
