/**
 * Checks that a response comes from Cloud Storage: a proxy may respond instead, with status 200 and
 * an HTML page.
 */
import type { FileMetadata } from '@google-cloud/storage'
import type { ObjectStat } from '../../domain/ports/object-store.ts'

/** The response is not from Cloud Storage; a retry may reach it. */
export class GcsAnswerError extends Error {
  override readonly name = 'GcsAnswerError'
}

const isWholeNumber = (value: unknown) => /^\d+$/.test(String(value))

/**
 * Reads the metadata of one object from a listing or metadata response.
 *
 * @throws GcsAnswerError
 */
export function readStat(metadata: FileMetadata | undefined): ObjectStat {
  const { name, size, contentType = '', generation, updated } = metadata ?? {}
  const updatedAt = new Date(String(updated))
  const isObject = typeof name === 'string' && isWholeNumber(size) && isWholeNumber(generation)
  if (!isObject || Number.isNaN(updatedAt.getTime())) {
    throw new GcsAnswerError('the answer does not describe an object')
  }
  return { key: name, size: Number(size), contentType, generation: String(generation), updatedAt }
}

export interface Listing {
  objects: ObjectStat[]
  nextPageToken?: string
}

/**
 * Reads one page of a listing.
 *
 * @throws GcsAnswerError
 */
export function readListing(answer: unknown): Listing {
  if (typeof answer !== 'object' || answer === null) {
    throw new GcsAnswerError('the answer is not a listing')
  }
  const { items = [], nextPageToken } = answer as {
    items?: FileMetadata[]
    nextPageToken?: string
  }
  if (!Array.isArray(items)) throw new GcsAnswerError('the answer is not a listing')
  const objects = items.map(readStat)
  return nextPageToken === undefined ? { objects } : { objects, nextPageToken }
}

/**
 * Checks the response to a write.
 *
 * @returns the generation that was written
 * @throws GcsAnswerError unless it describes the written object
 */
export function checkWritten(answer: unknown, written: { name: string; crc32c: string }): string {
  const { name, crc32c, generation } = (answer ?? {}) as Record<string, unknown>
  const isSame = name === written.name && crc32c === written.crc32c
  if (!isSame || !isWholeNumber(generation)) {
    throw new GcsAnswerError('the answer does not describe the object that was written')
  }
  return String(generation)
}

/**
 * Checks the response to a deletion, which has no body.
 *
 * @throws GcsAnswerError
 */
export function checkDeleted([response]: readonly unknown[]): void {
  const { body } = (response ?? {}) as { body?: unknown }
  const isEmpty = body === undefined || body === null || body === ''
  if (!isEmpty) throw new GcsAnswerError('the answer does not confirm a deletion')
}
