/** The capacity model: proportions, known points, and what ends first. */
import t from 'tap'
import {
  bottlenecks,
  DEFAULT_PLAN,
  estimate,
  INPUTS,
  type Inputs,
  type Plan,
} from '../../../dev/capacity/model.ts'

const SECONDS_PER_DAY = 86_400
const plan = (casesPerDay: number, more: Partial<Plan> = {}): Plan => {
  return { ...DEFAULT_PLAN, casesPerDay, ...more }
}

const withInputs = (more: {
  measured?: Partial<Inputs['measured']>
  limits?: Partial<Inputs['limits']>
}): Inputs => ({
  ...INPUTS,
  measured: { ...INPUTS.measured, ...more.measured } as Inputs['measured'],
  limits: { ...INPUTS.limits, ...more.limits } as Inputs['limits'],
})

t.test('replicas grow with the load, and are two at least', async (t) => {
  t.same(estimate(plan(1)).replicas, { api: 2, controllers: 2, workers: 2 })
  const inputs = withInputs({
    measured: { processCpu: 1, apiShare: 0.25, controllerShare: 0.25 },
    limits: { processCores: 0.5 },
  })
  const tenAtThePeak = plan((10 * SECONDS_PER_DAY) / 4)
  const { replicas, peakCasesPerSecond, fitsOneMachine } = estimate(tenAtThePeak, inputs)
  t.equal(peakCasesPerSecond, 10)
  t.same(replicas, { api: 5, controllers: 5, workers: 10 })
  t.notOk(fitsOneMachine)
  t.ok(estimate(plan(1_000)).fitsOneMachine)
})

t.test('etcd has the cases that are open or not archived yet', async (t) => {
  const inputs = withInputs({ measured: { etcdOctets: 1_000 } })
  const ofDays = (openHours: number, archiveHours: number) =>
    estimate(plan(1_000_000, { openHours, archiveHours }), inputs).etcdGigabytes
  t.equal(ofDays(24, 24), 2)
  t.equal(ofDays(48, 72), 5)
})

t.test('operations, signatures and storage cost their list prices', async (t) => {
  const measured = { classA: 100, classB: 1_000, kmsSignatures: 10, storedMegabytes: 2 }
  const costs = estimate(plan(1_000), withInputs({ measured })).costPerThousand
  t.equal(costs['object store'].toFixed(3), '0.900', '100,000 writes and 1,000,000 reads')
  t.equal(costs.KMS.toFixed(3), '0.150')
  t.equal(costs.storage.toFixed(3), '0.480', '2 GB for 12 months')
})

t.test('limits come in the order in which they are reached', async (t) => {
  const limits = bottlenecks(plan(1_000_000))
  const rates = limits.map(({ casesPerDay }) => casesPerDay)
  t.same(
    rates,
    rates.toSorted((a, b) => a - b),
  )
  const of = (part: string, all = limits) =>
    all.find(({ name }) => name.includes(part))?.casesPerDay ?? 0
  const { hsmPerMinute } = INPUTS.limits
  const { kmsSignatures } = INPUTS.measured
  t.equal(
    Math.round(of('HSM')),
    Math.round((hsmPerMinute * 24 * 60) / kmsSignatures / DEFAULT_PLAN.peakFactor),
  )
  const sharded = bottlenecks(plan(1_000_000, { shards: 64 }))
  t.equal(Math.round(of('64 leaders', sharded) / of('one leader')), 64)
  const faster = bottlenecks(plan(1_000_000, { receiverSeconds: 0.1 }))
  t.equal(Math.round(of('receiver', faster) / of('receiver')), 5)
})
