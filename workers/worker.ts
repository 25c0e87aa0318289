/** The worker process: the job kinds that it handles, their concurrency, and how a job runs. */
import { ReadObjects } from '../application/store/folder-snapshot.ts'
import { jobId } from '../domain/cases/jobs.ts'
import { FaultLog } from '../domain/fault-log.ts'
import type { JobKind, JobPayloads } from '../domain/ports/jobs.ts'
import { reportFailedJob, startCounters, timed } from './measure.ts'
import { makeRevocationList } from './crl.ts'
import type { WorkerDeps } from './deps.ts'
import { finalise } from './finalise/finalise.ts'
import { intake } from './intake.ts'
import { forgetFailures, noteFailure } from './job-failures.ts'
import { kiosk } from './kiosk.ts'
import { notify } from './notify/notify.ts'
import { reportExpiry } from './pki/report-expiry.ts'
import { eraseCase } from './retention.ts'
import { SigningHealth } from './signing-health.ts'
import { RegularJobs, type RegularJob } from './regular-jobs.ts'
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

const REQUEUE_DELAY_MS = 1_000
/** Certificates and lists live for days at least. */
const EXPIRY_INTERVAL_MS = 5 * 60_000
/** Until the first list is published, which another worker may do. */
const EXPIRY_RETRY_MS = 5_000

/** Every kind that a worker handles. */
export const JOB_KINDS = Object.keys(HANDLERS) as JobKind[]

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
  const regular = new RegularJobs(deps, additions)
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
      regular.start(first)
      if (deps.metrics) watchExpiry()
    },
    stop() {
      stopped = true
      regular.stop()
      for (const payload of receivers.stop()) addWebhook(payload, deps, additions)
      signing.stop()
    },
    signing,
  }
}
