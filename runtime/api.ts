/** The API as a process of its own on a cluster. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { DrawingReader } from '../adapters/drawings/drawing-reader.ts'
import { ObjectServer } from '../adapters/embedded/object-server.ts'
import { JwsCodeSessions } from '../adapters/jose/code-sessions.ts'
import { FileObjectStore } from '../adapters/embedded/object-store.ts'
import { caseUploads } from '../adapters/embedded/case-uploads.ts'
import { JwsSigningLinks } from '../adapters/jose/signing-links.ts'
import { IdentityTokens } from '../adapters/oidc/tokens.ts'
import { OidcUploadNotifiers } from '../adapters/oidc/upload-notifiers.ts'
import { GuardedHttp } from '../adapters/outbound-http/guarded-http.ts'
import { openAdapters, openProcessKeyring } from './cluster/adapters.ts'
import { openBounds } from './cluster/bounds.ts'
import { openIndex } from './cluster/case-index.ts'
import { ClusterBranding } from './cluster/branding.ts'
import { TenantEmbedding } from './cluster/embedding.ts'
import { TenantSpecs, type SpecsStore } from './cluster/tenant-specs.ts'
import { ClusterIdentity, type ClusterIdentityOptions } from './cluster/identity.ts'
import { openJobs } from './cluster/jobs.ts'
import { measured } from './cluster/measured.ts'
import { openMailer } from './cluster/outside-services.ts'
import { linkOrigin } from './cluster/s3.ts'
import { serveOperations } from './cluster/operations.ts'
import { runProcess, type ProcessParts } from './cluster/process.ts'
import { hasAnswered, Readiness } from './cluster/readiness.ts'
import { isCloudStorage } from './config/google-cloud.ts'
import { readApiConfig, type ApiConfig } from './config/processes.ts'
import { RANDOMNESS } from './randomness.ts'
import { CANARY_KEY, intakeKey } from '../domain/cases/keys.ts'
import { PinHashes } from '../application/second-factor/pin-hash.ts'
import { openSmsSender } from '../adapters/sms/open-sender.ts'
import { listenHost } from '../adapters/shared/listen-host.ts'
import { systemTimers } from '../adapters/shared/system-timers.ts'
import type { Metrics } from '../domain/ports/metrics.ts'
import { buildApi } from '../api/app.ts'
import type { ApiDeps } from '../api/deps.ts'
import { withArchive } from '../application/archive/archived-cases.ts'

/** What is left of the grace when requests have ended or are cut, to close everything else. */
const LAST_STEPS_MS = 2_000
/** SVG path data: read once, so that a process that can read no drawing gets no requests. */
const TEST_DRAWING = 'M0 20 C20 0 40 40 60 20 S100 0 120 20'
/** The built pages; without it there are none. */
const PAGES_FOLDER = join(import.meta.dirname, '../web/dist')

/** Pub/Sub reports uploads to the bucket, when it is configured. */
function uploadNotificationsOf({ objects, pubSubPush }: ApiConfig, tokens: IdentityTokens) {
  if (!pubSubPush || !isCloudStorage(objects)) return {}
  const notifiers = new OidcUploadNotifiers(tokens, pubSubPush)
  return { uploadNotifications: { notifiers, bucket: objects.bucket } }
}

/** The origin that pages upload to and download from; undefined when that is the API itself. */
function originOfLinks(objects: ApiConfig['objects']): string | undefined {
  if ('folder' in objects) return undefined
  return 'region' in objects ? linkOrigin(objects) : new URL(objects.endpoint).origin
}

/** The pages, and the origins that they connect to. */
const findPages = ({ objects, consoleProvider }: ApiConfig) => ({
  pagesFolder: existsSync(PAGES_FOLDER) ? PAGES_FOLDER : undefined,
  objectsOrigin: originOfLinks(objects),
  consoleSignIn: consoleProvider,
})

/** Opens the SMS gateway, if there is one, and measures its calls. */
function openSms({ smsGateway }: ApiConfig, { closings, tracer }: ProcessParts, metrics: Metrics) {
  if (!smsGateway) return undefined
  const sender = openSmsSender(smsGateway, closings)
  return measured(sender, { system: 'sms', methods: ['send'], metrics, tracer })
}

/** Opens the mailer, and measures its calls. */
function openMeasuredMailer({ mail }: ApiConfig, { tracer }: ProcessParts, metrics: Metrics) {
  return measured(openMailer(mail), { system: 'smtp', methods: ['send'], metrics, tracer })
}

/** Builds the parts that read `Tenant` resources; they share one cache. */
function readTenants({
  tenants,
  ...identity
}: Pick<ClusterIdentityOptions, 'tokens' | 'keyring' | 'now'> & { tenants: SpecsStore }) {
  const specs = new TenantSpecs({ tenants, now: identity.now })
  return {
    identity: new ClusterIdentity({ specs, ...identity }),
    embedding: new TenantEmbedding(specs),
    branding: new ClusterBranding(specs),
  }
}

/** The API has no key of results, so it cannot distinguish the verdict of a worker from another. */
const uploadsOf = (
  adapters: Pick<ApiDeps, 'cases' | 'objects' | 'keyring' | 'ephemeral' | 'now'>,
) =>
  caseUploads({
    ...adapters,
    isJudged: async (key) => (await adapters.objects.stat(intakeKey(key))) !== undefined,
  })

/** Serves the API until it is closed; when it returns, requests are answered. */
export async function startApi(config: ApiConfig, parts: ProcessParts): Promise<void> {
  const { closings } = parts
  const { host, port, operationsPort } = config
  const keyring = openProcessKeyring('api', config)
  const opened = openAdapters('api', keyring, config, parts)
  const adapters = { ...opened, cases: withArchive(opened.cases, opened) }
  const { cases, tenants, objects, metrics, now } = adapters
  // An exchange takes real time, whatever the clock of the service says.
  const http = new GuardedHttp({ timers: systemTimers, allowed: config.egressAllow })
  closings.unshift(() => http.close())
  const drawings = new DrawingReader()
  closings.unshift(() => drawings.close())
  const tokens = new IdentityTokens({ http, now })
  const api = await buildApi({
    ...adapters,
    index: openIndex({ config: config.index, isOwner: false, cases, metrics }, parts),
    links: new JwsSigningLinks(keyring),
    jobs: openJobs(config, parts),
    ...readTenants({ tenants, tokens, keyring, now }),
    mailer: openMeasuredMailer(config, parts, metrics),
    readDrawing: (encoded) => drawings.read(encoded),
    trustedProxies: config.trustedProxies,
    requestsPerMinute: config.requestsPerMinute,
    bounds: openBounds(config, adapters),
    logLevel: config.logLevel,
    isDraining: () => readiness.isDraining,
    closeGraceMs: Math.max(config.shutdown.graceMs - LAST_STEPS_MS, 0),
    ...(objects instanceof FileObjectStore
      ? { objectHandler: new ObjectServer(objects, keyring, now, uploadsOf(adapters)) }
      : {}),
    ...uploadNotificationsOf(config, tokens),
    ...findPages(config),
    codeSessions: new JwsCodeSessions(keyring),
    sms: openSms(config, parts, metrics),
    pins: new PinHashes({ randomBytes }),
    ...RANDOMNESS,
  })
  closings.unshift(() => api.close())
  const readiness = new Readiness({
    requests: async () => (api.server.listening ? undefined : 'none is taken yet'),
    redis: adapters.redisServer,
    'api-server': hasAnswered(() => tenants.list({ limit: 1 })),
    objects: hasAnswered(() => objects.stat(CANARY_KEY)),
    drawings: hasAnswered(() => drawings.read(TEST_DRAWING)),
  })
  const operations = await serveOperations(
    { host, port: operationsPort },
    {
      readiness: readiness.answer,
      metrics: () => metrics.text(),
    },
  )
  closings.push(() => operations.close())
  await api.listen({ host: listenHost(host), port })
  // Unready first; then requests are accepted until load balancers send no more.
  closings.unshift(
    () => readiness.drain(),
    () => wait(config.shutdown.delayMs),
  )
}

if (import.meta.main) {
  const { env: environment } = process
  await runProcess({ component: 'api', environment, readConfig: readApiConfig, start: startApi })
}
