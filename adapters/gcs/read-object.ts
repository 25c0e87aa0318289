/** Reads one object in one request: its verified octets and its metadata. */
import { Buffer } from 'node:buffer'
import type { Readable } from 'node:stream'
import type { GoogleAuth } from 'google-auth-library'
import type { StoredObject } from '../../domain/ports/object-store.ts'
import { crc32cBase64 } from '../shared/crc32c.ts'
import { withDeadline } from '../shared/in-time.ts'
import { GcsChecksumError, readRefusal } from './attempts.ts'

/** The object to read, and the credentials to read it with. */
export interface ObjectSource {
  auth: GoogleAuth
  /** Without a trailing slash. */
  endpoint: string
  bucket: string
  key: string
}

const SUCCESS = 200

interface Limits {
  maximumBytes: number
  limitMs: number
}

interface Body {
  bytes: Buffer
  status: number
  headers: Headers
}

/** Reads `crc32c=…,md5=…` from one header or several. */
function checksumOf(headers: Headers): string | undefined {
  const parts = (headers.get('x-goog-hash') ?? '').split(',')
  return parts.map((part) => /^\s*crc32c=(.+)$/.exec(part)?.[1]).find((value) => value)
}

async function collect(stream: Readable, maximumBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > maximumBytes) throw new RangeError('the object is too long to read')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

/**
 * Sends the request without the streams of Google's storage client. They connect so many pipelines
 * to one stream that Deno logs a warning about listeners for each object.
 */
async function readBody(source: ObjectSource, limits: Limits): Promise<Body> {
  return withDeadline(limits.limitMs, (signal) => readUntil(signal, source, limits))
}

async function readUntil(
  signal: AbortSignal,
  { auth, endpoint, bucket, key }: ObjectSource,
  { maximumBytes, limitMs }: Limits,
): Promise<Body> {
  const options = {
    url: `${endpoint}/storage/v1/b/${bucket}/o/${encodeURIComponent(key)}`,
    params: { alt: 'media' },
    responseType: 'stream' as const,
    // The checksum is that of the stored octets, so neither side may decompress them.
    headers: { 'Accept-Encoding': 'gzip' },
    compress: false,
    retry: false,
    validateStatus: () => true,
    signal,
  }
  try {
    const { data, status, headers } = await auth.request<Readable>(options)
    return { bytes: await collect(data, maximumBytes), status, headers }
  } catch (error) {
    if (signal.aborted) throw new Error(`not read in ${limitMs} ms`, { cause: error })
    throw error
  }
}

/**
 * @throws RangeError when the object is longer than `maximumBytes`
 * @throws GcsChecksumError when the octets do not match the checksum; a retry may help
 * @throws Error with the status of the response when it is not a success
 */
export async function readObject(source: ObjectSource, limits: Limits): Promise<StoredObject> {
  const { bytes, status, headers } = await readBody(source, limits)
  if (status !== SUCCESS) throw readRefusal(status, headers, bytes.toString())
  if (checksumOf(headers) !== crc32cBase64(bytes)) {
    throw new GcsChecksumError('the octets do not match the checksum of the object')
  }
  return {
    key: source.key,
    size: bytes.length,
    contentType: headers.get('content-type') ?? '',
    generation: String(headers.get('x-goog-generation')),
    updatedAt: new Date(headers.get('last-modified') ?? 0),
    bytes: new Uint8Array(bytes),
  }
}
