/**
 * Large objects as files: a header of fixed length that describes the object, then its bytes. A
 * file never changes; its name in the database is its path in the folder of the store.
 */
import { Buffer } from 'node:buffer'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { inFolder, isAbsent, syncFolder, type Parts } from '../data-directory.ts'

const PRIVATE_MODE = 0o600
const PRIVATE_FOLDER_MODE = 0o700
/** JSON padded with spaces. It makes a file readable without the database. */
export const HEADER_BYTES = 256
/** Folder of files whose row is not committed yet; no key begins with a dot. */
export const ASIDE_FOLDER = '.aside'
const LARGE_FOLDER = 'large'
const DAY_LENGTH = 'YYYY-MM-DD'.length

export interface Header {
  contentType: string
  generation: string
}

/** @throws RangeError when the description is too long */
function encodeHeader(header: Header): Buffer {
  const json = Buffer.from(JSON.stringify(header))
  if (json.length > HEADER_BYTES) throw new RangeError('the content type is too long')
  return Buffer.concat([json, Buffer.alloc(HEADER_BYTES - json.length, ' ')])
}

export const decodeHeader = (header: Buffer) => JSON.parse(header.toString()) as Header

/** One folder for each day, so that writers of the same time share it, and none grows for ever. */
export const fileNameOf = (generation: string, updatedMs: number) =>
  `${LARGE_FOLDER}/${new Date(updatedMs).toISOString().slice(0, DAY_LENGTH)}/${generation}`

const asidePath = (folder: string, file: string) => join(folder, ASIDE_FOLDER, basename(file))

/**
 * Writes a file durably to the folder of uncommitted files; removes it when the parts break off.
 *
 * @param file its name once its row is committed
 * @returns its size in octets without the header
 */
export async function writeLarge(
  folder: string,
  file: string,
  header: Header,
  parts: Parts,
): Promise<number> {
  const path = asidePath(folder, file)
  const handle = await inFolder(dirname(path), () => open(path, 'wx', PRIVATE_MODE))
  let size = 0
  try {
    await handle.writeFile(encodeHeader(header))
    for await (const part of parts) {
      await handle.writeFile(part)
      size += part.length
    }
    await handle.sync()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  await syncFolder(dirname(path))
  return size
}

/** Removes a file whose row was not committed. */
export async function discardLarge(folder: string, file: string): Promise<void> {
  await rm(asidePath(folder, file), { force: true })
}

/** Moves a file to its place after its row was committed; nothing happens if it is there. */
export function moveLarge(folder: string, file: string): void {
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER_MODE })
  try {
    renameSync(asidePath(folder, file), path)
  } catch (error) {
    if (!isAbsent(error)) throw error
  }
}

/** Removes a file whose row is gone, wherever it is. */
export function removeLarge(folder: string, file: string): void {
  rmSync(asidePath(folder, file), { force: true })
  rmSync(join(folder, file), { force: true })
}

/** Folders whose entries change when the file is moved or removed. */
export const foldersOf = (folder: string, file: string): string[] => [
  join(folder, ASIDE_FOLDER),
  join(folder, LARGE_FOLDER),
  dirname(join(folder, file)),
]

/**
 * Opens a file whose row is committed. Its bytes begin at {@link HEADER_BYTES}.
 *
 * @returns undefined when it does not exist
 */
export async function openLarge(folder: string, file: string): Promise<FileHandle | undefined> {
  // It may be moved between two looks, so its place comes first and last.
  const place = join(folder, file)
  for (const path of [place, asidePath(folder, file), place]) {
    try {
      return await open(path, 'r')
    } catch (error) {
      if (!isAbsent(error)) throw error
    }
  }
  return undefined
}
