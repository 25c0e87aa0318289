/** Opens the adapters of the service on one machine. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Closing } from '../../adapters/shared/closings.ts'
import { findLogoFault, lookOf } from '../../adapters/branding/look.ts'
import { SqliteCaseStore } from '../../adapters/embedded/case-store.ts'
import { SqliteDeviceStore } from '../../adapters/embedded/device-store.ts'
import { InProcessEphemeral } from '../../adapters/embedded/ephemeral.ts'
import { InProcessJobQueue } from '../../adapters/embedded/job-queue.ts'
import { openKeyring } from '../../adapters/embedded/keyring.ts'
import { FileMailer } from '../../adapters/embedded/mailer.ts'
import { FileObjectStore } from '../../adapters/embedded/object-store.ts'
import { SqliteSecretStore } from '../../adapters/embedded/secret-store.ts'
import { SqliteTrailHeads } from '../../adapters/embedded/trail-heads.ts'
import { SoftwareKeys } from '../../adapters/embedded/software-keys.ts'
import { JwsSigningLinks } from '../../adapters/jose/signing-links.ts'
import { GuardedHttp } from '../../adapters/outbound-http/guarded-http.ts'
import { DenoPdfSandbox } from '../../adapters/pdf-sandbox/pdf-sandbox.ts'
import type { DocumentReader } from '../../adapters/pdf-sandbox/reader.ts'
import { openAuthorities } from '../../adapters/tsa/open-authorities.ts'
import { trustedListSource } from '../../adapters/trusted-lists/source.ts'
import type { CaseIndex } from '../../domain/ports/case-index.ts'
import { buildGuardedTrail } from '../../application/audit/guarded-trail.ts'
import { publishWrites } from '../../application/cases/publish-updates.ts'
import type { KeyHolder } from '../../domain/key-grants.ts'
import { Bounds } from '../../application/limits/bounds.ts'
import { FaultLog } from '../../domain/fault-log.ts'
import { DELIVERY_TIMES } from '../../domain/cases/webhook-attempts.ts'
import type { TenantBranding } from '../../domain/ports/branding.ts'
import { NO_METRICS } from '../../domain/ports/metrics.ts'
import type { SigningDevice } from '../../domain/ports/signing.ts'
import type { Timers } from '../../domain/ports/timers.ts'
import type { Tracer } from '../../domain/ports/tracing.ts'
import type { WorkerDeps } from '../../workers/deps.ts'
import { AccessTokens } from '../../workers/oauth/access-tokens.ts'
import type { Config } from './config.ts'
import { casesPath, keyringFolder, keysFolder, mailFolder } from './paths.ts'
import { systemTimers } from '../../adapters/shared/system-timers.ts'
import {
  STORE_CALLS,
  traced,
  tracedHttp,
  tracedJobs,
  tracedSandbox,
} from '../tracing/traced-ports.ts'

const SALT_OCTETS = 16

/** What the parts of the service are built with. */
export interface Parts {
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

export type Adapters = WorkerDeps & {
  objects: FileObjectStore
  cases: SqliteCaseStore
  index: CaseIndex
}

/** Opens a keyring with the keys that the part would have as a separate process. */
export const processKeyring = <H extends KeyHolder>(dataDirectory: string, holder: H) =>
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
  await mailer.sweep()
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

/**
 * Opens the adapters of the service with the keyring of a worker; API and controller replace it
 * with their own.
 *
 * @param parts `closings` receives a closing function per adapter, before those that were opened
 *   earlier
 */
export async function openAdapters(
  config: Config,
  baseUrl: string,
  parts: Parts,
): Promise<Adapters> {
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
  const metrics = NO_METRICS
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
    metrics,
    ...buildGuardedTrail({ objects, keyring, ephemeral, heads, log, metrics, randomHex }),
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
