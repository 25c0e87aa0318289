/** Stores the bytes of an object before its key has them. */
import { randomUUID } from 'node:crypto'
import type { Parts } from '../data-directory.ts'
import { nameFullDisk } from '../full-disk.ts'
import { fileNameOf, writeLarge } from './large-files.ts'
import type { NewObject } from './transactions.ts'

/** The content of an object that no key has yet. */
export type ReceivedObject = Omit<NewObject, 'key'>

/**
 * Keeps small objects in memory, and writes large ones durably to a file.
 *
 * @throws ServiceError TIMEOUT when the disk is full
 */
export async function receiveObject(
  folder: string,
  parts: Parts,
  { contentType, maximumRowBytes }: { contentType: string; maximumRowBytes: number },
): Promise<ReceivedObject> {
  const updatedMs = Date.now()
  const generation = randomUUID()
  const described = { contentType, generation, updatedMs }
  const begun: Uint8Array[] = []
  let size = 0
  const rest = iterate(parts)
  for (let part = await rest.next(); !part.done; part = await rest.next()) {
    begun.push(part.value)
    size += part.value.length
    if (size <= maximumRowBytes) continue
    const file = fileNameOf(generation, updatedMs)
    const header = { contentType, generation }
    const fileBytes = await writeLarge(folder, file, header, joined(begun, rest)).catch(refuse)
    return { ...described, size: fileBytes, bytes: null, file }
  }
  // A copy, because its buffer is moved to the thread that writes.
  return { ...described, size, bytes: copyOf(begun, size), file: null }
}

function refuse(error: unknown): never {
  throw nameFullDisk(error)
}

async function* iterate(parts: Parts): AsyncGenerator<Uint8Array> {
  yield* parts
}

async function* joined(
  begun: readonly Uint8Array[],
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* begun
  yield* rest
}

function copyOf(parts: readonly Uint8Array[], size: number): Uint8Array {
  const copy = new Uint8Array(size)
  let offset = 0
  for (const part of parts) {
    copy.set(part, offset)
    offset += part.length
  }
  return copy
}
