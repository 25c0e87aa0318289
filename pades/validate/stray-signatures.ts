/**
 * Finds signatures to which the form does not lead (ISO 32000-2, 12.7.4.1): in a widget alone, or
 * in a field without a type. Some readers show them; silence would look like "unsigned".
 */

import { PadesError } from '../errors.ts'
import { textOf } from '../pdf/acro-form.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { MAX_DEPTH } from '../pdf/limits.ts'
import { readPages } from '../pdf/page-tree.ts'
import { isArray, isDictionary, PdfReference, PdfString } from '../pdf/values.ts'
import type { PdfDictionary, PdfValue } from '../pdf/values.ts'
import { MAX_SIGNATURES, signatureOf } from './signature-fields.ts'
import type { FoundSignature } from './signature-fields.ts'

/** Annotations of all pages that are looked at. */
const MAX_ANNOTATIONS = 100_000

/**
 * Signatures in widgets of the pages, beside those of the form.
 *
 * @param found those of the form
 * @throws PadesError `LIMIT_EXCEEDED`
 */
export function findStraySignatures(
  document: PdfDocument,
  found: readonly FoundSignature[],
): FoundSignature[] {
  const known = new Set(found.map(keyOf))
  const stray: FoundSignature[] = []
  for (const widget of widgetsOf(document)) {
    const signature = signatureIn(document, widget)
    if (!signature || known.has(keyOf(signature))) continue
    known.add(keyOf(signature))
    stray.push(signature)
    if (found.length + stray.length > MAX_SIGNATURES) throw new PadesError('LIMIT_EXCEEDED')
  }
  return stray
}

/** The object that holds a signature: its own, or that of its field. */
const keyOf = ({ object, field }: FoundSignature): string =>
  object === undefined ? `field ${field.reference?.number}` : `object ${object}`

/** Nothing when the pages cannot be read, which has findings of its own. */
function widgetsOf(document: PdfDocument): PdfValue[] {
  try {
    return readPages(document)
      .flatMap(({ dictionary }) => document.array(dictionary.get('Annots')) ?? [])
      .slice(0, MAX_ANNOTATIONS)
  } catch (error) {
    if (error instanceof PadesError) return []
    throw error
  }
}

/** The signature of a widget, its own or that of a field above it. */
function signatureIn(document: PdfDocument, widget: PdfValue): FoundSignature | undefined {
  const names: string[] = []
  let owner: { value: PdfValue; dictionary: PdfDictionary } | undefined
  let value: PdfValue | undefined = widget
  for (let depth = 0; depth < MAX_DEPTH && value !== undefined; depth += 1) {
    const dictionary: PdfDictionary | undefined = document.dictionary(value)
    if (!dictionary) break
    if (depth === 0 && document.name(dictionary.get('Subtype')) !== 'Widget') return undefined
    if (!owner && dictionary.has('V')) owner = { value, dictionary }
    const name = textOf(document.resolve(dictionary.get('T')))
    if (name) names.unshift(name)
    value = dictionary.get('Parent')
  }
  const signature = owner && document.resolve(owner.dictionary.get('V'))
  if (!owner || !isDictionary(signature) || !isSignature(document, signature)) return undefined
  const field = {
    name: names.join('.'),
    dictionary: owner.dictionary,
    ...(owner.value instanceof PdfReference && { reference: owner.value }),
    ...(owner.dictionary.has('V') && { value: owner.dictionary.get('V') }),
  }
  return signatureOf(document, field, signature, false)
}

const isSignature = (document: PdfDocument, dictionary: PdfDictionary): boolean =>
  isArray(document.resolve(dictionary.get('ByteRange'))) &&
  document.resolve(dictionary.get('Contents')) instanceof PdfString
