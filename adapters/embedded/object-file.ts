/** File format of an object: a header of fixed length that describes it, then its bytes. */
import { Buffer } from 'node:buffer'
import { open, stat, type FileHandle } from 'node:fs/promises'
import type { ObjectStat } from '../../domain/ports/object-store.ts'
import { isAbsent } from './data-directory.ts'

/** JSON padded with spaces. In one file, content and description cannot get out of step. */
export const HEADER_BYTES = 256

interface Header {
  contentType: string
  generation: string
}

/** @throws RangeError when the description is too long */
export function encodeHeader(header: Header): Buffer {
  const json = Buffer.from(JSON.stringify(header))
  if (json.length > HEADER_BYTES) throw new RangeError('the content type is too long')
  return Buffer.concat([json, Buffer.alloc(HEADER_BYTES - json.length, ' ')])
}

/** An open object file; the caller closes `handle`. */
export interface OpenObject {
  stat: ObjectStat
  handle: FileHandle
}

/** Files that are described in memory; a description has some hundred bytes. */
const MAXIMUM_KNOWN = 10_000

/**
 * Descriptions of files, kept in memory. Files are replaced and never changed, so one call of the
 * file system shows whether a description still applies.
 */
export class KnownFiles {
  readonly #known = new Map<string, { mark: string; stat: ObjectStat }>()

  /** @returns undefined when the object does not exist */
  async stat(path: string, key: string): Promise<ObjectStat | undefined> {
    const mark = await readMark(path)
    if (mark === undefined) return undefined
    const known = this.#known.get(path)
    if (known?.mark === mark) return known.stat
    const opened = await openObject(path, key)
    await opened?.handle.close()
    this.#known.delete(path)
    if (!opened) return undefined
    // If the file was replaced in between, the next mark differs.
    this.#known.set(path, { mark, stat: opened.stat })
    const [oldest] = this.#known.keys()
    if (this.#known.size > MAXIMUM_KNOWN && oldest !== undefined) this.#known.delete(oldest)
    return opened.stat
  }
}

/** A text that differs for every file that was at the path. */
async function readMark(path: string): Promise<string | undefined> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true })
    return `${ino}/${size}/${mtimeNs}/${ctimeNs}`
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

/** @returns undefined when the object does not exist */
export async function openObject(path: string, key: string): Promise<OpenObject | undefined> {
  let handle: FileHandle
  try {
    handle = await open(path, 'r')
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
  try {
    const header = Buffer.alloc(HEADER_BYTES)
    await handle.read(header, 0, HEADER_BYTES, 0)
    const { size, mtime } = await handle.stat()
    const { contentType, generation } = JSON.parse(header.toString()) as Header
    const described = { key, size: size - HEADER_BYTES, contentType, generation, updatedAt: mtime }
    return { stat: described, handle }
  } catch (error) {
    await handle.close()
    throw error
  }
}
