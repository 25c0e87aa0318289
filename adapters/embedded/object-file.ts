/** File format of an object: a header of fixed length that describes it, then its bytes. */
import { Buffer } from 'node:buffer'
import { open, type FileHandle } from 'node:fs/promises'
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
    const stat = { key, size: size - HEADER_BYTES, contentType, generation, updatedAt: mtime }
    return { stat, handle }
  } catch (error) {
    await handle.close()
    throw error
  }
}
