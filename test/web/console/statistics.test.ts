import t from 'tap'
import { statisticsOf, WEEK_COUNT } from '../../../web/console/statistics.ts'
import type { CaseStatus } from '../../../web/console/use-cases.ts'

const HOUR_MS = 60 * 60 * 1000
/** A day of November 2026 in the zone of the machine; the 23rd is a Monday. */
const at = (day: number, hour = 0) => new Date(2026, 10, day, hour)
const NOW = at(25, 15)

interface Made {
  created: Date
  status?: CaseStatus
  signed?: (Date | null)[]
  size?: number | null
}

const caseOf = ({ created, status = 'IN_PROGRESS', signed = [], size = 1_000 }: Made) => ({
  status,
  originalDocument: { size },
  created: created.toISOString(),
  participants: signed.map((time) => ({
    firstName: 'Jana',
    lastName: 'Nováková',
    email: 'jana@example.com',
    status: time ? ('SIGNED' as const) : ('UNSIGNED' as const),
    signedAt: time?.toISOString() ?? null,
  })),
})
const done = (created: Date, ...signed: Date[]) => caseOf({ created, status: 'DONE', signed })

t.test('weeks begin on Monday at midnight, the current one last', async (t) => {
  const { weeks } = statisticsOf([], [], NOW)
  t.equal(weeks.length, WEEK_COUNT)
  t.same(weeks.at(-1)?.start, at(23))
  t.same(weeks[0]?.start, new Date(2026, 9, 5), 'also across a change of the clock')
  t.same(statisticsOf([], [], at(29, 23)).weeks.at(-1)?.start, at(23), 'Sunday ends a week')
  t.same(statisticsOf([], [], at(30)).weeks.at(-1)?.start, at(30))
})

t.test('a case counts in the week in which it was created', async (t) => {
  const cases = [
    caseOf({ created: at(23) }),
    caseOf({ created: at(24), status: 'CANCELLED' }),
    caseOf({ created: at(22, 23) }),
    caseOf({ created: at(24), status: 'NEW', size: null }),
    caseOf({ created: at(24), status: 'CANCELLED', size: null }),
    caseOf({ created: at(24), status: 'UPLOAD_REJECTED' }),
    caseOf({ created: new Date(2026, 9, 4, 23) }),
  ]
  const { weeks, total } = statisticsOf(cases, [], NOW)
  t.match(weeks.at(-1), { sent: 2, rejected: 1, signed: 0, undelivered: 0 })
  t.match(weeks.at(-2), { sent: 1, rejected: 0 })
  t.match(total, { sent: 3, rejected: 1 }, 'older cases are not counted')
})

t.test('a signed case counts in the week of its last signature', async (t) => {
  const cases = [
    done(at(20), at(21), at(23, 1)),
    caseOf({ created: at(20), signed: [at(23, 2), null] }),
  ]
  const { weeks, total } = statisticsOf(cases, [], NOW)
  t.match(weeks.at(-1), { sent: 0, signed: 1, medianMs: 73 * HOUR_MS })
  t.match(weeks.at(-2), { sent: 2, signed: 0, medianMs: undefined })
  t.match(total, { sent: 2, signed: 1, medianMs: 73 * HOUR_MS })
})

t.test('the median of an even number is between the middle two', async (t) => {
  const signedAfter = (hours: number) => done(at(24), at(24, hours))
  const medianOf = (...hours: number[]) =>
    statisticsOf(hours.map(signedAfter), [], NOW).weeks.at(-1)?.medianMs
  t.equal(medianOf(9), 9 * HOUR_MS)
  t.equal(medianOf(10, 1, 3), 3 * HOUR_MS)
  t.equal(medianOf(10, 1, 3, 2), 2.5 * HOUR_MS)
})

t.test('undelivered webhooks count in the week of their event', async (t) => {
  const events = [at(23), at(25), at(17), at(1)].map((time) => ({
    occurredAt: time.toISOString(),
  }))
  const { weeks, total } = statisticsOf([], events, NOW)
  t.same(
    weeks.slice(-5).map(({ undelivered }) => undelivered),
    [1, 0, 0, 1, 2],
  )
  t.equal(total.undelivered, 4)
})
