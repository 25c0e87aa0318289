/** The data of a stream: as the file has them, decrypted, and through the filters (7.3.8, 7.4). */
import { Buffer } from 'node:buffer'

import { PadesError } from '../errors.ts'
import type { PdfDocument } from './document.ts'
import { decodeStream, type FilterStep } from './filters.ts'
import type { ReadingBudget } from './reading-budget.ts'
import { isArray, type PdfDictionary, type PdfStream } from './values.ts'

/** A stream's bytes as they are in the file, also where its `/Length` is wrong. */
export function encodedData(document: PdfDocument, stream: PdfStream): Buffer {
  const { bytes } = document
  const length = document.integer(stream.dictionary.get('Length'))
  if (length !== undefined && length >= 0 && stream.start + length <= bytes.length) {
    const end = stream.start + length
    const isThere = document.parseAt(end, (parser) => parser.takeKeyword('endstream'))
    if (isThere) return bytes.subarray(stream.start, end)
  }
  const found = bytes.indexOf('endstream', stream.start, 'latin1')
  const end = found === -1 ? bytes.length : found
  document.chargeBytes(end - stream.start)
  return bytes.subarray(stream.start, end)
}

/**
 * A stream's bytes as its filters take them.
 *
 * @throws PadesError `DAMAGED` - they cannot be decrypted
 */
export function decryptedData(document: PdfDocument, stream: PdfStream): Buffer {
  const encoded = encodedData(document, stream)
  const { encryptedFor } = stream
  if (!encryptedFor) return encoded
  const data = document.cipher?.decrypt('streams', encryptedFor, encoded)
  if (!data) throw new PadesError('DAMAGED')
  return Buffer.from(data.buffer, data.byteOffset, data.length)
}

/**
 * A stream's bytes through its filters.
 *
 * @throws PadesError `DAMAGED` - an unknown filter, or data that cannot be decoded
 * @throws PadesError `LIMIT_EXCEEDED` - more bytes than the budget has
 */
export function decodedData(
  document: PdfDocument,
  stream: PdfStream,
  budget: ReadingBudget,
): Buffer {
  const filters = filtersOf(document, stream.dictionary)
  const data = decodeStream(decryptedData(document, stream), filters, budget.inflatableBytes)
  if (filters.length > 0) budget.chargeInflated(data.length)
  return data
}

function filtersOf(document: PdfDocument, dictionary: PdfDictionary): FilterStep[] {
  const filter = document.resolve(dictionary.get('Filter') ?? dictionary.get('F'))
  const parameters = document.resolve(dictionary.get('DecodeParms') ?? dictionary.get('DP'))
  const names = isArray(filter) ? filter : [filter]
  const sets = isArray(parameters) ? parameters : [parameters]
  return names.flatMap((item, index) => {
    const name = document.name(item)
    if (name === undefined) return []
    const set = document.dictionary(sets[index])
    return [set ? { name, parameters: document.resolvedEntries(set) } : { name }]
  })
}
