/** Judges the streams that draw: pages, forms, patterns (ISO 32000-2, 7.8, 8.7.3, 8.10). */
import { Buffer } from 'node:buffer'
import type { PdfDocument } from '../pdf/document.ts'
import { MAX_INFLATED_BYTES } from '../pdf/limits.ts'
import { readPages } from '../pdf/page-tree.ts'
import { isArray, PdfReference, PdfStream, type PdfValue } from '../pdf/values.ts'
import { decodeContent } from './content-filters.ts'
import { findContentFault } from './content.ts'
import { AmbiguousSyntax, type Fault, type FaultCode } from './faults.ts'
import type { DecodingBudget } from './inline-image.ts'
import type { SyntaxJudge } from './judge.ts'

const TILING = 1
const LINE_FEED = Buffer.from('\n')

/**
 * Judges everything drawn that a document shows.
 *
 * @param judge that has judged the document
 * @returns the first fault; undefined when every reader draws the same
 * @throws PadesError `LIMIT_EXCEEDED`
 */
export function findDrawnFault(document: PdfDocument, judge: SyntaxJudge): Fault | undefined {
  const budget: DecodingBudget = { remainingBytes: MAX_INFLATED_BYTES }
  for (const { number } of judge.judged) {
    const entry = document.entryOf(number)
    const generation = entry?.kind === 'plain' ? entry.generation : 0
    const value = document.get(new PdfReference(number, generation))
    if (!(value instanceof PdfStream)) continue
    const code = drawingFault(document, value, budget)
    if (code) return { code, object: number, offset: value.start }
  }
  for (const { reference, dictionary } of readPages(document)) {
    const code = contentFault(document, dictionary.get('Contents'), budget)
    if (code) return { code, object: reference?.number ?? 0, offset: 0 }
  }
  return undefined
}

/** Forms and tiling patterns. */
function drawingFault(
  document: PdfDocument,
  stream: PdfStream,
  budget: DecodingBudget,
): FaultCode | undefined {
  const { dictionary } = stream
  const isForm = document.name(dictionary.get('Subtype')) === 'Form'
  const isPattern = document.integer(dictionary.get('PatternType')) === TILING
  return isForm || isPattern ? contentFault(document, stream, budget) : undefined
}

function contentFault(
  document: PdfDocument,
  contents: PdfValue | undefined,
  budget: DecodingBudget,
): FaultCode | undefined {
  const resolved = document.resolve(contents)
  const parts = isArray(resolved) ? resolved.map((part) => document.resolve(part)) : [resolved]
  const streams = parts.filter((part) => part instanceof PdfStream)
  try {
    const data = streams.map((stream) => {
      const decoded = decodeContent(document, stream, budget.remainingBytes, streams.length === 1)
      budget.remainingBytes -= decoded.length
      return decoded
    })
    // Readers take the end of one part for white space (7.8.2).
    let end = -LINE_FEED.length
    const ends = data.map(({ length }) => (end += length + LINE_FEED.length))
    return findContentFault(Buffer.concat(data.flatMap((part) => [part, LINE_FEED])), ends)
  } catch (error) {
    if (error instanceof AmbiguousSyntax) return error.code
    throw error
  }
}
