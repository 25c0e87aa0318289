import t from 'tap'
import { shortDayIn, spanIn } from '../../../web/texts/times.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

t.test('a span is in its largest unit', async (t) => {
  for (const spanMs of [0, 20_000, 40_000]) {
    t.equal(spanIn('en', spanMs, 'long'), '<1 minute', 'not 0 minutes')
    t.equal(spanIn('sk', spanMs, 'narrow'), '<1 min')
  }
  t.equal(spanIn('en', MINUTE_MS, 'long'), '1 minute')
  t.equal(spanIn('en', 1.4 * MINUTE_MS, 'long'), '1 minute')
  t.equal(spanIn('en', 59 * MINUTE_MS, 'long'), '59 minutes')
  t.equal(spanIn('en', HOUR_MS, 'long'), '1 hour')
  t.equal(spanIn('en', 36 * HOUR_MS, 'long'), '1.5 days')
  t.equal(spanIn('en', 12.4 * DAY_MS, 'long'), '12 days')
  t.equal(spanIn('sk', 3 * HOUR_MS, 'long'), '3 hodiny')
  t.equal(spanIn('en', 36 * HOUR_MS, 'narrow'), '1.5d')
})

t.test('a short day has no year and does not break', async (t) => {
  const day = new Date(2026, 10, 23)
  t.equal(shortDayIn('en', day), '23\u00a0Nov')
  t.equal(shortDayIn('sk', day), '23.\u00a011.')
})
