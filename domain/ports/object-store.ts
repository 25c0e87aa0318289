/**
 * The port for documents, trails, receipts and results: Google Cloud Storage, an S3-compatible
 * store, or files.
 */

/** Metadata of an object. */
export interface ObjectStat {
  key: string
  /** Octets. */
  size: number
  /** Empty in listings of S3-compatible stores. */
  contentType: string
  /** Changes whenever the octets of the key change; opaque. */
  generation: string
  updatedAt: Date
}

export interface StoredObject extends ObjectStat {
  bytes: Uint8Array
}

/** Limits of a presigned upload. */
export interface BoundedPut {
  contentType: string
  /** Octets. */
  maximumBytes: number
  /** Whether the client announced this size. A store may refuse shorter bodies then. */
  isAnnounced: boolean
  expiresAt: Date
}

/**
 * When a write is on the disk: `now`, before it returns; `later`, at the end of the next write that
 * is so `now`. Writes reach the disk in their order, so a power failure can take only the last
 * ones. Stores in the cloud always write `now`.
 */
export type Durability = 'now' | 'later'

/** How to upload: a PUT request to `url` with these headers. */
export interface PresignedPut {
  url: string
  headers: Record<string, string>
}

/**
 * Objects under keys of `/`-separated segments of letters, digits, `.`, `_` and `-`. Every call
 * fails with RangeError for an invalid key, and with ServiceError `TIMEOUT` when the store is not
 * reachable or too slow; the operation may have succeeded nevertheless.
 */
export interface ObjectStore {
  /**
   * Returns a URL that accepts HTTP PUT with one content type until it expires; the client only has
   * to send `Content-Type`.
   * A later PUT replaces an earlier one. Once the case does not accept uploads any more, the store
   * refuses the PUT if it can (decision 106).
   */
  presignPut(key: string, options: { contentType: string; expiresAt: Date }): Promise<string>
  /**
   * Like {@link presignPut}, with a maximum size that the store enforces: it refuses longer bodies,
   * and stores at most one octet more than 25 MB. The client must send all returned headers
   * unchanged.
   *
   * @throws ServiceError UPLOAD_SIZE_REQUIRED when the store only signs announced sizes
   */
  presignBoundedPut(key: string, options: BoundedPut): Promise<PresignedPut>
  /**
   * Returns a URL for HTTP GET (with ranges) until it expires; it downloads as `downloadName` if
   * given.
   */
  presignGet(key: string, options: { expiresAt: Date; downloadName?: string }): Promise<string>
  /**
   * Reads the whole object. One that is longer than its kind (`maximumObjectBytes`) is not of this
   * service and is not read into memory: it has its metadata and no octets, so that each reader
   * treats it like other octets that the service did not write.
   *
   * @param maximumBytes instead of the bound of the kind
   * @returns undefined when it does not exist
   * @throws RangeError when the object is longer than `maximumBytes`
   */
  get(key: string, maximumBytes?: number): Promise<StoredObject | undefined>
  /** @returns undefined when it does not exist */
  stat(key: string): Promise<ObjectStat | undefined>
  /**
   * Writes the object only if the key is free, atomically and durably.
   *
   * @param durability `later` only for what no case, mail or answer depends on before the caller's
   *   next write; absent: `now`
   * @returns its generation, or undefined when the key was taken (nothing was written)
   */
  putIfAbsent(
    key: string,
    bytes: Uint8Array,
    contentType: string,
    durability?: Durability,
  ): Promise<string | undefined>
  /**
   * Replaces the object if its generation is still `generation` (`undefined`: if it is absent).
   * When several writers write the octets that the object already has, more than one may succeed.
   *
   * @returns its new generation, or undefined when another writer was first
   */
  compareAndSwap(
    key: string,
    bytes: Uint8Array,
    options: { contentType: string; generation: string | undefined },
  ): Promise<string | undefined>
  /**
   * Lists objects whose key begins with `prefix`, in order of key (code units), after `after`, at
   * most `limit`. An answer shorter than `limit` is the last one.
   */
  list(prefix: string, options: { limit: number; after?: string }): Promise<ObjectStat[]>
  /** Deletes the object; succeeds even if it is absent. */
  delete(key: string): Promise<void>
}
