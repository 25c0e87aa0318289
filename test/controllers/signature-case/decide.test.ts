import t from 'tap'
import { PROGRESS_DELAY_MS } from '../../../controllers/signature-case/held-status.ts'
import { CASE_EVENTS, hasEnded, TRANSITIONS } from '../../../domain/cases/lifecycle.ts'
import { eventId } from '../../../domain/cases/due-audit-events.ts'
import { PHASES, type Phase } from '../../../domain/cases/status.ts'
import { isSettled } from '../../../domain/cases/finished.ts'
import { decide } from '../../../controllers/signature-case/decide.ts'
import type { Observation } from '../../../controllers/signature-case/observation.ts'
import { LOST_JOB_MS, UPLOAD_POLL_MS } from '../../../controllers/signature-case/pending-jobs.ts'
import {
  ACCEPTED_AT,
  CASE_ID,
  DOCUMENT_SHA256,
  participant,
  signatureCase,
  SIGNED_AT,
  VALID_UNTIL,
  type CaseOptions,
} from '../../fixtures/signature-case.ts'
import {
  NOW_MS,
  AFTER_MS,
  CANCELLATION,
  ACCEPTED,
  REJECTED,
  RESULT,
  FAILURE,
  UPLOAD,
  observe,
  phaseOf,
  kindsOf,
  typesOf,
  condition,
} from '../../fixtures/observation.ts'
import { mailIdsOf } from '../../fixtures/planned-mails.ts'

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
    jobs: ['notify'],
    events: UPLOADED,
  },
  {
    name: 'with quickSign no one is invited',
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
    jobs: ['notify', 'trail-seal'],
    events: [...UPLOADED, ...SIGNED, ...SIGNED, 'case.completed'],
  },
  {
    name: 'a failure ends the case',
    options: { phase: 'IN_PROGRESS', signed: 2 },
    seen: { failure: FAILURE },
    phase: 'FAILED',
    jobs: ['notify', 'trail-seal'],
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
    name: 'observed late, a document that was accepted before the cancellation is kept',
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
    name: 'the grace after validUntil is not over yet, and no one is invited any more',
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
    'trail-broken': { trailFault: { sequence: 3, fault: 'wrongMac' } },
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

t.test('the status records when and why a case ended', async (t) => {
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
    failureCode: 'DATA_MISSING',
    failureReason: 'no',
  })
  t.match(statusOf({}, { intake: REJECTED }), {
    rejectedAt: ACCEPTED_AT,
    rejectCode: 'NOT_A_PDF',
    rejectReason: 'The file is not a PDF',
  })
  t.match(statusOf({}, { intake: ACCEPTED }), {
    document: { sha256: DOCUMENT_SHA256, size: 4096, pageCount: 2, acceptedAt: ACCEPTED_AT },
  })
})

t.test('warnings of intake are in the status, and announced once without names', async (t) => {
  const warnings = [
    { code: 'SIGNATURE_BROKEN', fieldName: 'Janka' },
    { code: 'SIGNATURE_BROKEN', fieldName: 'Seal' },
  ] as const
  const intake = { ...ACCEPTED, carriesSignatures: true, warnings: [...warnings] }
  const plan = decide(observe({}, { intake }))
  t.same(plan.replacement?.status?.document?.warnings, warnings)
  const published = plan.kubernetesEvents.filter(({ reason }) => reason === 'ExistingSignatures')
  t.same(published, [
    {
      type: 'Warning',
      reason: 'ExistingSignatures',
      message: 'signatures of the upload: SIGNATURE_BROKEN',
    },
  ])
  const status = plan.replacement?.status ?? {}
  const later = decide(observe({ phase: 'IN_PROGRESS', signed: 1, status }, { intake }))
  t.notOk(later.kubernetesEvents.some(({ reason }) => reason === 'ExistingSignatures'))
  const sound = decide(observe({}, { intake: ACCEPTED }))
  t.notOk('warnings' in (sound.replacement?.status?.document ?? {}))
  t.notOk(sound.kubernetesEvents.some(({ reason }) => reason === 'ExistingSignatures'))
})

t.test('what the trail and the receipts contain is not pending', async (t) => {
  const options: CaseOptions = { phase: 'DONE', signed: 2 }
  const first = decide(observe(options))
  t.ok(first.auditEvents.length > 0)
  const recorded = new Set(first.auditEvents.map((event) => event.eventId))
  const mails = mailIdsOf(first.jobs)
  t.equal(mails.length, 2)
  const sealedHead = { sequence: recorded.size, sealedAtMs: NOW_MS }
  const plan = decide(
    observe(options, { recorded, receipts: new Map(mails.map((id) => [id, NOW_MS])), sealedHead }),
  )
  t.same(plan.auditEvents, [])
  t.same(plan.jobs, [])
  t.equal(condition(plan, 'Settled')?.status, 'True')
  t.ok(isSettled(plan.replacement?.status))
})

t.test('mails that become due at the same time share jobs, and others do not', async (t) => {
  const participants = [1, 2, 3, 4, 5, 6].map((number) => participant(number))
  const definition = { participants, reminders: { afterDays: [1] } }
  const open = observe({ phase: 'IN_PROGRESS', definition })
  const sizes = (plan: ReturnType<typeof decide>) =>
    plan.jobs.flatMap((job) => (job.kind === 'notify' ? [mailIdsOf([job]).length] : []))
  const invited = decide(open)
  t.same(sizes(invited), [4, 2])
  t.same(new Set(mailIdsOf(invited.jobs)).size, 6)
  const dayAgoMs = NOW_MS - 25 * 60 * 60 * 1000
  const receipts = new Map(mailIdsOf(invited.jobs).map((id) => [id, dayAgoMs]))
  t.same(sizes(decide({ ...open, receipts })), [1, 1, 1, 1, 1, 1], 'reminders')
})

t.test('a participant who signs early does not change the job of the others', async (t) => {
  const idsOf = (signed: number) =>
    decide(observe({ phase: 'IN_PROGRESS', signed })).jobs.flatMap(({ kind, id }) =>
      kind === 'notify' ? [id] : [],
    )
  t.equal(idsOf(0).length, 1)
  t.same(idsOf(1), idsOf(0), 'so that the queue does not add the job again')
})

t.test('the end is mailed only to those who were invited', async (t) => {
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

t.test('the clock is watched for expiry, and for an upload whose notice got lost', async (t) => {
  const created = Date.parse(signatureCase().spec.creation.at)
  const fresh = decide(observe({}, { nowMs: created }))
  t.equal(fresh.wakeAtMs, created + PROGRESS_DELAY_MS)
  const early = decide(observe({}, { nowMs: created + PROGRESS_DELAY_MS }))
  t.equal(early.wakeAtMs, created + PROGRESS_DELAY_MS + UPLOAD_POLL_MS)
  const late = decide(observe({}, { nowMs: created + 2 * 60 * 60 * 1000 }))
  t.equal(late.wakeAtMs, AFTER_MS)
  const reported = (ageMs: number) => {
    const seen = { nowMs: created + ageMs, areUploadsReported: true }
    return Number(decide(observe({}, seen)).wakeAtMs) - seen.nowMs
  }
  t.equal(reported(PROGRESS_DELAY_MS), UPLOAD_POLL_MS)
  t.equal(reported(UPLOAD_POLL_MS), 3 * UPLOAD_POLL_MS, 'the older, the more seldom')
  for (const signed of [0, 2]) {
    const pending = decide(observe({ phase: 'IN_PROGRESS', signed }))
    t.equal(pending.wakeAtMs, NOW_MS + LOST_JOB_MS, 'its job may get lost')
  }
  const wakeWithoutJobs = (phase: Phase) => {
    const { auditEvents, jobs } = decide(observe({ phase }))
    const recorded = new Set(auditEvents.map((event) => event.eventId))
    const receipts = new Map(mailIdsOf(jobs).map((id) => [id, NOW_MS]))
    const sealedHead = { sequence: recorded.size, sealedAtMs: NOW_MS }
    return decide(observe({ phase }, { recorded, receipts, sealedHead })).wakeAtMs
  }
  t.equal(wakeWithoutJobs('IN_PROGRESS'), AFTER_MS)
  for (const phase of PHASES.filter(hasEnded)) t.equal(wakeWithoutJobs(phase), undefined)
})

t.test('jobs carry ids and no content', async (t) => {
  const nowMs = Date.parse(SIGNED_AT)
  const plan = decide(observe({ phase: 'IN_PROGRESS', signed: 1 }, { nowMs }))
  for (const { id, payload } of plan.jobs) {
    t.match(id, /^[A-Za-z0-9_-]+$/)
    for (const value of Object.values(payload)) t.match(value, /^[a-z0-9-]+$/)
  }
})
