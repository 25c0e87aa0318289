/**
 * Splits DER into its elements without reading them: asn1js reads every certificate of a container
 * at once, which takes most of the time of the second judge.
 */

import { Buffer } from 'node:buffer'

/** One element: identifier octet, the whole encoding, and its content. */
export interface Element {
  readonly tag: number
  readonly encoded: Uint8Array
  readonly content: Uint8Array
}

/** Elements at one level; a container of people has far fewer. */
const MAX_ELEMENTS = 1_000
const LONG_FORM = 0x80
const MAX_LENGTH_OCTETS = 4

/** The element at the beginning. @throws RangeError for other forms than definite lengths */
export function firstElement(octets: Uint8Array): Element {
  const [tag = 0, first = LONG_FORM] = octets
  const lengthOctets = first < LONG_FORM ? 0 : first - LONG_FORM
  if (first === LONG_FORM || lengthOctets > MAX_LENGTH_OCTETS) throw new RangeError('length')
  const start = 2 + lengthOctets
  const length =
    lengthOctets === 0 ? first : octets.subarray(2, start).reduce((sum, one) => sum * 256 + one, 0)
  const end = start + length
  if (end > octets.length || (tag & 0x1f) === 0x1f) throw new RangeError('element')
  return { tag, encoded: octets.subarray(0, end), content: octets.subarray(start, end) }
}

/** The elements that content consists of. @throws RangeError */
export function elementsOf(content: Uint8Array): Element[] {
  const elements: Element[] = []
  for (let rest = content; rest.length > 0;) {
    if (elements.length >= MAX_ELEMENTS) throw new RangeError('too many elements')
    const element = firstElement(rest)
    elements.push(element)
    rest = rest.subarray(element.encoded.length)
  }
  return elements
}

const SEQUENCE = 0x30

/** Puts encoded elements together to a SEQUENCE. */
export function sequenceOf(parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const octets = Buffer.alloc(2 + MAX_LENGTH_OCTETS + length)
  octets[0] = SEQUENCE
  octets[1] = LONG_FORM + MAX_LENGTH_OCTETS
  octets.writeUInt32BE(length, 2)
  let at = 2 + MAX_LENGTH_OCTETS
  for (const part of parts) {
    octets.set(part, at)
    at += part.length
  }
  return octets
}
