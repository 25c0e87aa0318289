/** What the judges of colour spaces, functions and images share while they read one document. */
import type { Buffer } from 'node:buffer'
import { AmbiguousSyntax } from '../faults.ts'
import type { PdfDocument } from '../../pdf/document.ts'
import {
  MAX_FONT_BYTES_OF_DOCUMENT,
  MAX_IMAGE_BYTES_OF_DOCUMENT,
  MAX_INFLATED_BYTES,
} from '../../pdf/limits.ts'
import {
  isArray,
  isDictionary,
  type PdfDictionary,
  PdfReference,
  PdfStream,
  type PdfValue,
} from '../../pdf/values.ts'
import { decodeContent, type DecodingBudget } from '../content-filters.ts'
import type { Interval } from './amounts.ts'
import type { ColourSpace } from './colour-spaces.ts'
import type { FunctionShape } from './functions.ts'

/** State of the judgement of one document. */
export interface GraphicsContext {
  readonly document: PdfDocument
  /** Bytes to which tables, profiles and functions may still decode. */
  readonly budget: DecodingBudget
  /** Bytes to which samples of images may still decode. */
  readonly imageBudget: DecodingBudget
  /** Colour spaces by the number of their object; null for one that readers take differently. */
  readonly spaces: Map<number, ColourSpace | null>
  /** Functions by the number of their object; null for one that readers take differently. */
  readonly functions: Map<number, FunctionShape | null>
  /** Whether a font program is known, by the key that names it and the number of its object. */
  readonly fonts: Map<string, boolean>
  /** Bytes to which font programs may still decode. */
  readonly fontBudget: DecodingBudget
  /** Amounts of ICC profiles by the number of their object; null for a damaged one. */
  readonly profiles: Map<number, readonly Interval[] | null>
}

/** @param budget of the content streams, which is charged as well */
export function createGraphicsContext(
  document: PdfDocument,
  budget: DecodingBudget = { remainingBytes: MAX_INFLATED_BYTES },
): GraphicsContext {
  return {
    document,
    budget,
    imageBudget: { remainingBytes: MAX_IMAGE_BYTES_OF_DOCUMENT },
    spaces: new Map(),
    functions: new Map(),
    fonts: new Map(),
    fontBudget: { remainingBytes: MAX_FONT_BYTES_OF_DOCUMENT },
    profiles: new Map(),
  }
}

/**
 * Decodes a stream that is not an image.
 *
 * @returns undefined when readers may decode it differently
 * @throws PadesError `LIMIT_EXCEEDED`
 */
export function decodeTable(
  { document, budget }: GraphicsContext,
  stream: PdfStream,
): Buffer | undefined {
  try {
    const { data } = decodeContent(document, stream, budget.remainingBytes, true)
    budget.remainingBytes -= data.length
    return data
  } catch (error) {
    if (error instanceof AmbiguousSyntax) return undefined
    throw error
  }
}

/** The entries of a dictionary or of a stream. */
export function entriesOf(value: PdfValue): PdfDictionary | undefined {
  if (value instanceof PdfStream) return value.dictionary
  return isDictionary(value) ? value : undefined
}

/**
 * Reads an array of numbers.
 *
 * @returns undefined when it is not an array or holds something else
 */
export function readNumbers(
  { document }: GraphicsContext,
  value: PdfValue | undefined,
): readonly number[] | undefined {
  const array = document.resolve(value)
  if (!isArray(array)) return undefined
  const numbers = array.map((item) => document.resolve(item))
  return numbers.every((item) => typeof item === 'number') ? numbers : undefined
}

/**
 * Reads a value once for each object that holds it.
 *
 * @param known results by the number of the object
 * @param value the value or a reference to it
 */
export function readOnce<T>(
  known: Map<number, T | null>,
  value: PdfValue | undefined,
  read: () => T | undefined,
): T | undefined {
  const number = value instanceof PdfReference ? value.number : undefined
  const found = number === undefined ? undefined : known.get(number)
  if (found !== undefined) return found ?? undefined
  // A space that refers to itself is damaged.
  if (number !== undefined) known.set(number, null)
  const result = read()
  if (number !== undefined) known.set(number, result ?? null)
  return result
}
