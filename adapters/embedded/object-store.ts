/** Objects as files in one folder, written atomically, with HMAC-presigned URLs. */
import { randomUUID } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { assertObjectKey } from '../../domain/object-names.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import type {
  BoundedPut,
  ObjectStat,
  ObjectStore,
  StoredObject,
} from '../../domain/ports/object-store.ts'
import {
  inFolder,
  isAbsent,
  linkIfAbsent,
  removeFile,
  syncFolder,
  writeAside,
  type Parts,
} from './data-directory.ts'
import {
  encodeHeader,
  HEADER_BYTES,
  KnownFiles,
  openObject,
  type OpenObject,
} from './object-file.ts'
import { presignedUrl } from './presigned-url.ts'

/** Suffix of every file, so that one key may be the folder of another. */
const SUFFIX = '.object'
/** Folder of unfinished files; no key begins with a dot. */
const ASIDE_FOLDER = '.aside'

export interface FileObjectStoreOptions {
  folder: string
  /** Base URL of `/objects/…`, without a trailing slash. */
  baseUrl: string
  keyring: Keyring<'object-url'>
}

/**
 * One process should own the folder: conditional replacement is only serialised within a process.
 * Creation (put if absent) is safe between processes.
 */
export class FileObjectStore implements ObjectStore {
  readonly #folder: string
  readonly #asideFolder: string
  readonly #baseUrl: string
  readonly #keyring: Keyring<'object-url'>
  readonly #files = new KnownFiles()
  readonly #swapping = new Map<string, Promise<unknown>>()

  constructor({ folder, baseUrl, keyring }: FileObjectStoreOptions) {
    this.#folder = folder
    this.#asideFolder = join(folder, ASIDE_FOLDER)
    this.#baseUrl = baseUrl
    this.#keyring = keyring
  }

  /** Removes unfinished files of a killed process; call it only while nothing is being written. */
  async sweep(): Promise<void> {
    await rm(this.#asideFolder, { recursive: true, force: true })
  }

  async presignPut(key: string, options: { contentType: string; expiresAt: Date }) {
    this.#path(key)
    return presignedUrl(this.#baseUrl, this.#keyring, { method: 'PUT', key, ...options })
  }

  async presignBoundedPut(key: string, options: BoundedPut) {
    this.#path(key)
    const permission = { method: 'PUT', key, ...options } as const
    const url = presignedUrl(this.#baseUrl, this.#keyring, permission)
    return { url, headers: { 'Content-Type': options.contentType } }
  }

  async presignGet(key: string, options: { expiresAt: Date; downloadName?: string }) {
    this.#path(key)
    return presignedUrl(this.#baseUrl, this.#keyring, { method: 'GET', key, ...options })
  }

  async get(key: string): Promise<StoredObject | undefined> {
    const opened = await this.open(key)
    if (!opened) return undefined
    try {
      const bytes = new Uint8Array(opened.stat.size)
      const { bytesRead } = await opened.handle.read(bytes, 0, bytes.length, HEADER_BYTES)
      if (bytesRead !== bytes.length) throw new Error(`object ${key} could not be read completely`)
      return { ...opened.stat, bytes }
    } finally {
      await opened.handle.close()
    }
  }

  async stat(key: string): Promise<ObjectStat | undefined> {
    return this.#files.stat(this.#path(key), key)
  }

  async putIfAbsent(
    key: string,
    bytes: Uint8Array,
    contentType: string,
  ): Promise<string | undefined> {
    const path = this.#path(key)
    const generation = randomUUID()
    const aside = await this.#writeAside([bytes], { contentType, generation })
    return (await linkIfAbsent(aside, path)) ? generation : undefined
  }

  async compareAndSwap(
    key: string,
    bytes: Uint8Array,
    options: { contentType: string; generation: string | undefined },
  ): Promise<string | undefined> {
    const { contentType, generation } = options
    if (generation === undefined) return this.putIfAbsent(key, bytes, contentType)
    return this.#alone(key, async () => {
      if ((await this.stat(key))?.generation !== generation) return undefined
      const next = { contentType, generation: randomUUID() }
      await this.replace(key, await this.#writeAside([bytes], next))
      return next.generation
    })
  }

  async list(prefix: string, options: { limit: number; after?: string }): Promise<ObjectStat[]> {
    const { limit, after = '' } = options
    const folder = join(this.#folder, prefix.slice(0, prefix.lastIndexOf('/') + 1))
    const files = await readFolder(folder)
    const keys = files
      .map((file) => relative(this.#folder, file).replaceAll(sep, '/').slice(0, -SUFFIX.length))
      .filter((key) => key.startsWith(prefix) && key > after)
      .sort((a, b) => (a < b ? -1 : 1))
    const stats = await Promise.all(keys.slice(0, limit).map((key) => this.stat(key)))
    return stats.filter((stat) => stat !== undefined)
  }

  async delete(key: string): Promise<void> {
    await this.#alone(key, () => removeFile(this.#path(key)))
  }

  /** Opens the object's file, whose bytes begin at {@link HEADER_BYTES}; the caller closes it. */
  async open(key: string): Promise<OpenObject | undefined> {
    return openObject(this.#path(key), key)
  }

  /** Writes a temporary file for the key and returns its path. */
  async writeAside(key: string, parts: Parts, contentType: string): Promise<string> {
    this.#path(key)
    return this.#writeAside(parts, { contentType, generation: randomUUID() })
  }

  /** Moves a file from {@link writeAside} to the place of the key and replaces the existing one. */
  async replace(key: string, aside: string): Promise<void> {
    const path = this.#path(key)
    await inFolder(dirname(path), () => rename(aside, path))
    await syncFolder(dirname(path))
  }

  #writeAside(parts: Parts, header: Parameters<typeof encodeHeader>[0]): Promise<string> {
    return writeAside(this.#asideFolder, headed(encodeHeader(header), parts))
  }

  /** @throws RangeError for an invalid key */
  #path(key: string): string {
    assertObjectKey(key)
    return join(this.#folder, ...key.split('/')) + SUFFIX
  }

  async #alone<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#swapping.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    const settled = mine.catch(() => undefined)
    this.#swapping.set(key, settled)
    try {
      return await mine
    } finally {
      if (this.#swapping.get(key) === settled) this.#swapping.delete(key)
    }
  }
}

async function* headed(header: Uint8Array, parts: Parts): AsyncGenerator<Uint8Array> {
  yield header
  yield* parts
}

async function readFolder(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() && entry.name.endsWith(SUFFIX))
      .map((entry) => join(entry.parentPath, entry.name))
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}
