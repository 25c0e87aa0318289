/** What use cases work with; `runtime/` builds it. */
import type { DeliveryTimes } from '../domain/cases/webhook-attempts.ts'
import type { SignatureFact } from '../domain/cases/spec.ts'
import type { KeyringOf } from '../domain/key-grants.ts'
import type { TenantBranding } from '../domain/ports/branding.ts'
import type { CaseIndex } from '../domain/ports/case-index.ts'
import type { DeviceStore } from '../domain/ports/device-store.ts'
import type { EphemeralStore } from '../domain/ports/ephemeral.ts'
import type { CodeSessions } from '../domain/ports/identity.ts'
import type { JobQueue } from '../domain/ports/jobs.ts'
import type { Mailer } from '../domain/ports/mailer.ts'
import type { ObjectStore } from '../domain/ports/object-store.ts'
import type { SecretStore } from '../domain/ports/secret-store.ts'
import type { SmsSender } from '../domain/ports/sms-sender.ts'
import type { CaseStore } from '../domain/ports/stores.ts'
import type { Timers } from '../domain/ports/timers.ts'
import type { Tracer } from '../domain/ports/tracing.ts'
import type { AuditTrail } from './audit/trail.ts'
import type { Bounds } from './limits/bounds.ts'
import type { PinHashes } from './second-factor/pin-hash.ts'

/** A drawing as it is stored: what is drawn and nothing else. */
export interface ReadDrawing {
  mediaType: SignatureFact['drawing']['mediaType']
  bytes: Uint8Array
  sha256: string
}

export interface UseCaseDeps {
  cases: CaseStore
  /** Absent: listings read the store, and cannot be sorted. */
  index?: CaseIndex | undefined
  devices: DeviceStore
  secrets: SecretStore
  objects: ObjectStore
  trail: AuditTrail
  ephemeral: EphemeralStore
  /** For what a worker does while its request waits. */
  jobs: Pick<JobQueue, 'add'>
  deliveryTimes: DeliveryTimes
  keyring: KeyringOf<'api'>
  codeSessions: CodeSessions
  mailer: Mailer
  /** Without it, codes cannot go out as SMS. */
  sms?: SmsSender | undefined
  pins: PinHashes
  /** @throws Error with `code` BAD_DRAWING and a message that a person can act on */
  readDrawing(encoded: string): Promise<ReadDrawing>
  /** Bounds of a tenant's day and of uploads to be verified; without it, nothing is bounded. */
  bounds?: Pick<Bounds, 'take'>
  /** Absent: tenants have no default sender and no look. */
  branding?: TenantBranding
  /** Absent: nothing is traced. */
  tracer?: Tracer
  now(): Date
  timers: Timers
  randomUuid(): string
  /** A whole number from 0 to below `limit`, uniform, from a cryptographic source. */
  randomInt(limit: number): number
}
