/** What the API works with; `main.ts` builds it. */
import type { Readable } from 'node:stream'
import type { FastifyServerOptions } from 'fastify'
import type { AuditTrail } from '../application/audit/trail.ts'
import type { Bounds } from '../application/limits/bounds.ts'
import type { DeliveryTimes } from '../domain/cases/deliveries.ts'
import type { DeviceStore } from '../domain/ports/device-store.ts'
import type {
  CodeSessions,
  SigningLinks,
  TenantIdentity,
  UploadNotifiers,
} from '../domain/ports/identity.ts'
import type { JobQueue } from '../domain/ports/jobs.ts'
import type { KeyringOf } from '../domain/key-grants.ts'
import type { Mailbox } from '../domain/ports/mailbox.ts'
import type { Mailer } from '../domain/ports/mailer.ts'
import type { ObjectStore } from '../domain/ports/object-store.ts'
import type { Ephemeral } from '../domain/ports/ephemeral.ts'
import type { SecretStore } from '../domain/ports/secret-store.ts'
import type { SmsSender } from '../domain/ports/sms-sender.ts'
import type { CaseStore } from '../domain/ports/stores.ts'
import type { Timers } from '../domain/ports/timers.ts'
import type { SignatureFact } from '../domain/cases/spec.ts'
import type { PinHashes } from '../application/second-factor/pin-hash.ts'

/** A drawing as it is kept: what is drawn and nothing else. */
export interface ReadDrawing {
  mediaType: SignatureFact['drawing']['mediaType']
  bytes: Uint8Array
  sha256: string
}

/** Answers `/objects/…` where no other server does. */
export interface ObjectHandler {
  answer(request: {
    method: string
    key: string
    query: URLSearchParams
    contentType: string | undefined
    contentEncoding: string | undefined
    contentRange: string | undefined
    range: string | undefined
    body: AsyncIterable<Uint8Array>
  }): Promise<{ status: number; headers: Record<string, string>; body: Readable | string }>
}

/** Whom the endpoint of pushes believes, and of which bucket. */
export interface UploadNotifications {
  notifiers: UploadNotifiers
  bucket: string
}

export interface ApiDeps {
  cases: CaseStore
  devices: DeviceStore
  secrets: SecretStore
  objects: ObjectStore
  trail: AuditTrail
  ephemeral: Ephemeral
  /** For what a worker does while its request waits. */
  jobs: Pick<JobQueue, 'add'>
  deliveryTimes: DeliveryTimes
  keyring: KeyringOf<'api'>
  identity: TenantIdentity
  links: SigningLinks
  codeSessions: CodeSessions
  mailer: Mailer
  /** Absent: codes cannot go out as SMS. */
  sms?: SmsSender | undefined
  pins: PinHashes
  /** @throws Error with `code` BAD_DRAWING and a message that a person can act on */
  readDrawing(encoded: string): Promise<ReadDrawing>
  /** Where people reach the service, without a slash at its end. */
  baseUrl: string
  /** Addresses and ranges whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[]
  logLevel: string
  /** Takes the log line by line; standard output when absent. */
  logStream?: { write(line: string): void }
  /** How schemas are compiled; Fastify's own way when absent. */
  schemaController?: FastifyServerOptions['schemaController']
  objectHandler?: ObjectHandler
  /** Absent: uploads are found by looking for them alone. */
  uploadNotifications?: UploadNotifications
  /** Where presigned links of objects lead, when that is not the API itself. */
  objectsOrigin?: string | undefined
  /** Folder of the built pages; without it there are none. */
  pagesFolder?: string | undefined
  /** Shows the mails where none are sent. */
  mailbox?: Mailbox
  /** Of one address on public routes, and of one tenant; without it nobody is throttled. */
  requestsPerMinute?: { public: number; tenant: number }
  /** Bounds of a tenant's day and of uploads to be verified; without it, nothing is bounded. */
  bounds?: Pick<Bounds, 'take'>
  /** After this time a request is answered with 503 TIMEOUT. */
  requestBudgetMs?: number
  /**
   * Whether the process was told to end: `/readyz` then answers 503, and answers ask clients to
   * close their connection. Never, when absent.
   */
  isDraining?: () => boolean
  /** How long requests in flight may take once the server closes, in milliseconds. */
  closeGraceMs?: number
  now(): Date
  timers: Timers
  randomUuid(): string
  /** 256 random bits in base64url. */
  randomSecret(): string
  /** A whole number from 0 to below `limit`, uniform, from a cryptographic source. */
  randomInt(limit: number): number
}
