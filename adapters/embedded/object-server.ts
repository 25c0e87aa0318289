/** Serves `/objects/…`: reads and writes of objects by presigned URL, without a web framework. */
import { Readable } from 'node:stream'
import {
  ERRORS,
  type ErrorCode,
  type ErrorDetails,
  type ServiceError,
} from '../../domain/errors.ts'
import { MAXIMUM_PDF_BYTES } from '../../domain/limits.ts'
import { mediaTypeOf } from '../../domain/media-types.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import { attachmentNamed } from '../shared/attachment.ts'
import type { FileObjectStore } from './object-store.ts'
import type { ReceivedObject } from './objects/receive.ts'
import { readPresigned, type Permission } from './presigned-url.ts'

export interface ObjectRequest {
  method: string
  /** Part of the path after `/objects/`. */
  key: string
  query: URLSearchParams
  contentType: string | undefined
  contentEncoding: string | undefined
  contentRange: string | undefined
  range: string | undefined
  ifRange?: string | undefined
  ifMatch?: string | undefined
  ifNoneMatch?: string | undefined
  body: AsyncIterable<Uint8Array>
}

export interface ObjectAnswer {
  status: number
  headers: Record<string, string>
  body: Readable | string
}

/**
 * Most clients read the response only after they have sent everything, so an upload that is too
 * large is still received up to this size.
 */
const MAXIMUM_RECEIVED_BYTES = 4 * MAXIMUM_PDF_BYTES

/**
 * Maximum concurrent uploads to one URL; each is stored in a temporary file until it is complete.
 * More than one come from a client whose connection broke.
 */
const MAXIMUM_UPLOADS_AT_ONCE = 3

/** An error in the shape of specification 7. */
function refusal(code: ErrorCode, more: ErrorDetails & { message?: string } = {}): ObjectAnswer {
  const { status, message } = ERRORS[code]
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ code, message, ...more }),
  }
}

/**
 * Adds a header that closes the connection, because the server does not read the rest of the
 * request.
 */
const closing = (answer: ObjectAnswer): ObjectAnswer => ({
  ...answer,
  headers: { ...answer.headers, connection: 'close' },
})
const refusalBy = ({ code, details }: ServiceError) => closing(refusal(code, details))
const tooLarge = (message: string) => closing(refusal('DOCUMENT_TOO_LARGE', { message }))

/** Why an upload is refused before it is read; undefined when nothing speaks against it. */
function headerRefusal(
  { contentType: expected = '' }: Permission,
  { contentType = '', contentEncoding, contentRange }: ObjectRequest,
): ObjectAnswer | undefined {
  if (mediaTypeOf(contentType) !== expected) {
    const message = `The upload must be sent with Content-Type: ${expected}`
    return refusal('UPLOAD_TYPE_WRONG', { message })
  }
  // The compressed bytes would be stored, and rejected as no PDF.
  if ((contentEncoding?.trim().toLowerCase() || 'identity') !== 'identity') {
    const message = 'Unsupported Content-Encoding: upload the file as it is'
    return closing(refusal('UNSUPPORTED_MEDIA_TYPE', { message }))
  }
  // RFC 9110, 14.4: a server that does not support partial PUT answers 400.
  if (contentRange !== undefined) return closing(refusal('UPLOAD_PARTIAL'))
  return undefined
}

/**
 * Parses one range of octets (RFC 9110, 14.1.2).
 *
 * @returns 'whole' without a range header, or for another form than a single range
 */
function readRange(range: string | undefined, size: number): [number, number] | 'whole' | 'none' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(range ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return 'whole'
  const [, first, last] = match
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'none' : [size - length, size - 1]
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return start <= end ? [start, end] : 'none'
}

/**
 * The part of the object that a request asks for. Only GET has ranges (RFC 9110, 14.2), and only of
 * the object that `If-Range` names (13.1.5); there is no time to compare with.
 */
function selectPart({ method, range, ifRange }: ObjectRequest, etag: string, size: number) {
  const isForThis = ifRange === undefined || ifRange.trim() === etag
  return readRange(method === 'GET' && isForThis ? range : undefined, size)
}

const hasTag = (list: string, etag: string): boolean =>
  list.split(',').some((tag) => ['*', etag].includes(tag.trim()))

/** Whether the object is the one that the client expects: RFC 9110, 13.1.1, without weak tags. */
const isExpected = ({ ifMatch = '*' }: ObjectRequest, etag: string) => hasTag(ifMatch, etag)

/** Whether the client has the object: RFC 9110, 13.1.2, where weak tags match too. */
const isKnown = ({ ifNoneMatch = '' }: ObjectRequest, etag: string) =>
  hasTag(ifNoneMatch.replaceAll('W/', ''), etag)

/** The client disconnected or was too slow. */
class BrokenUploadError extends Error {
  override readonly name = 'BrokenUploadError'
}

/** An upload in progress. */
class Upload {
  receivedBytes = 0
  readonly #body: AsyncIterator<Uint8Array>
  readonly #maximumBytes: number

  constructor(body: AsyncIterable<Uint8Array>, maximumBytes: number) {
    this.#body = body[Symbol.asyncIterator]()
    this.#maximumBytes = maximumBytes
  }

  get isTooLarge(): boolean {
    return this.receivedBytes > this.#maximumBytes
  }

  /**
   * Reads the body up to its limit plus one octet, so that intake and verification notice an upload
   * that is too large. A reader that stops leaves the rest to the next call.
   *
   * @throws BrokenUploadError
   */
  async *parts(): AsyncGenerator<Uint8Array> {
    for (let part = await this.#next(); part; part = await this.#next()) {
      const remainingBytes = Math.max(this.#maximumBytes + 1 - this.receivedBytes, 0)
      this.receivedBytes += part.length
      if (remainingBytes > 0) yield part.subarray(0, remainingBytes)
      if (this.receivedBytes <= MAXIMUM_RECEIVED_BYTES) continue
      await this.#body.return?.()
      return
    }
  }

  /** @returns undefined at the end of the body */
  async #next(): Promise<Uint8Array | undefined> {
    try {
      const { done, value } = await this.#body.next()
      return done ? undefined : value
    } catch (cause) {
      throw new BrokenUploadError('the upload broke off', { cause })
    }
  }
}

/** Reads and discards a refused upload, because most clients read the response only at its end. */
async function drain(upload: Upload): Promise<void> {
  const parts = upload.parts()
  try {
    while (!(await parts.next()).done);
  } catch (error) {
    if (!(error instanceof BrokenUploadError)) throw error
  }
}

/** Decides on uploads and is notified of them. */
export interface CaseUploads {
  /** Returns why the key accepts no upload now, or undefined when it does. */
  findRefusal(key: string): Promise<ServiceError | undefined>
  /** Called with the key of every upload that ended and was stored. */
  onUploaded(key: string): void
}

/**
 * Reads and writes as the presigned URL permits; `uploads` decides whether an upload is accepted.
 */
export class ObjectServer {
  readonly #store: FileObjectStore
  readonly #keyring: Keyring<'object-url'>
  readonly #now: () => Date
  readonly #uploads: CaseUploads
  /** Number of uploads in progress, by key. */
  readonly #receiving = new Map<string, number>()

  constructor(
    store: FileObjectStore,
    keyring: Keyring<'object-url'>,
    now: () => Date,
    uploads: CaseUploads,
  ) {
    this.#store = store
    this.#keyring = keyring
    this.#now = now
    this.#uploads = uploads
  }

  /** @throws Error of the file system; faults of the caller are returned as a status */
  async answer(request: ObjectRequest): Promise<ObjectAnswer> {
    const permission = readPresigned(this.#keyring, { ...request, now: this.#now() })
    if (!permission) return refusal('OBJECT_LINK_INVALID')
    if (permission.method === 'PUT') return this.#write(permission, request)
    return this.#read(permission, request)
  }

  /**
   * Writes an upload. One larger than 25 MB is stored up to the limit plus one octet, so that
   * intake or verification rejects it. One larger than the client announced is not stored. Both get
   * 413.
   */
  async #write(permission: Permission, request: ObjectRequest): Promise<ObjectAnswer> {
    const { key } = permission
    const maximumBytes = Math.min(permission.maximumBytes ?? MAXIMUM_PDF_BYTES, MAXIMUM_PDF_BYTES)
    const refused = headerRefusal(permission, request)
    if (refused) return refused
    const running = this.#receiving.get(key) ?? 0
    if (running >= MAXIMUM_UPLOADS_AT_ONCE) {
      return closing(refusal('UPLOAD_IN_PROGRESS'))
    }
    this.#receiving.set(key, running + 1)
    try {
      return await this.#take(key, new Upload(request.body, maximumBytes), permission)
    } finally {
      const left = (this.#receiving.get(key) ?? 1) - 1
      if (left > 0) this.#receiving.set(key, left)
      else this.#receiving.delete(key)
    }
  }

  /** Receives an upload and moves it to its place, if it is still accepted then. */
  async #take(
    key: string,
    upload: Upload,
    { contentType = '', maximumBytes = MAXIMUM_PDF_BYTES }: Permission,
  ): Promise<ObjectAnswer> {
    const unwanted = await this.#uploads.findRefusal(key)
    if (unwanted) {
      await drain(upload)
      return refusalBy(unwanted)
    }
    const received = await this.#receive(upload, contentType)
    if (received === undefined) return refusal('UPLOAD_INCOMPLETE')
    // Another upload may have been judged while this one came.
    const overtaken = await this.#uploads.findRefusal(key)
    if (overtaken) {
      await this.#store.discard(received)
      return refusalBy(overtaken)
    }
    if (upload.isTooLarge && maximumBytes < MAXIMUM_PDF_BYTES) {
      await this.#store.discard(received)
      return tooLarge(`The upload is larger than the ${maximumBytes} bytes that were announced`)
    }
    await this.#store.replace(key, received)
    this.#uploads.onUploaded(key)
    if (!upload.isTooLarge) return { status: 200, headers: {}, body: '' }
    return tooLarge('The upload is larger than 25 MB')
  }

  /** @returns undefined when the upload broke off */
  async #receive(upload: Upload, contentType: string): Promise<ReceivedObject | undefined> {
    try {
      return await this.#store.receive(upload.parts(), contentType)
    } catch (error) {
      if (error instanceof BrokenUploadError) return undefined
      // A full disk, for example. The next request on the connection would wait for the rest.
      await drain(upload)
      throw error
    }
  }

  async #read({ key, downloadName }: Permission, request: ObjectRequest): Promise<ObjectAnswer> {
    const opened = await this.#store.open(key)
    if (!opened) return refusal('OBJECT_NOT_FOUND')
    const { stat } = opened
    const etag = `"${stat.generation}"`
    if (!isExpected(request, etag)) {
      await opened.close()
      return refusal('PRECONDITION_FAILED')
    }
    if (isKnown(request, etag)) {
      await opened.close()
      // An empty text would be given a type, which a cache takes for that of the object.
      return { status: 304, headers: { etag }, body: Readable.from([]) }
    }
    const selected = selectPart(request, etag, stat.size)
    const headers: Record<string, string> = {
      'content-type': stat.contentType,
      'accept-ranges': 'bytes',
      etag,
    }
    if (downloadName !== undefined) {
      headers['content-disposition'] = attachmentNamed(downloadName)
    }
    if (selected === 'none') {
      await opened.close()
      const refused = refusal('RANGE_NOT_SATISFIABLE')
      const contentRange = `bytes */${stat.size}`
      return { ...refused, headers: { ...refused.headers, 'content-range': contentRange } }
    }
    const [first, last] = selected === 'whole' ? [0, stat.size - 1] : selected
    headers['content-length'] = String(last - first + 1)
    if (selected !== 'whole') headers['content-range'] = `bytes ${first}-${last}/${stat.size}`
    const status = selected === 'whole' ? 200 : 206
    if (request.method === 'HEAD' || stat.size === 0) {
      await opened.close()
      // With an empty text, the response would have its length instead of the object's.
      return { status, headers, body: Readable.from([]) }
    }
    return { status, headers, body: opened.stream(first, last) }
  }
}
