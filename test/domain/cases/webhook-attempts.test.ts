import t from 'tap'
import {
  DELIVERY_TIMES,
  isOver,
  nextStep,
  openRound,
  outcomeOfStatus,
  redeliveryRound,
  roundsOf,
  type Attempt,
  type AttemptOutcome,
  type DeliveryRecord,
} from '../../../domain/cases/webhook-attempts.ts'

const START_MS = Date.parse('2026-11-02T09:00:00.000Z')
const { retryDelayMs, lostAfterMs } = DELIVERY_TIMES
const at = (ms: number) => new Date(START_MS + ms).toISOString()
const step = (attempts: readonly Attempt[], ms: number) =>
  nextStep(attempts, DELIVERY_TIMES, START_MS + ms)

/** An attempt that was claimed `ms` after the start and took a second; without outcome it runs. */
function attempt(ms: number, outcome?: AttemptOutcome, kind: Attempt['kind'] = 'attempt'): Attempt {
  const claimed = { number: 1, deliveryId: 'd', round: 1, kind, claimedAt: at(ms) }
  return outcome ? { ...claimed, ending: { at: at(ms + 1000), outcome, durationMs: 9 } } : claimed
}

t.test('what an answer means is the table of specification 6.2', async (t) => {
  for (const [outcome, statuses] of Object.entries({
    delivered: [200, 201, 204, 299],
    retryable: [408, 429, 500, 502, 503, 504, 599],
    final: [300, 301, 302, 304, 307, 308, 400, 401, 403, 404, 410, 418, 451, 499],
  })) {
    for (const status of statuses) t.equal(outcomeOfStatus(status), outcome, String(status))
  }
})

t.test('the first attempt is made at once, and a 2xx ends the event', async (t) => {
  t.same(step([], 0), { do: 'send', kind: 'attempt' })
  t.same(step([attempt(0, 'delivered')], 5000), { do: 'end', state: 'delivered', at: at(1000) })
})

t.test('a final answer ends the event as failed', async (t) => {
  t.same(step([attempt(0, 'final')], 5000), { do: 'end', state: 'failed', at: at(1000) })
})

t.test('attempts start every 90 seconds, and not a millisecond earlier', async (t) => {
  const one = [attempt(0, 'retryable')]
  const untilMs = START_MS + 90_000
  t.same(step(one, 1000), { do: 'wait', untilMs })
  t.same(step(one, retryDelayMs - 1), { do: 'wait', untilMs })
  t.same(step(one, retryDelayMs), { do: 'send', kind: 'attempt' })
})

t.test('with a short delay the next waits for the end of the one before', async (t) => {
  const short = { ...DELIVERY_TIMES, retryDelayMs: 10 }
  const running = [attempt(0)]
  t.match(nextStep(running, short, START_MS + 500), { do: 'wait' })
  t.match(nextStep([attempt(0, 'retryable')], short, START_MS + 1000), { do: 'send' })
})

t.test('eight attempts and the event is dead', async (t) => {
  const seven = Array.from({ length: 7 }, (_, index) => attempt(index * 91_000, 'retryable'))
  t.same(step(seven, 1e9), { do: 'send', kind: 'attempt' })
  const eight = [...seven, attempt(700_000, 'retryable')]
  t.same(step(eight, 1e9), { do: 'end', state: 'dead', at: at(701_000) })
  t.same(step([...seven, attempt(700_000, 'delivered')], 1e9), {
    do: 'end',
    state: 'delivered',
    at: at(701_000),
  })
})

t.test('an attempt under way is left alone, and one that was lost counts', async (t) => {
  const one = [attempt(0)]
  t.same(step(one, 10_000), { do: 'wait', untilMs: START_MS + lostAfterMs })
  t.notOk(isOver(one[0]!, DELIVERY_TIMES, START_MS + lostAfterMs - 1))
  t.ok(isOver(one[0]!, DELIVERY_TIMES, START_MS + lostAfterMs))
  t.same(step(one, lostAfterMs), { do: 'wait', untilMs: START_MS + retryDelayMs })
  t.same(step(one, retryDelayMs), { do: 'send', kind: 'attempt' })
  const eight = Array.from({ length: 8 }, () => attempt(0))
  t.same(step(eight, lostAfterMs), { do: 'end', state: 'dead', at: at(lostAfterMs) })
})

t.test('an answer that came after all counts, whatever followed', async (t) => {
  const attempts = [attempt(0, 'delivered'), attempt(90_000, 'retryable')]
  t.same(step(attempts, 95_000), { do: 'end', state: 'delivered', at: at(1000) })
})

t.test('a token that was not taken is renewed at once, and that is not counted', async (t) => {
  const refused = attempt(0, 'unauthorized')
  t.same(step([refused], 1000), { do: 'send', kind: 'resend' })
  const pair = [refused, attempt(1000, 'retryable', 'resend')]
  t.same(step(pair, 2000), { do: 'wait', untilMs: START_MS + 1000 + retryDelayMs })
  t.same(step([refused, attempt(1000, 'final', 'resend')], 2000), {
    do: 'end',
    state: 'failed',
    at: at(2000),
  })
  const seven = Array.from({ length: 7 }, () => pair).flat()
  t.same(step(seven, 1e9), { do: 'send', kind: 'attempt' })
  t.match(step([...seven, ...pair], 1e9), { do: 'end', state: 'dead' })
})

t.test('a redelivery opens the next round of an event that has ended', async (t) => {
  t.equal(redeliveryRound({ ended: 1 }), 2)
  t.equal(redeliveryRound({ ended: 1, open: 2 }), 2, 'asked for already')
  t.throws(() => redeliveryRound({ ended: 0, open: 1 }), { code: 'WEBHOOK_PENDING' })
  t.throws(() => redeliveryRound({ ended: 50 }), { code: 'REDELIVERIES_EXHAUSTED' })
})

t.test(
  'the open round is the first one, or the last requested one that has not ended',
  async (t) => {
    t.equal(openRound(0, []), 1)
    t.equal(openRound(1, []), undefined)
    t.equal(openRound(1, [2]), 2)
    t.equal(openRound(2, [2]), undefined, 'a request that outlived its round')
    t.equal(openRound(2, [2, 3]), 3)
  },
)

t.test(
  'a round has ended when the log says so, though its receipt does not exist yet',
  async (t) => {
    const receipt = { type: 'case-failed', state: 'dead', endedAt: at(0), round: 1 } as const
    const refused = attempt(0, 'final')
    const again = { ...attempt(5000, 'final'), round: 2 }
    const rounds = (record: DeliveryRecord) => roundsOf(record, DELIVERY_TIMES, START_MS + 9000)
    t.strictSame(rounds({ attempts: [] }), { ended: 0, open: 1 })
    t.strictSame(rounds({ attempts: [attempt(0, 'retryable')] }), { ended: 0, open: 1 })
    t.strictSame(rounds({ attempts: [refused] }), { ended: 1 })
    t.strictSame(rounds({ attempts: [refused], askedRound: 2 }), { ended: 1, open: 2 })
    t.strictSame(rounds({ attempts: [refused], receipt }), { ended: 1 })
    t.strictSame(rounds({ attempts: [], receipt }), { ended: 1 }, 'attempts are kept 90 days')
    t.strictSame(rounds({ attempts: [refused, again], receipt, askedRound: 2 }), { ended: 2 })
    t.strictSame(rounds({ attempts: [], receipt, askedRound: 2 }), { ended: 1, open: 2 })
  },
)
