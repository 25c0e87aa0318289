/** Runs the API, the controller and the workers in one process on the embedded adapters. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { closeInTurn, type Closing } from '../../adapters/shared/closings.ts'
import { DrawingReader } from '../../adapters/drawings/drawing-reader.ts'
import { takeDataDirectory } from '../../adapters/embedded/data-directory.ts'
import { makeMissingKeySets } from '../../adapters/embedded/key-sets.ts'
import { FileMailbox } from '../../adapters/embedded/mailbox.ts'
import { ObjectServer } from '../../adapters/embedded/object-server.ts'
import { caseUploads } from '../../adapters/embedded/case-uploads.ts'
import { JwsCodeSessions } from '../../adapters/jose/code-sessions.ts'
import {
  isTenantName,
  LocalTenantIdentity,
  mintTenantToken,
} from '../../adapters/jose/local-identity.ts'
import { JwsSigningLinks } from '../../adapters/jose/signing-links.ts'
import type { DocumentReader } from '../../adapters/pdf-sandbox/reader.ts'
import { buildApi } from '../../api/app.ts'
import { buildController } from '../../controllers/controller.ts'
import { archivedRows } from '../../application/cases/index-writes.ts'
import { withArchive } from '../../application/archive/archived-cases.ts'
import { readWorkerResult } from '../../application/store/stored-results.ts'
import { intakeKey } from '../../domain/cases/keys.ts'
import type { KeyringOf } from '../../domain/key-grants.ts'
import { describeError } from '../../domain/describe-error.ts'
import type { ConsoleIssuer } from '../../domain/ports/console-sign-in.ts'
import type { EmbeddingOrigins } from '../../domain/ports/embedding.ts'
import type { CaseStore } from '../../domain/ports/stores.ts'
import type { Timers } from '../../domain/ports/timers.ts'
import type { Tracer } from '../../domain/ports/tracing.ts'
import { PinHashes } from '../../application/second-factor/pin-hash.ts'
import { makeRevocationList } from '../../workers/crl.ts'
import { buildWorker } from '../../workers/worker.ts'
import { baseUrlOf, settledPort } from './base-url.ts'
import type { Config } from './config.ts'
import { keyringFolder, mailFolder, PAGES_FOLDER } from './paths.ts'
import { openSmsSender } from '../../adapters/sms/open-sender.ts'
import { listenHost } from '../../adapters/shared/listen-host.ts'
import { systemTimers } from '../../adapters/shared/system-timers.ts'
import { openTracing } from '../tracing/open-tracing.ts'
import { traced } from '../tracing/traced-ports.ts'
import { RANDOMNESS } from '../randomness.ts'
import { openAdapters, processKeyring, type Adapters, type Parts } from './adapters.ts'

export interface EmbeddedService {
  /** Base URL of every link that the service creates. */
  url: string
  /** URL of the mailbox page; set only when the service is reachable from this machine alone. */
  mailboxUrl?: string
  /**
   * Resolves with the error when cases may not have reached the disk. Nothing can be done with them
   * until another process has opened the data directory.
   */
  diskFault: Promise<unknown>
  /** Stops accepting work, waits for running work, and releases the data directory. */
  close(): Promise<void>
}

/** Part of the grace period that is reserved for closing everything else after the requests. */
const LAST_STEPS_MS = 3_000
/** Opens the SMS gateway, if there is one. */
function openSms({ smsGateway }: Config, closings: Closing[], tracer: Tracer | undefined) {
  if (!smsGateway) return undefined
  const sender = openSmsSender(smsGateway, closings)
  return traced(sender, { system: 'sms', methods: ['send'], tracer })
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

/**
 * Whether only this machine can reach the service. Only then the mailbox is shown, because mails
 * contain links and codes.
 */
function isAlone({ host, baseUrl, trustedProxies }: Config): boolean {
  return LOOPBACK.has(host) && baseUrl === undefined && trustedProxies.length === 0
}

/** On one machine, every tenant has the same sites. */
function embeddingOf({ embeddingOrigins }: Config): EmbeddingOrigins {
  const origins = new Set(embeddingOrigins)
  return {
    isRegistered: async (origin) => origins.has(origin),
    isRegisteredBy: async (_tenant, origin) => origins.has(origin),
  }
}

/** The console gets tokens of the local issuer where it is shown on this machine alone. */
const consoleIssuer = (keyring: KeyringOf<'api'>, now: () => Date): ConsoleIssuer => ({
  kind: 'local',
  isTenant: isTenantName,
  mint: (tenant, lifeSeconds) => mintTenantToken(keyring, tenant, now(), lifeSeconds),
})

/** Asks for a verdict with the MAC of a worker, because others can write the object before it. */
const uploadsOf = (
  adapters: Omit<Adapters, 'cases'> & { cases: CaseStore },
  keyring: KeyringOf<'api'>,
) =>
  caseUploads({
    ...adapters,
    keyring,
    async isJudged(key) {
      const verdict = await readWorkerResult(intakeKey(key), { key, object: 'intake' }, adapters)
      return verdict?.value !== undefined
    },
  })

/** Builds the API with the keyring that it would have as a process of its own. */
function buildEmbeddedApi(
  config: Config,
  opened: Adapters,
  { isDraining, closings }: { isDraining: () => boolean; closings: Closing[] },
) {
  const { dataDirectory, trustedProxies, requestsPerMinute, logLevel } = config
  const keyring = processKeyring(dataDirectory, 'api')
  const adapters = { ...opened, cases: withArchive(opened.cases, { ...opened, keyring }) }
  const { objects, now } = adapters
  const drawings = new DrawingReader()
  closings.unshift(() => drawings.close())
  return buildApi({
    ...adapters,
    keyring,
    links: new JwsSigningLinks(keyring),
    identity: new LocalTenantIdentity(keyring, now),
    readDrawing: (encoded) => drawings.read(encoded),
    trustedProxies,
    requestsPerMinute,
    logLevel,
    isDraining,
    closeGraceMs: Math.max(config.shutdown.graceMs - LAST_STEPS_MS, 0),
    objectHandler: new ObjectServer(objects, keyring, now, uploadsOf(adapters, keyring)),
    pagesFolder: existsSync(PAGES_FOLDER) ? PAGES_FOLDER : undefined,
    embedding: embeddingOf(config),
    ...(isAlone(config)
      ? {
          mailbox: new FileMailbox(mailFolder(dataDirectory)),
          consoleSignIn: consoleIssuer(keyring, now),
        }
      : {}),
    codeSessions: new JwsCodeSessions(keyring),
    sms: openSms(config, closings, adapters.tracer),
    pins: new PinHashes({ randomBytes }),
    ...RANDOMNESS,
  })
}

async function start(config: Config, parts: Parts): Promise<Omit<EmbeddedService, 'diskFault'>> {
  const { log, closings } = parts
  const { host, dataDirectory, archiveAfterHours } = config
  let isDraining = false
  const port = await settledPort(config)
  const url = baseUrlOf(config, port)
  makeMissingKeySets(keyringFolder(dataDirectory))
  const adapters = await openAdapters(config, url, parts)
  const api = await buildEmbeddedApi(config, adapters, { isDraining: () => isDraining, closings })
  const { retentionDays } = config
  const retention = {
    readDays: async () => retentionDays,
    shortestDays: () => retentionDays,
  }
  const controller = buildController({
    ...adapters,
    keyring: processKeyring(dataDirectory, 'controller'),
    retention,
    // The object server is in this process.
    areUploadsReported: true,
    ...(archiveAfterHours !== undefined && { archiveAfterHours }),
    // The store itself writes the rows of its cases.
    index: undefined,
    ...archivedRows(adapters.index),
  })
  const worker = buildWorker(adapters)
  closings.unshift(
    () => api.close(),
    () => worker.stop(),
    () => controller.stop(),
  )
  await makeRevocationList(adapters)
  await worker.signing.check()
  await api.listen({ port, host: listenHost(host) })
  worker.start()
  await controller.start()
  closings.unshift(
    () => void (isDraining = true),
    () => wait(config.shutdown.delayMs),
  )
  return {
    url,
    ...(isAlone(config) ? { mailboxUrl: `${url}/dev/mailbox` } : {}),
    close: () => closeInTurn(closings, log),
  }
}

/**
 * Starts the service. On return it answers requests and a canary has been sealed. A missing data
 * directory is created; unfinished cases in it continue.
 *
 * @param timers the clock of the service
 * @param reader reads documents; absent: processes of this service
 * @throws DataDirectoryError, or the error of `listen` (`code` EADDRINUSE, EACCES, …)
 */
export async function startEmbedded(
  config: Config,
  timers: Timers = systemTimers,
  reader?: DocumentReader,
): Promise<EmbeddedService> {
  const closings: Closing[] = [await takeDataDirectory(config.dataDirectory)]
  const tracing = await openTracing(config.tracing, 'service')
  const log = pino({
    level: config.logLevel,
    serializers: { err: describeError },
    ...(tracing && { mixin: tracing.mixin }),
  })
  if (tracing) {
    tracing.reportTo(log)
    closings.unshift(() => tracing.close())
  }
  const { promise: diskFault, resolve: onDiskFault } = Promise.withResolvers<unknown>()
  try {
    const service = await start(config, {
      log,
      timers,
      closings,
      onDiskFault,
      ...(tracing && { tracer: tracing.tracer }),
      ...(reader && { reader }),
    })
    return { ...service, diskFault }
  } catch (error) {
    await closeInTurn(closings, log)
    throw error
  }
}
