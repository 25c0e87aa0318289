/** A worker as a process of its own on a cluster, on Node or on Deno. */
import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { JwsSigningLinks } from '../adapters/jose/signing-links.ts'
import { GuardedHttp } from '../adapters/outbound-http/guarded-http.ts'
import { DenoPdfSandbox } from '../adapters/pdf-sandbox/pdf-sandbox.ts'
import { SocketReader } from '../adapters/pdf-sandbox/socket-reader.ts'
import { trustedListSource } from '../adapters/trusted-lists/source.ts'
import { openAuthorities } from '../adapters/tsa/open-authorities.ts'
import { openAdapters, openProcessKeyring } from './cluster/adapters.ts'
import { openBounds } from './cluster/bounds.ts'
import { ClusterBranding } from './cluster/branding.ts'
import { openJobs } from './cluster/jobs.ts'
import { TenantSpecs } from './cluster/tenant-specs.ts'
import { openMailer } from './cluster/outside-services.ts'
import { openSigningDevice } from './cluster/signing-device.ts'
import { serveOperations } from './cluster/operations.ts'
import { measured, measuredHttp } from './cluster/measured.ts'
import { runProcess, type ProcessParts } from './cluster/process.ts'
import { tracedSandbox } from './tracing/traced-ports.ts'
import { answers, both, hasAnswered, Readiness } from './cluster/readiness.ts'
import { readWorkerConfig, type WorkerConfig } from './config/processes.ts'
import { CANARY_KEY } from '../domain/cases/keys.ts'
import { systemTimers } from '../adapters/shared/system-timers.ts'
import type { WorkerDeps } from '../workers/deps.ts'
import { AccessTokens } from '../workers/oauth/access-tokens.ts'
import { reportQueues } from '../workers/queue-length.ts'
import { REGULAR_JOBS } from '../workers/regular-jobs.ts'
import { buildWorker, JOB_KINDS } from '../workers/worker.ts'

async function openWorkerAdapters(
  config: WorkerConfig,
  parts: ProcessParts,
  reader: SocketReader | undefined,
) {
  const { log, closings, tracer } = parts
  const { timeStamps, trustedLists } = config
  const keyring = openProcessKeyring('worker', config)
  const adapters = openAdapters('worker', keyring, config, parts)
  const { ephemeral, metrics, now } = adapters
  const signingDevice = measured(await openSigningDevice(config, now()), {
    system: 'kms',
    methods: ['describe', 'sign'],
    metrics,
    tracer,
  })
  const sandbox = new DenoPdfSandbox({
    ...(reader && { reader }),
    onBroke: (fault) => log.error({ fault }, 'PDF parser crashed; upload rejected'),
  })
  closings.unshift(() => sandbox.close())
  // Timeouts of HTTP exchanges use real time, even when the service's clock is simulated.
  const http = new GuardedHttp({ timers: systemTimers, allowed: config.egressAllow })
  closings.unshift(() => http.close())
  const outboundHttp = measuredHttp(http, metrics, tracer)
  const publicHttp = new GuardedHttp({ timers: systemTimers })
  closings.unshift(() => publicHttp.close())
  const { timeStamps: authority, ...validationData } = openAuthorities({
    ...(timeStamps && { timeStamps }),
    http: outboundHttp,
    publicHttp: measuredHttp(publicHttp, metrics, tracer),
    signingDevice,
    onUnknown: (url, reason) => log.warn({ url, reason }, 'validation data could not be fetched'),
    now,
  })
  const deps = {
    ...adapters,
    links: new JwsSigningLinks(keyring),
    jobs: openJobs(config, parts),
    bounds: openBounds(config, adapters),
    branding: new ClusterBranding(new TenantSpecs({ tenants: adapters.tenants, now })),
    mailer: measured(openMailer(config.mail), {
      system: 'smtp',
      methods: ['send'],
      metrics,
      tracer,
    }),
    sandbox: tracedSandbox(sandbox, tracer),
    outboundHttp,
    accessTokens: new AccessTokens({ ephemeral, keyring, log, outboundHttp, now }),
    signingDevice,
    timeStamps: measured(authority, { system: 'tsa', methods: ['stamp'], metrics, tracer }),
    ...validationData,
    ...(trustedLists && { trustedLists: trustedListSource(trustedLists, outboundHttp) }),
  }
  return deps satisfies WorkerDeps
}

/** Starts the worker, which processes jobs until it is closed. */
export async function startWorker(config: WorkerConfig, parts: ProcessParts): Promise<void> {
  const { closings } = parts
  const { readerSocket } = config
  const reader = readerSocket === undefined ? undefined : new SocketReader(readerSocket)
  // When a pod ends, worker and reader get the signal together, but running jobs still need the
  // reader.
  reader?.attach()
  const deps = await openWorkerAdapters(config, parts, reader)
  // New keys need a new revocation list, so the regular jobs run at the start.
  const worker = buildWorker(deps, { first: REGULAR_JOBS, id: randomUUID() })
  const { host, operationsPort: port } = config
  deps.metrics.onScrape(() => reportQueues(JOB_KINDS, deps))
  const readiness = new Readiness({
    queue: async () => (deps.jobs.isConsumed() ? undefined : 'the job queue is not being consumed'),
    redis: both(
      deps.redisServer,
      answers(() => deps.jobs.count('intake')),
    ),
    'api-server': hasAnswered(() => deps.tenants.list({ limit: 1 })),
    objects: hasAnswered(() => deps.objects.stat(CANARY_KEY)),
    signing: async () => worker.signing.fault(),
    mail: hasAnswered(() => deps.mailer.ping()),
    ...(reader && { reader: answers(() => reader.ping()) }),
  })
  const operations = await serveOperations(
    { host, port },
    {
      readiness: readiness.answer,
      metrics: () => deps.metrics.text(),
    },
  )
  closings.push(() => operations.close())
  worker.start()
  // Runs before the jobs drain.
  closings.unshift(() => worker.stop())
  closings.unshift(() => readiness.drain())
}

if (import.meta.main) {
  await runProcess({
    component: 'worker',
    environment: process.env,
    readConfig: readWorkerConfig,
    start: startWorker,
  })
}
