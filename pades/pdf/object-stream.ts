/** Objects packed into a stream (ISO 32000-2, 7.5.7). */
import type { Buffer } from 'node:buffer'

import { PadesError } from '../errors.ts'
import { MAX_OBJECTS } from './limits.ts'
import { Parser } from './parser.ts'
import { isInteger, type PdfDictionary } from './values.ts'

/** A decoded object stream. */
export interface ObjectStream {
  readonly data: Buffer
  /** Entries `N` and `First`. */
  readonly count: number
  readonly first: number
  /** Numbers of the objects in the order of the stream. */
  readonly numbers: readonly number[]
  /** The position of an object's value in `data`; `index` is tried first. */
  find(number: number, index: number): number | undefined
}

/**
 * Reads the table of contents of an object stream.
 *
 * @param dictionary of the stream, values resolved
 * @param data decoded
 * @throws PadesError `DAMAGED` - the dictionary is not that of an object stream
 */
export function readObjectStream(dictionary: PdfDictionary, data: Buffer): ObjectStream {
  const count = dictionary.get('N')
  const first = dictionary.get('First')
  const isRight = isInteger(count) && isInteger(first) && count >= 0 && first >= 0
  if (!isRight) throw new PadesError('DAMAGED')
  if (count > MAX_OBJECTS) throw new PadesError('TOO_MANY_OBJECTS')
  const parser = new Parser(data, 0, Math.min(first, data.length), 0)
  const numbers: number[] = []
  const positions: number[] = []
  for (let index = 0; index < count; index += 1) {
    const number = parser.takeInteger()
    const offset = number === undefined ? undefined : parser.takeInteger()
    if (number === undefined || offset === undefined) break
    numbers.push(number)
    positions.push(first + offset)
  }
  let byNumber: Map<number, number> | undefined
  return {
    data,
    count,
    first,
    numbers,
    find(number, index) {
      if (numbers[index] === number) return positions[index]
      byNumber ??= new Map(numbers.map((own, position) => [own, positions[position]]))
      return byNumber.get(number)
    },
  }
}
