/** Sends signed requests to one bucket, repeats them within limits, and maps their errors. */
import type { Agent } from 'undici'
import { exchange, openAgent, type Outgoing } from '../shared/exchange.ts'
import { within } from '../shared/in-time.ts'
import { repeated } from '../shared/repeated.ts'
import { S3AnswerError, type S3Answer } from './answers.ts'
import type { CredentialSource } from './credentials.ts'
import { isCredentialFault, isRetryable, outcomeOf, pauseMsOf, S3StatusError } from './refusals.ts'
import { canonicalQuery, presignedUrl, sha256Hex, signedHeaders } from './signature.ts'

/** Limit of one attempt, with the credentials and at most 25 MB. */
const ATTEMPT_LIMIT_MS = 12_000
/** Errors and pages of listings. */
const ANSWER_OCTETS = 8 * 1024 * 1024
const EMPTY = sha256Hex('')
const FIRST_ERROR = 300

/** How a bucket is named in URLs: in the path, or in the host. */
export type S3Addressing = 'path' | 'host'

export interface S3Bucket {
  bucket: string
  region: string
  addressing: S3Addressing
  credentials: CredentialSource
  /** Origin of the store. */
  endpoint: string
  /** Origin of the store in the links that people get. */
  publicEndpoint: string
  /** PEM certificates instead of the public authorities. */
  authorities?: string
}

export interface S3Request {
  method: Outgoing['method']
  /** Absent: the bucket itself. */
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: { bytes: Uint8Array; sha256: string }
  maximumBytes?: number
}

/** Returns the URL of a bucket, without a slash at its end. */
export function bucketUrl(endpoint: string, bucket: string, addressing: S3Addressing): string {
  const url = new URL(endpoint)
  if (addressing === 'path') return `${url.origin}/${bucket}`
  return `${url.protocol}//${bucket}.${url.host}`
}

export class S3Client {
  readonly #options: S3Bucket
  readonly #agent: Agent
  readonly #url: string
  readonly #publicUrl: string
  readonly #now: () => Date

  /** @param now clock of signatures */
  constructor(options: S3Bucket, now: () => Date) {
    const { endpoint, publicEndpoint, bucket, addressing, authorities } = options
    this.#options = options
    this.#agent = openAgent(authorities)
    this.#url = bucketUrl(endpoint, bucket, addressing)
    this.#publicUrl = bucketUrl(publicEndpoint, bucket, addressing)
    this.#now = now
  }

  /**
   * Sends the request until it succeeds, at most four times.
   *
   * @param check throws when the answer is not that of the store
   * @param isExpected whether the caller handles this error; it is rethrown unchanged
   * @throws ServiceError TIMEOUT when the store is not reachable, too slow or throttling;
   *   S3RefusedError; RangeError for an answer that is too long
   */
  async ask<T>(
    request: S3Request,
    check: (answer: S3Answer) => T,
    isExpected: (error: unknown) => boolean = () => false,
    onAttempt: (isRepeated: boolean) => void = () => undefined,
  ): Promise<T> {
    let isRenewed = false
    const mayRenew = (error: unknown) => {
      if (isRenewed || !isCredentialFault(error)) return false
      isRenewed = true
      this.#options.credentials.forget()
      return true
    }
    const mayRepeat = (error: unknown) =>
      !isExpected(error) && (isRetryable(error) || mayRenew(error))
    const send = async (isRepeated: boolean) => {
      onAttempt(isRepeated)
      return check(await within(this.#send(request), ATTEMPT_LIMIT_MS))
    }
    try {
      return await repeated(send, mayRepeat, pauseMsOf)
    } catch (error) {
      throw isExpected(error) ? error : outcomeOf(error)
    }
  }

  /** Signs a URL for the holder of the link, who has to send exactly these headers. */
  async presign(
    request: Required<Pick<S3Request, 'method' | 'key' | 'query' | 'headers'>>,
    expiresAt: Date,
  ): Promise<string> {
    const { method, key, query, headers } = request
    const at = this.#now()
    const lifeMs = expiresAt.getTime() - at.getTime()
    const url = new URL(`${this.#publicUrl}/${key}`)
    // An expired URL gives no access, so it needs no signature.
    if (lifeMs < 1000) return url.href
    url.search = canonicalQuery(new URLSearchParams(query))
    const credentials = await this.#options.credentials.current(lifeMs)
    const by = { credentials, region: this.#options.region, at }
    return presignedUrl({ method, url, headers }, Math.floor(lifeMs / 1000), by)
  }

  /** Closes its connections; no call is allowed afterwards. */
  async close(): Promise<void> {
    await this.#agent.close()
  }

  async #send(request: S3Request): Promise<S3Answer> {
    const { method, key, query = {}, headers = {}, body, maximumBytes = ANSWER_OCTETS } = request
    const url = new URL(key === undefined ? this.#url : `${this.#url}/${key}`)
    url.search = canonicalQuery(new URLSearchParams(query))
    const credentials = await this.#options.credentials.current()
    const by = { credentials, region: this.#options.region, at: this.#now() }
    const signed = signedHeaders({ method, url, headers }, body?.sha256 ?? EMPTY, by)
    const outgoing = { method, url, headers: signed, maximumBytes }
    const answer = await exchange(this.#agent, { ...outgoing, ...(body && { body: body.bytes }) })
    const { status } = answer
    if (status >= FIRST_ERROR) throw new S3StatusError(answer, method !== 'HEAD')
    if (status < 200) throw new S3AnswerError('the answer has no final status')
    return answer
  }
}
