/** Objects in a bucket of Google Cloud Storage. */
import { randomUUID } from 'node:crypto'
import { Storage, type Bucket, type File } from '@google-cloud/storage'
import type { GoogleAuth } from 'google-auth-library'
import { assertObjectKey } from '../../domain/object-names.ts'
import type {
  BoundedPut,
  ObjectStat,
  ObjectStore,
  StoredObject,
} from '../../domain/ports/object-store.ts'
import { attachmentNamed } from '../shared/attachment.ts'
import { readBounded } from '../shared/bounded-read.ts'
import { renewToken } from '../shared/google-auth.ts'
import { checkDeleted, readListing, readStat } from './answers.ts'
import { attempt, attemptUnless, isNotFound, isPreconditionFailed } from './attempts.ts'
import { readObject } from './read-object.ts'
import { WRITE_ID, writeObject } from './write-object.ts'

/** Limit of one request, with at most 25 MB. */
const REQUEST_LIMIT_MS = 10_000
/** Largest page that Google returns. */
const MAXIMUM_PAGE = 1_000
/** Limit of one listing; a longer one is a fault of the caller or of the store. */
const MAXIMUM_PAGES = 1_000
/** A URL cannot have a shorter life. */
const SHORTEST_LIFE_MS = 1_000
/** Sorts before all other characters of keys. */
const FIRST_CHARACTER = '-'
/** Minimum and maximum size of an upload, in octets (Cloud Storage, XML API). */
const LENGTH_RANGE = 'x-goog-content-length-range'
const LISTED = 'items(name,size,contentType,generation,updated),nextPageToken'

export interface GcsObjectStoreOptions {
  bucket: string
  auth: GoogleAuth
  /** Without a trailing slash. */
  endpoint: string
  /** URL that signs for a service account without a key file; ends with a slash. */
  signingEndpoint: string
  /** Clock that decides when links expire. */
  now: () => Date
}

/**
 * Opens the bucket with Google's client. The client sends each request once, because the service
 * retries itself.
 */
export function openBucket(options: Pick<GcsObjectStoreOptions, 'bucket' | 'auth' | 'endpoint'>) {
  const storage = new Storage({
    authClient: options.auth,
    apiEndpoint: options.endpoint,
    useAuthWithCustomEndpoint: true,
    timeout: REQUEST_LIMIT_MS,
    retryOptions: { autoRetry: false },
  })
  return storage.bucket(options.bucket)
}

export class GcsObjectStore implements ObjectStore {
  readonly #auth: GoogleAuth
  readonly #bucket: Bucket
  readonly #endpoint: string
  readonly #signingEndpoint: string
  readonly #now: () => Date
  readonly #renew: () => boolean

  constructor(options: GcsObjectStoreOptions) {
    this.#auth = options.auth
    this.#renew = () => renewToken(options.auth)
    this.#bucket = openBucket(options)
    this.#endpoint = options.endpoint
    this.#signingEndpoint = options.signingEndpoint
    this.#now = options.now
  }

  async presignPut(key: string, options: { contentType: string; expiresAt: Date }) {
    return this.#presign(key, options.expiresAt, {
      action: 'write',
      contentType: options.contentType,
    })
  }

  /** The size range is signed as a header; Cloud Storage refuses a body outside of it. */
  async presignBoundedPut(key: string, { contentType, maximumBytes, expiresAt }: BoundedPut) {
    const range = { [LENGTH_RANGE]: `0,${maximumBytes}` }
    const options = { action: 'write', contentType, extensionHeaders: range } as const
    const url = await this.#presign(key, expiresAt, options)
    return { url, headers: { 'Content-Type': contentType, ...range } }
  }

  async presignGet(key: string, options: { expiresAt: Date; downloadName?: string }) {
    const { expiresAt, downloadName } = options
    const disposition =
      downloadName === undefined ? {} : { responseDisposition: attachmentNamed(downloadName) }
    return this.#presign(key, expiresAt, { action: 'read', ...disposition })
  }

  async get(key: string, maximumBytes?: number): Promise<StoredObject | undefined> {
    assertObjectKey(key)
    const source = {
      auth: this.#auth,
      endpoint: this.#endpoint,
      bucket: this.#bucket.name,
      key,
    }
    const read = (bound: number) => {
      const limits = { maximumBytes: bound, limitMs: REQUEST_LIMIT_MS }
      return attemptUnless(isNotFound, undefined, () => readObject(source, limits), this.#renew)
    }
    return readBounded(key, maximumBytes, { read, stat: () => this.stat(key) })
  }

  async stat(key: string): Promise<ObjectStat | undefined> {
    const file = this.#file(key)
    const read = async () => {
      const [metadata] = await file.getMetadata()
      return readStat(metadata)
    }
    return attemptUnless(isNotFound, undefined, read, this.#renew)
  }

  async putIfAbsent(
    key: string,
    bytes: Uint8Array,
    contentType: string,
  ): Promise<string | undefined> {
    return this.#write(key, bytes, { contentType, generation: '0' })
  }

  async compareAndSwap(
    key: string,
    bytes: Uint8Array,
    options: { contentType: string; generation: string | undefined },
  ): Promise<string | undefined> {
    const { contentType, generation = '0' } = options
    return this.#write(key, bytes, { contentType, generation })
  }

  async list(prefix: string, options: { limit: number; after?: string }): Promise<ObjectStat[]> {
    const { limit, after } = options
    const stats: ObjectStat[] = []
    let pageToken: string | undefined
    for (let page = 0; stats.length < limit; page++) {
      if (page === MAXIMUM_PAGES) throw new Error(`the listing has more than ${page} pages`)
      const query = {
        prefix,
        // Google includes the start offset; no key sorts between `after` and this one.
        ...(after === undefined ? {} : { startOffset: after + FIRST_CHARACTER }),
        maxResults: Math.min(limit - stats.length, MAXIMUM_PAGE),
        autoPaginate: false,
        fields: LISTED,
        ...(pageToken === undefined ? {} : { pageToken }),
      }
      const read = async () => {
        const [, , answer] = await this.#bucket.getFiles(query)
        return readListing(answer)
      }
      const { objects, nextPageToken } = await attempt(read, undefined, this.#renew)
      stats.push(...objects)
      pageToken = nextPageToken
      if (pageToken === undefined) break
    }
    return stats
  }

  async delete(key: string): Promise<void> {
    const file = this.#file(key)
    const remove = async () => checkDeleted(await file.delete())
    await attemptUnless(isNotFound, undefined, remove, this.#renew)
  }

  /** @throws RangeError for an invalid key */
  #file(key: string): File {
    assertObjectKey(key)
    return this.#bucket.file(key)
  }

  /**
   * @param generation generation to replace; `0` for none
   * @returns the generation of the object if it is this writer's, even if only the response to its
   *   first write was lost
   */
  async #write(
    key: string,
    bytes: Uint8Array,
    { contentType, generation }: { contentType: string; generation: string },
  ): Promise<string | undefined> {
    const file = this.#file(key)
    const writeId = randomUUID()
    let isRepeated = false
    const work = async (again: boolean) => {
      isRepeated = again
      return writeObject(file, { bytes, contentType, generation, writeId })
    }
    const written = await attemptUnless(isPreconditionFailed, undefined, work, this.#renew)
    return written ?? (isRepeated ? this.#findOwn(file, writeId) : undefined)
  }

  /** @returns the generation of an object that a write with this id made */
  async #findOwn(file: File, writeId: string): Promise<string | undefined> {
    const read = async () => {
      const [metadata] = await file.getMetadata()
      const { generation } = readStat(metadata)
      return metadata.metadata?.[WRITE_ID] === writeId ? generation : undefined
    }
    return attemptUnless(isNotFound, undefined, read, this.#renew)
  }

  async #presign(
    key: string,
    expiresAt: Date,
    options: {
      action: 'read' | 'write'
      contentType?: string
      extensionHeaders?: Record<string, string>
      responseDisposition?: string
    },
  ): Promise<string> {
    const file = this.#file(key)
    const now = this.#now()
    const leftMs = expiresAt.getTime() - now.getTime()
    // An expired URL gives no access, so it needs no signature.
    if (leftMs < SHORTEST_LIFE_MS) return `${this.#endpoint}/${this.#bucket.name}/${key}`
    const [url] = await attempt(() =>
      file.getSignedUrl({
        version: 'v4',
        accessibleAt: now,
        expires: expiresAt,
        signingEndpoint: this.#signingEndpoint,
        ...options,
      }),
    )
    return url
  }
}
