/**
 * Reads the objects of one folder from a single listing of it, and keeps what was read in memory
 * until its generation changes.
 */
import type { ObjectStat, ObjectStore, StoredObject } from '../../domain/ports/object-store.ts'
import { listingPages } from './object-pages.ts'

/** More objects than one case has. */
const MAXIMUM_PAGES = 1_000
/** Results and receipts are smaller; documents are not kept. */
const MAXIMUM_KEPT_BYTES = 16 * 1024
/** With the size above, at most 64 MB, in practice a tenth of it. */
const MAXIMUM_KEPT = 4_000
/** Others can write into the folder; a job that was lost is added again after this time, too. */
const LISTING_LIFE_MS = 60_000
/** A listing of a case has some kilobytes. */
const MAXIMUM_LISTINGS = 1_000

/** The part of the store that only reads. */
export type ObjectReader = Pick<ObjectStore, 'get' | 'stat' | 'list'>

/** Small objects that were read, by key, each under its generation. One instance per process. */
export class ReadObjects {
  readonly #kept = new Map<string, StoredObject>()
  readonly #listings = new Map<string, Listing>()
  /** Folders that are being listed, unless the listing may lack what was reported meanwhile. */
  readonly #begun = new Set<string>()
  readonly #maximumKept: number

  /** @param maximumKept number of objects to keep */
  constructor(maximumKept = MAXIMUM_KEPT) {
    this.#maximumKept = maximumKept
  }

  /** Returns the object if this generation of it was read before; otherwise reads the store. */
  async get(
    { key, generation }: ObjectStat,
    objects: Pick<ObjectStore, 'get'>,
  ): Promise<StoredObject | undefined> {
    const known = this.#kept.get(key)
    if (known?.generation === generation) return known
    const object = await objects.get(key)
    this.#kept.delete(key)
    if (object) this.keep(object)
    return object
  }

  /**
   * Returns what a listing of the folder contained less than a minute ago. Objects that it lacked
   * are looked for in the store when they are read, but they are not listed.
   */
  recent(folder: string, nowMs: number, objects: ObjectReader): ObjectReader | undefined {
    const listing = this.#listings.get(folder)
    const ageMs = nowMs - (listing?.atMs ?? 0)
    if (!listing || ageMs < 0 || ageMs >= LISTING_LIFE_MS) return undefined
    return new FolderSnapshot(objects, folder, { stats: listing.stats, read: this, isRecent: true })
  }

  /** Notes that a listing begins. */
  beginListing(folder: string): void {
    this.#begun.add(folder)
  }

  /** Keeps a listing for {@link recent}, unless it was to be forgotten since it began. */
  keepListing(folder: string, listing: Listing): void {
    this.#listings.delete(folder)
    if (!this.#begun.delete(folder)) return
    this.#listings.set(folder, listing)
    const [oldest] = this.#listings.keys()
    if (this.#listings.size > MAXIMUM_LISTINGS && oldest !== undefined) {
      this.#listings.delete(oldest)
    }
  }

  /** The next {@link recent} returns nothing: objects were added that are found by listing. */
  forgetListing(folder: string): void {
    this.#listings.delete(folder)
    this.#begun.delete(folder)
  }

  /** As {@link forgetListing}, for all folders. */
  forgetListings(): void {
    this.#listings.clear()
    this.#begun.clear()
  }

  /** Returns an object that no listing contains yet. */
  async find(key: string, objects: Pick<ObjectStore, 'get'>): Promise<StoredObject | undefined> {
    const object = await objects.get(key)
    if (object) this.keep(object)
    return object
  }

  /** Keeps an object that this process read or wrote, if it is small. */
  keep(object: StoredObject): void {
    if (object.bytes.length > MAXIMUM_KEPT_BYTES) return
    this.#kept.set(object.key, object)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > this.#maximumKept && oldest !== undefined) this.#kept.delete(oldest)
  }
}

/** The objects of a folder in order of key, and when they were listed. */
interface Listing {
  stats: Map<string, ObjectStat>
  /** Milliseconds since 1970. */
  atMs: number
}

/** The folder as it was listed; keys outside of it are read from the store. */
class FolderSnapshot implements ObjectReader {
  readonly #objects: ObjectReader
  readonly #folder: string
  readonly #read: ReadObjects
  readonly #stats: Map<string, ObjectStat>
  /** Whether objects may have been added since the listing. */
  readonly #isRecent: boolean

  constructor(
    objects: ObjectReader,
    folder: string,
    {
      stats,
      read,
      isRecent,
    }: { stats: Map<string, ObjectStat>; read: ReadObjects; isRecent: boolean },
  ) {
    this.#objects = objects
    this.#folder = folder
    this.#read = read
    this.#stats = stats
    this.#isRecent = isRecent
  }

  async get(key: string): Promise<StoredObject | undefined> {
    if (!key.startsWith(this.#folder)) return this.#objects.get(key)
    const stat = this.#stats.get(key)
    if (stat) return this.#read.get(stat, this.#objects)
    return this.#isRecent ? this.#read.find(key, this.#objects) : undefined
  }

  async stat(key: string): Promise<ObjectStat | undefined> {
    const isListed = key.startsWith(this.#folder) && (this.#stats.has(key) || !this.#isRecent)
    return isListed ? this.#stats.get(key) : this.#objects.stat(key)
  }

  async list(prefix: string, options: { limit: number; after?: string }): Promise<ObjectStat[]> {
    if (!prefix.startsWith(this.#folder)) return this.#objects.list(prefix, options)
    const { limit, after = '' } = options
    const found = [...this.#stats.values()].filter(
      ({ key }) => key.startsWith(prefix) && key > after,
    )
    return found.slice(0, limit)
  }
}

/**
 * Lists a folder once and answers further reads of it from the listing. An object that is written
 * later is not seen, and the content of an object may be newer than its listing.
 *
 * @param folder ends with a slash
 * @param read what earlier snapshots read
 * @param nowMs for {@link ReadObjects.recent}; absent: the listing is not kept
 * @throws Error when the store fails
 */
export async function snapshotFolder(
  objects: ObjectReader,
  folder: string,
  read: ReadObjects,
  nowMs?: number,
): Promise<ObjectReader> {
  const stats = new Map<string, ObjectStat>()
  if (nowMs !== undefined) read.beginListing(folder)
  try {
    for await (const page of listingPages(objects, folder, MAXIMUM_PAGES)) {
      for (const stat of page) stats.set(stat.key, stat)
    }
  } catch (error) {
    read.forgetListing(folder)
    throw error
  }
  if (nowMs !== undefined) read.keepListing(folder, { stats, atMs: nowMs })
  return new FolderSnapshot(objects, folder, { stats, read, isRecent: false })
}
