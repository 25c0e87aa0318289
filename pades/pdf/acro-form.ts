/** The fields of the interactive form (ISO 32000-2, 12.7.3 and 12.7.4). */
import { Buffer } from 'node:buffer'

import type { PdfDocument } from './document.ts'
import { PadesError } from '../errors.ts'
import { MAX_DEPTH, MAX_FIELD_NAME_CHARACTERS, MAX_FIELDS } from './limits.ts'
import { nameOf, type PdfDictionary, PdfReference, PdfString, type PdfValue } from './values.ts'

/** A terminal field: one that holds a value. */
export interface FormField {
  /** Fully qualified: partial names joined by full stops. */
  readonly name: string
  /** Absent for a field written directly into its parent. */
  readonly reference?: PdfReference
  readonly dictionary: PdfDictionary
  /** `Sig`, `Tx`, `Btn`, `Ch`; may be inherited. */
  readonly type?: string
  /** `/V`, may be inherited; not resolved. */
  readonly value?: PdfValue
}

interface Node {
  readonly value: PdfValue
  /** The field above, from which name, type and value are inherited. */
  readonly parent?: FormField
  readonly depth: number
}

/** The form's dictionary; undefined when the document has no form. */
export function acroFormOf(document: PdfDocument): PdfDictionary | undefined {
  return document.dictionary(document.catalog.get('AcroForm'))
}

/**
 * Reads all terminal fields of the form.
 *
 * @throws PadesError `LIMIT_EXCEEDED` - more than 50,000 fields, nested too deeply, or names that
 *   are too long
 */
export function readFields(document: PdfDocument): FormField[] {
  const roots = document.array(acroFormOf(document)?.get('Fields')) ?? []
  const fields: FormField[] = []
  const visited = new Set<number>()
  let nameCharacters = 0
  if (roots.length > MAX_FIELDS) throw new PadesError('LIMIT_EXCEEDED')
  const open: Node[] = roots.map((value) => ({ value, depth: 0 })).reverse()
  for (let node = open.pop(); node; node = open.pop()) {
    const reference = node.value instanceof PdfReference ? node.value : undefined
    if (reference && visited.has(reference.number)) continue
    if (reference) visited.add(reference.number)
    const dictionary = document.dictionary(node.value)
    if (!dictionary) continue
    if (fields.length + open.length > MAX_FIELDS || node.depth > MAX_DEPTH) {
      throw new PadesError('LIMIT_EXCEEDED')
    }
    const field = fieldOf(document, dictionary, node)
    nameCharacters += field.name.length
    if (nameCharacters > MAX_FIELD_NAME_CHARACTERS) throw new PadesError('LIMIT_EXCEEDED')
    const kids = childFields(document, dictionary)
    if (kids.length + open.length > MAX_FIELDS) throw new PadesError('LIMIT_EXCEEDED')
    if (kids.length === 0) fields.push(field)
    const depth = node.depth + 1
    for (const value of kids.toReversed()) open.push({ value, parent: field, depth })
  }
  return fields
}

/** A node of the tree with what it inherits. */
function fieldOf(
  document: PdfDocument,
  dictionary: PdfDictionary,
  { value: node, parent }: Node,
): FormField {
  const partial = textOf(document.resolve(dictionary.get('T')))
  const type = nameOf(document.resolve(dictionary.get('FT'))) ?? parent?.type
  const value = dictionary.get('V') ?? parent?.value
  return {
    name: [parent?.name, partial].filter((part) => part !== undefined && part !== '').join('.'),
    dictionary,
    ...(node instanceof PdfReference && { reference: node }),
    ...(type !== undefined && { type }),
    ...(value !== undefined && { value }),
  }
}

/** Kids with a partial name are fields; the others are only the field's widgets. */
function childFields(document: PdfDocument, dictionary: PdfDictionary): PdfValue[] {
  const kids = document.array(dictionary.get('Kids')) ?? []
  return kids.filter((kid) => document.dictionary(kid)?.has('T'))
}

/** Where PDFDocEncoding differs from Latin 1 (ISO 32000-2, annex D.3), by the first code. */
const PDF_DOC_RANGES: readonly (readonly [number, string])[] = [
  [0x18, '˘ˇˆ˙˝˛˚˜'],
  [0x80, '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž'],
  [0xa0, '€'],
]
const PDF_DOC: ReadonlyMap<string, string> = new Map(
  PDF_DOC_RANGES.flatMap(([first, characters]) =>
    Array.from(characters, (one, index) => [String.fromCharCode(first + index), one] as const),
  ),
)
// oxlint-disable-next-line no-control-regex
const PDF_DOC_ONLY = /[\u0018-\u001f\u0080-\u009e\u00a0]/g

/** A text string (7.9.2.2): UTF-16 or UTF-8 with its mark, else in PDFDocEncoding. */
export function textOf(value: PdfValue): string | undefined {
  if (!(value instanceof PdfString)) return undefined
  const { bytes } = value
  const buffer = Buffer.from(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return buffer
      .subarray(2, buffer.length - (buffer.length % 2))
      .swap16()
      .toString('utf16le')
  }
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return buffer.toString('utf16le', 2)
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return buffer.toString('utf8', 3)
  return buffer.toString('latin1').replace(PDF_DOC_ONLY, (one) => PDF_DOC.get(one) ?? one)
}
