/**
 * Row `case`: what one case with two participants costs from its creation until it is settled, on
 * one machine and on a cluster. The figures are counts, which do not depend on the machine, except
 * for CPU time.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isSettled } from '../../domain/cases/finished.ts'
import type { LocalCluster } from '../../dev/local-cluster/local.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { Client } from '../../test/e2e/client.ts'
import { TENANT } from '../../test/fixtures/signature-case.ts'
import { flood } from '../flood.ts'
import { makePdf, SMALL } from '../inputs.ts'
import type { Figure, RowReport } from '../report.ts'
import { COSTS, readCosts, type Costs } from '../row-cluster/costs.ts'
import { RedisRequests } from '../row-cluster/redis-requests.ts'
import { besideCluster } from '../row-cluster/start.ts'
import { driveCase } from './flow.ts'
import { onOneMachine } from './one-machine.ts'

const WARM_UP_CASES = 8
const CASES = 40
const IN_FLIGHT = 4
/** Over this time, what the idle processes do is measured and then subtracted. */
const IDLE_MS = 5_000
const SETTLE_LIMIT_MS = 60_000
const POLL_MS = 250

/** Upper bounds for two idle cores; a busy machine merges less and retries more. */
const MUST: Partial<Costs> = {
  reconciles: 6.5,
  'etcd writes': 6.5,
  'API-server reads': 11,
  'class A': 22,
  'class B': 23,
  'Redis requests': 95,
  'Redis commands': 360,
}

async function allSettled({ admin }: LocalCluster): Promise<void> {
  const deadlineMs = performance.now() + SETTLE_LIMIT_MS
  while (performance.now() < deadlineMs) {
    const path = `/apis/sigcase.dev/v1/namespaces/${TENANT}/signaturecases`
    const { items } = await admin.send<{ items: SignatureCase[] }>({ path })
    if (items.every(({ status }) => isSettled(status))) return
    await sleep(POLL_MS)
  }
  throw new Error('the cases did not settle')
}

/** Costs of each case, without what the idle cluster does. */
async function onEachCase(cluster: LocalCluster): Promise<Costs> {
  const client = new Client({ baseUrl: () => cluster.url, token: await cluster.token(TENANT) })
  const pdf = makePdf(SMALL)
  await flood(WARM_UP_CASES, IN_FLIGHT, () => driveCase(client, pdf))
  await allSettled(cluster)
  const requests = new RedisRequests(cluster.environment.REDIS_URL ?? '')
  const before = await readCosts(cluster, requests)
  await sleep(IDLE_MS)
  const idle = await readCosts(cluster, requests)
  const startedMs = performance.now()
  await flood(CASES, IN_FLIGHT, () => driveCase(client, pdf))
  await allSettled(cluster)
  const idleTimes = (performance.now() - startedMs) / IDLE_MS
  const after = await readCosts(cluster, requests)
  requests.stop()
  const each = (name: keyof Costs) =>
    (after[name] - idle[name] - idleTimes * (idle[name] - before[name])) / CASES
  return Object.fromEntries(COSTS.map((name) => [name, each(name)])) as Costs
}

/** The row; each count is of one case. */
export async function caseCosts(): Promise<RowReport> {
  const { measured, figures: ofOne, skipped = [] } = await onOneMachine()
  return besideCluster({ workers: ['node'] }, async (cluster, why) => {
    if (!cluster) return { measured, figures: ofOne, skipped: [...skipped, `a cluster: ${why}`] }
    const costs = await onEachCase(cluster)
    const figures = Object.entries(MUST).map(([name, must]): Figure => {
      return { of: name, value: costs[name as keyof Costs], better: 'less', must }
    })
    const others = COSTS.filter((name) => MUST[name] === undefined)
    const listed = others.map((name) => `${costs[name].toPrecision(3)} ${name}`).join(', ')
    return {
      measured: `${measured} · cluster, each case: ${listed}`,
      figures: [...ofOne, ...figures],
      skipped,
    }
  })
}
