/** Dependencies of the jobs; `runtime/` builds them, tests replace some of them. */
import type { AuditTrail } from '../application/audit/trail.ts'
import type { Bounds } from '../application/limits/bounds.ts'
import type { ReadObjects } from '../application/store/folder-snapshot.ts'
import type { DeliveryTimes } from '../domain/cases/webhook-attempts.ts'
import type { TenantBranding } from '../domain/ports/branding.ts'
import type { DeviceStore } from '../domain/ports/device-store.ts'
import type { EphemeralStore } from '../domain/ports/ephemeral.ts'
import type { SigningLinks } from '../domain/ports/identity.ts'
import type { IssuerCertificates } from '../domain/ports/issuers.ts'
import type { JobPayloads, JobQueue } from '../domain/ports/jobs.ts'
import type { IntegrityAlarm } from '../domain/integrity-alarm.ts'
import type { KeyringOf } from '../domain/key-grants.ts'
import type { Mailer } from '../domain/ports/mailer.ts'
import type { Metrics } from '../domain/ports/metrics.ts'
import type { ObjectStore } from '../domain/ports/object-store.ts'
import type { OutboundHttp } from '../domain/ports/outbound-http.ts'
import type { PdfSandbox } from '../domain/ports/pdf-sandbox.ts'
import type { RevocationAuthorities } from '../domain/ports/revocation.ts'
import type { SigningDevice, TimeStampAuthority } from '../domain/ports/signing.ts'
import type { SecretStore } from '../domain/ports/secret-store.ts'
import type { CaseStore } from '../domain/ports/stores.ts'
import type { Timers } from '../domain/ports/timers.ts'
import type { Tracer } from '../domain/ports/tracing.ts'
import type { TrustedListSource } from '../domain/ports/trusted-lists.ts'
import type { AccessTokens } from './oauth/access-tokens.ts'
import type { ReceiverTurn } from './webhook/receiver-turns.ts'

export interface WorkerLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

export interface WorkerDeps {
  cases: CaseStore
  secrets: SecretStore
  devices: DeviceStore
  objects: ObjectStore
  trail: AuditTrail
  ephemeral: EphemeralStore
  /** Daily mail limit of each tenant; absent without limits. */
  bounds?: Pick<Bounds, 'take'>
  /** Absent: cases have no look of their tenant. */
  branding?: TenantBranding
  /** Verdicts that this process wrote; the worker adds it. Absent: they are read. */
  verdicts?: ReadObjects
  jobs: JobQueue
  keyring: KeyringOf<'worker'>
  alarm: Pick<IntegrityAlarm, 'raise'>
  links: SigningLinks
  mailer: Mailer
  sandbox: PdfSandbox
  /** The only client for URLs that tenants chose. */
  outboundHttp: OutboundHttp
  /** One instance per process, so that concurrent requests for a token share one exchange. */
  accessTokens: Pick<AccessTokens, 'get'>
  deliveryTimes: DeliveryTimes
  /** Limits concurrent webhooks for each host; the worker adds it. Absent: there is no limit. */
  receivers?: Pick<ReceiverTurn<JobPayloads['webhook']>, 'run'>
  signingDevice: SigningDevice
  timeStamps: TimeStampAuthority
  /** Revocation data of all authorities except the service's own. */
  revocation: RevocationAuthorities
  /** Absent: certificates of issuers are not fetched. */
  issuers?: IssuerCertificates
  /** Absent when no trusted lists are read. */
  trustedLists?: TrustedListSource
  metrics: Metrics
  /** Absent: nothing is traced. */
  tracer?: Tracer
  /** Public URL of the service, without a trailing slash. */
  baseUrl: string
  now(): Date
  timers: Timers
  log: WorkerLog
}
