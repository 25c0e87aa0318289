/** Percentiles of a load test are exact. */
import t from 'tap'
import { Samples } from '../../../bench/load/samples.ts'

t.test('quantiles are values that were measured, by nearest rank', async (t) => {
  const samples = new Samples()
  for (let n = 1_000; n >= 1; n--) samples.add('sign', n, n)
  t.same(samples.quantiles('sign'), {
    count: 1_000,
    p50: 500,
    p90: 900,
    p99: 990,
    p999: 999,
    maximum: 1_000,
  })
  samples.add('done', 0, 7)
  t.match(samples.quantiles('done'), { count: 1, p50: 7, p999: 7, maximum: 7 })
  t.match(samples.quantiles('create'), { count: 0, p50: Number.NaN })
})

t.test('samples belong to the interval of their intended start', async (t) => {
  const samples = new Samples()
  samples.add('create', 2_100, 5)
  samples.add('create', 900, 5_000)
  samples.add('create', 950, 1)
  t.same(samples.overTime('create', 1_000), [
    { fromMs: 0, p50: 1, p99: 5_000 },
    { fromMs: 2_000, p50: 5, p99: 5 },
  ])
})
