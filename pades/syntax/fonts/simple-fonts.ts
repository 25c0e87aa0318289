/**
 * Judges simple fonts with the codes that a document shows (ISO 32000-2, 9.6): each code must have
 * one width and one glyph, whichever way a reader finds it.
 */
import type { PdfDocument } from '../../pdf/document.ts'
import { isInteger, type PdfDictionary } from '../../pdf/values.ts'
import type { GraphicsContext } from '../graphics/context.ts'
import { namesAlike } from './built-in-names.ts'
import type { BaseEncoding } from './code-characters.ts'
import { readCompactNames } from './compact-font.ts'
import { PROGRAM_KEYS, readProgram } from './judge.ts'
import { readCompactOutlines, readTrueTypeGlyphs } from './sfnt.ts'
import { replacedAlike } from './replaced-fonts.ts'
import { type CodeSet, isNothingShown } from './shown-codes.ts'
import { type SimpleEncoding, showsAlike } from './true-type-codes.ts'
import { readTypeOneNames } from './type-one.ts'

/** @returns whether every reader shows the same glyphs at the same places */
export function isKnownSimple(
  context: GraphicsContext,
  font: PdfDictionary,
  codes: CodeSet,
): boolean {
  return (
    hasKnownEncoding(context, font) &&
    hasWidths(context, font, codes) &&
    hasKnownGlyphs(context, font, codes)
  )
}

const NAMED_ENCODINGS: ReadonlySet<string | undefined> = new Set([
  ...['MacRomanEncoding', 'StandardEncoding', 'WinAnsiEncoding'],
])
/** Fonts of readers do not have its letters. */
const FOR_EXPERTS = 'MacExpertEncoding'
/** Those that all readers apply to TrueType programs. */
const BASES: ReadonlySet<string | undefined> = new Set<BaseEncoding>([
  ...(['MacRomanEncoding', 'WinAnsiEncoding'] as const),
])

/** Ghostscript shows another font when the name of an encoding is unknown. */
function hasKnownEncoding({ document }: GraphicsContext, font: PdfDictionary): boolean {
  const encoding = document.resolve(font.get('Encoding'))
  const name =
    document.name(encoding) ?? document.name(document.dictionary(encoding)?.get('BaseEncoding'))
  if (name === FOR_EXPERTS) return hasProgram(document, font)
  return name === undefined || NAMED_ENCODINGS.has(name)
}

/**
 * Whether each code that a text shows has a width: some readers take that of the program for a
 * missing one, or none.
 */
function hasWidths({ document }: GraphicsContext, font: PdfDictionary, codes: CodeSet): boolean {
  const [first, last] = ['FirstChar', 'LastChar'].map((key) => document.resolve(font.get(key)))
  const widths = document.array(font.get('Widths'))
  // Fonts of readers have widths of their own.
  const isEmbedded = hasProgram(document, font)
  if (!isEmbedded && !widths) return true
  const isRange = isInteger(first) && isInteger(last) && first >= 0
  if (!isRange || !widths) return isNothingShown(codes)
  const end = first + widths.length - 1
  const hasDescriptor = document.dictionary(font.get('FontDescriptor')) !== undefined
  return codes.every((isShown, code) => {
    if (isShown === 0) return true
    // Without a descriptor, Ghostscript takes the width of its own font.
    if (code < first || code > Math.max(last, end)) return hasDescriptor
    const width = document.resolve(widths[code - first])
    // PDFium takes a negative one for a very large one.
    return code <= Math.min(last, end) && typeof width === 'number' && width >= 0
  })
}

function hasProgram(document: PdfDocument, font: PdfDictionary): boolean {
  const descriptor = document.dictionary(font.get('FontDescriptor'))
  return PROGRAM_KEYS.some((key) => document.resolve(descriptor?.get(key)) !== null)
}

function hasKnownGlyphs(context: GraphicsContext, font: PdfDictionary, codes: CodeSet): boolean {
  const { document } = context
  const descriptor = document.dictionary(font.get('FontDescriptor'))
  const program = readProgram(context, descriptor)
  const encoding = readEncoding(context, font, descriptor)
  if (!program) {
    const name = document.name(font.get('BaseFont')) ?? ''
    const hasWidths = document.array(font.get('Widths')) !== undefined
    return replacedAlike({ name, hasWidths, encoding }, codes)
  }
  const glyphs = readTrueTypeGlyphs(program.data)
  if (glyphs) return showsAlike(glyphs, encoding, codes)
  if (program.isTypeOne) return namesAlike(readTypeOneNames(program.data), encoding, codes)
  const outlines = program.isCompact ? program.data : readCompactOutlines(program.data)
  const names = outlines && readCompactNames(outlines)
  return !names || namesAlike(names, encoding, codes)
}

const SYMBOLIC = 4
/** Ghostscript ignores the encoding of these. */
const SYMBOL_FONTS = /^(?:[A-Z]{6}\+)?(?:Symbol|ZapfDingbats)$/

function readEncoding(
  { document }: GraphicsContext,
  font: PdfDictionary,
  descriptor: PdfDictionary | undefined,
): SimpleEncoding {
  const encoding = document.resolve(font.get('Encoding'))
  const entries = document.dictionary(encoding)
  const base = document.name(entries ? entries.get('BaseEncoding') : encoding)
  const names = new Map<number, string>()
  let code = 0
  for (const item of document.array(entries?.get('Differences')) ?? []) {
    const value = document.resolve(item)
    if (isInteger(value)) code = value
    else {
      names.set(code, document.name(value) ?? '')
      code += 1
    }
  }
  const isSymbolic = ((document.integer(descriptor?.get('Flags')) ?? 0) & SYMBOLIC) !== 0
  const isOfSymbols = SYMBOL_FONTS.test(document.name(font.get('BaseFont')) ?? '')
  const isStandard = base === 'StandardEncoding'
  return {
    names,
    isSymbolic,
    isStandard,
    isOfSymbols,
    ...(BASES.has(base) && { base: base as BaseEncoding }),
  }
}
