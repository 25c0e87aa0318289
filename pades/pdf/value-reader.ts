/** Values that are given directly or by reference (ISO 32000-2, 7.3.10). */
import { MAX_REFERENCE_HOPS } from './limits.ts'
import {
  isArray,
  isDictionary,
  isInteger,
  nameOf,
  type PdfArray,
  type PdfDictionary,
  PdfReference,
  PdfStream,
  type PdfValue,
} from './values.ts'

/** Reads values of each kind through references; subclasses read the objects. */
export abstract class ValueReader {
  /** The value of an indirect object; null when it is free or missing. */
  abstract get(reference: PdfReference): PdfValue

  /** Follows references until there is a value. */
  resolve(value: PdfValue | undefined): PdfValue {
    let current = value ?? null
    for (let hops = 0; current instanceof PdfReference; hops += 1) {
      if (hops >= MAX_REFERENCE_HOPS) return null
      current = this.get(current)
    }
    return current
  }

  /** The dictionary (also of a stream) that the value is or refers to. */
  dictionary(value: PdfValue | undefined): PdfDictionary | undefined {
    const resolved = this.resolve(value)
    if (resolved instanceof PdfStream) return resolved.dictionary
    return isDictionary(resolved) ? resolved : undefined
  }

  /** The array that the value is or refers to. */
  array(value: PdfValue | undefined): PdfArray | undefined {
    const resolved = this.resolve(value)
    return isArray(resolved) ? resolved : undefined
  }

  /** The text of the name that the value is or refers to, without its solidus. */
  name(value: PdfValue | undefined): string | undefined {
    return nameOf(this.resolve(value))
  }

  /** The whole number that the value is or refers to. */
  integer(value: PdfValue | undefined): number | undefined {
    const resolved = this.resolve(value)
    return isInteger(resolved) ? resolved : undefined
  }

  /** A copy of a dictionary without references in its values. */
  resolvedEntries(dictionary: PdfDictionary): PdfDictionary {
    return new Map([...dictionary].map(([key, value]) => [key, this.resolve(value)]))
  }
}
