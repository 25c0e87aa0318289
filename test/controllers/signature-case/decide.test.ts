import t from 'tap'
import { acceptedSignatures } from '../../../domain/cases/facts.ts'
import { CASE_EVENTS, hasEnded, TRANSITIONS } from '../../../domain/cases/lifecycle.ts'
import { eventId } from '../../../domain/cases/owed.ts'
import type { FinaliseResult, IntakeResult } from '../../../domain/cases/results.ts'
import { PHASES, type CaseStatus, type Phase } from '../../../domain/cases/status.ts'
import { EXPIRY_GRACE_MS } from '../../../domain/limits.ts'
import { isSettled } from '../../../controllers/signature-case/conditions.ts'
import { decide, type Plan } from '../../../controllers/signature-case/decide.ts'
import type { Observation } from '../../../controllers/signature-case/gather.ts'
import { UPLOAD_POLL_MS } from '../../../controllers/signature-case/work.ts'
import {
  ACCEPTED_AT,
  CASE_ID,
  CASE_KEY,
  DOCUMENT_SHA256,
  keyring,
  participant,
  signature,
  signatureCase,
  SIGNED_AT,
  VALID_UNTIL,
  type CaseOptions,
} from '../../fixtures/signature-case.ts'

const NOW_MS = Date.parse('2026-11-02T10:00:00.000Z')
const AFTER_MS = Date.parse(VALID_UNTIL) + EXPIRY_GRACE_MS
const CANCELLATION = { at: '2026-11-02T09:30:00.000Z', reason: 'mistake' }

const ACCEPTED: IntakeResult = {
  outcome: 'accepted',
  sha256: DOCUMENT_SHA256,
  size: 4096,
  pages: [
    { width: 595, height: 842 },
    { width: 595, height: 842 },
  ],
  carriesSignatures: false,
  decidedAt: ACCEPTED_AT,
}
const REJECTED: IntakeResult = {
  outcome: 'rejected',
  reason: 'The file is not a PDF',
  size: 2000,
  decidedAt: ACCEPTED_AT,
}
const RESULT: FinaliseResult = {
  signedDocument: { sha256: 'a'.repeat(64), size: 9000, level: 'PAdES-BASELINE-LTA' },
  evidenceDocument: { sha256: 'b'.repeat(64), size: 7000, level: 'PAdES-BASELINE-LTA' },
  completedAt: '2026-11-02T09:01:00.000Z',
}
const FAILURE = { reason: 'no', failedAt: '2026-11-02T09:02:00.000Z' }
const UPLOAD = {
  key: 'upload',
  size: 4096,
  contentType: 'application/pdf',
  generation: '1',
  updatedAt: new Date(NOW_MS),
}

function observe(options: CaseOptions, seen: Partial<Observation> = {}): Observation {
  const value = signatureCase(options)
  return {
    key: CASE_KEY,
    nowMs: NOW_MS,
    signatureCase: value,
    accepted: acceptedSignatures(keyring, value),
    devices: [],
    receipts: new Map(),
    recorded: new Set(),
    ...seen,
  }
}

const phaseOf = (plan: Plan, before: Phase) => plan.replacement?.status?.phase ?? before
const kindsOf = (plan: Plan) => plan.jobs.map(({ kind }) => kind)
const typesOf = (plan: Plan) => plan.auditEvents.map(({ type }) => type)
const condition = (plan: Plan, type: string) =>
  plan.replacement?.status?.conditions.find((one) => one.type === type)

interface Row {
  name: string
  options: CaseOptions
  seen?: Partial<Observation>
  phase: Phase
  jobs: string[]
  events: string[]
}

const CREATED = ['case.created', 'participant.created', 'participant.created']
const UPLOADED = [...CREATED, 'document.uploaded']
const SIGNED = ['participant.consented', 'participant.signed']

const ROWS: readonly Row[] = [
  {
    name: 'a new case is recorded and waits for its upload',
    options: {},
    phase: 'NEW',
    jobs: [],
    events: CREATED,
  },
  {
    name: 'an upload without a verdict is taken in',
    options: {},
    seen: { upload: UPLOAD },
    phase: 'NEW',
    jobs: ['intake'],
    events: CREATED,
  },
  {
    name: 'an accepted upload starts the case and invites everybody',
    options: {},
    seen: { intake: ACCEPTED },
    phase: 'IN_PROGRESS',
    jobs: ['notify', 'notify'],
    events: UPLOADED,
  },
  {
    name: 'with quickSign nobody is invited',
    options: { definition: { quickSign: true } },
    seen: { intake: ACCEPTED },
    phase: 'IN_PROGRESS',
    jobs: [],
    events: UPLOADED,
  },
  {
    name: 'a rejected upload ends the case',
    options: {},
    seen: { intake: REJECTED },
    phase: 'UPLOAD_REJECTED',
    jobs: ['trail-seal'],
    events: [...CREATED, 'document.rejected'],
  },
  {
    name: 'one of two signatures leaves the other to be invited',
    options: { phase: 'IN_PROGRESS', signed: 1 },
    phase: 'IN_PROGRESS',
    jobs: ['notify'],
    events: [...UPLOADED, ...SIGNED],
  },
  {
    name: 'the last signature starts finalising',
    options: { phase: 'IN_PROGRESS', signed: 2 },
    phase: 'IN_PROGRESS',
    jobs: ['finalise'],
    events: [...UPLOADED, ...SIGNED, ...SIGNED],
  },
  {
    name: 'a result completes the case',
    options: { phase: 'IN_PROGRESS', signed: 2 },
    seen: { result: RESULT },
    phase: 'DONE',
    jobs: ['notify', 'notify', 'trail-seal'],
    events: [...UPLOADED, ...SIGNED, ...SIGNED, 'case.completed'],
  },
  {
    name: 'a failure ends the case',
    options: { phase: 'IN_PROGRESS', signed: 2 },
    seen: { failure: FAILURE },
    phase: 'FAILED',
    jobs: ['notify', 'notify', 'trail-seal'],
    events: [...UPLOADED, ...SIGNED, ...SIGNED, 'case.failed'],
  },
  {
    name: 'a result without every signature counts for nothing',
    options: { phase: 'IN_PROGRESS', signed: 1 },
    seen: { result: RESULT },
    phase: 'IN_PROGRESS',
    jobs: ['notify'],
    events: [...UPLOADED, ...SIGNED],
  },
  {
    name: 'a cancellation goes before a result',
    options: { phase: 'IN_PROGRESS', signed: 2, cancellation: CANCELLATION },
    seen: { result: RESULT },
    phase: 'CANCELLED',
    jobs: ['trail-seal'],
    events: [...UPLOADED, ...SIGNED, ...SIGNED, 'case.cancelled'],
  },
  {
    name: 'a cancellation of a new case goes before an upload that was accepted later',
    options: { cancellation: CANCELLATION },
    seen: { intake: { ...ACCEPTED, decidedAt: '2026-11-02T09:30:00.001Z' } },
    phase: 'CANCELLED',
    jobs: ['trail-seal'],
    events: [...CREATED, 'case.cancelled'],
  },
  {
    name: 'looked at late, a document that was accepted before the cancellation is there',
    options: { cancellation: CANCELLATION },
    seen: { intake: ACCEPTED },
    phase: 'CANCELLED',
    jobs: ['trail-seal'],
    events: [...UPLOADED, 'case.cancelled'],
  },
  {
    name: 'validUntil passes while one signature is missing',
    options: { phase: 'IN_PROGRESS', signed: 1 },
    seen: { nowMs: AFTER_MS },
    phase: 'EXPIRED',
    jobs: ['trail-seal'],
    events: [...UPLOADED, ...SIGNED, 'case.expired'],
  },
  {
    name: 'validUntil passes though everybody signed: a restore lost the document',
    options: { signed: 2, status: { phase: 'NEW' } },
    seen: { nowMs: AFTER_MS },
    phase: 'EXPIRED',
    jobs: ['trail-seal'],
    events: [...CREATED, ...SIGNED, ...SIGNED, 'case.expired'],
  },
  {
    name: 'the grace after validUntil is not over yet, and nobody is invited any more',
    options: { phase: 'IN_PROGRESS', signed: 1 },
    seen: { nowMs: AFTER_MS - 1 },
    phase: 'IN_PROGRESS',
    jobs: [],
    events: [...UPLOADED, ...SIGNED],
  },
  {
    name: 'once everybody has signed validUntil means nothing',
    options: { phase: 'IN_PROGRESS', signed: 2 },
    seen: { nowMs: AFTER_MS },
    phase: 'IN_PROGRESS',
    jobs: ['finalise'],
    events: [...UPLOADED, ...SIGNED, ...SIGNED],
  },
  {
    name: 'an upload accepted too late is recorded and the case expires',
    options: {},
    seen: { intake: ACCEPTED, nowMs: AFTER_MS },
    phase: 'EXPIRED',
    jobs: ['trail-seal'],
    events: [...UPLOADED, 'case.expired'],
  },
]

for (const { name, options, seen, phase, jobs, events } of ROWS) {
  t.test(name, async (t) => {
    const plan = decide(observe(options, seen))
    t.equal(phaseOf(plan, options.phase ?? 'NEW'), phase)
    t.same(kindsOf(plan), jobs)
    t.same(typesOf(plan), events)
  })
}

t.test('deciding again on its own status changes nothing', async (t) => {
  for (const { options, seen } of ROWS) {
    const first = decide(observe(options, seen))
    const settled = first.replacement ?? signatureCase(options)
    const again = decide({ ...observe(options, seen), signatureCase: settled })
    t.equal(again.replacement, undefined)
    t.same(again.jobs, first.jobs)
  }
})

t.test('no phase is left by an event that its state does not list', async (t) => {
  const seenBy = {
    cancelled: {},
    'upload-accepted': { intake: ACCEPTED },
    'upload-rejected': { intake: REJECTED },
    finalised: { result: RESULT },
    'signing-failed': { failure: FAILURE },
    'valid-until-passed': { nowMs: AFTER_MS },
  } as const
  for (const phase of PHASES) {
    for (const event of CASE_EVENTS) {
      const signed = event === 'valid-until-passed' ? 1 : 2
      const cancellation = event === 'cancelled' ? { cancellation: CANCELLATION } : {}
      const plan = decide(observe({ phase, signed, ...cancellation }, seenBy[event]))
      t.equal(phaseOf(plan, phase), TRANSITIONS[phase].on[event] ?? phase, `${phase} × ${event}`)
    }
  }
})

t.test('the status tells when and why a case ended', async (t) => {
  const statusOf = (options: CaseOptions, seen: Partial<Observation>) =>
    decide(observe(options, seen)).replacement?.status
  t.match(statusOf({ phase: 'IN_PROGRESS', cancellation: CANCELLATION }, {}), {
    cancelledAt: CANCELLATION.at,
    cancelReason: 'mistake',
  })
  t.match(statusOf({ phase: 'IN_PROGRESS' }, { nowMs: AFTER_MS }), { expiredAt: VALID_UNTIL })
  t.match(statusOf({ phase: 'IN_PROGRESS', signed: 2 }, { result: RESULT }), { ...RESULT })
  t.match(statusOf({ phase: 'IN_PROGRESS', signed: 2 }, { failure: FAILURE }), {
    failedAt: FAILURE.failedAt,
    failureReason: 'no',
  })
  t.match(statusOf({}, { intake: REJECTED }), {
    rejectedAt: ACCEPTED_AT,
    rejectReason: 'The file is not a PDF',
  })
  t.match(statusOf({}, { intake: ACCEPTED }), {
    document: { sha256: DOCUMENT_SHA256, size: 4096, pageCount: 2, acceptedAt: ACCEPTED_AT },
  })
})

t.test('what the trail and the receipts hold is not owed again', async (t) => {
  const options: CaseOptions = { phase: 'DONE', signed: 2 }
  const first = decide(observe(options))
  t.ok(first.auditEvents.length > 0)
  const recorded = new Set(first.auditEvents.map((event) => event.eventId))
  const mails = first.jobs.flatMap(({ kind, id }) => (kind === 'notify' ? [id] : []))
  const sealedHead = { sequence: recorded.size, sealedAtMs: NOW_MS }
  const plan = decide(
    observe(options, { recorded, receipts: new Map(mails.map((id) => [id, NOW_MS])), sealedHead }),
  )
  t.same(plan.auditEvents, [])
  t.same(plan.jobs, [])
  t.equal(condition(plan, 'Settled')?.status, 'True')
  t.ok(isSettled(plan.replacement?.status))
})

t.test('the end is mailed to those who were invited, and to nobody else', async (t) => {
  const [first] = [participant(1)]
  const receipts = new Map([[eventId(CASE_ID, 'mail.invitation', first.id), NOW_MS]])
  const cancelled = decide(
    observe({ phase: 'IN_PROGRESS', cancellation: CANCELLATION }, { receipts }),
  )
  const mails = cancelled.jobs.filter(({ kind }) => kind === 'notify')
  t.same(
    mails.map(({ id }) => id),
    [eventId(CASE_ID, 'mail.cancellation', first.id)],
  )
})

t.test('entries that came after the head was sealed are sealed a day later', async (t) => {
  const recorded = new Set(decide(observe({ phase: 'EXPIRED' })).auditEvents.map((e) => e.eventId))
  recorded.add('a-download')
  const sealedHead = { sequence: recorded.size - 1, sealedAtMs: NOW_MS }
  const day = 24 * 60 * 60 * 1000
  const seen = { recorded, sealedHead }
  const soon = decide(observe({ phase: 'EXPIRED' }, { ...seen, nowMs: NOW_MS + day - 1 }))
  t.same(kindsOf(soon), [])
  const later = decide(observe({ phase: 'EXPIRED' }, { ...seen, nowMs: NOW_MS + day }))
  t.same(kindsOf(later), ['trail-seal'])
})

t.test('a forged or altered signature is ignored, and a condition tells so', async (t) => {
  const [first, second] = [participant(1), participant(2)]
  const good = signature(first, { fieldIds: ['f1'] })
  const signedAt = '2026-11-02T09:59:00.000Z'
  const altered = { ...signature(second, { fieldIds: ['f2'] }), signedAt }
  const plan = decide(observe({ phase: 'IN_PROGRESS', signatures: [good, altered] }))
  t.notOk(kindsOf(plan).includes('finalise'))
  t.match(condition(plan, 'SignatureIgnored'), { status: 'True', reason: 'signatureNotGenuine' })
  const message = '1 of 2 participants signed'
  t.match(condition(plan, 'EveryoneSigned'), { status: 'False', message })
  t.equal(typesOf(plan).filter((type) => type === 'participant.signed').length, 1)
})

t.test('a signature on another document is told of', async (t) => {
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
  t.equal(condition(second, 'EveryoneSigned')?.message, '1 of 2 participants signed')
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

t.test('the clock is watched for expiry, and for an upload whose notice got lost', async (t) => {
  const created = Date.parse(signatureCase().spec.creation.at)
  const early = decide(observe({}, { nowMs: created }))
  t.equal(early.wakeAtMs, created + UPLOAD_POLL_MS)
  const late = decide(observe({}, { nowMs: created + 2 * 60 * 60 * 1000 }))
  t.equal(late.wakeAtMs, AFTER_MS)
  t.equal(decide(observe({ phase: 'IN_PROGRESS' })).wakeAtMs, AFTER_MS)
  t.equal(decide(observe({ phase: 'IN_PROGRESS', signed: 2 })).wakeAtMs, undefined)
  for (const phase of PHASES.filter(hasEnded)) {
    t.equal(decide(observe({ phase })).wakeAtMs, undefined)
  }
})

t.test('the status names the generation that it was made from', async (t) => {
  const one = observe({ phase: 'IN_PROGRESS' })
  one.signatureCase.metadata.generation = 5
  t.equal(decide(one).replacement?.status?.observedGeneration, 5)
})

t.test('jobs carry ids and no content', async (t) => {
  const nowMs = Date.parse(SIGNED_AT)
  const plan = decide(observe({ phase: 'IN_PROGRESS', signed: 1 }, { nowMs }))
  for (const { id, payload } of plan.jobs) {
    t.match(id, /^[A-Za-z0-9_-]+$/)
    for (const value of Object.values(payload)) t.match(value, /^[a-z0-9-]+$/)
  }
})

t.test('a job that fails again and again shows while it is owed', async (t) => {
  const delayed = (options: CaseOptions, seen: Partial<Observation> = {}) =>
    condition(decide(observe(options, { failing: 'finalise', ...seen })), 'Delayed')
  const everyone: CaseOptions = { phase: 'IN_PROGRESS', signed: 2 }
  t.match(delayed(everyone), { status: 'True', reason: 'JobFails', message: /job finalise fails/ })
  t.equal(delayed(everyone, { result: RESULT }), undefined, 'it ended meanwhile')
  t.equal(delayed({ phase: 'IN_PROGRESS', signed: 1 }), undefined, 'it is not owed')
  t.match(delayed({}, { upload: UPLOAD, failing: 'intake' }), { message: /job intake fails/ })
})

t.test('a signing key that is refused is told with what to do, and told anew', async (t) => {
  const everyone: CaseOptions = { phase: 'IN_PROGRESS', signed: 2 }
  const denied = { code: 'SIGNING_KEY_DENIED', message: 'the account needs rights' } as const
  const seen = { failing: 'finalise', keyRefusal: denied } as const
  const first = decide(observe(everyone, seen))
  t.match(condition(first, 'Delayed'), {
    status: 'True',
    reason: 'SigningKeyDenied',
    message: 'the account needs rights; it is tried every minute',
  })
  t.match(first.announcements, [{ type: 'Warning', reason: 'Delayed', message: /needs rights/ }])
  const status = first.replacement?.status as CaseStatus
  const again = (more: Partial<Observation>) => {
    const observation = observe(everyone, more)
    return decide({ ...observation, signatureCase: { ...observation.signatureCase, status } })
  }
  t.equal(again(seen).replacement, undefined, 'told once')
  const disabled = { code: 'SIGNING_KEY_DISABLED', message: 'it is disabled' } as const
  const other = again({ ...seen, keyRefusal: disabled })
  t.match(other.announcements, [{ reason: 'Delayed', message: /it is disabled/ }])
  const well = again({})
  t.equal(condition(well, 'Delayed'), undefined)
  t.same(well.announcements, [])
})
