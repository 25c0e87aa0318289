/**
 * The worker process: the job kinds that it handles, their concurrency, and what happens when a job
 * fails.
 */
import { ReadObjects } from '../application/store/folder-snapshot.ts'
import {
  failureCountKey,
  jobId,
  keyRefusalKey,
  keyRefusalNote,
  RETRY_MEMORY_MS,
  retryAtKey,
  retryDelayMs,
} from '../domain/cases/jobs.ts'
import {
  REVOCATION_LIST_INTERVAL_MS,
  TRUSTED_LISTS_RETRY_MS,
  VERIFICATION_SWEEP_INTERVAL_MS,
} from '../domain/limits.ts'
import { FaultLog } from '../domain/fault-log.ts'
import type { JobKind, JobPayloads } from '../domain/ports/jobs.ts'
import { reportFailedJob, startCounters, timed } from './measure.ts'
import type { CaseKey } from '../domain/ports/stores.ts'
import { makeRevocationList } from './crl.ts'
import type { WorkerDeps } from './deps.ts'
import { finalise } from './finalise/finalise.ts'
import { intake } from './intake.ts'
import { kiosk } from './kiosk.ts'
import { notify } from './notify.ts'
import { reportExpiry } from './pki/report-expiry.ts'
import { eraseCase } from './retention.ts'
import { SigningHealth } from './signing-health.ts'
import { publishCaseChange } from './publish-case-change.ts'
import { sealTrail } from './trail-seal.ts'
import { refreshTrustedLists } from './trusted-lists.ts'
import { sweepVerifications } from './verification/sweep.ts'
import { verify } from './verification/verify.ts'
import { ReceiverTurns } from './webhook/receiver-turns.ts'
import { webhook } from './webhook/webhook.ts'

/** Publishes a new list, and reports at once until when it is valid. */
async function renewRevocationList(deps: WorkerDeps): Promise<void> {
  await makeRevocationList(deps)
  await reportExpiry(deps)
}

type Handlers = {
  [K in JobKind]: {
    /** Maximum number of concurrent jobs in one process. */
    concurrency: number
    handle(payload: JobPayloads[K], deps: WorkerDeps): Promise<void>
  }
}

/**
 * Job kinds that hold a whole document (25 MB) run at most twice at a time; those that mostly wait
 * run more often.
 */
const HANDLERS: Handlers = {
  intake: { concurrency: 2, handle: intake },
  finalise: { concurrency: 2, handle: finalise },
  notify: { concurrency: 4, handle: notify },
  // Waits for servers of tenants, up to a time limit, so many run at once.
  webhook: { concurrency: 64, handle: webhook },
  'trail-seal': { concurrency: 4, handle: sealTrail },
  retention: { concurrency: 1, handle: eraseCase },
  kiosk: { concurrency: 4, handle: kiosk },
  verify: { concurrency: 2, handle: verify },
  'verify-sweep': { concurrency: 1, handle: (_payload, deps) => sweepVerifications(deps) },
  crl: { concurrency: 1, handle: (_payload, deps) => renewRevocationList(deps) },
  'trusted-lists': { concurrency: 1, handle: (_payload, deps) => refreshTrustedLists(deps) },
}

const ADD_RETRY_MS = 1_000
const REQUEUE_DELAY_MS = 1_000
/** Certificates and lists live for days at least. */
const EXPIRY_INTERVAL_MS = 5 * 60_000
/** Until the first list is published, which another worker may do. */
const EXPIRY_RETRY_MS = 5_000

/** Every kind that a worker handles. */
export const JOB_KINDS = Object.keys(HANDLERS) as JobKind[]
/** Intervals of the jobs that do not belong to a case. */
const INTERVALS_MS = {
  crl: REVOCATION_LIST_INTERVAL_MS,
  'trusted-lists': TRUSTED_LISTS_RETRY_MS,
  'verify-sweep': VERIFICATION_SWEEP_INTERVAL_MS,
} as const satisfies Partial<Record<JobKind, number>>
type RegularJob = keyof typeof INTERVALS_MS
export const REGULAR_JOBS = Object.keys(INTERVALS_MS) as RegularJob[]

export interface Worker {
  /** Starts handling jobs. Closing the queue waits for the running ones. */
  start(): void
  /** Stops adding regular jobs. */
  stop(): void
  readonly signing: SigningHealth
}

export interface WorkerOptions {
  /** Regular jobs to add at the start; the others are first added after their interval. */
  first?: readonly RegularJob[]
  /** Distinguishes this process from other workers. */
  id?: string
}

function caseKeyOf(payload: JobPayloads[JobKind]): CaseKey | undefined {
  if (!('caseId' in payload)) return undefined
  const { tenant, caseId } = payload as CaseKey
  return { tenant, caseId }
}

/** @returns the delay until the retry in milliseconds */
async function countFailure(kind: JobKind, id: string, deps: WorkerDeps): Promise<number> {
  const failures = await deps.ephemeral.increment(failureCountKey(kind, id), RETRY_MEMORY_MS)
  const delayMs = retryDelayMs(failures)
  const retryAtMs = deps.now().getTime() + delayMs
  await deps.ephemeral.set(retryAtKey(kind, id), String(retryAtMs), { ttlMs: delayMs })
  return delayMs
}

/**
 * Notes why the case waits when an operator has to fix a signing key; deletes the note for any
 * other failure.
 */
async function noteKeyRefusal(kind: JobKind, id: string, error: unknown, deps: WorkerDeps) {
  const place = keyRefusalKey(kind, id)
  const note = keyRefusalNote(error)
  if (!note) return deps.ephemeral.delete(place)
  await deps.ephemeral.set(place, JSON.stringify(note), { ttlMs: RETRY_MEMORY_MS })
}

/**
 * Notes a failure, so that the job is delayed, and notifies the controller when the retry is due.
 */
async function noteFailure<K extends JobKind>(
  kind: K,
  payload: JobPayloads[K],
  failure: unknown,
  deps: WorkerDeps,
): Promise<void> {
  const id = jobId(kind, payload)
  const unnoted = (error: unknown) =>
    deps.log.warn({ err: error, job: kind }, 'a job failure could not be recorded')
  const delayMs = await countFailure(kind, id, deps).catch((error: unknown) => {
    unnoted(error)
    return retryDelayMs(1)
  })
  await noteKeyRefusal(kind, id, failure, deps).catch(unnoted)
  const key = caseKeyOf(payload)
  if (!key) return
  // Only after the delay: until the job has ended, its id keeps a new one from being added.
  deps.timers.after(delayMs, () => void publishCaseChange(key, deps).catch(() => undefined))
}

/** Deletes the notes of a job that succeeded. If that fails, they expire by themselves. */
async function forgetFailures<K extends JobKind>(
  kind: K,
  payload: JobPayloads[K],
  deps: WorkerDeps,
): Promise<void> {
  const id = jobId(kind, payload)
  const places = [failureCountKey(kind, id), keyRefusalKey(kind, id)]
  // At the same time, so that the store can merge them.
  const deletions = places.map((place) => deps.ephemeral.delete(place).catch(() => undefined))
  await Promise.all(deletions)
}

/**
 * Runs one job. A failure is logged and noted; it does not end the process.
 *
 * @returns whether the job succeeded
 */
export async function runJob<K extends JobKind>(
  kind: K,
  payload: JobPayloads[K],
  deps: WorkerDeps,
  handle: Handlers[K]['handle'] = HANDLERS[kind].handle,
): Promise<boolean> {
  const work = () => handle(payload, deps)
  const failure = await timed('sigcase_job_duration_seconds', { kind }, work, deps.metrics).then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  if (failure === undefined) {
    await forgetFailures(kind, payload, deps)
    return true
  }
  deps.log.warn({ err: failure.error, job: kind, ...payload }, 'job failed')
  reportFailedJob(kind, failure.error, deps.metrics)
  deps.tracer?.active()?.fail(failure.error)
  await noteFailure(kind, payload, failure.error, deps)
  return false
}

/** Cases that were uploaded and not yet finalised; verdicts of at most 16 KiB are kept. */
const MAXIMUM_VERDICTS = 500

type Receivers = ReceiverTurns<JobPayloads['webhook']>

/** Lets webhooks wait for a turn of their host, and adds them again when they cannot wait. */
function buildReceivers(deps: WorkerDeps, additions: FaultLog): Receivers {
  return new ReceiverTurns({
    resume: (payload, receivers) => runJob('webhook', payload, { ...deps, receivers }),
    // Only after a pause: until the job has ended, its id keeps a new one from being added.
    requeue: (payload) =>
      deps.timers.after(REQUEUE_DELAY_MS, () => addWebhook(payload, deps, additions)),
  })
}

/** If that fails, the controller adds it at the next resync. */
function addWebhook(
  payload: JobPayloads['webhook'],
  { jobs }: WorkerDeps,
  additions: FaultLog,
): void {
  jobs.add('webhook', jobId('webhook', payload), payload).then(
    () => additions.succeeded(),
    (error: unknown) => additions.failed(error, { job: 'webhook', ...payload }),
  )
}

function register<K extends JobKind>(
  kind: K,
  deps: WorkerDeps,
  signing: SigningHealth,
  { turns, verdicts }: { turns: Receivers; verdicts: ReadObjects },
): void {
  deps.jobs.work(kind, HANDLERS[kind].concurrency, async (payload) => {
    const receivers = turns.open()
    const isDone = await runJob(kind, payload, { ...deps, receivers, verdicts })
    if (!isDone) signing.suspect(kind)
    await receivers.end()
  })
}

/** Builds the worker of this process; `start` starts it. */
export function buildWorker(
  deps: WorkerDeps,
  { first = ['trusted-lists'], id = 'worker' }: WorkerOptions = {},
): Worker {
  let stopped = false
  const signing = new SigningHealth(deps, id)
  const additions = new FaultLog({ ...deps, message: 'a job could not be added' })
  const receivers = buildReceivers(deps, additions)
  const add = (kind: RegularJob) => {
    const added = deps.jobs.add(kind, jobId(kind, {}), {}).then(() => additions.succeeded())
    added.catch((error: unknown) => {
      additions.failed(error, { job: kind })
      // The job is due now, and its interval may be long, so retry soon.
      deps.timers.after(ADD_RETRY_MS, () => {
        if (!stopped) add(kind)
      })
    })
  }
  const repeat = (kind: RegularJob) => {
    deps.timers.after(INTERVALS_MS[kind], () => {
      if (stopped) return
      add(kind)
      repeat(kind)
    })
  }
  const watchExpiry = () => {
    if (stopped) return
    void reportExpiry(deps).then((isComplete) => {
      if (stopped) return
      deps.timers.after(isComplete ? EXPIRY_INTERVAL_MS : EXPIRY_RETRY_MS, watchExpiry)
    })
  }
  return {
    start() {
      startCounters(JOB_KINDS, deps.metrics)
      const kept = { turns: receivers, verdicts: new ReadObjects(MAXIMUM_VERDICTS) }
      for (const kind of JOB_KINDS) register(kind, deps, signing, kept)
      signing.start()
      const isWanted = (kind: RegularJob) => kind !== 'trusted-lists' || deps.trustedLists
      for (const kind of REGULAR_JOBS.filter(isWanted)) repeat(kind)
      for (const kind of first.filter(isWanted)) add(kind)
      if (deps.metrics) watchExpiry()
    },
    stop() {
      stopped = true
      for (const payload of receivers.stop()) addWebhook(payload, deps, additions)
      signing.stop()
    },
    signing,
  }
}
