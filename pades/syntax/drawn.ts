/**
 * Judges the streams that draw: pages, forms, patterns, glyphs (ISO 32000-2, 7.8, 8.7.3, 8.10,
 * 9.6.4).
 */
import { Buffer } from 'node:buffer'
import { PadesError } from '../errors.ts'
import { CLASS_OF, WHITE } from '../pdf/characters.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { BROTLI_UNSUPPORTED } from '../pdf/filters.ts'
import { MAX_INFLATED_BYTES } from '../pdf/limits.ts'
import { readPages } from '../pdf/page-tree.ts'
import { isArray, isDictionary, PdfStream, type PdfValue } from '../pdf/values.ts'
import { decodeContent, type DecodedContent, type DecodingBudget } from './content-filters.ts'
import { findContentFault, MOST_OPERAND } from './content.ts'
import type { ContentKind, HasResource } from './content-kind.ts'
import { AmbiguousSyntax, type Fault, type FaultCode } from './faults.ts'
import { ShownCodes } from './fonts/shown-codes.ts'
import { findShownFontFault } from './fonts/shown-fonts.ts'
import { createGraphicsContext, type GraphicsContext, readNumbers } from './graphics/context.ts'
import { findInlineImageFault } from './graphics/inline-images.ts'
import { findGraphicsFault } from './graphics/judge.ts'
import { maskResources } from './graphics/masks.ts'
import { namedColours } from './graphics/named-colours.ts'
import type { SyntaxJudge } from './judge.ts'
import { Nesting } from './nesting.ts'

const [TILING, UNCOLOURED] = [1, 2]
const LINE_FEED = Buffer.from('\n')

/**
 * Judges everything drawn that a document shows.
 *
 * @param judge that has judged the document
 * @returns the first fault; undefined when every reader draws the same
 * @throws PadesError `LIMIT_EXCEEDED`, `AMBIGUOUS` - a stream is compressed with Brotli
 */
export function findDrawnFault(document: PdfDocument, judge: SyntaxJudge): Fault | undefined {
  const budget: DecodingBudget = { remainingBytes: MAX_INFLATED_BYTES }
  const graphics = createGraphicsContext(document, budget)
  const nesting = new Nesting(document)
  const shown = new ShownCodes(graphics)
  const judgeContent = (id: number, content: Content) => {
    const { contents, resources, kind, inheritsColours, isShape } = content
    const { use, measure, inherit, addTrait, mask, mix } = nesting.begin(id, resources)
    if (isShape) addTrait('shape')
    if (isKnockout(document, content.group)) addTrait('knockout')
    const whole = {
      ...kind,
      ...kindWith(graphics, resources),
      onResource: use,
      onTrait: addTrait,
      onMask: mask,
      onMixedForm: mix,
      onText: shown.begin(resources),
      ...(inheritsColours && { onInheritedColour: inherit }),
    }
    return contentFault({ document, budget, measure }, contents, whole)
  }
  for (const { number } of judge.judged) {
    const value = document.get(document.referenceTo(number))
    if (value instanceof PdfStream) assertNoBrotli(document, value)
    if (!hasKnownPlaces(document, value)) return { code: 'PLACE_ODD', object: number, offset: 0 }
    const code = findGraphicsFault(graphics, value)
    if (code) return { code, object: number, offset: 0 }
    for (const { stream, kind, ...own } of drawingStreams(graphics, value)) {
      const content = { ...own, contents: stream, kind: { ...kind, isPart: true } }
      const code = judgeContent(stream.start, content)
      if (code) return { code, object: number, offset: stream.start }
    }
  }
  for (const [index, page] of readPages(document).entries()) {
    const { reference, dictionary, resources, geometry } = page
    const object = reference?.number ?? 0
    const direct = document.array(dictionary.get('Annots')) ?? []
    const isKnown = direct.every((annotation) => hasKnownPlaces(document, annotation))
    if (!isKnown) return { code: 'PLACE_ODD', object, offset: 0 }
    const contents = dictionary.get('Contents')
    const kind = { clip: geometry.cropBox }
    const group = dictionary.get('Group')
    const content = { contents, resources, kind, group, inheritsColours: false }
    const code = judgeContent(-1 - index, content)
    if (code) return { code, object, offset: 0 }
  }
  const code = nesting.findFault() ?? findShownFontFault(graphics, shown)
  return code && { code, offset: 0 }
}

/** What a page, or a part of it, draws. */
interface Content {
  readonly contents: PdfValue | undefined
  readonly resources: PdfValue | undefined
  readonly kind: ContentKind
  /** Attributes of its transparency group (11.4.6). */
  readonly group: PdfValue | undefined
  /** Whether it is an uncoloured cell of a pattern (8.7.3.3). */
  readonly isShape?: boolean
  /** Whether its first colours are those of the content that draws it, if one does. */
  readonly inheritsColours: boolean
}

/**
 * Few readers decompress Brotli.
 *
 * @throws PadesError `AMBIGUOUS`
 */
function assertNoBrotli(document: PdfDocument, { dictionary }: PdfStream): void {
  const filter = document.resolve(dictionary.get('Filter'))
  const names = isArray(filter) ? filter : [filter]
  if (names.some((name) => document.name(name) === 'BrotliDecode')) {
    throw new PadesError('AMBIGUOUS', BROTLI_UNSUPPORTED)
  }
}

/** Entries that place what is drawn, and how many numbers they hold (8.10.2, 12.5.2). */
const PLACES = { Rect: 4, BBox: 4, Matrix: 6 } as const

/** Readers that calculate with single precision place what is farther away differently. */
const isNearby = (item: PdfValue): boolean =>
  typeof item === 'number' && Math.abs(item) <= MOST_OPERAND

/** Readers that find something else than numbers in such an array place it differently. */
function hasKnownPlaces(document: PdfDocument, value: PdfValue): boolean {
  const dictionary = value instanceof PdfStream ? value.dictionary : value
  if (!isDictionary(dictionary)) return true
  // Some readers take negative flags of annotations for none, others for all.
  const flags = document.resolve(dictionary.get('F'))
  if (dictionary.has('Rect') && typeof flags === 'number' && flags < 0) return false
  return Object.entries(PLACES).every(([key, count]) => {
    const place = document.resolve(dictionary.get(key))
    if (place === null) return true
    const numbers = isArray(place) ? place.map((item) => document.resolve(item)) : []
    return numbers.length === count && numbers.every(isNearby)
  })
}

/** Where resources are missing, readers look for them in different places. */
function resourcesOf(document: PdfDocument, value: PdfValue | undefined): HasResource {
  const resources = document.dictionary(value)
  return (category, name) => {
    const named = document.dictionary(resources?.get(category))?.get(name)
    return document.resolve(named) !== null
  }
}

function kindWith(graphics: GraphicsContext, resources: PdfValue | undefined): ContentKind {
  const entries = graphics.document.dictionary(resources)
  const masks = maskResources(graphics, entries)
  return {
    hasResource: resourcesOf(graphics.document, resources),
    colours: namedColours(graphics, entries),
    judgeInlineImage: (image) => findInlineImageFault(graphics, entries, image),
    ...(masks && { masks }),
  }
}

/** A stream that draws a part of a page. */
interface Drawing extends Omit<Content, 'contents'> {
  readonly stream: PdfStream
}

/** Readers clip what a form or a pattern draws to its box. */
function clipOf(graphics: GraphicsContext, { dictionary }: PdfStream): ContentKind {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = readNumbers(graphics, dictionary.get('BBox')) ?? []
  return { clip: [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)] }
}

/** A form, an appearance without a subtype, a tiling pattern, or the glyphs of a Type 3 font. */
function drawingStreams(graphics: GraphicsContext, value: PdfValue): Drawing[] {
  const { document } = graphics
  if (value instanceof PdfStream) {
    const { dictionary } = value
    const subtype = document.name(dictionary.get('Subtype'))
    const isForm = subtype === 'Form' || (subtype === undefined && dictionary.has('BBox'))
    const isPattern = document.integer(dictionary.get('PatternType')) === TILING
    const isShape = isPattern && document.integer(dictionary.get('PaintType')) === UNCOLOURED
    const resources = dictionary.get('Resources')
    const kind = { ...clipOf(graphics, value), isCell: isPattern }
    const group = dictionary.get('Group')
    return isForm || isPattern
      ? [{ stream: value, resources, kind, group, isShape, inheritsColours: !isPattern }]
      : []
  }
  if (!isDictionary(value) || document.name(value.get('Subtype')) !== 'Type3') return []
  const glyphs = [...(document.dictionary(value.get('CharProcs'))?.values() ?? [])]
  return glyphs
    .map((glyph) => document.resolve(glyph))
    .filter((glyph) => glyph instanceof PdfStream)
    .map((stream) => ({
      stream,
      resources: value.get('Resources'),
      kind: { isGlyph: true },
      group: undefined,
      inheritsColours: true,
    }))
}

/** pdf.js and MuPDF do not know groups in which a part removes what is beneath it. */
const isKnockout = (document: PdfDocument, group: PdfValue | undefined): boolean =>
  (document.resolve(document.dictionary(group)?.get('K')) ?? false) !== false

interface ContentReader {
  readonly document: PdfDocument
  readonly budget: DecodingBudget
  /** Gets the decoded size. */
  measure(bytes: number): void
}

function contentFault(
  { document, budget, measure }: ContentReader,
  contents: PdfValue | undefined,
  kind: ContentKind,
): FaultCode | undefined {
  const resolved = document.resolve(contents)
  const parts = isArray(resolved) ? resolved.map((part) => document.resolve(part)) : [resolved]
  const streams = parts.filter((part) => part instanceof PdfStream)
  try {
    const data = streams.map((stream, index) => {
      const isAlone = streams.length === 1
      const content = decodeContent(document, stream, budget.remainingBytes, isAlone)
      const { data: decoded } = content
      budget.remainingBytes -= decoded.length
      const isLast = index === streams.length - 1
      if (!isLast && losesOperand(document, stream, content)) {
        throw new AmbiguousSyntax('CONTENT_PART_END', stream.start)
      }
      return decoded
    })
    // Readers take the end of one part for white space (7.8.2).
    let end = -LINE_FEED.length
    const ends = data.map(({ length }) => (end += length + LINE_FEED.length))
    measure(end)
    return findContentFault(Buffer.concat(data.flatMap((part) => [part, LINE_FEED])), ends, kind)
  } catch (error) {
    if (error instanceof AmbiguousSyntax) return error.code
    throw error
  }
}

const ENDSTREAM = 'endstream'
/** White space or an operator; the name of a resource has a solidus before it. */
const WHOLE_END = /(?:^|[\s)\]>])(?:[A-Za-z][\w*]{0,2}|['"])$|[\s\0]$|^$/
const LONGEST_END = 8

/**
 * Ghostscript drops an operand at the end of plain data that `endstream` follows at once, and all
 * operands before the end of deflated data that lack their last block or a right checksum.
 */
function losesOperand(
  document: PdfDocument,
  stream: PdfStream,
  { data, isWhole }: DecodedContent,
): boolean {
  const isWholeBefore = (end: number) =>
    WHOLE_END.test(data.toString('latin1', Math.max(0, end - LONGEST_END), end))
  if (!isWhole) return !isWholeBefore(data.findLastIndex((byte) => CLASS_OF[byte] !== WHITE) + 1)
  if (stream.dictionary.has('Filter')) return false
  const end = stream.start + data.length
  // Encrypted data have another length: they are taken for glued.
  const isGlued =
    stream.encryptedFor !== undefined ||
    document.bytes.toString('latin1', end, end + ENDSTREAM.length) === ENDSTREAM
  return isGlued && !isWholeBefore(data.length)
}
