/**
 * Whether every reader draws an appearance within its rectangle (ISO 32000-2, 8.4.2, 8.10 and
 * 12.5.5): it has a bounding box, to which readers clip, and its content never restores a graphics
 * state that it did not save, for that undoes the clip in some readers.
 */
import { PadesError } from '../errors.ts'
import type { PdfDocument } from '../pdf/document.ts'
import {
  isArray,
  isDictionary,
  type PdfDictionary,
  PdfReference,
  PdfStream,
  type PdfValue,
} from '../pdf/values.ts'
import { stringEnd } from './page-text.ts'

/** Streams of one appearance; honest ones have some ten. */
const MAX_STREAMS = 200
/** Objects that an appearance leads to. */
const MAX_OBJECTS = 5_000
const MAX_CONTENT_BYTES = 4_194_304
const BOX_NUMBERS = 4

const SPACES_AND_COMMENTS = /[\s\0]+|%[^\r\n]*/
const HEX_STRINGS = /<[0-9A-Fa-f\s\0]*>/
const NAMES_AND_OPERATORS = /\/?[^\s\0()<>[\]{}/%]+/
const TOKEN = new RegExp(
  [SPACES_AND_COMMENTS, HEX_STRINGS, NAMES_AND_OPERATORS, /[^]/]
    .map(({ source }) => source)
    .join('|'),
  'y',
)

/** Entries that lead from an appearance back to pages and to other documents' parts. */
const WAYS_OUT: ReadonlySet<string> = new Set(['Parent', 'P', 'StructParent', 'Metadata', 'OC'])

/** Entries of resources and fonts whose entries are content streams. */
const CONTENT_TABLES: ReadonlySet<string> = new Set(['XObject', 'Pattern', 'CharProcs'])

/** Several signatures may show one form, and each of them is asked about by those before it. */
const known = new WeakMap<PdfStream, boolean>()

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
    isBoxed &&
    (contentsUnder(document, form)?.every((stream) => isBalanced(document, stream)) ?? false)
  known.set(form, stays)
  return stays
}

/** A value, and what the way to it makes of it. */
interface Part {
  readonly value: PdfValue
  readonly role: 'content' | 'table' | 'other'
}

/** The stream and all that it may paint, without images; undefined when that is too much. */
function contentsUnder(document: PdfDocument, form: PdfStream): PdfStream[] | undefined {
  const streams: PdfStream[] = []
  const visited = new Set<string>()
  const open: Part[] = [{ value: form, role: 'content' }]
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const { value, role } = part
    if (value instanceof PdfReference) {
      const place = `${value.number} ${role}`
      if (visited.has(place)) continue
      visited.add(place)
      if (visited.size > MAX_OBJECTS) return undefined
      open.push({ value: document.get(value), role })
    } else if (value instanceof PdfStream) {
      if (role === 'content' ? !isImage(document, value) : isForm(value)) streams.push(value)
      if (streams.length > MAX_STREAMS) return undefined
      open.push({ value: value.dictionary, role: 'other' })
    } else if (isArray(value)) for (const item of value) open.push({ value: item, role: 'other' })
    else if (isDictionary(value)) open.push(...partsOf(value, role))
  }
  return streams
}

function partsOf(dictionary: PdfDictionary, role: Part['role']): Part[] {
  return [...dictionary].flatMap(([key, value]): Part[] => {
    if (role === 'table') return [{ value, role: 'content' }]
    if (WAYS_OUT.has(key)) return []
    return [{ value, role: CONTENT_TABLES.has(key) ? 'table' : 'other' }]
  })
}

const isImage = (document: PdfDocument, { dictionary }: PdfStream): boolean =>
  document.name(dictionary.get('Subtype')) === 'Image'

/** Forms, of soft masks among them, and patterns; glyphs are found by their table. */
const isForm = ({ dictionary }: PdfStream): boolean => dictionary.has('BBox')

function isBalanced(document: PdfDocument, stream: PdfStream): boolean {
  try {
    const bytes = document.decode(stream)
    return bytes.length <= MAX_CONTENT_BYTES && restoresOwnStates(bytes.toString('latin1'))
  } catch (error) {
    // A filter that is unknown here is one of images.
    if (error instanceof PadesError && error.code === 'DAMAGED')
      return !stream.dictionary.has('BBox')
    throw error
  }
}

/** Whether each `Q` has a `q` before it, and each end of marked content its beginning. */
function restoresOwnStates(content: string): boolean {
  let states = 0
  let marks = 0
  for (let at = 0; at < content.length;) {
    if (content[at] === '(') {
      at = stringEnd(content, at)
      continue
    }
    TOKEN.lastIndex = at
    const token = TOKEN.exec(content)?.[0] ?? ' '
    at += token.length
    // Readers end the data of an inline image at different places.
    if (token === 'EI') return false
    if (token === 'BI') at = behindInlineImage(content, at)
    else if (token === 'q') states += 1
    else if (token === 'Q') states -= 1
    else if (token === 'BDC' || token === 'BMC') marks += 1
    else if (token === 'EMC') marks -= 1
    if (states < 0 || marks < 0) return false
  }
  return marks === 0
}

/** Data of an inline image may hold anything: what follows the first possible end is read. */
function behindInlineImage(content: string, start: number): number {
  const end = /[\s\0]EI(?=[\s\0]|$)/g
  end.lastIndex = start
  return end.exec(content) ? end.lastIndex : content.length
}
