/** The folder that one service owns: durable small files, and a lock against a second service. */
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
import { link, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const PRIVATE_MODE = 0o600
const PRIVATE_FOLDER_MODE = 0o700

/** The folder cannot be taken; the message names it and says why. */
export class DataDirectoryError extends Error {
  override readonly name: string = 'DataDirectoryError'
}

/** Another service works in the folder. */
export class DataDirectoryInUseError extends DataDirectoryError {
  override readonly name = 'DataDirectoryInUseError'
}

/** SQLITE_BUSY: somebody else holds the lock. */
const SQLITE_BUSY = 5
/** Room that a start takes at least: keys, the databases and the canary. */
const PROBE_BYTES = 1024 * 1024

/**
 * Makes a folder and those above it, one by one: where a folder refuses by ENOENT, as `/proc` does,
 * the recursive `mkdir` of Node tries for ever.
 */
async function makeFolder(folder: string): Promise<void> {
  const make = () => mkdir(folder, { mode: PRIVATE_FOLDER_MODE })
  try {
    await make()
  } catch (error) {
    if (isPresent(error)) return
    if (!isAbsent(error)) throw error
    await makeFolder(dirname(folder))
    // Another process may have been as quick.
    await make().catch((fault: unknown) => {
      if (!isPresent(fault)) throw fault
    })
  }
}

/** Writes and removes a file: what is read-only or full is told before anything is begun. */
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
    if ((cause as { errcode?: number }).errcode !== SQLITE_BUSY) throw cause
    throw new DataDirectoryInUseError(`another service works in ${folder}`, { cause })
  }
  return () => database.close()
}

/**
 * Takes the folder for this process, until it is given back or the process ends: a lock that SQLite
 * holds on a file, which the operating system lifts however the process ends.
 *
 * @returns gives the folder back
 * @throws DataDirectoryInUseError, or DataDirectoryError when nothing can be kept there
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

/** Makes the names in a folder durable, not only the contents of its files. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Bytes in parts, at hand or as they come. */
export type Parts = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/**
 * Writes bytes durably to a new file; when the parts break off there is none.
 *
 * @returns the path of the new file
 */
export async function writeAside(folder: string, parts: Parts): Promise<string> {
  const path = join(folder, `.${randomBytes(12).toString('hex')}.tmp`)
  const handle = await open(path, 'wx', PRIVATE_MODE)
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

/** Replaces a file, whole or not at all, durable when it returns. */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER_MODE })
  const aside = await writeAside(folder, [bytes])
  await rename(aside, path)
  await syncFolder(folder)
}

const isCode = (error: unknown, code: string) => (error as { code?: string }).code === code

/** Whether the error says that the file is there already. */
export const isPresent = (error: unknown) => isCode(error, 'EEXIST')
/** Whether the error says that the file is absent. */
export const isAbsent = (error: unknown) => isCode(error, 'ENOENT')

/**
 * Moves a finished file to its place only if the place is free, durable when it returns.
 *
 * @returns false when it was taken; the file is gone in either case
 */
export async function linkIfAbsent(aside: string, path: string): Promise<boolean> {
  try {
    await link(aside, path)
  } catch (error) {
    if (isPresent(error)) return false
    throw error
  } finally {
    await rm(aside, { force: true })
  }
  await syncFolder(dirname(path))
  return true
}

function writeAsideNow(path: string, bytes: Uint8Array): string {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER_MODE })
  const aside = join(folder, `.${randomBytes(12).toString('hex')}.tmp`)
  writeFileSync(aside, bytes, { mode: PRIVATE_MODE, flush: true })
  return aside
}

/** Replaces a file, whole or not at all, before anything else runs. */
export function replaceFileNow(path: string, bytes: Uint8Array): void {
  renameSync(writeAsideNow(path, bytes), path)
}

/** The file's bytes, made by `make` when there is none; two processes that race agree on one. */
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
