/** Whether all revisions of a document name one encryption (ISO 32000-2, 7.5.5, 7.5.6, 7.6.1). */
import type { CrossReferenceSection } from '../cross-reference.ts'
import {
  isArray,
  isDictionary,
  type PdfDictionary,
  PdfName,
  PdfReference,
  PdfString,
  type PdfValue,
} from '../values.ts'

/**
 * Whether every trailer that leads to a catalog names the same encryption and the same permanent
 * identifier, from which older keys are made. Readers that take either from another trailer would
 * read other strings and streams.
 *
 * @param sections newest first
 */
export function isOneEncryption(sections: readonly CrossReferenceSection[]): boolean {
  const [newest] = sections
  if (!newest) return false
  const encryption = newest.trailer.get('Encrypt')
  const id = permanentIdOf(newest.trailer)
  if (encryption === undefined) return false
  return sections.every(({ trailer, hidden }) => {
    const others = hidden ? [trailer, hidden.trailer] : [trailer]
    return others.every((other) => {
      const own = other.get('Encrypt')
      // The last section of a linearized file needs no entry but its size (annex F.3.11).
      if (own === undefined && !other.has('Root')) return true
      return isAlike(own, encryption) && isAlike(permanentIdOf(other), id)
    })
  })
}

function permanentIdOf(trailer: PdfDictionary): PdfValue | undefined {
  const id = trailer.get('ID')
  return isArray(id) ? id[0] : undefined
}

function isAlike(a: PdfValue | undefined, b: PdfValue | undefined): boolean {
  if (a instanceof PdfReference) {
    return b instanceof PdfReference && a.number === b.number && a.generation === b.generation
  }
  if (a instanceof PdfString) {
    return (
      b instanceof PdfString &&
      a.bytes.length === b.bytes.length &&
      a.bytes.every((byte, index) => byte === b.bytes[index])
    )
  }
  if (a instanceof PdfName) return b instanceof PdfName && a.value === b.value
  if (isDictionary(a)) {
    const isSame = ([key, value]: [string, PdfValue]) =>
      isAlike(value, (b as PdfDictionary).get(key))
    return isDictionary(b) && a.size === b.size && [...a].every(isSame)
  }
  return a === b
}
