/** What the jobs work with; `main.ts` builds it, tests replace parts of it. */
import type { AuditTrail } from '../domain/audit/trail.ts'
import type { Bounds } from '../domain/bounds.ts'
import type { DeliveryTimes } from '../domain/cases/deliveries.ts'
import type { DeviceStore } from '../domain/ports/device-store.ts'
import type { Ephemeral } from '../domain/ports/ephemeral.ts'
import type { SigningLinks } from '../domain/ports/identity.ts'
import type { JobQueue } from '../domain/ports/jobs.ts'
import type { IntegrityAlarm } from '../domain/integrity-alarm.ts'
import type { KeyringOf } from '../domain/key-grants.ts'
import type { Mailer } from '../domain/ports/mailer.ts'
import type { ObjectStore } from '../domain/ports/object-store.ts'
import type { OutboundHttp } from '../domain/ports/outbound-http.ts'
import type { PdfSandbox } from '../domain/ports/pdf-sandbox.ts'
import type { RevocationAuthorities } from '../domain/ports/revocation.ts'
import type { SigningDevice, TimeStampAuthority } from '../domain/ports/signing.ts'
import type { SecretStore } from '../domain/ports/secret-store.ts'
import type { CaseStore } from '../domain/ports/stores.ts'
import type { Timers } from '../domain/ports/timers.ts'
import type { TrustedListSource } from '../domain/ports/trusted-lists.ts'
import type { AccessTokens } from './oauth/access-tokens.ts'
import type { JudgeDisagreements } from './verification/disagreements.ts'

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
  ephemeral: Ephemeral
  /** The bound of a tenant's mails in a day; without it, nothing is bounded. */
  bounds?: Pick<Bounds, 'take'>
  jobs: JobQueue
  keyring: KeyringOf<'worker'>
  alarm: Pick<IntegrityAlarm, 'raise'>
  links: SigningLinks
  mailer: Mailer
  sandbox: PdfSandbox
  /** The only way to addresses that tenants chose. */
  outboundHttp: OutboundHttp
  /** One for the process: those who want the same token wait for one exchange. */
  accessTokens: Pick<AccessTokens, 'get'>
  deliveryTimes: DeliveryTimes
  signingDevice: SigningDevice
  timeStamps: TimeStampAuthority
  /** Of all authorities but our own. */
  revocation: RevocationAuthorities
  /** Absent: no trusted list is read. */
  trustedLists?: TrustedListSource
  /** Counts reports in which the two judges disagree; absent where nobody reads metrics. */
  disagreements?: Pick<JudgeDisagreements, 'note'>
  /** Where people reach the service, without a slash at its end. */
  baseUrl: string
  now(): Date
  timers: Timers
  log: WorkerLog
}
