/**
 * Reads the answers of an S3-compatible store, and checks that they come from it: a proxy may
 * answer instead, with status 200 and an HTML page.
 */
import type { ObjectStat } from '../../domain/ports/object-store.ts'
import type { HttpAnswer } from '../shared/exchange.ts'

/** The response is not from an object store; a retry may reach it. */
export class S3AnswerError extends Error {
  override readonly name = 'S3AnswerError'
}

export type S3Answer = HttpAnswer

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
}

const decodeText = (text: string) =>
  text.replace(/&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-f]{1,6});/gi, (entity) => {
    const [, hex, decimal] = /^&#(?:x([0-9a-f]+)|(\d+));$/i.exec(entity) ?? []
    if (hex === undefined && decimal === undefined) return ENTITIES[entity.toLowerCase()] ?? entity
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
  })

/** Returns the text of the first element of this name, which contains no other element. */
export function elementText(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return text === undefined ? undefined : decodeText(text)
}

/** Stores write entity tags with quotes in headers, and with or without them in listings. */
const generationOf = (etag: string | undefined) => etag?.replace(/^(?:W\/)?"|"$/g, '')

/**
 * Reads the metadata of one object from the headers of a response.
 *
 * @throws S3AnswerError
 */
export function readStat(key: string, { headers }: S3Answer): ObjectStat {
  const generation = generationOf(headers.etag)
  const size = headers['content-length']
  const updatedAt = new Date(headers['last-modified'] ?? '')
  if (!generation || !/^\d+$/.test(size ?? '') || Number.isNaN(updatedAt.getTime())) {
    throw new S3AnswerError('the answer does not describe an object')
  }
  return {
    key,
    size: Number(size),
    contentType: headers['content-type'] ?? '',
    generation,
    updatedAt,
  }
}

export interface Listing {
  objects: ObjectStat[]
  continuationToken?: string
}

function readEntry(xml: string): ObjectStat {
  const key = elementText(xml, 'Key')
  const generation = generationOf(elementText(xml, 'ETag'))
  const size = elementText(xml, 'Size') ?? ''
  const updatedAt = new Date(elementText(xml, 'LastModified') ?? '')
  const isObject = key && generation && /^\d+$/.test(size) && !Number.isNaN(updatedAt.getTime())
  if (!isObject) throw new S3AnswerError('the answer does not describe an object')
  // Listings have no content type.
  return { key, size: Number(size), contentType: '', generation, updatedAt }
}

/**
 * Reads one page of a listing (ListObjectsV2).
 *
 * @throws S3AnswerError
 */
export function readListing({ body }: S3Answer): Listing {
  const xml = body.toString('utf8').trim()
  const isWhole = /^(?:<\?xml[^>]*\?>\s*)?<ListBucketResult[\s>]/.test(xml)
  if (!isWhole || !xml.endsWith('</ListBucketResult>')) {
    throw new S3AnswerError('the answer is not a listing')
  }
  const entries = [...xml.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)]
  const objects = entries.map(([, entry = '']) => readEntry(entry))
  if (elementText(xml, 'IsTruncated') !== 'true') return { objects }
  const continuationToken = elementText(xml, 'NextContinuationToken')
  if (!continuationToken) throw new S3AnswerError('the next page of the listing is not named')
  return { objects, continuationToken }
}

/**
 * Checks the response to a write.
 *
 * @returns the generation that was written
 * @throws S3AnswerError unless it confirms the write
 */
export function checkWritten({ headers, body }: S3Answer): string {
  const generation = generationOf(headers.etag)
  if (!generation || body.toString().trim() !== '') {
    throw new S3AnswerError('the answer does not confirm a write')
  }
  return generation
}

/** @throws S3AnswerError unless the response confirms a deletion */
export function checkDeleted({ body }: S3Answer): void {
  if (body.length > 0) throw new S3AnswerError('the answer does not confirm a deletion')
}
