/** Entries of the dictionary of a stream that say where its data end and how they are decoded. */
import type { Buffer } from 'node:buffer'
import type { PdfDocument } from '../pdf/document.ts'
import {
  isArray,
  isDictionary,
  type PdfDictionary,
  PdfReference,
  type PdfValue,
} from '../pdf/values.ts'
import type { VisitEntry } from './scanner.ts'

/** Tables 5 and 91: entries of streams in files, and abbreviations of inline images. */
const AMBIGUOUS_KEYS: ReadonlySet<string> = new Set(['F', 'DP', 'FFilter', 'FDecodeParms'])
const READ_KEYS: ReadonlySet<string> = new Set(['Length', 'Filter', 'DecodeParms', 'Type'])
/** Among the names of filters. */
const NULL_FILTER = /(?:^|[\0\t\n\f\r [])null(?![^\0\t\n\f\r ()<>[\]{}/%])/
/** As the value of a key; an array of parameters may have `null` for a filter without any. */
const NULL_PARAMETER =
  /^null$|\/[^\0\t\n\f\r ()<>[\]{}/%]+[\0\t\n\f\r ]+null(?![^\0\t\n\f\r ()<>[\]{}/%])/
const COMMENT = /%[^\r\n]*/g
const REFERENCE = /\d[\0\t\n\f\r ]+R(?![^\0\t\n\f\r ()<>[\]{}/%])/

/** What the entries of a dictionary say of the stream that may follow. */
export class StreamEntries {
  readonly #bytes: Buffer
  /** Sources of values; empty without the entry. */
  length = ''
  filter = ''
  type = ''
  #parameters = ''
  /** Whether an entry is another one to some readers. */
  isAmbiguous = false

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  readonly visit: VisitEntry = (key, _keyStart, valueStart, valueEnd) => {
    if (AMBIGUOUS_KEYS.has(key)) this.isAmbiguous = true
    if (!READ_KEYS.has(key)) return
    const source = this.#bytes.toString('latin1', valueStart, valueEnd)
    if (key === 'Length') this.length = source
    else if (key === 'Filter') this.filter = source
    else if (key === 'DecodeParms') this.#parameters = source
    else this.type = source
  }

  /** Whether a filter or one of its parameters is `null`. */
  get hasNullFilter(): boolean {
    // A percent sign begins a comment or is in a string.
    const sources = [this.#parameters, this.#parameters.replace(COMMENT, '')]
    return NULL_FILTER.test(this.filter) || sources.some((source) => NULL_PARAMETER.test(source))
  }

  /** Whether {@link hasOddFilter} has to look at the values. */
  get hasUnusualFilter(): boolean {
    const sources = [this.filter, this.#parameters]
    return (
      sources.some((source) => REFERENCE.test(source)) ||
      (this.filter.startsWith('[') && this.#parameters.startsWith('<'))
    )
  }
}

/**
 * Whether a filter or a parameter is a reference to nothing, or parameters are not in an array as
 * their filters are (ISO 32000-2, table 5): Ghostscript shows nothing of such a stream. Also true
 * for more parts than any decoder takes, which would take too long to look at.
 *
 * @param dictionary of the stream
 */
export function hasOddFilter(document: PdfDocument, dictionary: PdfDictionary): boolean {
  const filter = dictionary.get('Filter')
  const parameters = dictionary.get('DecodeParms')
  const isArrayAlone =
    isArray(document.resolve(filter)) && isDictionary(document.resolve(parameters))
  return isArrayAlone || leadsToNothing(document, filter) || leadsToNothing(document, parameters)
}

/** Filters, parameters and their values together; no decoder takes a quarter of it. */
const MAX_PARTS = 100

/** Whether a reference to nothing is in the value, or more than can be looked at. */
function leadsToNothing(document: PdfDocument, value: PdfValue | undefined): boolean {
  const open = [value]
  let left = MAX_PARTS
  while (open.length > 0) {
    const part = open.pop()
    const resolved = document.resolve(part)
    if (resolved === null && part instanceof PdfReference) return true
    const parts = isDictionary(resolved) ? [...resolved.values()] : resolved
    if (!isArray(parts)) continue
    left -= parts.length
    if (left < 0) return true
    open.push(...parts)
  }
  return false
}
