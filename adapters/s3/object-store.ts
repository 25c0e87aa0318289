/**
 * Objects in a bucket of an S3-compatible store. Conditional writes are those of RFC 9110: a free
 * key is `If-None-Match: *`, a generation is the entity tag in `If-Match` (decision 239).
 */
import { randomUUID } from 'node:crypto'
import { ServiceError } from '../../domain/errors.ts'
import { assertObjectKey } from '../../domain/object-names.ts'
import type {
  BoundedPut,
  ObjectStat,
  ObjectStore,
  StoredObject,
} from '../../domain/ports/object-store.ts'
import { attachmentNamed } from '../shared/attachment.ts'
import { readBounded } from '../shared/bounded-read.ts'
import { checkDeleted, checkWritten, readListing, readStat, type S3Answer } from './answers.ts'
import { S3Client, type S3Bucket } from './client.ts'
import { isNotFound, isPreconditionFailed, S3ChecksumError } from './refusals.ts'
import { sha256Hex } from './signature.ts'

/** Largest page that stores return. */
const MAXIMUM_PAGE = 1_000
/** Limit of one listing; a longer one is a fault of the caller or of the store. */
const MAXIMUM_PAGES = 1_000
/** Metadata by which a writer recognises its own write. */
const WRITE_ID = 'x-amz-meta-sigcase-write'
/** Metadata by which a reader recognises octets that changed; presigned uploads have none. */
const DIGEST = 'x-amz-meta-sigcase-sha256'

export interface S3ObjectStoreOptions extends S3Bucket {
  /** Clock of signatures; it decides when links expire. */
  now: () => Date
}

/** @throws S3ChecksumError; a retry may help */
function readObject(key: string, answer: S3Answer): StoredObject {
  const stat = readStat(key, answer)
  const expected = answer.headers[DIGEST]
  const isDamaged = expected !== undefined && sha256Hex(answer.body) !== expected
  if (isDamaged || answer.body.length !== stat.size) {
    throw new S3ChecksumError('the octets do not match the digest of the object')
  }
  return { ...stat, bytes: new Uint8Array(answer.body) }
}

export class S3ObjectStore implements ObjectStore {
  readonly #client: S3Client
  #areTagsQuoted = false

  constructor({ now, ...bucket }: S3ObjectStoreOptions) {
    this.#client = new S3Client(bucket, now)
  }

  async presignPut(key: string, options: { contentType: string; expiresAt: Date }) {
    return this.#presignPut(key, options.expiresAt, { 'content-type': options.contentType })
  }

  /**
   * Signs the length. A URL cannot have a range of sizes, so the client must have announced one.
   *
   * @throws ServiceError UPLOAD_SIZE_REQUIRED
   */
  async presignBoundedPut(key: string, bound: BoundedPut) {
    const { contentType, maximumBytes, isAnnounced, expiresAt } = bound
    if (!isAnnounced) throw new ServiceError('UPLOAD_SIZE_REQUIRED')
    const signed = { 'content-type': contentType, 'content-length': String(maximumBytes) }
    const url = await this.#presignPut(key, expiresAt, signed)
    return { url, headers: { 'Content-Type': contentType } }
  }

  async presignGet(key: string, options: { expiresAt: Date; downloadName?: string }) {
    assertObjectKey(key)
    const { expiresAt, downloadName } = options
    const query: Record<string, string> =
      downloadName === undefined
        ? {}
        : { 'response-content-disposition': attachmentNamed(downloadName) }
    return this.#client.presign({ method: 'GET', key, query, headers: {} }, expiresAt)
  }

  async get(key: string, maximumBytes?: number): Promise<StoredObject | undefined> {
    assertObjectKey(key)
    const read = (bound: number) => {
      const request = { method: 'GET', key, maximumBytes: bound } as const
      return this.#unlessAbsent(request, (answer) => readObject(key, answer))
    }
    return readBounded(key, maximumBytes, { read, stat: () => this.stat(key) })
  }

  async stat(key: string): Promise<ObjectStat | undefined> {
    assertObjectKey(key)
    return this.#unlessAbsent({ method: 'HEAD', key }, (answer) => readStat(key, answer))
  }

  async putIfAbsent(
    key: string,
    bytes: Uint8Array,
    contentType: string,
  ): Promise<string | undefined> {
    return this.#write(key, bytes, { 'content-type': contentType, 'if-none-match': '*' })
  }

  async compareAndSwap(
    key: string,
    bytes: Uint8Array,
    options: { contentType: string; generation: string | undefined },
  ): Promise<string | undefined> {
    const { contentType, generation } = options
    if (generation === undefined) return this.putIfAbsent(key, bytes, contentType)
    const headers = { 'content-type': contentType, 'if-match': this.#entityTag(generation) }
    const written = await this.#write(key, bytes, headers)
    if (written !== undefined || this.#areTagsQuoted) return written
    if ((await this.stat(key))?.generation !== generation) return undefined
    // The condition holds, so this store may only know the quoted form.
    const quoted = { ...headers, 'if-match': `"${generation}"` }
    const writtenSo = await this.#write(key, bytes, quoted)
    this.#areTagsQuoted = writtenSo !== undefined
    return writtenSo
  }

  async list(prefix: string, options: { limit: number; after?: string }): Promise<ObjectStat[]> {
    const { limit, after } = options
    const stats: ObjectStat[] = []
    let token: string | undefined
    for (let page = 0; stats.length < limit; page++) {
      if (page === MAXIMUM_PAGES) throw new Error(`the listing has more than ${page} pages`)
      const query = {
        'list-type': '2',
        prefix,
        'max-keys': String(Math.min(limit - stats.length, MAXIMUM_PAGE)),
        ...(after === undefined ? {} : { 'start-after': after }),
        ...(token === undefined ? {} : { 'continuation-token': token }),
      }
      const listing = await this.#client.ask({ method: 'GET', query }, readListing)
      stats.push(...listing.objects)
      token = listing.continuationToken
      if (token === undefined) break
    }
    return stats
  }

  async delete(key: string): Promise<void> {
    assertObjectKey(key)
    await this.#unlessAbsent({ method: 'DELETE', key }, checkDeleted)
  }

  async close(): Promise<void> {
    await this.#client.close()
  }

  /**
   * RFC 9110 quotes entity tags. Amazon S3 takes both forms; Ceph 16, and stores that are built on
   * it, only know the form without quotes.
   */
  #entityTag(generation: string): string {
    return this.#areTagsQuoted ? `"${generation}"` : generation
  }

  async #unlessAbsent<T>(
    request: Parameters<S3Client['ask']>[0],
    check: (answer: S3Answer) => T,
  ): Promise<T | undefined> {
    try {
      return await this.#client.ask(request, check, isNotFound)
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  async #presignPut(key: string, expiresAt: Date, headers: Record<string, string>) {
    assertObjectKey(key)
    return this.#client.presign({ method: 'PUT', key, query: {}, headers }, expiresAt)
  }

  /**
   * @returns the generation of the object if it is this writer's, even if only the response to its
   *   first write was lost
   */
  async #write(
    key: string,
    bytes: Uint8Array,
    conditions: Record<string, string>,
  ): Promise<string | undefined> {
    assertObjectKey(key)
    const writeId = randomUUID()
    const sha256 = sha256Hex(bytes)
    const headers = { ...conditions, [WRITE_ID]: writeId, [DIGEST]: sha256 }
    const request = { method: 'PUT', key, headers, body: { bytes, sha256 } } as const
    let isRepeated = false
    const onAttempt = (again: boolean) => (isRepeated = again)
    try {
      return await this.#client.ask(request, checkWritten, isPreconditionFailed, onAttempt)
    } catch (error) {
      if (!isPreconditionFailed(error)) throw error
      return isRepeated ? this.#findOwn(key, writeId) : undefined
    }
  }

  /** @returns the generation of an object that a write with this id made */
  async #findOwn(key: string, writeId: string): Promise<string | undefined> {
    const readOwn = (answer: S3Answer) => {
      const { generation } = readStat(key, answer)
      return answer.headers[WRITE_ID] === writeId ? generation : undefined
    }
    return this.#unlessAbsent({ method: 'HEAD', key }, readOwn)
  }
}
