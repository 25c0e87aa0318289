/** What the trail records about codes and PINs, and what follows from it. */
import t from 'tap'
import { entryAfter, type AuditEntry, type AuditEventType } from '../../../domain/audit/entry.ts'
import { auditEvent } from '../../../domain/cases/due-audit-events.ts'
import {
  assertMaySend,
  assertMayTry,
  codeAttemptsLeft,
  codeHistory,
  replacedCodes,
  withdrawalOccurrence,
} from '../../../domain/second-factor/code-rules.ts'
import { destinationOf, secondFactorOf } from '../../../domain/second-factor/factor.ts'
import {
  assertPinNotLocked,
  pinAttemptsLeft,
  pinTries,
} from '../../../domain/second-factor/pin-tries.ts'
import { CASE_ID, participant, signatureCase, TENANT } from '../../fixtures/signature-case.ts'

const ME = participant(1).id
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

type Happening = readonly [
  type: 'sent' | 'failed' | 'verified' | 'viewed',
  atMs: number,
  more?: { by?: string; occurrence?: string },
]

/** A trail of what happened to codes; participant 1 unless said otherwise. */
function trail(...happenings: readonly Happening[]): AuditEntry[] {
  const entries: AuditEntry[] = []
  for (const [index, [name, atMs, { by = ME, occurrence = String(index) } = {}]] of [
    ...happenings.entries(),
  ]) {
    const type = (
      name === 'viewed' ? 'participant.viewed' : `participant.otp_${name}`
    ) as AuditEventType
    const event = auditEvent(CASE_ID, type, {
      occurredAt: new Date(atMs).toISOString(),
      actor: 'participant',
      participantId: by,
      occurrence,
    })
    entries.push(entryAfter(entries.at(-1), { tenant: TENANT, caseId: CASE_ID }, event, {}))
  }
  return entries
}

const history = (...happenings: readonly Happening[]) =>
  codeHistory(CASE_ID, ME, trail(...happenings))
const sent = (...minutes: readonly number[]) =>
  minutes.map((minute): Happening => ['sent', minute * MINUTE_MS])
const failed = (...minutes: readonly number[]) =>
  minutes.map((minute): Happening => ['failed', minute * MINUTE_MS])

/** The code and waiting time that something is refused with, or undefined. */
function refusal(run: () => unknown) {
  try {
    run()
    return undefined
  } catch (error) {
    const { code, details } = error as { code: string; details: { retryAfterSeconds?: number } }
    return [code, details.retryAfterSeconds].filter((part) => part !== undefined).join(' ')
  }
}

t.test('tries count from the last code that went out, one participant at a time', async (t) => {
  const other = { by: participant(2).id }
  t.same(history().sent, [])
  t.match(history(...sent(0), ...failed(1, 2)), { wrongTries: 2, isUsed: false })
  t.match(history(...sent(0), ...failed(1, 2), ...sent(3)), { wrongTries: 0 })
  t.match(history(...sent(0), ['failed', 1, other], ['verified', 2, other]), {
    wrongTries: 0,
    isUsed: false,
  })
  t.match(history(...sent(0), ['verified', 1], ['viewed', 2]), { isUsed: true })
  t.match(history(...sent(0), ['verified', 1], ...sent(2)), { isUsed: false })
})

t.test('a sending that was withdrawn is not a code and no wrong try', async (t) => {
  const first = trail(...sent(0), ...sent(1))
  const occurrence = withdrawalOccurrence(first[1]?.eventId ?? '')
  const withdrawn = history(...sent(0), ...sent(1), ['failed', 2 * MINUTE_MS, { occurrence }])
  t.same(
    withdrawn.sent.map(({ sendId }) => sendId),
    [first[0]?.eventId],
  )
  t.equal(withdrawn.wrongTries, 0)
  t.equal(withdrawn.begunAtMs.length, 2)
  t.same(replacedCodes(withdrawn, 2 * MINUTE_MS), [])
})

t.test(
  'five in a sliding hour: the wait is the time until the fifth before leaves it',
  async (t) => {
    const at = (ms: number, ...minutes: readonly number[]) =>
      refusal(() => assertMaySend(history(...sent(...minutes)), ms))
    t.equal(at(5 * MINUTE_MS, 0, 1, 2, 3), undefined)
    t.equal(at(5 * MINUTE_MS, 0, 1, 2, 3, 4), 'OTP_RATE_LIMITED 3300')
    t.equal(at(HOUR_MS - 1, 0, 1, 2, 3, 4), 'OTP_RATE_LIMITED 1')
    t.equal(at(HOUR_MS - 1001, 0, 1, 2, 3, 4), 'OTP_RATE_LIMITED 2')
    t.equal(at(HOUR_MS, 0, 1, 2, 3, 4), undefined)
    t.equal(at(HOUR_MS, 0, 1, 2, 3, 4, 60), 'OTP_RATE_LIMITED 60')
  },
)

t.test('after fifty wrong codes in a row, one code is sent a day', async (t) => {
  /** Five wrong ones for each of the codes, which are an hour apart. */
  const guesses = (codes: number, from = 0) =>
    Array.from({ length: codes }, (_, index) => (from + index) * 60).flatMap((minute) => [
      ...sent(minute),
      ...failed(...Array.from({ length: 5 }, () => minute + 1)),
    ])
  const invited = (minute: number, participantId = ME) => ({
    requestId: participant(9).id,
    participantId,
    at: new Date(minute * MINUTE_MS).toISOString(),
    ip: '192.0.2.1',
  })
  const at = (
    hours: number,
    happenings: readonly Happening[],
    ...invitations: ReturnType<typeof invited>[]
  ) =>
    refusal(() =>
      assertMaySend(codeHistory(CASE_ID, ME, trail(...happenings), invitations), hours * HOUR_MS),
    )
  t.equal(at(10, guesses(10).slice(0, -1)), undefined, 'forty-nine')
  t.equal(at(10, guesses(10)), `OTP_RATE_LIMITED ${23 * 3600}`)
  t.equal(at(33, guesses(10)), undefined)
  t.equal(at(34, [...guesses(10), ...guesses(1, 33)]), `OTP_RATE_LIMITED ${23 * 3600}`)
  const [withdrawn] = trail(...sent(0)) as [AuditEntry]
  const occurrence = withdrawalOccurrence(withdrawn.eventId)
  const notTried = [...sent(0), ['failed', 1, { occurrence }] as const, ...guesses(10, 1)]
  t.equal(at(11, notTried.slice(0, -1)), undefined, 'a code that did not go out does not count')
  t.equal(at(10, [...guesses(10), ['verified', 9.5 * HOUR_MS]]), undefined, 'a correct one')
  t.equal(at(10, guesses(10), invited(601)), undefined, 'the tenant invited again')
  t.match(at(10, guesses(10), invited(601, participant(2).id)), /LIMITED/, 'somebody else')
  t.match(at(10, guesses(10), invited(-1)), /LIMITED/, 'before')
})

t.test('a try needs a code that went out, is not used, not old and not locked', async (t) => {
  const at = (ms: number, ...happenings: readonly Happening[]) =>
    refusal(() => assertMayTry(history(...happenings), ms))
  t.equal(at(0), 'OTP_NOT_REQUESTED')
  t.equal(at(MINUTE_MS, ...sent(0)), undefined)
  t.equal(at(10 * MINUTE_MS - 1, ...sent(0)), undefined)
  t.equal(at(10 * MINUTE_MS, ...sent(0)), 'OTP_EXPIRED')
  t.equal(at(MINUTE_MS, ...sent(0), ['verified', 1]), 'OTP_NOT_REQUESTED')
  t.equal(at(HOUR_MS, ...sent(0), ['verified', 1]), 'OTP_NOT_REQUESTED')
  t.equal(at(MINUTE_MS, ...sent(0), ...failed(0, 0, 0, 0)), undefined)
  t.equal(at(MINUTE_MS, ...sent(0), ...failed(0, 0, 0, 0, 0)), 'OTP_LOCKED')
  t.equal(at(MINUTE_MS, ...sent(0), ...failed(0, 0, 0, 0, 0), ...sent(1)), undefined)
})

t.test('five wrong tries are looked at for each code that goes out', async (t) => {
  const left = (...happenings: readonly Happening[]) => codeAttemptsLeft(history(...happenings))
  t.equal(left(...sent(0)), 5)
  t.equal(left(...sent(0), ...failed(0, 0, 0, 0)), 1)
  t.equal(left(...sent(0), ...failed(0, 0, 0, 0), ...sent(1)), 5)
})

t.test('codes before the last are known for an hour', async (t) => {
  const all = history(...sent(0, 10, 20))
  t.equal(replacedCodes(all, 20 * MINUTE_MS).length, 2)
  t.equal(replacedCodes(all, HOUR_MS).length, 1)
})

t.test('five wrong PINs lock for a quarter of an hour; silence as long forgets them', async (t) => {
  const tries = (minute: number, ...minutes: readonly number[]) =>
    pinTries(ME, { entries: trail(...failed(...minutes)) }, minute * MINUTE_MS)
  const at = (minute: number, ...minutes: readonly number[]) =>
    refusal(() => assertPinNotLocked(tries(minute, ...minutes), minute * MINUTE_MS))
  t.equal(pinAttemptsLeft(tries(0)), 5)
  t.equal(pinAttemptsLeft(tries(4, 0, 1, 2, 3)), 1)
  t.equal(at(4, 0, 1, 2, 3), undefined)
  t.equal(at(4, 0, 1, 2, 3, 4), 'PIN_LOCKED 900')
  t.equal(at(18.99, 0, 1, 2, 3, 4), 'PIN_LOCKED 1')
  t.equal(at(19, 0, 1, 2, 3, 4), undefined)
  t.equal(pinAttemptsLeft(tries(19, 0, 1, 2, 3, 4)), 5, 'all anew')
  t.equal(pinAttemptsLeft(tries(20, 0, 1, 2, 3, 4, 20)), 4)
  t.equal(pinAttemptsLeft(tries(18, 0, 1, 2, 3)), 5, 'forgotten')
  t.equal(at(16, 0, 1, 2, 3, 18), undefined)
  t.equal(at(56, 0, 14, 28, 42, 56), 'PIN_LOCKED 900', 'slow guessing is not faster')
  t.equal(pinTries(participant(2).id, { entries: trail(...failed(0, 0, 0, 0, 0)) }, 0).wrong, 0)
})

t.test('twenty wrong PINs lock until the tenant invites again', async (t) => {
  /** Four every hour: the shorter lock never comes. */
  const hourly = (count: number) =>
    Array.from({ length: count }, (_, index) => 60 * Math.floor(index / 4) + (index % 4))
  const later = 24 * 60
  const invitation = (participantId: string, minute: number) => ({
    requestId: participant(9).id,
    participantId,
    at: new Date(minute * MINUTE_MS).toISOString(),
    ip: '192.0.2.1',
  })
  const tries = (count: number, ...invitations: ReturnType<typeof invitation>[]) =>
    pinTries(ME, { entries: trail(...failed(...hourly(count))), invitations }, later * MINUTE_MS)
  const at = (...given: Parameters<typeof tries>) =>
    refusal(() => assertPinNotLocked(tries(...given), later * MINUTE_MS))
  t.equal(at(19), undefined)
  t.equal(pinAttemptsLeft(tries(19)), 1)
  t.match(at(20), /^PIN_LOCKED/)
  t.throws(() => assertPinNotLocked(tries(20), later * MINUTE_MS), {
    code: 'PIN_LOCKED',
    details: { retryAfterSeconds: undefined },
  })
  t.match(at(20, invitation(participant(2).id, 600)), /^PIN_LOCKED/, 'of somebody else')
  t.match(at(20, invitation(ME, -1)), /^PIN_LOCKED/, 'before the first wrong one')
  t.equal(at(20, invitation(ME, 0)), undefined, 'at the moment of the first wrong one')
  t.equal(at(20, invitation(ME, 600)), undefined)
  t.equal(pinAttemptsLeft(tries(20, invitation(ME, 600))), 5, 'all anew')
  t.equal(pinAttemptsLeft(tries(20, invitation(ME, 60.5))), 5, 'five at a time at most')
  t.equal(at(36, invitation(ME, 240.5)), undefined, '19 since then')
  t.match(at(37, invitation(ME, 240.5)), /^PIN_LOCKED/)
})

t.test('the PIN counts only where no code is asked for', async (t) => {
  const factor = (more: object) =>
    secondFactorOf(signatureCase({ definition: more }).spec.definition)
  t.equal(factor({}), undefined)
  t.equal(factor({ pinRequired: true }), 'pin')
  t.equal(factor({ multiFactorType: 'SMS' }), 'code')
  t.equal(factor({ multiFactorType: 'EMAIL', pinRequired: true }), 'code')
})

t.test(
  'a number is its digits, however it is written; any other text is not a destination',
  async (t) => {
    const at = (phone: string) => destinationOf('SMS', participant(1, { phone }))
    t.equal(at('+421 905 123-456'), '+421905123456')
    t.equal(at('0905/123 456'), '0905123456')
    t.equal(at('(0905) 12.34.56'), '0905123456')
    for (const phone of ['', 'x', '12345', '++421905123456', '0905123456;1', '9'.repeat(16)]) {
      t.equal(at(phone), undefined, phone)
    }
    t.equal(destinationOf('SMS', participant(1)), undefined)
    t.equal(destinationOf('EMAIL', participant(1)), 'p1@example.com')
  },
)
