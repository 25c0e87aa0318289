/** Reads one object in one request: its verified octets and its metadata. */
import { Buffer } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { File } from '@google-cloud/storage'
import type { StoredObject } from '../../domain/ports/object-store.ts'
import { crc32cBase64 } from '../crc32c.ts'
import { GcsChecksumError } from './attempts.ts'

interface Limits {
  maximumBytes: number
  limitMs: number
}

interface Body {
  bytes: Uint8Array
  headers: IncomingHttpHeaders
}

/** Reads `crc32c=…,md5=…` from one header or several. */
function checksumOf(headers: IncomingHttpHeaders): string | undefined {
  const parts = String(headers['x-goog-hash'] ?? '').split(',')
  return parts.map((part) => /^\s*crc32c=(.+)$/.exec(part)?.[1]).find((value) => value)
}

async function collect(stream: Readable, maximumBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > maximumBytes) throw new RangeError('the object is too long to read')
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks, size))
}

async function readBody(file: File, { maximumBytes, limitMs }: Limits): Promise<Body> {
  const stream = file.createReadStream({ validation: false, decompress: false })
  let headers: IncomingHttpHeaders | undefined
  let isOver = false
  const end = () => void stream.destroy()
  stream.on('response', (response: { headers: IncomingHttpHeaders }) => {
    headers = response.headers
    if (isOver) setImmediate(end)
  })
  const { promise: limit, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`not read in ${limitMs} ms`)), limitMs)
  try {
    const bytes = await Promise.race([collect(stream, maximumBytes), limit])
    return { bytes, headers: headers ?? {} }
  } finally {
    clearTimeout(timer)
    isOver = true
    // When a response comes, the client pipes it and throws if the stream is already destroyed:
    // nothing could catch that, and the process would end.
    if (headers) end()
  }
}

/**
 * @throws RangeError when the object is longer than `maximumBytes`
 * @throws GcsChecksumError when the octets do not match the checksum; a retry may help
 */
export async function readObject(file: File, limits: Limits): Promise<StoredObject> {
  const { bytes, headers } = await readBody(file, limits)
  if (checksumOf(headers) !== crc32cBase64(bytes)) {
    throw new GcsChecksumError('the octets do not match the checksum of the object')
  }
  return {
    key: file.name,
    size: bytes.length,
    contentType: headers['content-type'] ?? '',
    generation: String(headers['x-goog-generation']),
    updatedAt: new Date(headers['last-modified'] ?? 0),
    bytes,
  }
}
