/**
 * Row `webhook`: deliveries, compared with a plain POST of node:http, all with keep-alive. It times
 * only the POST through the egress guard, then whole jobs with stores in memory (read case and log,
 * claim the attempt, sign, send, write result and receipt), then whole jobs on a cluster.
 */
import type { ChildProcess } from 'node:child_process'
import { pino } from 'pino'
import { closeInTurn, type Closing } from '../../adapters/shared/closings.ts'
import { GuardedHttp } from '../../adapters/outbound-http/guarded-http.ts'
import type { JobPayloads } from '../../domain/ports/jobs.ts'
import { systemTimers } from '../../adapters/shared/system-timers.ts'
import { FrozenTimers } from '../../test/fixtures/frozen-timers.ts'
import { MemoryCaseStore, MemorySecretStore } from '../../test/fixtures/memory-cases.ts'
import { MemoryEphemeral } from '../../test/fixtures/memory-ephemeral.ts'
import { VALID_UNTIL } from '../../test/fixtures/signature-case.ts'
import type { LocalCluster } from '../../dev/local-cluster/local.ts'
import { besideCluster } from '../row-cluster/start.ts'
import { flood } from '../flood.ts'
import { startServer } from '../http/start-server.ts'
import { alternate } from '../measure.ts'
import type { Figure, RowReport } from '../report.ts'
import { cancelledCase, delivered, payloadOf, SECRETS } from '../webhook/deliveries.ts'
import { clusterDeliveries } from '../webhook/endpoint-on-cluster.ts'
import { bareSender, guardedSender, type Send } from '../webhook/senders.ts'

const REQUESTS_PER_ROUND = 2_000
const IN_FLIGHT = 16
const RECEIVED = 204

/** Times deliveries. @returns milliseconds for one; @throws Error when one was not received */
function millisecondsPerPost(send: Send): Promise<number> {
  return flood(REQUESTS_PER_ROUND, IN_FLIGHT, async () => {
    const status = await send()
    if (status !== RECEIVED) throw new Error(`the receiver answered ${status}`)
  })
}

/** Creates cases before the timing. @throws Error when one was not delivered */
async function millisecondsPerJob(http: GuardedHttp, url: string): Promise<number> {
  const { now } = new FrozenTimers(VALID_UNTIL)
  const ephemeral = new MemoryEphemeral()
  const stores = { cases: new MemoryCaseStore(), secrets: new MemorySecretStore(now), ephemeral }
  const payloads: JobPayloads['webhook'][] = []
  for (let count = 0; count < REQUESTS_PER_ROUND; count++) {
    const { eventId, ...key } = payloadOf(stores.cases.seed(cancelledCase(url)))
    await stores.secrets.create(key, SECRETS)
    payloads.push({ ...key, eventId })
  }
  return flood(REQUESTS_PER_ROUND, IN_FLIGHT, async (index) => {
    const payload = payloads[index] as JobPayloads['webhook']
    if (!(await delivered(payload, stores, http))) throw new Error('a webhook was not delivered')
  })
}

const perSecond = (milliseconds: number) => Math.round(1000 / milliseconds)

const figure = (of: string, floorMs: number, milliseconds: number): Figure => ({
  of,
  value: floorMs / milliseconds,
  better: 'more',
  must: 0.25,
  aim: 0.5,
})

async function compare(cluster: LocalCluster | undefined, why: string): Promise<RowReport> {
  const children: ChildProcess[] = []
  const http = new GuardedHttp({ timers: systemTimers, allowed: ['127.0.0.1'] })
  const closings: Closing[] = [() => http.close()]
  try {
    const [port = ''] = await startServer('sink-server.ts', children)
    const url = `http://127.0.0.1:${port}/hook`
    const bare = bareSender(url)
    const guarded = guardedSender(http, url)
    const options = { http, url, post: bare, closings }
    const onCluster = cluster && (await clusterDeliveries(cluster, options))
    const times = await alternate({
      floor: () => millisecondsPerPost(bare),
      guarded: () => millisecondsPerPost(guarded),
      jobs: () => millisecondsPerJob(http, url),
      clusterFloor: () => onCluster?.floor() ?? Number.NaN,
      clusterJobs: () => onCluster?.jobs() ?? Number.NaN,
    })
    const { floor, guarded: guardedMs, jobs, clusterFloor, clusterJobs } = times
    const ofCluster =
      `${perSecond(clusterJobs)}/s on a cluster (reads and POST alone ` +
      `${perSecond(clusterFloor)}/s), `
    return {
      measured:
        `${perSecond(guardedMs)} POSTs/s, ${perSecond(jobs)} whole jobs/s, ` +
        `${cluster ? ofCluster : ''}bare POST ${perSecond(floor)}/s`,
      figures: [
        figure('× the rate of the bare POST delivered', floor, jobs),
        figure('× the rate of the bare POST through the guard', floor, guardedMs),
        ...(cluster
          ? [figure('× the rate of reads and POST on a cluster', clusterFloor, clusterJobs)]
          : []),
      ],
      ...(cluster ? {} : { skipped: [`the cluster: ${why}`] }),
    }
  } finally {
    for (const child of children) child.kill()
    await closeInTurn(closings, pino({ level: 'error' }))
  }
}

export function webhook(): Promise<RowReport> {
  return besideCluster({ workers: [] }, compare)
}
