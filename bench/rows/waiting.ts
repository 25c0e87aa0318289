/**
 * Row `waiting`: what 2,000 cases that wait for their participants, and 2,000 that wait for their
 * upload, cost the controller of a cluster: a new leader until it is idle, and five minutes with
 * one resync. The bucket reports uploads.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiServer } from '../../adapters/kubernetes/api-server.ts'
import type { Child } from '../../dev/local-cluster/child.ts'
import type { LocalCluster } from '../../dev/local-cluster/local.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { uuidV5 } from '../../domain/ids.ts'
import { ACCEPTED_AT, CASE_ID, signatureCase, TENANT } from '../../test/fixtures/signature-case.ts'
import { flood } from '../flood.ts'
import { readUsage } from '../process-cpu.ts'
import type { RowReport } from '../report.ts'
import { resourceOf, storeCase } from '../row-cluster/cases.ts'
import { onCluster } from '../row-cluster/start.ts'

const CASES = 2_000
const IN_FLIGHT = 16
/** The controller is idle when it has reconciled nothing for this long. */
const QUIET_MS = 12_000
const LIMIT_MS = 300_000
const POLL_MS = 100
/** A little longer than the interval between two resyncs. */
const WINDOW_MS = 310_000
/** NEW cases are looked for until this long after their creation; the ages of these are spread. */
const LONGEST_AGE_MS = 65 * 60_000
const OCTETS_PER_MB = 1e6
const SECONDS = 1_000

const RECONCILES = /^sigcase_reconcile_duration_seconds_count\{[^}]*\} (\S+)$/gm

/** A definition without mails, so that no job is pending. */
function silent(made: SignatureCase): SignatureCase {
  const { definition } = made.spec
  const participants = definition.participants.map((one) => ({ ...one, notify: false }))
  return { ...made, spec: { ...made.spec, definition: { ...definition, participants } } }
}

const keyAt = (kind: string, index: number) => ({
  tenant: TENANT,
  caseId: uuidV5(CASE_ID, `${kind} ${index}`),
})

/** A case whose document was accepted. */
function openCase(index: number): SignatureCase {
  const made = silent(resourceOf(keyAt('open', index)))
  const { status } = signatureCase({ phase: 'IN_PROGRESS' })
  const document = { ...status?.document, acceptedAt: ACCEPTED_AT }
  return { ...made, status: { ...status, document } as NonNullable<SignatureCase['status']> }
}

/** A case without an upload. @param share of the longest age, from 0 to 1 */
function newCase(index: number, share: number): SignatureCase {
  const made = silent(resourceOf(keyAt('new', index)))
  const at = new Date(Date.now() - share * LONGEST_AGE_MS).toISOString()
  return { ...made, spec: { ...made.spec, creation: { ...made.spec.creation, at } } }
}

async function createAll(
  admin: ApiServer,
  count: number,
  build: (index: number) => SignatureCase,
): Promise<void> {
  await flood(count, IN_FLIGHT, async (index) => void (await storeCase(admin, build(index))))
}

async function countReconciles({ options }: Child): Promise<number> {
  const response = await fetch(new URL('/metrics', options.readyUrl)).catch(() => undefined)
  const found = (await response?.text())?.matchAll(RECONCILES) ?? []
  return [...found].reduce((sum, [, count]) => sum + Number(count), 0)
}

interface Cost {
  /** Wall-clock time until the last reconcile. */
  seconds: number
  cpuSeconds: number
  megabytes: number
  reconciles: number
}

/** Waits until nothing was reconciled for a while. @returns the usage of the process so far */
async function untilIdle(controller: Child, atLeast: number): Promise<Cost> {
  const startedMs = performance.now()
  const usage = () => readUsage(controller.pid ?? 0).own
  let [reconciles, lastMs, peak] = [0, startedMs, 0]
  let cpuSeconds = usage().seconds
  while (performance.now() - lastMs < QUIET_MS || reconciles < atLeast) {
    if (performance.now() - startedMs > LIMIT_MS) throw new Error('the controller is never idle')
    const count = await countReconciles(controller)
    const { seconds, octets } = usage()
    peak = Math.max(peak, octets)
    if (count !== reconciles) [reconciles, lastMs, cpuSeconds] = [count, performance.now(), seconds]
    await sleep(POLL_MS)
  }
  const megabytes = peak / OCTETS_PER_MB
  return { seconds: (lastMs - startedMs) / SECONDS, cpuSeconds, megabytes, reconciles }
}

async function measure(cluster: LocalCluster, count: number): Promise<RowReport> {
  const { admin, controllers } = cluster
  const controller = controllers[0] as Child
  await createAll(admin, count, openCase)
  // The first leader writes the trails.
  await untilIdle(controller, count)
  await controller.end()
  controller.start()
  await controller.ready()
  const leader = await untilIdle(controller, count)
  await createAll(admin, count, (index) => newCase(index, index / count))
  await untilIdle(controller, leader.reconciles + count)
  const before = { ...readUsage(controller.pid ?? 0).own, count: await countReconciles(controller) }
  await sleep(WINDOW_MS)
  const cores =
    (readUsage(controller.pid ?? 0).own.seconds - before.seconds) / (WINDOW_MS / SECONDS)
  const reconciles = (await countReconciles(controller)) - before.count
  return {
    measured:
      `${count} open cases: a new leader is idle after ${leader.seconds.toFixed(1)} s and ` +
      `${leader.cpuSeconds.toFixed(1)} s of CPU; with ${count} NEW cases more, ${reconciles} ` +
      `reconciles in ${WINDOW_MS / SECONDS} s with a resync`,
    figures: [
      { of: 's until idle', value: leader.seconds, better: 'less', must: 5, informative: true },
      { of: 'MB of the new leader', value: leader.megabytes, better: 'less', must: 450, aim: 250 },
      { of: 'of a core while all wait', value: cores, better: 'less', must: 0.03, aim: 0.01 },
    ],
  }
}

/** @param rows number of cases of each kind */
export async function waiting(rows = CASES): Promise<RowReport> {
  return onCluster({ workers: [] }, (cluster) => measure(cluster, rows))
}
