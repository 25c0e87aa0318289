/** Checks that a second reader understands a document as this library does, unsigned and signed. */
import { PadesError } from '../errors.ts'
import { PdfDocument } from '../pdf/document.ts'
import { repairDocument } from '../pdf/repair.ts'
import { compareReadings } from './compare-readings.ts'
import type { SecondReading } from './second-reading.ts'

/** Opens a file with the second reader. @throws PadesError `READ_DIFFERENTLY` - it cannot */
export type OpenSecond = (bytes: Uint8Array) => Promise<SecondReading>

/**
 * Refuses a document that a second reader understands differently, as it was uploaded or as it is
 * after the foreseen signing.
 *
 * @param original neither copied nor changed
 * @param signed the same document with everything that signing appends
 * @param drawn numbers of the annotations to which signing gave an appearance
 * @throws PadesError `READ_DIFFERENTLY` - with a sentence that says where
 * @throws PadesError `DAMAGED`, `LIMIT_EXCEEDED` - as reading
 */
export async function checkReadings(
  original: Uint8Array,
  signed: Uint8Array,
  open: OpenSecond,
  drawn: readonly number[] = [],
): Promise<void> {
  const document = await readCompared(original, await open(original))
  await compareReadings(document, await open(signed), {
    isSigned: true,
    drawn: drawn.map((number) => document.referenceTo(number)),
  })
}

/** Like `readDocument`: a document with a wrong cross-reference is scanned and read again. */
async function readCompared(bytes: Uint8Array, second: SecondReading): Promise<PdfDocument> {
  const document = new PdfDocument(bytes)
  try {
    document.readSections()
    await compareReadings(document, second)
    return document
  } catch (error) {
    if (!(error instanceof PadesError) || error.code !== 'DAMAGED') throw error
  }
  const repaired = new PdfDocument(bytes)
  repairDocument(repaired)
  await compareReadings(repaired, second)
  return repaired
}
