/** Runs a load test against a service: starts each case at its time, whatever the others do. */
import { availableParallelism, loadavg } from 'node:os'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../../test/e2e/client.ts'
import { tryDocuments, type Document } from './documents.ts'
import { driveCase, type DriveDeps, type InFlight, type Outcome } from './drive-case.ts'
import type { LoadOptions } from './options.ts'
import type { Counts, Run } from './report.ts'
import { Samples } from './samples.ts'
import { arrivalTimes } from './schedule.ts'
import type { LoadedService } from './services.ts'
import { openTenantEndpoint, type TenantEndpoint } from './tenant-endpoint.ts'
import { watchUsage } from './usage.ts'

const READING_INTERVAL_MS = 1_000
const POLL_MS = 50
/** An event that comes twice may come a little later. */
const AFTERWARDS_MS = 1_000
const NANOSECONDS_PER_MS = 1e6
const MS_PER_SECOND = 1_000
const MICROSECONDS_PER_SECOND = 1e6

type Options = Pick<LoadOptions, 'rate' | 'durationMs' | 'participants' | 'patienceMs'>

/** Starts one case at each time. @returns their outcomes when all have ended */
async function startAll(
  times: readonly number[],
  documents: readonly Document[],
  deps: DriveDeps,
): Promise<Outcome[]> {
  const outcomes = times.map(async (atMs, index) => {
    const intendedMs = deps.runStartedMs + atMs
    await sleep(Math.max(0, intendedMs - performance.now()))
    const { pdf } = documents[index % documents.length] as Document
    return driveCase(pdf, intendedMs, deps)
  })
  return Promise.all(outcomes)
}

/** One for each participant and one for the end. */
const webhooksOf = (participants: number) => participants + 1

function receivedOf(outcomes: readonly Outcome[], { received }: TenantEndpoint): number {
  return outcomes.reduce(
    (sum, outcome) => sum + (outcome.end === 'done' ? (received.get(outcome.caseId) ?? 0) : 0),
    0,
  )
}

/** Waits for the webhooks of all cases that are DONE. */
async function countAll(
  outcomes: readonly Outcome[],
  endpoint: TenantEndpoint,
  { participants, patienceMs }: Options,
): Promise<Counts> {
  const count = (end: Outcome['end']) => outcomes.filter((outcome) => outcome.end === end).length
  const webhooksExpected = count('done') * webhooksOf(participants)
  const deadlineMs = performance.now() + patienceMs
  while (receivedOf(outcomes, endpoint) < webhooksExpected && performance.now() < deadlineMs) {
    await sleep(POLL_MS)
  }
  await sleep(AFTERWARDS_MS)
  return {
    started: outcomes.length,
    done: count('done'),
    refused: count('refused'),
    lost: count('lost'),
    webhooksExpected,
    webhooksReceived: receivedOf(outcomes, endpoint),
    webhooksRepeated: endpoint.repeated(),
  }
}

function groupFaults(outcomes: readonly Outcome[]): Record<string, number> {
  const faults: Record<string, number> = {}
  for (const outcome of outcomes) {
    if (outcome.end === 'done') continue
    const why = `${outcome.end}: ${outcome.why}`
    faults[why] = (faults[why] ?? 0) + 1
  }
  return faults
}

/** Drives one case with each document. @returns the documents that the service accepts */
async function warmUp(documents: readonly Document[], deps: Omit<DriveDeps, 'samples'>) {
  return tryDocuments(documents, async ({ pdf }) => {
    const samples = new Samples()
    const outcome = await driveCase(pdf, performance.now(), { ...deps, samples })
    if (outcome.end !== 'done') throw new Error(outcome.why)
  })
}

/** @param log receives one line for each step */
export async function runLoad(
  options: Options,
  documents: readonly Document[],
  service: LoadedService,
  log: (line: string) => void,
): Promise<Run> {
  const { rate, durationMs, participants, patienceMs } = options
  const samples = new Samples()
  let runStartedMs = Number.POSITIVE_INFINITY
  const endpoint = await openTenantEndpoint((latencyMs) => {
    const startedMs = performance.now() - runStartedMs - latencyMs
    // Events of the warm-up do not count.
    if (startedMs >= 0) samples.add('webhook', startedMs, latencyMs)
  })
  try {
    const client = new Client({ baseUrl: () => service.url, token: service.token })
    const inFlight: InFlight = { cases: 0, accepting: 0, finishing: 0 }
    const common = { client, inFlight, participants, patienceMs, callbackUrl: endpoint.url }
    const { usable, refused } = await warmUp(documents, { ...common, runStartedMs: 0 })
    log(`${usable.length} of ${documents.length} documents`)
    for (const [why, names] of Object.entries(refused)) log(`  not: ${why}: ${names.join(', ')}`)
    const times = arrivalTimes(rate, durationMs)
    log(`${times.length} cases in ${durationMs / MS_PER_SECOND} s`)
    const delay = monitorEventLoopDelay()
    delay.enable()
    const ownCpu = process.cpuUsage()
    runStartedMs = performance.now()
    const watching = watchUsage({
      ...service,
      inFlight,
      intervalMs: READING_INTERVAL_MS,
      runStartedMs,
    })
    const outcomes = await startAll(times, usable, { ...common, samples, runStartedMs })
    const counts = await countAll(outcomes, endpoint, options)
    watching.stop()
    delay.disable()
    const { user, system } = process.cpuUsage(ownCpu)
    return {
      about: {
        'cases per second': rate,
        seconds: durationMs / MS_PER_SECOND,
        participants,
        documents: usable.length,
        cores: availableParallelism(),
        'load of the machine at the end': loadavg()[0]?.toFixed(1) ?? '',
        'CPU seconds of this tool': ((user + system) / MICROSECONDS_PER_SECOND).toFixed(1),
        'p99 delay of its timers in ms': (delay.percentile(99) / NANOSECONDS_PER_MS).toFixed(0),
      },
      counts,
      faults: groupFaults(outcomes),
      samples,
      readings: watching.readings,
      cpuSeconds: watching.seconds(),
      durationMs,
    }
  } finally {
    await endpoint.close()
  }
}
