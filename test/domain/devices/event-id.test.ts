import t from 'tap'
import { eventMs, isLater, nextEventId } from '../../../domain/devices/event-id.ts'

t.test('ids increase also when the clock goes backwards', async (t) => {
  let last = nextEventId(undefined, 1_000)
  t.equal(last, '1000-0')
  for (const nowMs of [1_000, 999, 1_001, 1_001]) {
    const next = nextEventId(last, nowMs)
    t.ok(isLater(next, last), next)
    t.notOk(isLater(last, next))
    last = next
  }
  t.equal(last, '1001-1')
})

t.test('an invalid id is earlier than every event', async (t) => {
  for (const invalid of ['', 'x', '1000', '1000-0-0', '-1-0', '1000-0\n']) {
    t.same(eventMs(invalid), NaN)
    t.ok(isLater('0-0', invalid), invalid)
    t.notOk(isLater(invalid, '0-0'))
    t.equal(nextEventId(invalid, 5), '5-0')
  }
  t.equal(eventMs('1000-3'), 1_000)
})
