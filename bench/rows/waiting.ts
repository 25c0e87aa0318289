/**
 * Row `waiting`: what 2,000 cases that wait for their participants, and 2,000 that wait for their
 * upload, cost the controller of a cluster: a new leader until it is idle, after the former one was
 * stopped and after it was killed, and five minutes with one resync. The bucket reports uploads.
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
/**
 * The controller is idle when it has reconciled nothing for this long. By then it has stored which
 * cases rest.
 */
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
/** Set at the end of each listing of all cases. */
const LISTED = /^sigcase_cases\{[^}]*\} (\S+)$/gm
const LEADS = /^sigcase_controller_leads (\S+)$/gm

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

interface Progress {
  reconciles: number
  listed: number
  leads: number
}

async function readProgress({ options }: Child): Promise<Progress> {
  const response = await fetch(new URL('/metrics', options.readyUrl)).catch(() => undefined)
  const text = (await response?.text()) ?? ''
  const sumOf = (values: RegExp) =>
    [...text.matchAll(values)].reduce((sum, [, value]) => sum + Number(value), 0)
  return { reconciles: sumOf(RECONCILES), listed: sumOf(LISTED), leads: sumOf(LEADS) }
}

interface Cost {
  /** Wall-clock time from its election to the last reconcile, or the end of the first listing. */
  seconds: number
  cpuSeconds: number
  megabytes: number
  reconciles: number
}

/**
 * Waits until the controller has listed the cases, and nothing was reconciled for a while.
 *
 * @returns the usage of the process so far
 */
async function untilIdle(controller: Child, atLeast: Omit<Progress, 'leads'>): Promise<Cost> {
  const beganMs = performance.now()
  const usage = () => readUsage(controller.pid ?? 0).own
  let [leadsMs, lastMs, peak, cpuSeconds] = [beganMs, beganMs, 0, usage().seconds]
  let seen: Progress = { reconciles: 0, listed: 0, leads: 0 }
  const isBusy = () => seen.reconciles < atLeast.reconciles || seen.listed < atLeast.listed
  while (isBusy() || performance.now() - lastMs < QUIET_MS) {
    if (performance.now() - beganMs > LIMIT_MS) throw new Error('the controller is never idle')
    const now = await readProgress(controller)
    const { seconds, octets } = usage()
    peak = Math.max(peak, octets)
    if (now.leads === 0) leadsMs = performance.now()
    if (now.reconciles !== seen.reconciles || now.listed !== seen.listed) {
      ;[lastMs, cpuSeconds] = [performance.now(), seconds]
    }
    seen = now
    await sleep(POLL_MS)
  }
  const megabytes = peak / OCTETS_PER_MB
  const { reconciles } = seen
  return { seconds: (lastMs - leadsMs) / SECONDS, cpuSeconds, megabytes, reconciles }
}

/** Ends the leader and starts another one. @returns its cost until it is idle */
async function replaceLeader(
  controller: Child,
  signal: 'SIGTERM' | 'SIGKILL',
  atLeast: Omit<Progress, 'leads'>,
): Promise<Cost> {
  await controller.end(signal)
  controller.start()
  await controller.ready()
  return untilIdle(controller, atLeast)
}

const describeCost = ({ seconds, cpuSeconds, megabytes, reconciles }: Cost) =>
  `${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU, ${megabytes.toFixed(0)} MB ` +
  `and ${reconciles} reconciles`

async function measure(cluster: LocalCluster, count: number): Promise<RowReport> {
  const { admin, controllers } = cluster
  const controller = controllers[0] as Child
  await createAll(admin, count, openCase)
  // The first leader writes the trails.
  await untilIdle(controller, { reconciles: count, listed: 0 })
  const next = await replaceLeader(controller, 'SIGTERM', { reconciles: 0, listed: count })
  const after = await replaceLeader(controller, 'SIGKILL', { reconciles: 0, listed: count })
  await createAll(admin, count, (index) => newCase(index, index / count))
  await untilIdle(controller, { reconciles: after.reconciles + count, listed: count })
  const usage = () => readUsage(controller.pid ?? 0).own.seconds
  const before = { seconds: usage(), ...(await readProgress(controller)) }
  await sleep(WINDOW_MS)
  const cores = (usage() - before.seconds) / (WINDOW_MS / SECONDS)
  const reconciles = (await readProgress(controller)).reconciles - before.reconciles
  const slow = { better: 'less', informative: true } as const
  const less = { better: 'less', aim: 250 } as const
  return {
    measured:
      `${count} open cases: a new leader is idle after ${describeCost(next)}, ` +
      `or ${describeCost(after)} if the former one was killed; with ${count} NEW cases more, ` +
      `${reconciles} reconciles in ${WINDOW_MS / SECONDS} s with a resync`,
    figures: [
      { of: 's until idle', value: next.seconds, ...slow, must: 5 },
      { of: 'MB of the new leader', value: next.megabytes, ...less, must: 250 },
      { of: 's until idle after a kill', value: after.seconds, ...slow, must: 5 },
      { of: 'MB after a kill', value: after.megabytes, ...less, must: 250 },
      { of: 'of a core while all wait', value: cores, better: 'less', must: 0.03, aim: 0.01 },
    ],
  }
}

/** @param rows number of cases of each kind */
export async function waiting(rows = CASES): Promise<RowReport> {
  return onCluster({ workers: [] }, (cluster) => measure(cluster, rows))
}
