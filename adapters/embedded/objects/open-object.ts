/** Reads the bytes of an object from its row or from its file. */
import { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import type { ObjectStat } from '../../../domain/ports/object-store.ts'
import { HEADER_BYTES, openLarge } from './large-files.ts'

/** An object whose bytes can be read; the caller closes it. */
export interface OpenObject {
  stat: ObjectStat
  /** @param last the last octet, included */
  stream(first: number, last: number): Readable
  readAll(): Promise<Uint8Array>
  close(): Promise<void>
}

/** Opens an object whose bytes were read with its row. */
export const openRow = (stat: ObjectStat, bytes: Uint8Array): OpenObject => ({
  stat,
  stream: (first, last) => Readable.from([Buffer.from(bytes.subarray(first, last + 1))]),
  readAll: async () => bytes,
  close: async () => {},
})

/** @returns undefined when the file does not exist */
export async function openFile(
  folder: string,
  stat: ObjectStat,
  file: string,
): Promise<OpenObject | undefined> {
  const handle = await openLarge(folder, file)
  if (!handle) return undefined
  return {
    stat,
    // The stream closes the file at its end.
    stream: (first, last) =>
      handle.createReadStream({ start: HEADER_BYTES + first, end: HEADER_BYTES + last }),
    async readAll() {
      const bytes = new Uint8Array(stat.size)
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, HEADER_BYTES)
      if (bytesRead !== bytes.length)
        throw new Error(`object ${stat.key} could not be read completely`)
      return bytes
    },
    close: () => handle.close(),
  }
}
