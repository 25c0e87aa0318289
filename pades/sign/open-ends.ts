/** Finds references into nothing that signing would fill (shadow attacks, and honest mistakes). */
import { PadesError } from '../errors.ts'
import type { LiveObject, PdfDocument } from '../pdf/document.ts'
import { mentions } from '../validate/compare-values.ts'
import { readObject } from '../validate/history.ts'

/** Fonts, certificates, revocation data. */
const OBJECTS_OF_A_DOCUMENT = 300
/**
 * Four for each of fifty places - a field, its appearance, its signature dictionary and the
 * cross-reference stream of its revision - and what comes beside.
 */
const OBJECTS_OF_A_SIGNER = 220

/** None where the cross-reference is wrong: a signing does not repair a file for that either. */
function liveObjects(document: PdfDocument): readonly LiveObject[] {
  try {
    return document.liveObjects()
  } catch (error) {
    if (error instanceof PadesError && error.code === 'DAMAGED') return []
    throw error
  }
}

/**
 * Refuses a document whose objects lead to numbers that signing may use: what such a reference
 * shows would come with a signature, and spoil those before it. Reads every object. What the
 * trailer names, signing leaves out.
 *
 * @throws PadesError `DEFIES_SIGNING`, `LIMIT_EXCEEDED`
 */
export function assertNoOpenEnds(document: PdfDocument, signers: number): void {
  const { size } = document
  const end = size + OBJECTS_OF_A_DOCUMENT + signers * OBJECTS_OF_A_SIGNER
  const isOpen = (number: number) => number >= size && number < end
  for (const { number, entry } of liveObjects(document)) {
    const { value } = readObject(document, number, entry)
    if (mentions(value, isOpen)) throw new PadesError('DEFIES_SIGNING')
  }
}
