/** The life of a case, over every state and every event. */
import t from 'tap'
import {
  CASE_EVENTS,
  caseView,
  hasEnded,
  nextEvent,
  occurredEvents,
  TRANSITIONS,
} from '../../../domain/cases/lifecycle.ts'
import { PHASES, type Phase } from '../../../domain/cases/status.ts'
import { EXPIRY_GRACE_MS } from '../../../domain/limits.ts'
import { signatureCase, SIGNED_AT, VALID_UNTIL } from '../../fixtures/signature-case.ts'

/** Specification 3.1, row by row; what is not here must not move. */
const TABLE: Readonly<Record<string, Phase>> = {
  'NEW cancelled': 'CANCELLED',
  'NEW upload-accepted': 'IN_PROGRESS',
  'NEW upload-rejected': 'UPLOAD_REJECTED',
  'NEW valid-until-passed': 'EXPIRED',
  // Decision 171.
  'NEW trail-broken': 'FAILED',
  'IN_PROGRESS cancelled': 'CANCELLED',
  'IN_PROGRESS finalised': 'DONE',
  'IN_PROGRESS signing-failed': 'FAILED',
  'IN_PROGRESS valid-until-passed': 'EXPIRED',
  'IN_PROGRESS trail-broken': 'FAILED',
}

const validUntilMs = Date.parse(VALID_UNTIL)
const before = validUntilMs - 1
const expired = validUntilMs + EXPIRY_GRACE_MS

t.test('every state takes exactly the events of the specification', async (t) => {
  for (const phase of PHASES) {
    for (const event of CASE_EVENTS) {
      const pair = `${phase} ${event}`
      t.equal(TRANSITIONS[phase].on[event], TABLE[pair], pair)
      const next = nextEvent(phase, new Set([event]))
      t.equal(next, TABLE[pair] ? event : undefined, `next: ${pair}`)
    }
  }
})

t.test('a state has ended exactly when no event moves it', async (t) => {
  for (const phase of PHASES) {
    t.equal(hasEnded(phase), Object.keys(TRANSITIONS[phase].on).length === 0, phase)
  }
})

t.test(
  'of events that meet, a cancellation goes before a result and that before expiry',
  async (t) => {
    t.equal(nextEvent('IN_PROGRESS', new Set(CASE_EVENTS)), 'cancelled')
    t.equal(nextEvent('IN_PROGRESS', new Set(['valid-until-passed', 'finalised'])), 'finalised')
    t.equal(nextEvent('NEW', new Set(['valid-until-passed', 'upload-accepted'])), 'upload-accepted')
  },
)

t.test('a case reads as its settled phase while nothing else happened', async (t) => {
  for (const phase of PHASES) {
    t.equal(caseView(signatureCase({ phase }), [], before).phase, phase)
  }
})

t.test('a cancellation counts at once in a case that has not ended', async (t) => {
  const cancellation = { at: SIGNED_AT, reason: 'mistake' }
  for (const phase of PHASES) {
    const view = caseView(signatureCase({ phase, cancellation }), [], before)
    t.equal(view.phase, hasEnded(phase) ? phase : 'CANCELLED', phase)
  }
  const view = caseView(signatureCase({ phase: 'NEW', cancellation }), [], before)
  t.equal(view.endedAt, SIGNED_AT)
})

t.test('a case reads as EXPIRED from validUntil on, before the controller acts', async (t) => {
  for (const phase of PHASES) {
    const one = signatureCase({ phase })
    const end = hasEnded(phase) ? phase : 'EXPIRED'
    t.equal(caseView(one, [], before).phase, phase, `${phase} before validUntil`)
    t.equal(caseView(one, [], validUntilMs).phase, end, `${phase} at validUntil`)
    t.equal(caseView(one, [], expired - 1, EXPIRY_GRACE_MS).phase, phase, `${phase} in the grace`)
    t.equal(caseView(one, [], expired, EXPIRY_GRACE_MS).phase, end, `${phase} after the grace`)
  }
  t.equal(caseView(signatureCase(), [], expired).endedAt, VALID_UNTIL)
})

t.test('a case in which everyone signed does not expire', async (t) => {
  const one = signatureCase({ phase: 'IN_PROGRESS', signed: 2 })
  const view = caseView(one, one.spec.signatures, expired)
  t.equal(view.phase, 'IN_PROGRESS')
  t.ok(view.everyoneSigned)
  t.notOk(occurredEvents(one, true, expired).has('valid-until-passed'))
})

t.test('a view shows who signed', async (t) => {
  const one = signatureCase({ phase: 'IN_PROGRESS', signed: 1 })
  const { participants, everyoneSigned } = caseView(one, one.spec.signatures, before)
  t.same(
    participants.map(({ signature }) => signature?.signedAt),
    [SIGNED_AT, undefined],
  )
  t.notOk(everyoneSigned)
})
