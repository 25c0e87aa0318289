/**
 * Reads the objects of one folder from a single listing of it, and keeps what was read in memory
 * until its generation changes.
 */
import type { ObjectStat, ObjectStore, StoredObject } from '../../domain/ports/object-store.ts'
import { objectPages } from './object-pages.ts'

/** More objects than one case has. */
const MAXIMUM_PAGES = 1_000
/** Results and receipts are smaller; documents are not kept. */
const MAXIMUM_KEPT_BYTES = 16 * 1024
/** With the size above, at most 64 MB, in practice a tenth of it. */
const MAXIMUM_KEPT = 4_000

/** The part of the store that only reads. */
export type ObjectReader = Pick<ObjectStore, 'get' | 'stat' | 'list'>

/** Small objects that were read, by key, each under its generation. One instance per process. */
export class ReadObjects {
  readonly #kept = new Map<string, StoredObject>()

  /** Returns the object if this generation of it was read before; otherwise reads the store. */
  async get(
    { key, generation }: ObjectStat,
    objects: Pick<ObjectStore, 'get'>,
  ): Promise<StoredObject | undefined> {
    const known = this.#kept.get(key)
    if (known?.generation === generation) return known
    const object = await objects.get(key)
    this.#kept.delete(key)
    if (object && object.bytes.length <= MAXIMUM_KEPT_BYTES) this.#keep(object)
    return object
  }

  #keep(object: StoredObject): void {
    this.#kept.set(object.key, object)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MAXIMUM_KEPT && oldest !== undefined) this.#kept.delete(oldest)
  }
}

/** The folder as it was listed; keys outside of it are read from the store. */
class FolderSnapshot implements ObjectReader {
  readonly #objects: ObjectReader
  readonly #folder: string
  readonly #read: ReadObjects
  /** In order of key. */
  readonly #stats: ReadonlyMap<string, ObjectStat>

  constructor(
    objects: ObjectReader,
    folder: string,
    { stats, read }: { stats: readonly ObjectStat[]; read: ReadObjects },
  ) {
    this.#objects = objects
    this.#folder = folder
    this.#read = read
    this.#stats = new Map(stats.map((stat) => [stat.key, stat]))
  }

  async get(key: string): Promise<StoredObject | undefined> {
    if (!key.startsWith(this.#folder)) return this.#objects.get(key)
    const stat = this.#stats.get(key)
    return stat && this.#read.get(stat, this.#objects)
  }

  async stat(key: string): Promise<ObjectStat | undefined> {
    return key.startsWith(this.#folder) ? this.#stats.get(key) : this.#objects.stat(key)
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
 * @throws Error when the store fails
 */
export async function snapshotFolder(
  objects: ObjectReader,
  folder: string,
  read: ReadObjects,
): Promise<ObjectReader> {
  const stats: ObjectStat[] = []
  for await (const page of objectPages(objects, folder, MAXIMUM_PAGES)) stats.push(...page)
  return new FolderSnapshot(objects, folder, { stats, read })
}
