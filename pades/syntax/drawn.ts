/** Judges the streams that draw: pages, forms, patterns (ISO 32000-2, 7.8, 8.7.3, 8.10). */
import { Buffer } from 'node:buffer'
import { inflateSync } from 'node:zlib'
import { PadesError } from '../errors.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { MAX_INFLATED_BYTES } from '../pdf/limits.ts'
import { readPages } from '../pdf/page-tree.ts'
import { isArray, PdfStream, type PdfValue } from '../pdf/values.ts'
import { findContentFault } from './content.ts'
import type { Fault, FaultCode } from './faults.ts'
import type { SyntaxJudge } from './judge.ts'

const TILING = 1

/**
 * Judges everything drawn that a document shows.
 *
 * @param judge that has judged the document
 * @returns the first fault; undefined when every reader draws the same
 * @throws PadesError `LIMIT_EXCEEDED`
 */
export function findDrawnFault(document: PdfDocument, judge: SyntaxJudge): Fault | undefined {
  for (const { number } of judge.judged) {
    const value = document.get(document.referenceTo(number))
    if (!(value instanceof PdfStream)) continue
    const code = drawingFault(document, value)
    if (code) return { code, object: number, offset: value.start }
  }
  for (const { reference, dictionary } of readPages(document)) {
    const code = contentFault(document, dictionary.get('Contents'))
    if (code) return { code, object: reference?.number ?? 0, offset: 0 }
  }
  return undefined
}

/** Forms and tiling patterns. */
function drawingFault(document: PdfDocument, stream: PdfStream): FaultCode | undefined {
  const { dictionary } = stream
  const isForm = document.name(dictionary.get('Subtype')) === 'Form'
  const isPattern = document.integer(dictionary.get('PatternType')) === TILING
  return isForm || isPattern ? contentFault(document, stream) : undefined
}

function contentFault(
  document: PdfDocument,
  contents: PdfValue | undefined,
): FaultCode | undefined {
  const resolved = document.resolve(contents)
  const parts = isArray(resolved) ? resolved.map((part) => document.resolve(part)) : [resolved]
  const streams = parts.filter((part) => part instanceof PdfStream)
  if (streams.some((stream) => isDamaged(document, stream))) return 'STREAM_DATA_DAMAGED'
  try {
    // Readers take the end of one part for white space (7.8.2).
    const data = streams.flatMap((stream) => [document.decode(stream), Buffer.from('\n')])
    return findContentFault(Buffer.concat(data))
  } catch (error) {
    // Other filters are left to the readers: those that decode them agree.
    if (error instanceof PadesError && error.code === 'DAMAGED') return undefined
    throw error
  }
}

/** Readers show what they make of deflated data that is cut off or has a wrong checksum. */
function isDamaged(document: PdfDocument, stream: PdfStream): boolean {
  const filter = document.resolve(stream.dictionary.get('Filter'))
  if (document.name(isArray(filter) ? filter[0] : filter) !== 'FlateDecode') return false
  try {
    inflateSync(document.encoded(stream), { maxOutputLength: MAX_INFLATED_BYTES })
    return false
  } catch (error) {
    return (error as { code?: string }).code !== 'ERR_BUFFER_TOO_LARGE'
  }
}
