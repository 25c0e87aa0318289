/** What the API works with; `runtime/` builds it. */
import type { Readable } from 'node:stream'
import type { FastifyServerOptions } from 'fastify'
import type { UseCaseDeps } from '../application/deps.ts'
import type { ConsoleSignIn } from '../domain/ports/console-sign-in.ts'
import type { EmbeddingOrigins } from '../domain/ports/embedding.ts'
import type { SigningLinks, TenantIdentity, UploadNotifiers } from '../domain/ports/identity.ts'
import type { Mailbox } from '../domain/ports/mailbox.ts'
import type { Metrics } from '../domain/ports/metrics.ts'

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
    ifRange: string | undefined
    ifMatch: string | undefined
    ifNoneMatch: string | undefined
    body: AsyncIterable<Uint8Array>
  }): Promise<{ status: number; headers: Record<string, string>; body: Readable | string }>
}

/** Whom the endpoint of pushes believes, and of which bucket. */
export interface UploadNotifications {
  notifiers: UploadNotifiers
  bucket: string
}

export interface ApiDeps extends UseCaseDeps {
  identity: TenantIdentity
  links: SigningLinks
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
  /** Sites that may show the signing page in a frame; absent: none. */
  embedding?: EmbeddingOrigins | undefined
  /** How tenants sign in to the console; absent: with a bearer token that they paste. */
  consoleSignIn?: ConsoleSignIn | undefined
  /** Shows the mails where none are sent. */
  mailbox?: Mailbox
  /** Limits for one address on public routes, and for one tenant; absent: no throttling. */
  requestsPerMinute?: { public: number; tenant: number }
  /** After this time a request is answered with 503 TIMEOUT. */
  requestBudgetMs?: number
  /** The most octets of answers that clients leave unread; see `unread-answers.ts`. */
  maximumUnreadBytes?: number
  /**
   * Whether the process was asked to end: `/readyz` then answers 503, and answers ask clients to
   * close their connection. Never, when absent.
   */
  isDraining?: () => boolean
  /** How long requests in flight may take once the server closes, in milliseconds. */
  closeGraceMs?: number
  metrics: Metrics
  /** 256 random bits in base64url. */
  randomSecret(): string
}
