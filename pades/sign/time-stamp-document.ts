/** Appends a document time-stamp (ISO 32000-2, 12.8.5; ETSI EN 319 142-1, 5.4.3). */
import { closeWithContents, type Writing, writeSignedField } from './filled-field.ts'
import type { PlannedField } from './plan.ts'
import { timeStampDictionarySource } from './signature-dictionary.ts'

/** Room for a token with its authority's certificates; most have 2 to 6 KB. */
export const TIME_STAMP_BYTES = 4_096
/** Tokens of one authority differ by the lengths of serial number, nonce and signature. */
export const TIME_STAMP_SLACK_BYTES = 64

/**
 * Fills a field with a time-stamp over all of the file, in a revision of its own.
 *
 * @param timeStamp gives a token over a SHA-256 digest
 * @param reservedBytes octets that the token is expected to have
 * @returns octets of `/Contents`
 * @throws PadesError `HOLE_TOO_SMALL`, and what `timeStamp` throws
 */
export async function timeStampDocument(
  writing: Writing,
  planned: PlannedField,
  timeStamp: (digest: Uint8Array) => Promise<Uint8Array>,
  reservedBytes: number,
): Promise<Uint8Array> {
  let holeBytes = reservedBytes
  const { contents } = await closeWithContents(writing, {
    fieldName: planned.fieldName,
    dictionary: writeSignedField(writing, planned),
    hash: 'sha256',
    sourceOf: () => timeStampDictionarySource(holeBytes),
    async signContents(digest) {
      const token = await timeStamp(digest)
      holeBytes = token.length + TIME_STAMP_SLACK_BYTES
      return token
    },
  })
  return contents
}
