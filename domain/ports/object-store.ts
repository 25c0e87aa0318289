/** Where documents, trails, receipts and results live: Google Cloud Storage, or files. */

/** What the store knows of one object without reading it. */
export interface ObjectStat {
  key: string
  /** Octets. */
  size: number
  contentType: string
  /** Changes with every write of the key; opaque. */
  generation: string
  updatedAt: Date
}

export interface StoredObject extends ObjectStat {
  bytes: Uint8Array
}

/** What a presigned upload of limited size permits. */
export interface BoundedPut {
  contentType: string
  /** Octets. */
  maximumBytes: number
  expiresAt: Date
}

/** How to upload: the request is a PUT to `url` with these headers. */
export interface PresignedPut {
  url: string
  headers: Record<string, string>
}

/**
 * Objects under keys of `/`-separated segments of letters, digits, `.`, `_` and `-`. Every call
 * fails with RangeError for a key that is none, and with ServiceError `TIMEOUT` when the store is
 * away or slow; what was asked for may have happened all the same.
 */
export interface ObjectStore {
  /**
   * A URL that takes one kind of HTTP PUT until it expires; nothing but `Content-Type` must be
   * sent.
   * A later PUT replaces an earlier one; once the case takes no upload any more, the store refuses
   * it where it can (decision 143).
   */
  presignPut(key: string, options: { contentType: string; expiresAt: Date }): Promise<string>
  /**
   * Like {@link presignPut}, with a size that the store enforces: what is longer is refused, and at
   * most one octet more than 25 MB of it is stored. All headers of the answer must be sent as they
   * are.
   */
  presignBoundedPut(key: string, options: BoundedPut): Promise<PresignedPut>
  /**
   * A URL that answers HTTP GET (with ranges) until it expires, saved as `downloadName` when given.
   */
  presignGet(key: string, options: { expiresAt: Date; downloadName?: string }): Promise<string>
  /** @returns the whole object, or undefined when there is none */
  get(key: string): Promise<StoredObject | undefined>
  /** @returns undefined when there is none */
  stat(key: string): Promise<ObjectStat | undefined>
  /**
   * Writes the object only if the key is free: whole or not at all, durable when it returns.
   * @returns false when the key was taken (nothing was written)
   */
  putIfAbsent(key: string, bytes: Uint8Array, contentType: string): Promise<boolean>
  /**
   * Replaces the object if its generation is still `generation` (`undefined`: if it is absent).
   * @returns false when another writer was first
   */
  compareAndSwap(
    key: string,
    bytes: Uint8Array,
    options: { contentType: string; generation: string | undefined },
  ): Promise<boolean>
  /**
   * Objects whose key begins with `prefix`, in order of key (code units), after `after`, at most
   * `limit`; a shorter answer than `limit` is the last.
   */
  list(prefix: string, options: { limit: number; after?: string }): Promise<ObjectStat[]>
  /** Removes the object; one that is absent is no error. */
  delete(key: string): Promise<void>
}
