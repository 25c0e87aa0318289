import t from 'tap'
import { readRetryAfterMs } from '../../../adapters/shared/retry-after.ts'

const NOW_MS = Date.parse('2026-11-22T14:00:00.000Z')

t.test('seconds and dates are read as milliseconds from now (RFC 9110, 10.2.3)', async (t) => {
  t.equal(readRetryAfterMs('120', NOW_MS), 120_000)
  t.equal(readRetryAfterMs(' 0 ', NOW_MS), 0)
  t.equal(readRetryAfterMs('Sun, 22 Nov 2026 14:00:30 GMT', NOW_MS), 30_000)
  t.equal(readRetryAfterMs('Sun, 22 Nov 2026 13:00:00 GMT', NOW_MS), 0, 'a date in the past')
})

t.test('anything else is as if the header were absent', async (t) => {
  for (const value of [undefined, '', '-1', '1.5', '1e3', '9999999999', 'soon', '2026-11-22', 5]) {
    t.equal(readRetryAfterMs(value, NOW_MS), undefined, String(value))
  }
})
