/** The client of a tenant: cases, documents, devices and verification. */
import { SigcaseError } from './errors.ts'
import { walkPages, type PageOptions } from './pages.ts'
import { Transport, type CallOptions, type ClientOptions } from './transport.ts'
import type {
  AuditEvent,
  AuthoritiesResult,
  CancelCaseResult,
  Case,
  CreateCaseInput,
  CreateCaseResult,
  CreatePairingCodeResult,
  GetCaseResult,
  GraphqlInput,
  GraphqlResult,
  HealthResult,
  InviteAgainResult,
  ListCasesResult,
  ListDeliveriesResult,
  ListDevicesResult,
  ListEventsResult,
  ListWebhookEventsResult,
  OpenOnDeviceResult,
  ReadinessResult,
  RedeliverResult,
  RegisterDeviceResult,
  RenewUploadResult,
  UploadForVerificationResult,
  VerifyResult,
} from './types.ts'
import { putDocument, toBlob, TRANSFER_TIMEOUT_MS, type Pdf, type UploadOptions } from './upload.ts'
import { sleep } from './waiting.ts'

const WAIT_TIMEOUT_MS = 60 * 60 * 1000
const FIRST_POLL_MS = 250
const MAXIMUM_POLL_MS = 10_000
const POLL_GROWTH = 1.5

export interface CreateOptions extends CallOptions {
  /**
   * Names the request: a repetition with the same key and body answers the same case. Random by
   * default; use a key of your own, such as the id of the contract, to repeat after a crash.
   */
  idempotencyKey?: string
}

export interface WaitOptions extends CallOptions {
  /** Milliseconds, one hour by default. */
  timeoutMs?: number
  /** Called with the case after each look at it. */
  onPoll?: (seen: Case) => void
}

/** Forms of a validation report as a file: XML (ETSI TS 119 102-2), or PDF to print. */
const REPORT_TYPES = { xml: 'application/xml', pdf: 'application/pdf' } as const
export type ReportForm = keyof typeof REPORT_TYPES

export type DocumentKind = 'original' | 'signed' | 'evidence'

async function computeDigest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (octet) => octet.toString(16).padStart(2, '0')).join('')
}

const segment = encodeURIComponent

/** A client of one tenant. Every method can throw {@link SigcaseError}. */
export class SigcaseClient {
  readonly #transport: Transport

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options)
  }

  /**
   * Creates a case. Retries with the same `Idempotency-Key` after 429, 503 and a lost response, so
   * that it never creates two cases.
   */
  async createCase(
    input: CreateCaseInput,
    { idempotencyKey = crypto.randomUUID(), ...call }: CreateOptions = {},
  ): Promise<CreateCaseResult> {
    const headers = { 'idempotency-key': idempotencyKey }
    return this.#transport.ask('POST', '/cases', { ...call, body: input, headers })
  }

  /**
   * Uploads the PDF of a case. Requests another URL when the one at hand has expired. Does nothing
   * when `createCase` found a case that already has its document.
   */
  async uploadDocument(
    { case: { id }, upload }: CreateCaseResult,
    pdf: Pdf,
    options: UploadOptions = {},
  ): Promise<void> {
    if (!upload) return
    try {
      await putDocument(this.#transport, upload, pdf, options)
    } catch (error) {
      // 403 of this service, 400 of Cloud Storage.
      const isExpired = error instanceof SigcaseError && [400, 403].includes(error.status)
      if (!isExpired) throw error
      const { signal } = options
      const renewed = await this.renewUpload(id, signal ? { signal } : {})
      await putDocument(this.#transport, renewed.upload, pdf, options)
    }
  }

  /** Requests another upload URL for a case that waits for its document. */
  async renewUpload(caseId: string, call: CallOptions = {}): Promise<RenewUploadResult> {
    return this.#transport.ask('POST', `/cases/${segment(caseId)}/upload`, call)
  }

  /** Reads a case with fresh links to its documents. */
  async getCase(caseId: string, call: CallOptions = {}): Promise<GetCaseResult> {
    return this.#transport.ask('GET', `/cases/${segment(caseId)}`, call)
  }

  /** Reads one page of cases. @param options `status` selects cases in one status */
  async listCases(
    options: PageOptions & { status?: Case['status'] } = {},
  ): Promise<ListCasesResult> {
    const { signal, ...query } = options
    return this.#transport.ask('GET', '/cases', { query, ...(signal ? { signal } : {}) })
  }

  /** Yields all cases. @param options `status` selects cases in one status */
  cases(options: PageOptions & { status?: Case['status'] } = {}): AsyncGenerator<Case> {
    const readPage = (cursor = options.cursor) =>
      this.listCases(cursor === undefined ? options : { ...options, cursor })
    return walkPages(readPage, (page) => page.cases)
  }

  /**
   * Cancels a case that is NEW or IN_PROGRESS. Returns a case that is already CANCELLED as it is,
   * because the response of an earlier attempt can be lost.
   *
   * @param options `reason` is shown to participants
   */
  async cancelCase(
    caseId: string,
    { reason, ...call }: CallOptions & { reason?: string } = {},
  ): Promise<CancelCaseResult> {
    const body = reason === undefined ? {} : { body: { reason } }
    const path = `/cases/${segment(caseId)}`
    try {
      return await this.#transport.ask('DELETE', path, { ...call, ...body })
    } catch (error) {
      const isCancelled = error instanceof SigcaseError && error.data.status === 'CANCELLED'
      if (!isCancelled || error.code !== 'CASE_NOT_CANCELLABLE') throw error
      return this.getCase(caseId, call)
    }
  }

  /** Sends the invitation to a participant who has not signed once more. */
  async remind(
    caseId: string,
    participantId: string,
    call: CallOptions = {},
  ): Promise<InviteAgainResult> {
    const path = `/cases/${segment(caseId)}/participants/${segment(participantId)}/invitation`
    return this.#transport.ask('POST', path, { ...call, retry: 'refused' })
  }

  /** Reads one page of the audit trail, newest first. */
  async listEvents(caseId: string, options: PageOptions = {}): Promise<ListEventsResult> {
    const { signal, ...query } = options
    const path = `/cases/${segment(caseId)}/events`
    return this.#transport.ask('GET', path, { query, ...(signal ? { signal } : {}) })
  }

  /** Yields the audit trail, newest first. */
  events(caseId: string, options: PageOptions = {}): AsyncGenerator<AuditEvent> {
    const readPage = (cursor = options.cursor) =>
      this.listEvents(caseId, cursor === undefined ? options : { ...options, cursor })
    return walkPages(readPage, (page) => page.events)
  }

  /** Lists the webhooks of a case with their attempts. */
  async listDeliveries(caseId: string, call: CallOptions = {}): Promise<ListDeliveriesResult> {
    return this.#transport.ask('GET', `/cases/${segment(caseId)}/deliveries`, call)
  }

  /** Delivers a webhook again. */
  async redeliver(
    caseId: string,
    eventId: string,
    call: CallOptions = {},
  ): Promise<RedeliverResult> {
    const path = `/cases/${segment(caseId)}/deliveries/${segment(eventId)}/redeliver`
    return this.#transport.ask('POST', path, { ...call, retry: 'refused' })
  }

  /** Yields the webhooks of all cases that were not delivered. */
  failedWebhooks(
    options: PageOptions & { status: 'dead' | 'failed' },
  ): AsyncGenerator<ListWebhookEventsResult['events'][number]> {
    const { signal, ...given } = options
    const readPage = (cursor = given.cursor) =>
      this.#transport.ask<ListWebhookEventsResult>('GET', '/tenant/webhook-events', {
        query: { ...given, cursor },
        ...(signal ? { signal } : {}),
      })
    return walkPages(readPage, (page) => page.events)
  }

  /** Registers a kiosk. The token is shown once; store it on the device alone. */
  async registerDevice(name: string, call: CallOptions = {}): Promise<RegisterDeviceResult> {
    const body = { name }
    return this.#transport.ask('POST', '/tenant/devices', { ...call, body, retry: 'refused' })
  }

  /** Creates a short code that pairs the kiosk once, within ten minutes. */
  async createPairingCode(
    deviceId: string,
    token: string,
    call: CallOptions = {},
  ): Promise<CreatePairingCodeResult> {
    const path = `/tenant/devices/${segment(deviceId)}/pairingCode`
    return this.#transport.ask('POST', path, { ...call, body: { token }, retry: 'refused' })
  }

  /** Yields all kiosks. */
  devices(options: PageOptions = {}): AsyncGenerator<ListDevicesResult['devices'][number]> {
    const { signal, ...given } = options
    const readPage = (cursor = given.cursor) =>
      this.#transport.ask<ListDevicesResult>('GET', '/tenant/devices', {
        query: { ...given, cursor },
        ...(signal ? { signal } : {}),
      })
    return walkPages(readPage, (page) => page.devices)
  }

  /** Removes a kiosk; its channel ends at once. */
  async removeDevice(deviceId: string, call: CallOptions = {}): Promise<void> {
    await this.#transport.ask('DELETE', `/tenant/devices/${segment(deviceId)}`, call)
  }

  /** Hands a case to a kiosk for a participant. */
  async openOnDevice(
    caseId: string,
    participantId: string,
    deviceId: string,
    call: CallOptions = {},
  ): Promise<OpenOnDeviceResult> {
    const path = `/cases/${segment(caseId)}/participants/${segment(participantId)}/open`
    return this.#transport.ask('POST', path, { ...call, body: { deviceId } })
  }

  /**
   * Downloads a document of a case and compares its SHA-256 with the case.
   *
   * @throws SigcaseError NO_DOCUMENT before the case has it, DIGEST_MISMATCH
   */
  async download(
    caseId: string,
    kind: DocumentKind,
    call: CallOptions = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    const seen = await this.getCase(caseId, call)
    const { url, sha256 } = seen[`${kind}Document`] ?? {}
    if (url === undefined) {
      const data = { status: seen.status }
      throw new SigcaseError('NO_DOCUMENT', `The case is ${seen.status}: no ${kind} PDF`, { data })
    }
    const answer = await this.#transport.send('GET', url, {
      ...call,
      timeoutMs: TRANSFER_TIMEOUT_MS,
    })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    if (sha256 !== undefined && (await computeDigest(bytes)) !== sha256) {
      throw new SigcaseError('DIGEST_MISMATCH', 'The download is not the document of the case')
    }
    return bytes
  }

  /**
   * Polls until the case is DONE, first every quarter of a second and later every ten seconds.
   * Prefer webhooks for cases that take days.
   *
   * @throws SigcaseError CASE_ENDED when it ends otherwise (`data.status`, `data.reason`),
   *   WAIT_TIMEOUT
   */
  async waitUntilDone(caseId: string, options: WaitOptions = {}): Promise<Case> {
    return this.#waitFor(caseId, ['DONE'], options)
  }

  /**
   * Polls until the service has accepted the document. From then on, participants can sign.
   *
   * @throws SigcaseError CASE_ENDED, such as UPLOAD_REJECTED (`data.status`, `data.reason`),
   *   WAIT_TIMEOUT
   */
  async waitUntilInProgress(caseId: string, options: WaitOptions = {}): Promise<Case> {
    return this.#waitFor(caseId, ['IN_PROGRESS', 'DONE'], options)
  }

  async #waitFor(
    caseId: string,
    awaited: readonly Case['status'][],
    options: WaitOptions,
  ): Promise<Case> {
    const { signal, timeoutMs = WAIT_TIMEOUT_MS, onPoll } = options
    const deadlineMs = Date.now() + timeoutMs
    const call = signal ? { signal } : {}
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * POLL_GROWTH, MAXIMUM_POLL_MS)) {
      const seen = await this.getCase(caseId, call)
      onPoll?.(seen)
      const { status, rejectReason, failureReason, cancelReason } = seen
      if (awaited.includes(status)) return seen
      const leftMs = deadlineMs - Date.now()
      if (status !== 'NEW' && status !== 'IN_PROGRESS') {
        const reason = rejectReason ?? failureReason ?? cancelReason
        const data = { status, reason, case: seen }
        throw new SigcaseError('CASE_ENDED', `The case is ${status} ${reason ?? ''}`, { data })
      }
      if (leftMs <= 0) {
        const data = { status, case: seen }
        throw new SigcaseError('WAIT_TIMEOUT', `The case is still ${status}`, { data })
      }
      await sleep(Math.min(pollMs, leftMs), signal)
    }
  }

  /** Uploads a PDF to be verified. @returns the key for `POST /verify` */
  async #uploadForVerification(pdf: Pdf, options: UploadOptions): Promise<string> {
    const call = { ...(options.signal ? { signal: options.signal } : {}), isPublic: true }
    const { key, upload } = await this.#transport.ask<UploadForVerificationResult>(
      'POST',
      '/verify/uploads',
      { ...call, body: { size: toBlob(pdf).size } },
    )
    await putDocument(this.#transport, upload, pdf, options)
    return key
  }

  /** Uploads a PDF and verifies its signatures. Needs no token. */
  async verify(pdf: Pdf, options: UploadOptions = {}): Promise<VerifyResult> {
    const { signal } = options
    const body = { key: await this.#uploadForVerification(pdf, options) }
    const call = { ...(signal ? { signal } : {}), isPublic: true }
    return this.#transport.ask('POST', '/verify', { ...call, body })
  }

  /**
   * Uploads a PDF and returns its validation report as a file. Needs no token.
   *
   * @param form `xml` (ETSI TS 119 102-2) or `pdf`, to print; neither is signed
   */
  async downloadReport(
    pdf: Pdf,
    form: ReportForm,
    options: UploadOptions = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { signal } = options
    const body = JSON.stringify({ key: await this.#uploadForVerification(pdf, options) })
    const answer = await this.#transport.send('POST', `${this.#transport.baseUrl}/verify`, {
      headers: { accept: REPORT_TYPES[form], 'content-type': 'application/json' },
      body: () => body,
      ...(signal ? { signal } : {}),
    })
    return new Uint8Array(await answer.arrayBuffer())
  }

  /** Lists the certification authorities of the service. Needs no token. */
  async authorities(call: CallOptions = {}): Promise<AuthoritiesResult> {
    return this.#transport.ask('GET', '/pki', { ...call, isPublic: true })
  }

  /** Reads with one GraphQL query. Check `errors`: the query can fail in parts. */
  async graphql(request: GraphqlInput, call: CallOptions = {}): Promise<GraphqlResult> {
    return this.#transport.ask('POST', '/graphql', { ...call, body: request })
  }

  /** Asks whether the process of the service is alive. Needs no token. */
  async health(call: CallOptions = {}): Promise<HealthResult> {
    return this.#transport.ask('GET', '/healthz', { ...call, isPublic: true })
  }

  /** Asks whether signing is available. Needs no token. @throws SigcaseError SHUTTING_DOWN */
  async readiness(call: CallOptions = {}): Promise<ReadinessResult> {
    const options = { ...call, isPublic: true, retry: 'refused' } as const
    return this.#transport.ask('GET', '/readyz', options)
  }
}
