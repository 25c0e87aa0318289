/** Writes one object in one request: its metadata and its octets, which the store verifies. */
import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import type { File } from '@google-cloud/storage'
import { crc32cBase64 } from '../shared/crc32c.ts'
import { checkWritten } from './answers.ts'

/** Metadata by which a writer recognises its own write. */
export const WRITE_ID = 'sigcase-write'

export interface ObjectWrite {
  bytes: Uint8Array
  contentType: string
  /** Generation to replace; `0` for none. */
  generation: string
  writeId: string
}

/** RFC 2387. The client's own upload uses streams that log warnings about listeners. */
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
 * @returns its generation
 * @throws the client's error; status 412 when the object has another generation
 * @throws GcsAnswerError when the response does not confirm the write, which may have happened
 */
export async function writeObject(file: File, write: ObjectWrite): Promise<string> {
  const boundary = randomUUID()
  const { contentType, bytes, generation, writeId } = write
  const metadata = {
    name: file.name,
    contentType,
    crc32c: crc32cBase64(bytes),
    metadata: { [WRITE_ID]: writeId },
  }
  const { apiEndpoint } = file.storage
  const answer: unknown = await file.request({
    method: 'POST',
    uri: `${apiEndpoint}/upload/storage/v1/b/${file.bucket.name}/o`,
    qs: { uploadType: 'multipart', ifGenerationMatch: generation },
    headers: { 'Content-Type': `multipart/related; boundary=${boundary}` },
    body: encodeMultipart(metadata, write, boundary),
  })
  return checkWritten(Array.isArray(answer) ? answer[0] : answer, metadata)
}
