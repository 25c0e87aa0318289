/**
 * The interface of a second PDF reader, in this library's terms (ISO 32000-2, 7.3, 7.7).
 */
import {
  type PdfArray,
  type PdfDictionary,
  type PdfReference,
  PdfStream,
  type PdfValue,
} from '../pdf/values.ts'

/**
 * A viewer finds each page by the counts of the page tree: quadratic time in a flat tree.
 * Up to so many pages a second reader does the same. Beyond, it lists the pages once, and the
 * comparison checks the counts instead.
 */
export const MAX_PAGES_BY_COUNT = 300

/** A stream as the second reader delimits it. */
export class SecondStream extends PdfStream {
  /** Number of encoded bytes. */
  readonly length: number

  constructor(dictionary: PdfDictionary, start: number, length: number) {
    super(dictionary, start)
    this.length = length
  }
}

/** A page as the second reader shows it. */
export interface SecondPage {
  readonly reference?: PdfReference
  readonly dictionary: PdfDictionary
  /** With what the page inherits. */
  readonly resources: PdfDictionary
  /** The annotations that the reader paints, with what it lets the page inherit. */
  readonly annotations: PdfArray
  /** The displayed part of the page, lower left corner first. */
  readonly view: readonly number[]
  /** Degrees clockwise. */
  readonly rotate: number
  /** Size of a unit in 1/72 inch. */
  readonly userUnit: number
}

/** The appearance that the reader makes for an annotation (12.5.5). */
export interface SecondAppearance {
  /** Lower left corner first, in units of default user space. */
  readonly rect: readonly number[]
  readonly bbox: readonly number[]
  readonly matrix: readonly number[]
  /** Without streams of its own. */
  readonly resources: PdfDictionary
  /** Content stream, one character per byte. */
  readonly content: string
}

/** A document that a second reader opened. */
export interface SecondReading {
  readonly pageCount: number
  readonly catalog: PdfDictionary
  /**
   * @param index from 0
   * @throws Error when the reader cannot find the page
   */
  page(index: number): Promise<SecondPage>
  /** @throws Error when the reader cannot read the object */
  object(reference: PdfReference): PdfValue
}

/** A second reader that also shows documents. */
export interface SecondViewer {
  /**
   * What the reader draws for an annotation: an appearance of the document (number of its object),
   * one that it makes, one that cannot be written down, or nothing because of the flags.
   *
   * @param index of the page, from 0
   * @param number of the annotation's object
   */
  readAppearance(
    index: number,
    number: number,
  ): Promise<SecondAppearance | { readonly fromDocument: number } | 'hidden' | 'unknown'>
}
