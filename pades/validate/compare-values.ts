/** Compares values of two states of a document (ISO 32000-2, 7.3). */

import { Buffer } from 'node:buffer'
import {
  isArray,
  isDictionary,
  PdfName,
  PdfReference,
  PdfStream,
  PdfString,
} from '../pdf/values.ts'
import type { PdfDictionary, PdfValue } from '../pdf/values.ts'

/** Whether two values are the same; references are the same when they name the same object. */
export function sameValue(a: PdfValue | undefined, b: PdfValue | undefined): boolean {
  if (a === b) return true
  if (a instanceof PdfReference) {
    return b instanceof PdfReference && a.number === b.number && a.generation === b.generation
  }
  if (a instanceof PdfName) return b instanceof PdfName && a.value === b.value
  if (a instanceof PdfString) {
    return b instanceof PdfString && Buffer.compare(a.bytes, b.bytes) === 0
  }
  if (isArray(a)) {
    return isArray(b) && a.length === b.length && a.every((item, i) => sameValue(item, b[i]))
  }
  if (isDictionary(a)) return isDictionary(b) && differingKeys(a, b).length === 0
  return false
}

/** Keys whose values differ or that only one of two dictionaries has. */
export function differingKeys(a: PdfDictionary, b: PdfDictionary): string[] {
  const keys = new Set([...a.keys(), ...b.keys()])
  return [...keys].filter((key) => !sameValue(a.get(key), b.get(key)))
}

/** Whether a value holds a reference to one of certain objects. */
export function mentions(value: PdfValue, isMeant: (number: number) => boolean): boolean {
  if (value === null || typeof value !== 'object') return false
  if (value instanceof PdfReference) return isMeant(value.number)
  if (value instanceof PdfStream) return mentions(value.dictionary, isMeant)
  if (!isArray(value) && !isDictionary(value)) return false
  for (const item of value.values()) if (mentions(item, isMeant)) return true
  return false
}

/** Calls back for every reference within a value, with the keys that lead to it. */
export function forEachReference(
  value: PdfValue,
  visit: (reference: PdfReference, path: string) => void,
  path = '',
): void {
  if (value instanceof PdfReference) {
    visit(value, path)
  } else if (value instanceof PdfStream) {
    forEachReference(value.dictionary, visit, path)
  } else if (isArray(value)) {
    for (const item of value) forEachReference(item, visit, path)
  } else if (isDictionary(value)) {
    for (const [key, entry] of value) forEachReference(entry, visit, path ? `${path}.${key}` : key)
  }
}
