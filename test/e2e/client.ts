/**
 * Drives the service over HTTP as a tenant and its participants do, with patience when asked for.
 */
import { setTimeout } from 'node:timers/promises'

const FIRST_POLL_MS = 50
/** Each poll costs milliseconds of CPU time of the service that the case waits for. */
const LAST_POLL_MS = 300
const POLL_GROWTH = 1.25
const RETRY_MS = 100
/** Reached only when the case keeps its status. */
const UNTIL_LIMIT_MS = 120_000
const FIELD = { page: 1, x: 72, width: 220, height: 60, unit: 'pt' }

export interface CaseAnswer {
  id: string
  status: string
  rejectReason?: string
  failureReason?: string
  participants: { id: string; status: string; signerUrl: string; email: string }[]
  originalDocument: { url?: string; sha256?: string }
  signedDocument?: { url: string; sha256: string; size: number; level: string; name: string }
  evidenceDocument?: { url: string; sha256: string; size: number; level: string; name: string }
}

export interface CreateAnswer {
  case: CaseAnswer
  upload: { type: string; url: string }
}

export interface EventAnswer {
  eventId: string
  type: string
  occurredAt: string
  actor: string
  participantId?: string
}

export interface ClientOptions {
  /** Asked for anew at each attempt: a restarted service may listen elsewhere. */
  baseUrl: () => string
  token: string
  /**
   * Tries again what failed without an answer, or with one that says so, until this time is over.
   */
  patienceMs?: number
}

/** An answer that is not the one expected. */
class AnswerError extends Error {
  readonly status: number
  readonly body: string

  constructor(what: string, status: number, body: string) {
    super(`${what}: ${status} ${body}`)
    this.status = status
    this.body = body
  }
}

const PDF_HEADERS = { 'content-type': 'application/pdf' }

interface RequestOptions {
  token?: string
  body?: unknown
  bytes?: Uint8Array
  headers?: Record<string, string>
}

/** The parts of a signing link. */
function readLink(signerUrl: string): { participantId: string; token: string } {
  const { pathname, hash } = new URL(signerUrl)
  return { participantId: pathname.split('/').at(-1) as string, token: hash.slice(1) }
}

export class Client {
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** The tenant's. */
  get token(): string {
    return this.#options.token
  }

  /** One request that is repeated while the service is unavailable; a body is sent as JSON. */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    const { patienceMs = 0, token } = this.#options
    const deadline = Date.now() + patienceMs
    const headers: Record<string, string> = {}
    // A presigned URL has its own authorisation, and stores refuse a second one.
    if (path.startsWith('/')) headers.authorization = `Bearer ${options.token ?? token}`
    if (options.body !== undefined) headers['content-type'] = 'application/json'
    // Two spellings of one name would be sent as two values.
    Object.assign(headers, options.headers ?? (options.bytes ? PDF_HEADERS : {}))
    const body = options.bytes ?? (options.body === undefined ? null : JSON.stringify(options.body))
    for (;;) {
      const url = path.startsWith('/') ? `${this.#options.baseUrl()}${path}` : path
      try {
        const response = await fetch(url, { method, headers, body: body as BodyInit | null })
        const text = await response.arrayBuffer()
        const again = response.status >= 500 && Date.now() < deadline
        if (!again) return new Response(text.byteLength ? text : null, response)
      } catch (error) {
        if (Date.now() >= deadline) throw error
      }
      await setTimeout(RETRY_MS)
    }
  }

  async #json<T>(what: string, response: Response): Promise<T> {
    const text = await response.text()
    if (response.status !== 200) throw new AnswerError(what, response.status, text)
    return JSON.parse(text) as T
  }

  /** @param participants partial inputs; the rest is filled in */
  async create(
    title: string,
    participants: Record<string, unknown>[],
    more: Record<string, unknown> = {},
  ): Promise<CreateAnswer> {
    const body = {
      title,
      validUntil: new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString(),
      participants: participants.map((participant, index) => ({
        firstName: 'Ľuboš',
        lastName: `Šťastný ${index + 1}`,
        email: `p${index + 1}@example.com`,
        signatureFields: [{ ...FIELD, id: `f${index + 1}`, y: 500 + 90 * (index % 4) }],
        ...participant,
      })),
      ...more,
    }
    return this.#json('create', await this.request('POST', '/cases', { body }))
  }

  /** @param headers what the answer said to send, where it said that */
  async upload(url: string, pdf: Uint8Array, headers?: Record<string, string>): Promise<void> {
    const response = await this.request('PUT', url, { bytes: pdf, ...(headers && { headers }) })
    if (!response.ok) throw new AnswerError('upload', response.status, await response.text())
  }

  async get(caseId: string): Promise<CaseAnswer> {
    return this.#json('get', await this.request('GET', `/cases/${caseId}`))
  }

  /**
   * Waits until the case has left `from`.
   *
   * @param pollMs pause between two requests; absent: pauses that become longer
   */
  async untilNot(
    from: string,
    caseId: string,
    limitMs = UNTIL_LIMIT_MS,
    pollMs?: number,
  ): Promise<CaseAnswer> {
    const deadline = Date.now() + limitMs
    let pauseMs = FIRST_POLL_MS
    for (;;) {
      const answer = await this.get(caseId)
      if (answer.status !== from) return answer
      if (Date.now() > deadline) throw new Error(`case ${caseId} stays ${from}`)
      await setTimeout(pollMs ?? pauseMs)
      pauseMs = Math.min(pauseMs * POLL_GROWTH, LAST_POLL_MS)
    }
  }

  /**
   * Takes a new case to its end, by people who do not give up.
   *
   * @param limitMs for each of the two waits
   */
  async complete(
    { case: { id }, upload }: CreateAnswer,
    pdf: Uint8Array,
    limitMs: number,
    pollMs?: number,
  ): Promise<CaseAnswer> {
    await this.upload(upload.url, pdf).catch((error: unknown) => {
      // The answer to a first attempt was lost, and the service has read the document since.
      const isRead =
        error instanceof AnswerError && error.body.includes('"DOCUMENT_ALREADY_UPLOADED"')
      if (!isRead) throw error
    })
    const running = await this.untilNot('NEW', id, limitMs, pollMs)
    for (const { signerUrl } of running.participants) {
      const { status } = await this.sign(signerUrl)
      // The first attempt may have counted though its answer was lost.
      if (status !== 200 && status !== 409) throw new Error(`signing answered ${status}`)
    }
    return this.untilNot('IN_PROGRESS', id, limitMs, pollMs)
  }

  /** Every event of the case, the first first. */
  async events(caseId: string): Promise<EventAnswer[]> {
    const events: EventAnswer[] = []
    let cursor = ''
    for (;;) {
      const query = cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`
      const page = await this.#json<{ events: EventAnswer[]; nextCursor?: string }>(
        'events',
        await this.request('GET', `/cases/${caseId}/events${query}`),
      )
      events.push(...page.events)
      if (page.nextCursor === undefined) return events.reverse()
      cursor = page.nextCursor
    }
  }

  /** Opens the case as the participant whose link this is. */
  async view(signerUrl: string): Promise<Response> {
    const { participantId, token } = readLink(signerUrl)
    return this.request('GET', `/participant/${participantId}/caseDefinition`, { token })
  }

  /** Signs as the participant whose link this is. @returns the status of the answer */
  async sign(signerUrl: string, more: Record<string, unknown> = {}): Promise<Response> {
    const { participantId, token } = readLink(signerUrl)
    return this.request('POST', `/participant/${participantId}/signature`, {
      token,
      body: {
        encodedSignature: 'M0 20 C20 0 40 40 60 20 S100 0 120 20',
        consent: { textVersion: '2026-11', acceptedAt: new Date().toISOString() },
        ...more,
      },
    })
  }

  async download(url: string): Promise<Uint8Array> {
    const response = await this.request('GET', url)
    if (!response.ok) throw new AnswerError('download', response.status, await response.text())
    return new Uint8Array(await response.arrayBuffer())
  }
}
