/**
 * Row `flow`: whole cases from NEW to DONE through all processes of a cluster, and their writes to
 * etcd. The figures are informative.
 */
import { performance } from 'node:perf_hooks'
import { Client } from '../../test/e2e/client.ts'
import { TENANT } from '../../test/fixtures/signature-case.ts'

import type { LocalCluster } from '../../dev/local-cluster/local.ts'
import { etcdWrites } from '../row-cluster/etcd-writes.ts'
import { onCluster } from '../row-cluster/start.ts'
import { flood } from '../flood.ts'
import { makePdf, SMALL } from '../inputs.ts'
import { quantile } from '../measure.ts'
import type { RowReport } from '../report.ts'

const WARM_UP_CASES = 10
const CASES = 100
const IN_FLIGHT = 16
const PATIENCE_MS = 120_000
/** The same for all cases, short and long. */
const POLL_MS = 50

/** Runs a case with two signers. @returns milliseconds; @throws Error when it is not DONE */
export async function driveCase(client: Client, pdf: Uint8Array): Promise<number> {
  const startedMs = performance.now()
  const created = await client.create('Contract', [{}, {}])
  await client.upload(created.upload.url, pdf)
  const running = await client.untilNot('NEW', created.case.id, PATIENCE_MS, POLL_MS)
  for (const { signerUrl } of running.participants) {
    const { status } = await client.sign(signerUrl)
    if (status !== 200) throw new Error(`signing answered ${status}`)
  }
  const end = await client.untilNot('IN_PROGRESS', created.case.id, PATIENCE_MS, POLL_MS)
  if (end.status !== 'DONE') throw new Error(`a case ended as ${end.status}`)
  return performance.now() - startedMs
}

async function run(cluster: LocalCluster): Promise<RowReport> {
  const client = new Client({ baseUrl: () => cluster.url, token: await cluster.token(TENANT) })
  const pdf = makePdf(SMALL)
  await flood(WARM_UP_CASES, IN_FLIGHT, () => driveCase(client, pdf))
  const before = await etcdWrites(cluster.plane)
  const timesMs: number[] = []
  const eachMs = await flood(CASES, IN_FLIGHT, async () =>
    timesMs.push(await driveCase(client, pdf)),
  )
  const writes = [...(await etcdWrites(cluster.plane))].map(
    ([kind, count]) => [kind, (count - (before.get(kind) ?? 0)) / CASES] as const,
  )
  const kinds = writes.filter(([, each]) => each >= 0.1)
  const all = writes.reduce((sum, [, each]) => sum + each, 0)
  const seconds = (share: number) => (quantile(timesMs, share) / 1000).toFixed(1)
  return {
    measured:
      `${(1000 / eachMs).toFixed(1)} cases/s from NEW to DONE, ${IN_FLIGHT} in flight, each ` +
      `${seconds(0.5)} s (p99 ${seconds(0.99)} s) · ${all.toFixed(1)} writes to etcd per case ` +
      `(${kinds.map(([kind, each]) => `${kind} ${each.toFixed(1)}`).join(', ')})`,
    figures: [],
  }
}

export async function flow(): Promise<RowReport> {
  return onCluster({}, run)
}
