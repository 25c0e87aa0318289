/** Reads one object in one request: its verified octets and its metadata. */
import type { StoredObject } from '../../domain/ports/object-store.ts'
import { crc32cBase64 } from '../shared/crc32c.ts'
import { GcsChecksumError } from './attempts.ts'
import { objectPath, sendToBucket, type BucketPlace } from './requests.ts'

/** The object to read, and the credentials to read it with. */
export interface ObjectSource extends BucketPlace {
  key: string
}

interface Limits {
  maximumBytes: number
  limitMs: number
}

/** Reads `crc32c=…,md5=…` from one header or several. */
function checksumOf(headers: ReadonlyMap<string, string>): string | undefined {
  const parts = (headers.get('x-goog-hash') ?? '').split(',')
  return parts.map((part) => /^\s*crc32c=(.+)$/.exec(part)?.[1]).find((value) => value)
}

/**
 * @throws RangeError when the object is longer than `maximumBytes`
 * @throws GcsChecksumError when the octets do not match the checksum; a retry may help
 * @throws Error with the status of the response when it is not a success
 */
export async function readObject(source: ObjectSource, limits: Limits): Promise<StoredObject> {
  const { bytes, headers } = await sendToBucket(source, {
    method: 'GET',
    path: objectPath(source.key),
    query: { alt: 'media' },
    // The checksum is that of the stored octets, so neither side may decompress them.
    headers: { 'accept-encoding': 'gzip' },
    ...limits,
  })
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
