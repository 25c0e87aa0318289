/**
 * Objects of former versions, which stored each as a file `<key>.object`: they get rows, and the
 * files are removed. The work can be interrupted at any point and goes on at the next start.
 */
import { Buffer } from 'node:buffer'
import { link, mkdir, open, opendir, readdir, rm, rmdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { isAbsent, isPresent, syncFolder } from '../data-directory.ts'
import { inTransaction } from '../sqlite.ts'
import { decodeHeader, fileNameOf, HEADER_BYTES } from './large-files.ts'
import { MAXIMUM_ROW_BYTES } from './rows.ts'
import type { NewObject } from './transactions.ts'

const SUFFIX = '.object'
const PRIVATE_FOLDER_MODE = 0o700
/** Files that one transaction takes over. */
const PAGE = 200
/** `user_version` of a database that has all objects of the folder. */
const TAKEN_OVER = 1

/** Another process may remove what this one reads, because everything has been taken over. */
function unlessAbsent(error: unknown): undefined {
  if (!isAbsent(error)) throw error
}

async function* formerFiles(folder: string): AsyncGenerator<string> {
  const entries = await opendir(folder).catch(unlessAbsent)
  if (!entries) return
  for await (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* formerFiles(path)
    else if (entry.name.endsWith(SUFFIX)) yield path
  }
}

const isTakenOver = (database: DatabaseSync) =>
  database.prepare('PRAGMA user_version').get()?.user_version === TAKEN_OVER

async function* readPages(folder: string): AsyncGenerator<string[]> {
  let page: string[] = []
  for await (const path of formerFiles(folder)) {
    if (page.push(path) < PAGE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

const keyOf = (folder: string, path: string) =>
  relative(folder, path).replaceAll(sep, '/').slice(0, -SUFFIX.length)

/** Gives a large file its new name; the former name remains for now. */
async function linkLarge(folder: string, path: string, file: string): Promise<void> {
  const newPath = join(folder, file)
  await mkdir(dirname(newPath), { recursive: true, mode: PRIVATE_FOLDER_MODE })
  await link(path, newPath).catch((error: unknown) => {
    if (!isPresent(error)) throw error
  })
}

/** @returns undefined when another process has removed the file */
async function readFormer(folder: string, path: string): Promise<NewObject | undefined> {
  const handle = await open(path, 'r').catch(unlessAbsent)
  if (!handle) return undefined
  try {
    const { size: fileBytes, mtimeMs } = await handle.stat()
    const header = Buffer.alloc(HEADER_BYTES)
    await handle.read(header, 0, HEADER_BYTES, 0)
    const size = fileBytes - HEADER_BYTES
    const updatedMs = Math.floor(mtimeMs)
    const described = { key: keyOf(folder, path), size, updatedMs, ...decodeHeader(header) }
    if (size > MAXIMUM_ROW_BYTES) {
      const file = fileNameOf(described.generation, updatedMs)
      await linkLarge(folder, path, file).catch(unlessAbsent)
      return { ...described, bytes: null, file }
    }
    const bytes = new Uint8Array(size)
    const { bytesRead } = await handle.read(bytes, 0, size, HEADER_BYTES)
    if (bytesRead !== size) throw new Error(`${path} could not be read completely`)
    return { ...described, bytes, file: null }
  } finally {
    await handle.close()
  }
}

/** Writes rows for all files. Rows that an interrupted run has written stay as they are. */
async function takeOver(folder: string, database: DatabaseSync): Promise<void> {
  const insert = database.prepare(`
    INSERT INTO object (key, size, content_type, generation, updated_ms, file, bytes)
    VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`)
  const folders = new Set<string>()
  for await (const page of readPages(folder)) {
    const found = await Promise.all(page.map((path) => readFormer(folder, path)))
    const objects = found.filter((object) => object !== undefined)
    // The new names are durable before a row has them.
    for (const { file } of objects) if (file !== null) folders.add(dirname(join(folder, file)))
    for (const one of folders) await syncFolder(one)
    if (folders.size > 0) await syncFolder(join(folder, 'large'))
    folders.clear()
    inTransaction(database, () => {
      // Once another process has marked the database, it may have deleted some of these objects.
      if (isTakenOver(database)) return
      for (const { key, size, contentType, generation, updatedMs, file, bytes } of objects) {
        insert.run(key, size, contentType, generation, updatedMs, file, bytes)
      }
    })
  }
}

async function removeFormer(folder: string): Promise<void> {
  for await (const page of readPages(folder)) {
    await Promise.all(page.map((path) => rm(path, { force: true })))
  }
}

/** Removes folders that contain nothing else than such folders. */
async function removeEmpty(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(unlessAbsent)
  for (const entry of entries ?? []) {
    if (entry.isDirectory()) await removeEmpty(join(folder, entry.name))
  }
  // One that contains something stays.
  await rmdir(folder).catch(() => undefined)
}

/** Top folders of the files of former versions. */
async function formerFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'large')
    .map(({ name }) => join(folder, name))
}

/**
 * Takes over the files of former versions, if there are any. Once all have rows, the database is
 * marked; from then on the files are never read again, so an object that was deleted cannot come
 * back. No object may be written before this function has returned.
 *
 * @param folder of the store; several processes may do this at the same time
 */
export async function takeOverFormerFiles(folder: string, database: DatabaseSync): Promise<void> {
  if (!isTakenOver(database)) {
    await takeOver(folder, database)
    database.exec(`PRAGMA user_version = ${TAKEN_OVER}`)
  }
  const folders = await formerFolders(folder)
  if (folders.length === 0 && !(await hasFormerAtTop(folder))) return
  await removeFormer(folder)
  for (const one of folders) await removeEmpty(one)
}

async function hasFormerAtTop(folder: string): Promise<boolean> {
  return (await readdir(folder)).some((name) => name.endsWith(SUFFIX))
}
