/** The API, the controller and the workers in one process on the embedded adapters. */
import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pino, type Logger } from 'pino'
import { SqliteCaseStore } from '../adapters/embedded/case-store.ts'
import { takeDataDirectory } from '../adapters/embedded/data-directory.ts'
import { InProcessEphemeral } from '../adapters/embedded/ephemeral.ts'
import { InProcessJobQueue } from '../adapters/embedded/job-queue.ts'
import { FileKeyring } from '../adapters/embedded/keyring.ts'
import { LocalTimeStampAuthority } from '../adapters/embedded/local-time-stamp-authority.ts'
import { FileMailer } from '../adapters/embedded/mailer.ts'
import { ObjectServer } from '../adapters/embedded/object-server.ts'
import { FileObjectStore } from '../adapters/embedded/object-store.ts'
import { SoftwareKeys } from '../adapters/embedded/software-keys.ts'
import { LocalTenantIdentity } from '../adapters/jose/local-identity.ts'
import { JwsSigningLinks } from '../adapters/jose/signing-links.ts'
import { DenoPdfSandbox } from '../adapters/pdf-sandbox/pdf-sandbox.ts'
import { buildApi } from '../api/app.ts'
import { buildController } from '../controllers/controller.ts'
import { AuditTrail } from '../domain/audit/trail.ts'
import { caseOfUpload } from '../domain/cases/keys.ts'
import { CASE_BELL } from '../domain/ports/ephemeral.ts'
import { readDrawing } from '../pades/index.ts'
import { runCanary } from '../workers/canary.ts'
import type { WorkerDeps } from '../workers/deps.ts'
import { buildWorker } from '../workers/worker.ts'
import { baseUrlOf, settledPort } from './base-url.ts'
import type { Config } from './config.ts'
import { keyringPath } from './paths.ts'
import { systemTimers } from './system-timers.ts'

export interface EmbeddedService {
  /** The base of every link that it gives out. */
  url: string
  /** Takes no more work, finishes what runs, and gives the data directory back. */
  close(): Promise<void>
}

const SALT_BYTES = 16

async function openAdapters(folder: string, baseUrl: string, log: Logger) {
  const now = () => new Date()
  const keyring = new FileKeyring(keyringPath(folder))
  const objects = new FileObjectStore({ folder: join(folder, 'objects'), baseUrl, keyring })
  const cases = new SqliteCaseStore(join(folder, 'cases.sqlite'), now)
  const signingDevice = await SoftwareKeys.open(join(folder, 'keys'), now())
  const worker: WorkerDeps = {
    cases,
    objects,
    keyring,
    trail: new AuditTrail(objects, () => randomBytes(SALT_BYTES).toString('hex')),
    ephemeral: new InProcessEphemeral(now),
    jobs: new InProcessJobQueue(systemTimers, (err, job, id) =>
      log.error({ err, job, id }, 'job threw'),
    ),
    links: new JwsSigningLinks(keyring),
    mailer: new FileMailer(join(folder, 'mail')),
    sandbox: new DenoPdfSandbox(),
    signingDevice,
    timeStamps: new LocalTimeStampAuthority(signingDevice, now),
    baseUrl,
    now,
    timers: systemTimers,
    log,
  }
  return { ...worker, cases, objects, identity: new LocalTenantIdentity(keyring, now) }
}

type Adapters = Awaited<ReturnType<typeof openAdapters>>

/** An upload that ended is told as a result object is. */
function objectServer({ objects, keyring, ephemeral, now }: Adapters): ObjectServer {
  return new ObjectServer(objects, keyring, now, (key) => {
    const uploaded = caseOfUpload(key)
    if (uploaded) void ephemeral.ring(CASE_BELL, JSON.stringify(uploaded))
  })
}

/**
 * Starts the service; when it returns, requests are answered and a canary has been sealed.
 *
 * @throws DataDirectoryInUseError, or the error of `listen` (`code` EADDRINUSE, EACCES, …)
 */
export async function startEmbedded(config: Config): Promise<EmbeddedService> {
  const { host, dataDirectory, trustedProxies, logLevel } = config
  const port = await settledPort(config)
  const baseUrl = baseUrlOf(config, port)
  const log = pino({ level: logLevel })
  const giveBack = await takeDataDirectory(dataDirectory)
  const adapters = await openAdapters(dataDirectory, baseUrl, log)
  const api = await buildApi({
    ...adapters,
    readDrawing,
    trustedProxies,
    logLevel,
    objectHandler: objectServer(adapters),
    randomUuid: randomUUID,
  })
  const controller = buildController(adapters)
  const worker = buildWorker(adapters)
  const { jobs, sandbox, ephemeral, cases } = adapters

  const close = async () => {
    await api.close()
    worker.stop()
    await controller.stop()
    await jobs.close()
    await sandbox.close()
    await ephemeral.close()
    cases.close()
    giveBack()
  }
  try {
    await runCanary(adapters)
    await api.listen({ port, host })
    worker.start()
    await controller.start()
  } catch (error) {
    await close()
    throw error
  }
  return { url: baseUrl, close }
}
