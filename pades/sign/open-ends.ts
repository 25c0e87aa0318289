/** Finds references into nothing that signing would fill (shadow attacks, and honest mistakes). */
import { PadesError } from '../errors.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { OBJECTS_TO_ADD } from '../pdf/inspect.ts'
import { mentions } from '../validate/compare-values.ts'
import { readObject } from '../validate/history.ts'

/**
 * Refuses a document whose objects lead to numbers that signing is going to use: what such a
 * reference shows would come with a signature, and spoil those before it. Reads every object.
 *
 * @throws PadesError `DEFIES_SIGNING`, `LIMIT_EXCEEDED`
 */
export function assertNoOpenEnds(document: PdfDocument): void {
  const { size } = document
  const isOpen = (number: number) => number >= size && number < size + OBJECTS_TO_ADD
  for (const { number, entry } of document.liveObjects()) {
    const { value } = readObject(document, number, entry)
    if (mentions(value, isOpen)) throw new PadesError('DEFIES_SIGNING')
  }
}
