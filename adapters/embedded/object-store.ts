/**
 * Objects in one folder: small ones are rows of a database, large ones are files (decision 242).
 * Presigned URLs carry an HMAC.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Faults } from '../../domain/fault-log.ts'
import { assertObjectKey } from '../../domain/object-names.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import type {
  BoundedPut,
  Durability,
  ObjectStat,
  ObjectStore,
  StoredObject,
} from '../../domain/ports/object-store.ts'
import { readBounded } from '../shared/bounded-read.ts'
import { nameDatabase } from './damaged-database.ts'
import type { Parts } from './data-directory.ts'
import { takeOverFormerFiles } from './objects/former-files.ts'
import { ASIDE_FOLDER, discardLarge } from './objects/large-files.ts'
import { openFile, openRow, type OpenObject } from './objects/open-object.ts'
import { receiveObject, type ReceivedObject } from './objects/receive.ts'
import { databaseIn, MAXIMUM_ROW_BYTES, ObjectRows, openObjectDatabase } from './objects/rows.ts'
import { ObjectTransactions, type Put } from './objects/transactions.ts'
import { ObjectWriter } from './objects/writer.ts'
import { presignedUrl } from './presigned-url.ts'

/** Looks at a row whose file is absent, because it was replaced in between. */
const MAXIMUM_LOOKS = 5

export interface FileObjectStoreOptions {
  folder: string
  /** Base URL of `/objects/…`, without a trailing slash. */
  baseUrl: string
  keyring: Keyring<'object-url'>
  /** Larger objects are files. */
  maximumRowBytes?: number
  /** Learns whether removed bytes are overwritten. */
  faults?: Faults
}

/** Several processes may use one folder. */
export class FileObjectStore implements ObjectStore {
  readonly #folder: string
  readonly #baseUrl: string
  readonly #keyring: Keyring<'object-url'>
  readonly #writer: ObjectWriter
  readonly #maximumRowBytes: number
  #opened: Promise<ObjectRows> | undefined

  constructor({
    folder,
    baseUrl,
    keyring,
    maximumRowBytes = MAXIMUM_ROW_BYTES,
    faults,
  }: FileObjectStoreOptions) {
    this.#folder = folder
    this.#baseUrl = baseUrl
    this.#keyring = keyring
    this.#maximumRowBytes = maximumRowBytes
    this.#writer = new ObjectWriter(folder, faults)
  }

  /** Removes unfinished files of a killed process; call it only while nothing is being written. */
  async sweep(): Promise<void> {
    await this.#rows()
    await rm(join(this.#folder, ASIDE_FOLDER), { recursive: true, force: true })
  }

  /** Closes the database after all calls have ended. */
  async close(): Promise<void> {
    const opened = this.#opened
    this.#opened = undefined
    await this.#writer.close()
    const rows = await opened?.catch(() => undefined)
    rows?.database.close()
  }

  async presignPut(key: string, options: { contentType: string; expiresAt: Date }) {
    assertObjectKey(key)
    return presignedUrl(this.#baseUrl, this.#keyring, { method: 'PUT', key, ...options })
  }

  async presignBoundedPut(key: string, options: BoundedPut) {
    assertObjectKey(key)
    const permission = { method: 'PUT', key, ...options } as const
    const url = presignedUrl(this.#baseUrl, this.#keyring, permission)
    return { url, headers: { 'Content-Type': options.contentType } }
  }

  async presignGet(key: string, options: { expiresAt: Date; downloadName?: string }) {
    assertObjectKey(key)
    return presignedUrl(this.#baseUrl, this.#keyring, { method: 'GET', key, ...options })
  }

  async get(key: string, maximumBytes?: number): Promise<StoredObject | undefined> {
    const read = (bound: number) => this.#read(key, bound)
    return readBounded(key, maximumBytes, { read, stat: () => this.stat(key) })
  }

  async #read(key: string, maximumBytes: number): Promise<StoredObject | undefined> {
    const opened = await this.open(key)
    if (!opened) return undefined
    try {
      if (opened.stat.size > maximumBytes) throw new RangeError('the object is too long to read')
      return { ...opened.stat, bytes: await opened.readAll() }
    } finally {
      await opened.close()
    }
  }

  async stat(key: string): Promise<ObjectStat | undefined> {
    assertObjectKey(key)
    return (await this.#rows()).stat(key)
  }

  async putIfAbsent(
    key: string,
    bytes: Uint8Array,
    contentType: string,
    durability: Durability = 'now',
  ): Promise<string | undefined> {
    if (await this.stat(key)) return undefined
    return this.#put(key, [bytes], contentType, { current: 'absent', durability })
  }

  async compareAndSwap(
    key: string,
    bytes: Uint8Array,
    options: { contentType: string; generation: string | undefined },
  ): Promise<string | undefined> {
    const { contentType, generation } = options
    if (generation === undefined) return this.putIfAbsent(key, bytes, contentType)
    if ((await this.stat(key))?.generation !== generation) return undefined
    return this.#put(key, [bytes], contentType, { current: { generation } })
  }

  async list(prefix: string, options: { limit: number; after?: string }): Promise<ObjectStat[]> {
    return (await this.#rows()).list(prefix, options)
  }

  async delete(key: string): Promise<void> {
    if (await this.stat(key)) await this.#writer.write({ kind: 'delete', key })
  }

  /** @returns undefined when the object does not exist */
  async open(key: string): Promise<OpenObject | undefined> {
    assertObjectKey(key)
    const rows = await this.#rows()
    for (let looks = 0; looks < MAXIMUM_LOOKS; looks++) {
      const found = rows.find(key)
      if (!found) return undefined
      const { stat, content } = found
      if ('bytes' in content) return openRow(stat, content.bytes)
      const opened = await openFile(this.#folder, stat, content.file)
      if (opened) return opened
    }
    throw new Error(`the file of object ${key} is missing`)
  }

  /** Stores the bytes durably without a key: small ones stay in memory, large ones are a file. */
  async receive(parts: Parts, contentType: string): Promise<ReceivedObject> {
    await this.#rows()
    return receiveObject(this.#folder, parts, {
      contentType,
      maximumRowBytes: this.#maximumRowBytes,
    })
  }

  /** Removes what {@link receive} has stored. */
  async discard({ file }: ReceivedObject): Promise<void> {
    if (file !== null) await discardLarge(this.#folder, file)
  }

  /** Gives the key what {@link receive} has stored, and replaces its object, if there is one. */
  async replace(key: string, received: ReceivedObject): Promise<void> {
    assertObjectKey(key)
    await this.#write({ kind: 'put', object: { key, ...received }, current: 'any' })
  }

  async #put(
    key: string,
    parts: Parts,
    contentType: string,
    condition: Pick<Put, 'current' | 'durability'>,
  ): Promise<string | undefined> {
    const received = await this.receive(parts, contentType)
    const isDone = await this.#write({ kind: 'put', object: { key, ...received }, ...condition })
    return isDone ? received.generation : undefined
  }

  /**
   * Writes an object; its file is removed when the key has another one. After an error the row may
   * be committed, so the file stays.
   */
  async #write(write: Put): Promise<boolean> {
    const isDone = await this.#writer.write(write)
    if (!isDone) await this.discard(write.object)
    return isDone
  }

  /** Opens the database at the first call, and takes over the objects of former versions. */
  #rows(): Promise<ObjectRows> {
    this.#opened ??= openRows(this.#folder).catch((error: unknown) => {
      this.#opened = undefined
      throw error
    })
    return this.#opened
  }
}

async function openRows(folder: string): Promise<ObjectRows> {
  const database = openObjectDatabase(folder)
  try {
    await takeOverFormerFiles(folder, database)
    new ObjectTransactions(folder, database).finish()
    return new ObjectRows(database)
  } catch (error) {
    database.close()
    throw nameDatabase(databaseIn(folder), error)
  }
}
