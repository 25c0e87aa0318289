/** A started service as its users see it: HTTP, mails, and a clock that can be put forward. */
import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import { openWholeKeyring } from '../../adapters/embedded/keyring.ts'
import { mintTenantToken } from '../../adapters/jose/local-identity.ts'
import { RESYNC_INTERVAL_MS } from '../../controllers/case-runs.ts'
import { auditFolder, certificateFolder, documentKey, drawingKey } from '../../domain/cases/keys.ts'
import { keyringFolder, mailFolder } from '../../runtime/embedded/paths.ts'
import { startEmbedded, type EmbeddedService } from '../../runtime/embedded/service.ts'
import { VERIFICATIONS_FOLDER } from '../../domain/verification.ts'
import { configFor, dataDirectory, TENANT } from '../e2e/harness.ts'
import { sharedReader } from '../fixtures/shared-reader.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import { ShiftableTimers } from '../fixtures/shiftable-timers.ts'
import { isProcessShared } from '../../dev/test-suite/teardowns.ts'
import { behindBucket, behindFiles, type Behind } from './behind.ts'
import { keepSpare, openLasting, takeSpare, type Owner } from './spare-services.ts'

export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

const FIRST_POLL_MS = 10
/** A long wait that polls more often takes the CPU time of the service that it waits for. */
const LAST_POLL_MS = 150
const POLL_GROWTH = 1.25
/** About four seconds between two resyncs. */
const POLLS_PER_RESYNC = 40
/** Reached only when something never comes: a busy machine is ten times as slow as an idle one. */
const LIMIT_MS = 120_000
/** On a very busy machine, 25 MB take longer than the service waits; the upload is kept. */
const VERIFY_TRIES = 5
const TIMED_OUT = 503
/** The latest published consent text. */
const TEXT_VERSION = '2026-11'

/** The code in a mail. */
const CODE = /\b(\d{6})\b/

// Answers are judged by the tests: here they may have any shape.
// oxlint-disable-next-line no-explicit-any
export type Json = any

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The body when it is JSON. */
  json: Json
}

export interface Asked {
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

export interface Created {
  case: Json
  /** `headers` of an upload that is to be verified. */
  upload: { type: string; url: string; headers?: Record<string, string> }
}

export const person = (more: Record<string, unknown> = {}) => ({
  firstName: 'Jana',
  lastName: 'Nováková',
  email: 'jana@example.com',
  signatureFields: [{ id: 'f1', page: 1, x: 72, y: 500, width: 200, height: 60, unit: 'pt' }],
  ...more,
})

/** Set by `on-cluster.test.ts`; a file of tables with this variable has a cluster of its own. */
export const isOnCluster = (): boolean => process.env.SERVICE_ON === 'cluster'
/** On a cluster a tenant has to be registered. */
const OTHER_TENANTS = ['other']

type Service = Omit<EmbeddedService, 'diskFault'>
type Start = () => Promise<Service>

export class World {
  readonly #start: Start
  #service: Service
  readonly #folder: string
  readonly #document: Uint8Array
  readonly #behind: Behind
  readonly #openedMs: number
  #isAltered = false
  /** How far the clock had been put forward when signing was last available. */
  #availableAtShiftMs = 0
  readonly clock: ShiftableTimers
  readonly isOnCluster = isOnCluster()
  /** What a link answers when its time is over: Cloud Storage says 400 `ExpiredToken`. */
  readonly statusOfExpired = this.isOnCluster ? 400 : 403

  constructor(options: {
    start: Start
    service: Service
    folder: string
    document: Uint8Array
    /** Absent: files in the folder. */
    behind?: Behind
    clock: ShiftableTimers
    /** Real time; earlier mails are those of another file. Absent: all mails are its own. */
    openedMs?: number
  }) {
    this.#start = options.start
    this.#service = options.service
    this.#folder = options.folder
    this.#document = options.document
    this.#behind = options.behind ?? behindFiles(options.folder)
    this.#openedMs = options.openedMs ?? 0
    this.clock = options.clock
  }

  get url(): string {
    return this.#service.url
  }

  get mailboxUrl(): string | undefined {
    return this.#service.mailboxUrl
  }

  close(): Promise<void> {
    this.#isAltered = true
    return this.#service.close()
  }

  /** Whether another test can use the service: it runs, on the clock of the machine. */
  get isAsOpened(): boolean {
    return !this.#isAltered && this.clock.shiftMs === 0
  }

  /** Ends the service and starts another on the same data. */
  async restart(): Promise<void> {
    await this.close()
    this.#service = await this.#start()
  }

  /** An instant from now, as the contract writes it. */
  from(delayMs: number): string {
    return new Date(this.clock.nowMs() + delayMs).toISOString()
  }

  token(tenant = TENANT): Promise<string> {
    const keyring = openWholeKeyring(keyringFolder(this.#folder))
    return mintTenantToken(keyring, tenant, this.clock.now())
  }

  /** One request; nothing is followed. */
  async ask(method: string, path: string, asked: Asked = {}): Promise<Answer> {
    const { token, body, headers = {} } = asked
    const response = await fetch(path.startsWith('/') ? `${this.url}${path}` : path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const { status, headers: answered } = response
    return { status, headers: answered, text, json: isJson ? JSON.parse(text) : undefined }
  }

  async asTenant(method: string, path: string, asked: Asked = {}): Promise<Answer> {
    return this.ask(method, path, { token: await this.token(), ...asked })
  }

  /** @param participant as a case lists them */
  asParticipant(participant: Json, method: string, route: string, asked: Asked = {}) {
    const token = new URL(participant.signerUrl).hash.slice(1)
    return this.ask(method, `/participant/${participant.id}/${route}`, { token, ...asked })
  }

  /** @throws Error with the answer when it is not 200 */
  async create(more: Record<string, unknown> = {}): Promise<Created> {
    const body = {
      title: 'Zmluva o dielo',
      validUntil: this.from(DAY_MS),
      participants: [person()],
      ...more,
    }
    const answer = await this.asTenant('POST', '/cases', { body })
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
    return answer.json
  }

  async upload({ upload }: Pick<Created, 'upload'>, bytes = this.#document): Promise<number> {
    const headers = upload.headers ?? { 'content-type': 'application/pdf' }
    const answer = await fetch(upload.url, { method: 'PUT', headers, body: bytes as BodyInit })
    await answer.body?.cancel()
    return answer.status
  }

  /** Uploads a PDF to be verified. @returns its key */
  async uploadForVerification(bytes: Uint8Array): Promise<string> {
    const { json } = await this.ask('POST', '/verify/uploads')
    await this.upload(json, bytes)
    return json.key
  }

  /** Uploads a PDF and verifies it, as anybody can, and again where the service takes too long. */
  async verify(bytes: Uint8Array): Promise<Answer> {
    const key = await this.uploadForVerification(bytes)
    for (let tries = 1; ; tries++) {
      const answer = await this.ask('POST', '/verify', { body: { key } })
      if (answer.status !== TIMED_OUT || tries === VERIFY_TRIES) return answer
    }
  }

  /** What is left of what was uploaded to be verified. */
  uploads(): Promise<string[]> {
    return this.#behind.names(VERIFICATIONS_FOLDER)
  }

  async get(caseId: string): Promise<Json> {
    return (await this.asTenant('GET', `/cases/${caseId}`)).json
  }

  async untilStatus(caseId: string, status: string): Promise<Json> {
    return this.until(`case to be ${status}`, async () => {
      const answer = await this.get(caseId)
      return answer.status === status ? answer : undefined
    })
  }

  /** A case whose document was accepted. */
  async inProgress(more: Record<string, unknown> = {}): Promise<Json> {
    const created = await this.create(more)
    await this.upload(created)
    return this.untilStatus(created.case.id, 'IN_PROGRESS')
  }

  /**
   * Signs. A clock that was put forward makes the last canary too old until the next one; only then
   * does it wait for signing to be available, so that an outage is not taken for that.
   */
  sign(participant: Json, more: Record<string, unknown> = {}, asked: Asked = {}): Promise<Answer> {
    const body = {
      encodedSignature: 'M0 20 C20 0 40 40 60 20 S100 0 120 20',
      consent: { textVersion: TEXT_VERSION, acceptedAt: this.from(0) },
      ...more,
    }
    const { shiftMs } = this.clock
    return this.until('signing to be available', async () => {
      const answer = await this.asParticipant(participant, 'POST', 'signature', { body, ...asked })
      if (answer.status === 200) this.#availableAtShiftMs = shiftMs
      const isUnavailable = answer.text.includes('SIGNING_UNAVAILABLE')
      return isUnavailable && shiftMs > this.#availableAtShiftMs ? undefined : answer
    })
  }

  /** A case that everybody signed. */
  async done(more: Record<string, unknown> = {}): Promise<Json> {
    const { id, participants } = await this.inProgress(more)
    for (const participant of participants) {
      const headers = await this.#proof(participant, more)
      await this.asParticipant(participant, 'GET', 'caseDefinition', { headers })
      const { status, text } = await this.sign(participant, {}, { headers })
      if (status !== 200) throw new Error(`${status} ${text}`)
    }
    return this.untilStatus(id, 'DONE')
  }

  /** A case that its tenant cancelled. */
  async cancelled(more: Record<string, unknown> = {}, asked: Asked = {}): Promise<Json> {
    const { case: made } = await this.create(more)
    return (await this.asTenant('DELETE', `/cases/${made.id}`, asked)).json
  }

  async #proof(participant: Json, { multiFactorType }: Json): Promise<Record<string, string>> {
    if (multiFactorType === undefined) return {}
    return { 'service-otp-session': (await this.passCode(participant)).otpSession }
  }

  /** The whole trail, the newest first. */
  async events(caseId: string): Promise<Json[]> {
    return (await this.asTenant('GET', `/cases/${caseId}/events`)).json.events
  }

  /** Waits for an event of the trail. */
  untilEvent(caseId: string, type: string): Promise<Json> {
    return this.until(`event ${type}`, async () =>
      (await this.events(caseId)).find((event: Json) => event.type === type),
    )
  }

  /** Mails that were sent to an address, in the order in which they went out. */
  async mails(to: string): Promise<string[]> {
    const folder = mailFolder(this.#folder)
    // A file that is being written has another name until it is whole.
    const names = (await readdir(folder)).filter((name) => name.endsWith('.eml'))
    const all = await Promise.all(
      names.map(async (name) => {
        const path = join(folder, name)
        return { text: await readFile(path, 'utf8'), writtenMs: (await stat(path)).mtimeMs }
      }),
    )
    const own = all.filter(
      ({ text, writtenMs }) =>
        writtenMs >= this.#openedMs && /^To: .*$/m.exec(text)?.[0].includes(to),
    )
    return own.sort((a, b) => a.writtenMs - b.writtenMs).map(({ text }) => text)
  }

  async download(url: string): Promise<Uint8Array> {
    const answer = await fetch(url)
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    return new Uint8Array(await answer.arrayBuffer())
  }

  /** SHA-256 of what a link leads to. */
  async digestAt(url: string): Promise<string> {
    return createHash('sha256')
      .update(await this.download(url))
      .digest('hex')
  }

  /** The newest code that was mailed to an address. */
  async code(to: string, sent = 1): Promise<string> {
    return this.until(`code number ${sent}`, async () => {
      const codes = (await this.mails(to)).flatMap((mail) => CODE.exec(mail)?.[1] ?? [])
      return codes.length >= sent ? codes.at(-1) : undefined
    })
  }

  /** Has a code sent to the participant's address and checks it. */
  async passCode(participant: Json): Promise<Json> {
    await this.asParticipant(participant, 'POST', 'otp')
    const body = { code: await this.code(participant.email) }
    return (await this.asParticipant(participant, 'POST', 'otp/verify', { body })).json
  }

  /** Replaces the frozen document behind the service's back, so that it cannot be signed. */
  breakDocument(caseId: string): Promise<void> {
    const objectKey = documentKey({ tenant: TENANT, caseId })
    return this.#replace(objectKey, '%PDF-1.7 of somebody else', 'application/pdf')
  }

  /** Makes the folder of the drawings a place where nothing can be written. */
  breakDrawings(caseId: string): Promise<void> {
    this.#isAltered = true
    return this.#behind.breakFolder(drawingKey({ tenant: TENANT, caseId }, ''))
  }

  /** Makes the trail a place where nothing can be written. */
  breakTrail(caseId: string): Promise<void> {
    this.#isAltered = true
    return this.#behind.breakFolder(auditFolder({ tenant: TENANT, caseId }))
  }

  /** Runs something while the service cannot notify kiosks. */
  whileKiosksAreDeaf<T>(run: () => Promise<T>): Promise<T> {
    return this.#behind.whileKiosksAreDeaf(run)
  }

  /**
   * Signs as the only participant and cancels while the document is made: as soon as there is a
   * certificate.
   *
   * @returns names of the objects of its certificates; none when the document was ready sooner
   */
  async cancelWhileSigning({ id, participants }: Json): Promise<string[]> {
    await this.sign(participants[0])
    const folder = certificateFolder({ tenant: TENANT, caseId: id })
    const names = await this.until('a certificate', async () => {
      const found = await this.#behind.names(folder)
      return found.length > 0 ? found : undefined
    })
    const { status } = await this.asTenant('DELETE', `/cases/${id}`)
    return status === 200 ? names : []
  }

  #replace(objectKey: string, text: string, contentType: string): Promise<void> {
    this.#isAltered = true
    return this.#behind.replace(objectKey, new TextEncoder().encode(text), contentType)
  }

  /**
   * Waits for what a resync does. A resync that runs while a test puts the clock forward does not
   * see the new time, and the next one comes minutes after its end; so the clock passes on.
   *
   * @throws Error after {@link LIMIT_MS}
   */
  async untilResynced<T>(what: string, find: () => Promise<T | undefined>): Promise<T> {
    let polls = 0
    return this.until(what, () => {
      polls += 1
      // Each resync makes other jobs due, too, so there are few.
      if (polls % POLLS_PER_RESYNC === 0) this.clock.pass(RESYNC_INTERVAL_MS)
      return find()
    })
  }

  /** @throws Error after {@link LIMIT_MS} */
  async until<T>(what: string, find: () => Promise<T | undefined>): Promise<T> {
    const deadlineMs = Date.now() + LIMIT_MS
    let pollMs = FIRST_POLL_MS
    while (Date.now() < deadlineMs) {
      const found = await find()
      if (found !== undefined) return found
      await setTimeout(pollMs)
      pollMs = Math.min(pollMs * POLL_GROWTH, LAST_POLL_MS)
    }
    throw new Error(`waited in vain for ${what}`)
  }
}

export type WorldOptions = ConstructorParameters<typeof World>[0]

/** The service of all files of this process, if they share one. */
let shared: Promise<WorldOptions> | undefined

/** Opens a service on a data directory that is removed after the test. */
async function openService(t: Owner, more: Record<string, string>): Promise<WorldOptions> {
  const folder = await dataDirectory(t)
  const clock = new ShiftableTimers()
  const config = { ...configFor(folder, more), logLevel: 'fatal' as const }
  const embedded = () => startEmbedded(config, clock, sharedReader())
  const { start, ...others } = isOnCluster()
    ? await onCluster(t, folder, clock, more)
    : { start: embedded }
  const service = await start()
  const document = await smallDocument()
  return { start, service, folder, clock, document, ...others }
}

/**
 * Opens one service for all files of this process; {@link openWorld} uses it from now on. Its
 * worlds must not restart it.
 *
 * @returns its URL
 */
export async function shareService(t: Test): Promise<string> {
  shared = openService(t, { EGRESS_ALLOW: '127.0.0.1/32' })
  const { service } = await shared
  t.teardown(() => service.close())
  return service.url
}

/**
 * Opens a service of its own on a data directory that is removed after the test, or the shared one.
 * Where several files share the process, it may be a service that an earlier test has left as it
 * was opened, with that test's cases and without its mails.
 */
export async function openWorld(t: Test, more: Record<string, string> = {}): Promise<World> {
  if (shared) return new World({ ...(await shared), openedMs: Date.now() })
  if (isProcessShared() && Object.keys(more).length === 0) return openKeptWorld(t)
  return openFreshWorld(t, more)
}

/** Opens a service that no other test uses, for a test that lists all cases or devices. */
export async function openFreshWorld(t: Test, more: Record<string, string> = {}): Promise<World> {
  const world = new World(await openService(t, more))
  t.teardown(() => world.close())
  return world
}

async function openKeptWorld(t: Test): Promise<World> {
  const spare = await takeSpare()
  const options = spare ?? (await openLasting((owner) => openService(owner, {})))
  const world = new World(options)
  t.teardown(() => (world.isAsOpened ? keepSpare(options) : world.close()))
  return world
}

async function onCluster(
  t: Owner,
  folder: string,
  clock: ShiftableTimers,
  more: Record<string, string>,
) {
  const tenants = [TENANT, ...OTHER_TENANTS]
  // Not loaded without a cluster: its clients are half of the modules that a test would load.
  const { clusterServices } = await import('../fixtures/cluster-service.ts')
  const { start, outside, redisUrl } = await clusterServices(t, folder, tenants, clock, more)
  return { start, behind: behindBucket(outside, redisUrl) }
}
