/** Runs the API, the controller and the workers in one process on the embedded adapters. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pino, type Logger } from 'pino'
import { closeInTurn, type Closing } from '../../adapters/shared/closings.ts'
import { findLogoFault, lookOf } from '../../adapters/branding/look.ts'
import { DrawingReader } from '../../adapters/drawings/drawing-reader.ts'
import { SqliteCaseStore } from '../../adapters/embedded/case-store.ts'
import { takeDataDirectory } from '../../adapters/embedded/data-directory.ts'
import { SqliteDeviceStore } from '../../adapters/embedded/device-store.ts'
import { InProcessEphemeral } from '../../adapters/embedded/ephemeral.ts'
import { InProcessJobQueue } from '../../adapters/embedded/job-queue.ts'
import { makeMissingKeySets } from '../../adapters/embedded/key-sets.ts'
import { openKeyring } from '../../adapters/embedded/keyring.ts'
import { FileMailbox } from '../../adapters/embedded/mailbox.ts'
import { FileMailer } from '../../adapters/embedded/mailer.ts'
import { ObjectServer } from '../../adapters/embedded/object-server.ts'
import { FileObjectStore } from '../../adapters/embedded/object-store.ts'
import { caseUploads } from '../../adapters/embedded/case-uploads.ts'
import { SqliteSecretStore } from '../../adapters/embedded/secret-store.ts'
import { SqliteTrailHeads } from '../../adapters/embedded/trail-heads.ts'
import { SoftwareKeys } from '../../adapters/embedded/software-keys.ts'
import { JwsCodeSessions } from '../../adapters/jose/code-sessions.ts'
import {
  isTenantName,
  LocalTenantIdentity,
  mintTenantToken,
} from '../../adapters/jose/local-identity.ts'
import { JwsSigningLinks } from '../../adapters/jose/signing-links.ts'
import { GuardedHttp } from '../../adapters/outbound-http/guarded-http.ts'
import { DenoPdfSandbox } from '../../adapters/pdf-sandbox/pdf-sandbox.ts'
import type { DocumentReader } from '../../adapters/pdf-sandbox/reader.ts'
import { openAuthorities } from '../../adapters/tsa/open-authorities.ts'
import { trustedListSource } from '../../adapters/trusted-lists/source.ts'
import { buildApi } from '../../api/app.ts'
import { buildController } from '../../controllers/controller.ts'
import { archivedRows } from '../../application/cases/index-writes.ts'
import type { CaseIndex } from '../../domain/ports/case-index.ts'
import { withArchive } from '../../application/archive/archived-cases.ts'
import { buildGuardedTrail } from '../../application/audit/guarded-trail.ts'
import { publishWrites } from '../../application/cases/publish-updates.ts'
import type { KeyHolder, KeyringOf } from '../../domain/key-grants.ts'
import { Bounds } from '../../application/limits/bounds.ts'
import { describeError } from '../../domain/describe-error.ts'
import { FaultLog } from '../../domain/fault-log.ts'
import { DELIVERY_TIMES } from '../../domain/cases/webhook-attempts.ts'
import type { ConsoleIssuer } from '../../domain/ports/console-sign-in.ts'
import type { EmbeddingOrigins } from '../../domain/ports/embedding.ts'
import type { TenantBranding } from '../../domain/ports/branding.ts'
import type { SigningDevice } from '../../domain/ports/signing.ts'
import type { Timers } from '../../domain/ports/timers.ts'
import type { Tracer } from '../../domain/ports/tracing.ts'
import { PinHashes } from '../../application/second-factor/pin-hash.ts'
import { makeRevocationList } from '../../workers/crl.ts'
import type { WorkerDeps } from '../../workers/deps.ts'
import { AccessTokens } from '../../workers/oauth/access-tokens.ts'
import { buildWorker } from '../../workers/worker.ts'
import { baseUrlOf, settledPort } from './base-url.ts'
import type { Config } from './config.ts'
import { casesPath, keyringFolder, keysFolder, mailFolder, PAGES_FOLDER } from './paths.ts'
import { openSmsSender } from '../../adapters/sms/open-sender.ts'
import { listenHost } from '../../adapters/shared/listen-host.ts'
import { systemTimers } from '../../adapters/shared/system-timers.ts'
import { openTracing } from '../tracing/open-tracing.ts'
import {
  STORE_CALLS,
  traced,
  tracedHttp,
  tracedJobs,
  tracedSandbox,
} from '../tracing/traced-ports.ts'
import { RANDOMNESS } from '../randomness.ts'

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
const SALT_OCTETS = 16

/** What the parts of the service are built with. */
interface Parts {
  log: Logger
  timers: Timers
  /** Closing functions; each part is closed before those that were opened earlier. */
  closings: Closing[]
  onDiskFault: (error: unknown) => void
  /** Absent: nothing is traced. */
  tracer?: Tracer
  /** Absent: the sandbox starts its own processes. */
  reader?: DocumentReader
}

type Adapters = WorkerDeps & {
  objects: FileObjectStore
  cases: SqliteCaseStore
  index: CaseIndex
}

/** Opens a keyring with the keys that the part would have as a separate process. */
const processKeyring = <H extends KeyHolder>(dataDirectory: string, holder: H) =>
  openKeyring(keyringFolder(dataDirectory), holder, { keepsObjects: true })

const randomHex = () => randomBytes(SALT_OCTETS).toString('hex')

/** Warns the operator when removed bytes stay longer than promised (reference: personal data). */
const removedBytesFaults = ({ log, timers }: Pick<Parts, 'log' | 'timers'>) =>
  new FaultLog({ log, timers, message: 'removed bytes are not overwritten yet' })

/** Opens the databases, and adds their closing functions at the front of `closings`. */
function openStores(folder: string, now: () => Date, parts: Parts) {
  const { closings, onDiskFault: onFault } = parts
  const overwriting = () => removedBytesFaults(parts)
  const cases = new SqliteCaseStore(casesPath(folder), now, { faults: overwriting(), onFault })
  closings.unshift(() => cases.close())
  const secrets = new SqliteSecretStore(join(folder, 'secrets.sqlite'), now, overwriting())
  closings.unshift(() => secrets.close())
  const devices = new SqliteDeviceStore(join(folder, 'devices.sqlite'), now, {
    faults: overwriting(),
  })
  closings.unshift(() => devices.close())
  const heads = new SqliteTrailHeads(join(folder, 'trail-heads.sqlite'), now)
  closings.unshift(() => heads.close())
  return { cases, heads, index: cases.index, secrets, devices }
}

function openSandbox({ log, closings, reader }: Parts): DenoPdfSandbox {
  const sandbox = new DenoPdfSandbox({
    ...(reader && { reader }),
    onBroke: (fault) => log.error({ fault }, 'PDF parser crashed; upload rejected'),
  })
  closings.unshift(() => sandbox.close())
  return sandbox
}

/** Timeouts of HTTP exchanges use real time, even when the service's clock is simulated. */
function openHttp(allowed: readonly string[], closings: Closing[]): GuardedHttp {
  const http = new GuardedHttp({ timers: systemTimers, allowed })
  closings.unshift(() => http.close())
  return http
}

/** Opens what jobs use outside of this process; on a cluster these are other systems. */
async function openOutside(
  { dataDirectory: folder, egressAllow, timeStamps, trustedLists }: Config,
  baseUrl: string,
  now: () => Date,
  parts: Parts,
) {
  const { log, closings, tracer } = parts
  const keys: SigningDevice = await SoftwareKeys.open(keysFolder(folder), now(), baseUrl)
  const signingDevice = traced(keys, { system: 'kms', methods: ['describe', 'sign'], tracer })
  const sandbox = tracedSandbox(openSandbox(parts), tracer)
  const outboundHttp = tracedHttp(openHttp(egressAllow, closings), tracer)
  const publicHttp = tracedHttp(openHttp([], closings), tracer)
  const { timeStamps: authority, ...validationData } = openAuthorities({
    ...(timeStamps && { timeStamps }),
    http: outboundHttp,
    publicHttp,
    signingDevice,
    onUnknown: (url, reason) => log.warn({ url, reason }, 'validation data could not be fetched'),
    now,
  })
  const mailer = new FileMailer(mailFolder(folder))
  return {
    signingDevice,
    sandbox,
    outboundHttp,
    ...validationData,
    timeStamps: traced(authority, { system: 'tsa', methods: ['stamp'], tracer }),
    ...(trustedLists && { trustedLists: trustedListSource(trustedLists, outboundHttp) }),
    mailer: traced(mailer, { system: 'smtp', methods: ['send'], tracer }),
  }
}

/**
 * Opens the adapters of the service with the keyring of a worker; API and controller replace it
 * with their own.
 *
 * @param parts `closings` receives a closing function per adapter, before those that were opened
 *   earlier
 */
async function openAdapters(config: Config, baseUrl: string, parts: Parts): Promise<Adapters> {
  const { dataDirectory: folder, webhookRetryDelayMs: retryDelayMs, bounds } = config
  const { log, timers, closings, tracer } = parts
  const now = () => new Date(timers.nowMs())
  const keyring = processKeyring(folder, 'worker')
  const files = new FileObjectStore({
    folder: join(folder, 'objects'),
    baseUrl,
    keyring,
    faults: removedBytesFaults({ log, timers }),
  })
  closings.unshift(() => files.close())
  await files.sweep()
  const objects = traced(files, { system: 'objects', methods: STORE_CALLS, tracer })
  // Running jobs use the stores, so the stores are opened first and closed last.
  const { heads, ...stores } = openStores(folder, now, parts)
  const outside = await openOutside(config, baseUrl, now, parts)
  const { outboundHttp } = outside
  const ephemeral = new InProcessEphemeral(now)
  const jobs = new InProcessJobQueue(timers, (err, job, id) =>
    log.error({ err, job, id }, 'job threw'),
  )
  closings.unshift(() => jobs.close())
  return {
    ...stores,
    cases: publishWrites(stores.cases, ephemeral),
    ...outside,
    objects,
    keyring,
    ...buildGuardedTrail({ objects, keyring, ephemeral, heads, log, randomHex }),
    ephemeral,
    bounds: new Bounds({ ephemeral, limits: bounds, now }),
    jobs: tracedJobs(jobs, tracer),
    links: new JwsSigningLinks(keyring),
    accessTokens: new AccessTokens({ ephemeral, keyring, log, outboundHttp, now }),
    deliveryTimes: { ...DELIVERY_TIMES, retryDelayMs },
    branding: readBranding(config),
    baseUrl,
    now,
    timers,
    log,
    ...(tracer && { tracer }),
  }
}

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

/**
 * On one machine, every tenant has the same sender, look and time zone.
 *
 * @throws Error when the logo is refused
 */
function readBranding({ branding, timeZone }: Config): TenantBranding {
  const { senderName, colour, logoFile } = branding
  const logo = logoFile === undefined ? undefined : readFileSync(logoFile).toString('base64')
  const fault = logo === undefined ? undefined : findLogoFault(logo)
  if (fault !== undefined) throw new Error(`BRAND_LOGO: ${logoFile} is refused: ${fault}`)
  const look = lookOf({
    ...(senderName !== undefined && { sender: { name: senderName } }),
    branding: { ...(colour !== undefined && { colour }), ...(logo !== undefined && { logo }) },
    timeZone,
  })
  return { read: async () => look }
}

/** The console gets tokens of the local issuer where it is shown on this machine alone. */
const consoleIssuer = (keyring: KeyringOf<'api'>, now: () => Date): ConsoleIssuer => ({
  kind: 'local',
  isTenant: isTenantName,
  mint: (tenant, lifeSeconds) => mintTenantToken(keyring, tenant, now(), lifeSeconds),
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
    objectHandler: new ObjectServer(objects, keyring, now, caseUploads({ ...adapters, keyring })),
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
