/**
 * Whether every reader draws an appearance within its rectangle (ISO 32000-2, 8.4.2, 8.10 and
 * 12.5.5): it has a bounding box, to which readers clip, and its content never restores a graphics
 * state that it did not save, for that undoes the clip in some readers.
 */
import { PadesError } from '../errors.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { MAX_INFLATED_BYTES } from '../pdf/limits.ts'
import {
  isDictionary,
  type PdfDictionary,
  PdfReference,
  PdfStream,
  type PdfValue,
} from '../pdf/values.ts'
import { findContentFault } from '../syntax/content.ts'
import { decodeContent, type DecodingBudget } from '../syntax/content-filters.ts'
import { AmbiguousSyntax } from '../syntax/faults.ts'

/** Streams of one appearance; honest ones have some ten. */
const MAX_STREAMS = 200
/** Resources of all kinds of one appearance. */
const MAX_PARTS = 5_000
/** Content of all appearances of a document; one has some ten thousand bytes. */
const MAX_CONTENT_BYTES = 16_777_216
const BOX_NUMBERS = 4

/** Several signatures may show one form, and each of them is asked about by those before it. */
const known = new WeakMap<PdfStream, boolean>()
/** Forms of several appearances, such as a logo, are read once. */
const balanced = new WeakMap<PdfStream, Partial<Record<ContentRole, boolean>>>()

/** What the appearances of a document may still decode to. */
interface Budget {
  readonly contents: DecodingBudget
  readonly images: DecodingBudget
}
const budgets = new WeakMap<PdfDocument, Budget>()

function budgetOf(document: PdfDocument): Budget {
  const begun = budgets.get(document)
  if (begun) return begun
  const budget = {
    contents: { remainingBytes: MAX_CONTENT_BYTES },
    images: { remainingBytes: MAX_INFLATED_BYTES },
  }
  budgets.set(document, budget)
  return budget
}

/**
 * Whether an appearance stream has a bounding box and leaves the states of others alone.
 *
 * @throws PadesError `LIMIT_EXCEEDED`
 */
export function staysInItsBox(document: PdfDocument, form: PdfStream): boolean {
  const isKnown = known.get(form)
  if (isKnown !== undefined) return isKnown
  const box = document.array(form.dictionary.get('BBox')) ?? []
  const numbers = box.filter((item) => typeof document.resolve(item) === 'number')
  const isBoxed = box.length === BOX_NUMBERS && numbers.length === BOX_NUMBERS
  const stays =
    isBoxed && (contentsUnder(document, form)?.every((one) => isBalanced(document, one)) ?? false)
  known.set(form, stays)
  return stays
}

/** What readers take a stream for, whatever it says of itself. */
type ContentRole = 'form' | 'glyph'

/** A stream that paints. */
interface Content {
  readonly stream: PdfStream
  readonly role: ContentRole
}

/** A value, and what its place makes of it. */
interface Part {
  readonly value: PdfValue | undefined
  readonly role: ContentRole | 'object' | 'resources' | 'font' | 'state' | 'pattern'
}

/** The stream and all that it may paint, without images; undefined when that is too much. */
function contentsUnder(document: PdfDocument, form: PdfStream): Content[] | undefined {
  const contents: Content[] = []
  const visited = new Set<string>()
  const open: Part[] = [{ value: form, role: 'form' }]
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const { value, role } = part
    if (value instanceof PdfReference) {
      const place = `${value.number} ${role}`
      if (visited.has(place)) continue
      visited.add(place)
    }
    const resolved = document.resolve(value)
    if (resolved instanceof PdfStream && isPainted(document, resolved, role)) {
      contents.push({ stream: resolved, role: role === 'glyph' ? role : 'form' })
    }
    open.push(...partsOf(document, resolved, role))
    if (contents.length > MAX_STREAMS || visited.size + open.length > MAX_PARTS) return undefined
  }
  return contents
}

/** An image draws itself where an operator paints it, and nowhere else. */
function isPainted(document: PdfDocument, stream: PdfStream, role: Part['role']): boolean {
  if (role === 'object') return document.name(stream.dictionary.get('Subtype')) !== 'Image'
  return role === 'form' || role === 'glyph' || role === 'pattern'
}

/** What the parts of resources are, by their categories (7.8.3). */
const CATEGORIES: Readonly<Record<string, Part['role']>> = {
  XObject: 'object',
  Pattern: 'pattern',
  Font: 'font',
  ExtGState: 'state',
}

/** What paints below a part: resources, glyphs of Type 3 fonts, forms of soft masks. */
function partsOf(document: PdfDocument, value: PdfValue, role: Part['role']): Part[] {
  const dictionary = value instanceof PdfStream ? value.dictionary : value
  if (!isDictionary(dictionary)) return []
  const own = (key: string, as: Part['role']): Part[] =>
    dictionary.has(key) ? [{ value: dictionary.get(key), role: as }] : []
  const named = (key: string, as: Part['role']): Part[] =>
    [...(document.dictionary(dictionary.get(key)) ?? new Map<string, PdfValue>()).values()].map(
      (one) => ({ value: one, role: as }),
    )
  switch (role) {
    case 'resources':
      return Object.entries(CATEGORIES).flatMap(([key, as]) => named(key, as))
    case 'font':
      return [...named('CharProcs', 'glyph'), ...own('Resources', 'resources')]
    case 'state':
      return partsOfState(document, dictionary)
    case 'pattern':
      return [...own('Resources', 'resources'), ...own('ExtGState', 'state')]
    default:
      return own('Resources', 'resources')
  }
}

/** Graphics states have a font with its size and a soft mask (8.4.5, 11.6.5.2). */
function partsOfState(document: PdfDocument, state: PdfDictionary): Part[] {
  const [font] = document.array(state.get('Font')) ?? []
  const mask = document.dictionary(state.get('SMask'))
  return [
    { value: font, role: 'font' },
    { value: mask?.get('G'), role: 'form' },
  ]
}

function isBalanced(document: PdfDocument, { stream, role }: Content): boolean {
  const verdicts = balanced.get(stream) ?? {}
  balanced.set(stream, verdicts)
  return (verdicts[role] ??= restoresOwnStates(document, stream, role))
}

/**
 * Whether every reader finds the same operators, each `Q` has a `q` before it, and each end of
 * marked content its beginning.
 *
 * @throws PadesError `LIMIT_EXCEEDED`
 */
function restoresOwnStates(document: PdfDocument, stream: PdfStream, role: ContentRole): boolean {
  const { contents, images } = budgetOf(document)
  let marks = 0
  let isOwn = true
  const onMark = (step: 1 | -1): void => {
    marks += step
    if (marks < 0) isOwn = false
  }
  try {
    const { data } = decodeContent(document, stream, contents.remainingBytes, true)
    contents.remainingBytes -= data.length
    // Not every filter has a bound.
    if (contents.remainingBytes < 0) throw new PadesError('LIMIT_EXCEEDED')
    const kind = { isPart: true, isGlyph: role === 'glyph', images, onMark }
    const fault = findContentFault(data, [], kind)
    return fault === undefined && isOwn && marks === 0
  } catch (error) {
    if (error instanceof AmbiguousSyntax) return false
    throw error
  }
}
