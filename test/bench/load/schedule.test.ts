/** Arrivals of a load test: independent, at the given rate, the same in every run. */
import t from 'tap'
import { arrivalTimes } from '../../../bench/load/schedule.ts'

t.test('arrivals have the rate and spread of a Poisson process', async (t) => {
  const times = arrivalTimes(10, 1_000_000)
  t.ok(Math.abs(times.length - 10_000) < 400, `${times.length} arrivals`)
  t.same(times, arrivalTimes(10, 1_000_000))
  const pauses = times.slice(1).map((atMs, index) => atMs - (times[index] as number))
  t.ok(pauses.every((pauseMs) => pauseMs > 0))
  const short = pauses.filter((pauseMs) => pauseMs < 100 * Math.LN2).length / pauses.length
  t.ok(Math.abs(short - 0.5) < 0.02, 'half of the pauses are shorter than the median')
  t.ok((times.at(-1) as number) < 1_000_000)
})

t.test('a short run has one arrival', async (t) => {
  t.same(arrivalTimes(0.001, 10), [0])
})
