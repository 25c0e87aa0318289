/** Writes one object in one request: its metadata and its octets, which the store verifies. */
import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { crc32cBase64 } from '../shared/crc32c.ts'
import { checkWritten } from './answers.ts'
import { parseAnswer, sendToBucket, type BucketPlace } from './requests.ts'

/** Metadata by which a writer recognises its own write. */
export const WRITE_ID = 'sigcase-write'

export interface ObjectWrite {
  key: string
  bytes: Uint8Array
  contentType: string
  /** Generation to replace; `0` for none. */
  generation: string
  writeId: string
}

/** RFC 2387. */
function encodeMultipart(metadata: object, { bytes, contentType }: ObjectWrite, boundary: string) {
  const head = [
    `--${boundary}`,
    'Content-Type: application/json; charset=UTF-8',
    '',
    JSON.stringify(metadata),
    `--${boundary}`,
    `Content-Type: ${contentType}`,
    '',
    '',
  ]
  return Buffer.concat([Buffer.from(head.join('\r\n')), bytes, Buffer.from(`\r\n--${boundary}--`)])
}

/**
 * Writes the object once.
 *
 * @param limitMs of the request with its response
 * @returns its generation
 * @throws Error with the status of the response; 412 when the object has another generation
 * @throws GcsAnswerError when the response does not confirm the write, which may have happened
 */
export async function writeObject(
  place: BucketPlace,
  write: ObjectWrite,
  limitMs: number,
): Promise<string> {
  const boundary = randomUUID()
  const { key: name, contentType, bytes, generation, writeId } = write
  const metadata = {
    name,
    contentType,
    crc32c: crc32cBase64(bytes),
    metadata: { [WRITE_ID]: writeId },
  }
  const answer = await sendToBucket(place, {
    method: 'POST',
    path: '/o',
    isUpload: true,
    query: { uploadType: 'multipart', ifGenerationMatch: generation },
    headers: { 'content-type': `multipart/related; boundary=${boundary}` },
    body: encodeMultipart(metadata, write, boundary),
    limitMs,
  })
  return checkWritten(parseAnswer(answer), metadata)
}
