/** The data directory of one service: durable small files, and a lock against a second service. */
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isBusy } from './sqlite.ts'

const PRIVATE_MODE = 0o600
const PRIVATE_FOLDER_MODE = 0o700
/** Name of a file that does not have its own name yet. */
const ASIDE = /^\.[0-9a-f]{24}\.tmp$/

/** The folder cannot be used; the message names it and the reason. */
export class DataDirectoryError extends Error {
  override readonly name: string = 'DataDirectoryError'
}

/** Another service uses the folder. */
export class DataDirectoryInUseError extends DataDirectoryError {
  override readonly name = 'DataDirectoryInUseError'
}

/** Minimum space for a start: keys, databases and the canary. */
const PROBE_BYTES = 1024 * 1024

/**
 * Creates a folder and its parents one by one. Node's recursive `mkdir` loops for ever where a
 * folder refuses with ENOENT, as `/proc` does.
 */
async function makeFolder(folder: string): Promise<void> {
  const make = () => mkdir(folder, { mode: PRIVATE_FOLDER_MODE })
  try {
    await make()
  } catch (error) {
    if (isPresent(error)) return
    if (!isAbsent(error)) throw error
    await makeFolder(dirname(folder))
    // Another process may have created it in the meantime.
    await make().catch((fault: unknown) => {
      if (!isPresent(fault)) throw fault
    })
  }
}

/** Writes and removes a file, to report a read-only or full disk before anything starts. */
async function probe(folder: string): Promise<void> {
  await makeFolder(folder)
  await rm(await writeAside(folder, [new Uint8Array(PROBE_BYTES)]))
}

function lock(folder: string): () => void {
  const database = new DatabaseSync(join(folder, 'lock.sqlite'))
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (cause) {
    database.close()
    if (!isBusy(cause)) throw cause
    throw new DataDirectoryInUseError(`another service uses ${folder}`, { cause })
  }
  return () => database.close()
}

/**
 * Locks the folder for this process until it is released or the process ends. SQLite holds a file
 * lock, which the operating system releases even after a crash.
 *
 * @returns a function that releases the folder
 * @throws DataDirectoryInUseError, or DataDirectoryError when files cannot be written there
 */
export async function takeDataDirectory(folder: string): Promise<() => void> {
  try {
    await probe(folder)
    return lock(folder)
  } catch (cause) {
    if (cause instanceof DataDirectoryInUseError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DataDirectoryError(`${folder} cannot be used (${reason})`, { cause })
  }
}

async function syncOnce(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Synchronisations that run, and those that begin later, each of one folder. */
const running = new Map<string, Promise<void>>()
const next = new Map<string, Promise<void>>()

function startSync(folder: string): Promise<void> {
  next.delete(folder)
  const sync = syncOnce(folder).finally(() => running.delete(folder))
  running.set(folder, sync)
  return sync
}

/**
 * Makes the entries of a folder durable, not only the contents of its files. Calls of one turn of
 * the event loop, or that come while the folder is being synchronised, share one synchronisation,
 * which begins afterwards.
 */
export function syncFolder(folder: string): Promise<void> {
  const waiting = next.get(folder)
  if (waiting) return waiting
  const begin = () => startSync(folder)
  const shared = (running.get(folder) ?? nextTurn()).then(begin, begin)
  next.set(folder, shared)
  return shared
}

/** Bytes in parts, either in memory or streamed. */
export type Parts = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** Does the work; when the folder is absent, makes it and does the work again. */
export async function inFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isAbsent(error)) throw error
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER_MODE })
    return work()
  }
}

/**
 * Writes bytes durably to a new file; removes it when the parts break off. Makes the folder when it
 * is absent.
 *
 * @returns the path of the new file
 */
export async function writeAside(folder: string, parts: Parts): Promise<string> {
  const path = join(folder, `.${randomBytes(12).toString('hex')}.tmp`)
  const handle = await inFolder(folder, () => open(path, 'wx', PRIVATE_MODE))
  try {
    for await (const part of parts) await handle.writeFile(part)
    await handle.sync()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  return path
}

/**
 * Gives a file of {@link writeAside} its name, in the same folder.
 *
 * @throws Error when that is not possible; the file is then removed
 */
export async function nameAside(aside: string, path: string): Promise<void> {
  try {
    await rename(aside, path)
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
}

/**
 * Removes what {@link writeAside} wrote into a folder and a killed process did not name. Call it
 * only while nothing is being written.
 */
export async function removeAsides(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isAbsent(error)) return []
    throw error
  })
  const asides = names.filter((name) => ASIDE.test(name))
  await Promise.all(asides.map((name) => rm(join(folder, name), { force: true })))
}

const isCode = (error: unknown, code: string) => (error as { code?: string }).code === code

/** Whether the error says that the file exists. */
export const isPresent = (error: unknown) => isCode(error, 'EEXIST')
/** Whether the error says that the file is absent. */
export const isAbsent = (error: unknown) => isCode(error, 'ENOENT')

function writeAsideNow(path: string, bytes: Uint8Array): string {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER_MODE })
  const aside = join(folder, `.${randomBytes(12).toString('hex')}.tmp`)
  writeFileSync(aside, bytes, { mode: PRIVATE_MODE, flush: true })
  return aside
}

/** Replaces a file atomically and synchronously. */
export function replaceFileNow(path: string, bytes: Uint8Array): void {
  renameSync(writeAsideNow(path, bytes), path)
}

/**
 * Returns the file's bytes, made by `make` if it does not exist; concurrent processes get the same
 * bytes.
 */
export function readOrMake(path: string, make: () => Uint8Array): Uint8Array {
  if (!existsSync(path)) {
    const aside = writeAsideNow(path, make())
    try {
      linkSync(aside, path)
    } catch (error) {
      if (!isPresent(error)) throw error
    } finally {
      rmSync(aside)
    }
  }
  return readFileSync(path)
}
