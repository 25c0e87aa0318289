/**
 * Fetches revocation data that authorities publish: lists, or OCSP responses where there are no
 * lists.
 */
import { Buffer } from 'node:buffer'
import type { OutboundHttp, OutboundRequest } from '../../domain/ports/outbound-http.ts'
import type {
  RevocationAuthorities,
  RevocationData,
  RevocationQuestion,
} from '../../domain/ports/revocation.ts'
import {
  encodeOcspRequest,
  readCertificate,
  readOcspResponse,
  readRevocationList,
  respondersToCheck,
  RevocationEvidence,
  type Certificate,
} from '../../pades/index.ts'

const TIMEOUT_MS = 10_000
const MAXIMUM_LIST_OCTETS = 4 * 1024 * 1024
const MAXIMUM_OCSP_OCTETS = 64 * 1024
/** URLs of one kind in one certificate. */
const MAXIMUM_URLS = 3
/** Maximum age of a cached list, unless the authority announces the next one earlier. */
const LIST_AGE_MS = 60 * 60 * 1000
/** Covers all certificate paths of several authorities. */
const MAXIMUM_KEPT_LISTS = 100
/** An answer is of some 2 KB and about one certificate; it stays in use as long as a list. */
const MAXIMUM_KEPT_ANSWERS = 1_000

export interface HttpRevocationOptions {
  http: OutboundHttp
  now(): Date
  /** Called for every response that is not available or not valid. */
  onFailure(url: string, reason: string): void
}

/** What was fetched, and until when it is in use. */
interface Kept {
  der: Uint8Array
  untilMs: number
}

export class HttpRevocationAuthorities implements RevocationAuthorities {
  readonly #options: HttpRevocationOptions
  readonly #lists = new Map<string, Kept>()
  readonly #answers = new Map<string, Kept>()
  readonly #running = new Map<string, Promise<Uint8Array | undefined>>()

  constructor(options: HttpRevocationOptions) {
    this.#options = options
  }

  async ask(questions: readonly RevocationQuestion[]): Promise<RevocationData> {
    const answers = await Promise.all(questions.map((question) => this.#askOne(question)))
    return {
      revocationLists: unique(answers.flatMap(({ revocationLists }) => revocationLists)),
      ocspResponses: answers.flatMap(({ ocspResponses }) => ocspResponses),
    }
  }

  /**
   * Prefers lists, because a list covers every certificate of its authority and an OCSP response
   * only one.
   */
  async #askOne(question: RevocationQuestion): Promise<RevocationData> {
    const certificate = readCertificate(question.certificate)
    const list = await this.#listAbout(certificate)
    if (list) return { revocationLists: [list], ocspResponses: [] }
    const issuer = readCertificate(question.issuer)
    for (const url of certificate.ocspUrls.slice(0, MAXIMUM_URLS)) {
      const answer = await this.#ocspAnswer(url, certificate, issuer)
      if (answer) return answer
    }
    return { revocationLists: [], ocspResponses: [] }
  }

  /** The first list that is available. */
  async #listAbout({ revocationListUrls }: Certificate): Promise<Uint8Array | undefined> {
    for (const url of revocationListUrls.slice(0, MAXIMUM_URLS)) {
      const list = await this.#list(url)
      if (list) return list
    }
    return undefined
  }

  async #list(url: string): Promise<Uint8Array | undefined> {
    const kept = this.#lists.get(url)
    if (kept && this.#options.now().getTime() < kept.untilMs) return kept.der
    const running = this.#running.get(url) ?? this.#fetchList(url)
    this.#running.set(url, running)
    return running.finally(() => this.#running.delete(url))
  }

  async #fetchList(url: string): Promise<Uint8Array | undefined> {
    const nowMs = this.#options.now().getTime()
    const request = { url, method: 'GET', headers: {} } as const
    const body = await this.#send({ ...request, maximumResponseOctets: MAXIMUM_LIST_OCTETS })
    if (!body) return undefined
    try {
      const { der, nextUpdate } = readRevocationList(body)
      const untilMs = Math.min(nowMs + LIST_AGE_MS, nextUpdate?.getTime() ?? nowMs)
      if (this.#lists.size >= MAXIMUM_KEPT_LISTS) this.#lists.clear()
      this.#lists.set(url, { der, untilMs })
      return der
    } catch {
      this.#options.onFailure(url, 'not a revocation list')
      return undefined
    }
  }

  /**
   * An answer, with lists about its responder where these are needed. It serves until its next
   * update, and never longer than a list does.
   */
  async #ocspAnswer(
    url: string,
    certificate: Certificate,
    issuer: Certificate,
  ): Promise<RevocationData | undefined> {
    const key = `${certificate.sha256} ${issuer.sha256} ${url}`
    const now = this.#options.now()
    const kept = this.#answers.get(key)
    if (kept && now.getTime() < kept.untilMs) return this.#withLists(kept.der, issuer)
    const der = await this.#fetchAnswer(url, certificate, issuer)
    if (!der) return undefined
    const data = await this.#withLists(der, issuer)
    if (isGenuine(data, certificate, issuer, now)) {
      const { nextUpdate = now } = readOcspResponse(der).statusOf(certificate, issuer) ?? {}
      if (this.#answers.size >= MAXIMUM_KEPT_ANSWERS) this.#answers.clear()
      const untilMs = Math.min(now.getTime() + LIST_AGE_MS, nextUpdate.getTime())
      this.#answers.set(key, { der, untilMs })
    }
    return data
  }

  async #withLists(der: Uint8Array, issuer: Certificate): Promise<RevocationData> {
    const responders = respondersToCheck(readOcspResponse(der), issuer)
    const lists = await Promise.all(responders.map((one) => this.#listAbout(one)))
    return { revocationLists: lists.flatMap((list) => list ?? []), ocspResponses: [der] }
  }

  async #fetchAnswer(url: string, certificate: Certificate, issuer: Certificate) {
    const body = await this.#send({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/ocsp-request', accept: 'application/ocsp-response' },
      body: encodeOcspRequest(certificate, issuer),
      maximumResponseOctets: MAXIMUM_OCSP_OCTETS,
    })
    try {
      return body && readOcspResponse(body).der
    } catch {
      this.#options.onFailure(url, 'not an OCSP response')
      return undefined
    }
  }

  async #send(request: Omit<OutboundRequest, 'timeoutMs'>): Promise<Uint8Array | undefined> {
    const { http, onFailure } = this.#options
    const result = await http.send({ ...request, timeoutMs: TIMEOUT_MS })
    const isGood = result.outcome === 'answered' && result.status === 200 && !result.truncated
    if (isGood) return result.body
    const reason = result.outcome === 'answered' ? `status ${result.status}` : result.reason
    onFailure(request.url, reason)
    return undefined
  }
}

/** Others could keep a wrong answer in use: they travel without encryption. */
function isGenuine(data: RevocationData, certificate: Certificate, issuer: Certificate, at: Date) {
  const evidence = new RevocationEvidence(data)
  return ['good', 'revoked'].includes(evidence.statusOf(certificate, issuer, at).status)
}

const unique = (lists: readonly Uint8Array[]) => [
  ...new Map(lists.map((der) => [Buffer.from(der).toString('latin1'), der])).values(),
]
