/** Cross-reference streams (ISO 32000-2, 7.5.8): rows of three numbers, each so many bytes wide. */
import type { Buffer } from 'node:buffer'
import { PadesError } from '../errors.ts'
import { FREE, type CrossReferenceEntry, type Subsection } from './cross-reference.ts'
import { isArray, isInteger, type PdfDictionary, type PdfValue } from './values.ts'

/**
 * Reads the subsections of a cross-reference stream.
 *
 * @param dictionary of the stream, values resolved
 * @param data decoded
 * @throws PadesError `DAMAGED` - widths or index are not right
 */
export function readStreamSubsections(dictionary: PdfDictionary, data: Buffer): Subsection[] {
  const widths = integers(dictionary.get('W'))
  if (widths?.length !== 3 || widths.some((width) => width > 8)) throw new PadesError('DAMAGED')
  const entryBytes = widths[0] + widths[1] + widths[2]
  if (entryBytes === 0) throw new PadesError('DAMAGED')
  const size = dictionary.get('Size')
  const index = integers(dictionary.get('Index')) ?? [0, isInteger(size) ? size : 0]
  const subsections: Subsection[] = []
  let start = 0
  for (let pair = 0; pair + 1 < index.length; pair += 2) {
    const from = start
    // The index can name more entries than the stream has; the entries of the stream count.
    const count = Math.min(index[pair + 1], Math.floor((data.length - from) / entryBytes))
    if (count <= 0) continue
    start += count * entryBytes
    subsections.push({
      first: index[pair],
      count,
      entryAt: (position) => entryOfStream(data, from + position * entryBytes, widths),
    })
  }
  return subsections
}

function integers(value: PdfValue | undefined): number[] | undefined {
  if (!isArray(value)) return undefined
  return value.map((item) => {
    if (!isInteger(item) || item < 0) throw new PadesError('DAMAGED')
    return item
  })
}

function entryOfStream(data: Buffer, at: number, widths: readonly number[]): CrossReferenceEntry {
  const [typeBytes, secondBytes, thirdBytes] = widths
  const type = typeBytes === 0 ? 1 : bigEndian(data, at, typeBytes)
  const second = bigEndian(data, at + typeBytes, secondBytes)
  const third = bigEndian(data, at + typeBytes + secondBytes, thirdBytes)
  if (type === 1) return second === 0 ? FREE : { kind: 'plain', offset: second, generation: third }
  if (type === 2) return { kind: 'compressed', container: second, index: third }
  // Other types are references to the null object (7.5.8.3).
  return FREE
}

function bigEndian(data: Buffer, at: number, width: number): number {
  let value = 0
  for (let index = at; index < at + width; index += 1) value = value * 256 + data[index]
  return value
}
