/** Judges composite fonts with the CIDs that a document shows (ISO 32000-2, 9.7). */
import { textOf } from '../../pdf/acro-form.ts'
import {
  isArray,
  isInteger,
  type PdfDictionary,
  PdfStream,
  type PdfValue,
} from '../../pdf/values.ts'
import { decodeTable, type GraphicsContext } from '../graphics/context.ts'
import { type CodeMap, identityMap, readCodeMap } from './code-map.ts'
import { readProgram } from './judge.ts'
import { readTrueTypeGlyphs } from './sfnt.ts'
import type { CodeSet } from './shown-codes.ts'

/** Predefined CMaps without their writing mode, by collection (table 116). */
const CMAPS_OF = {
  GB1: ['GB-EUC', 'GBpc-EUC', 'GBK-EUC', 'GBKp-EUC', 'GBK2K', 'UniGB-UCS2', 'UniGB-UTF16'],
  CNS1: [...['B5pc', 'HKscs-B5', 'ETen-B5', 'ETenms-B5', 'CNS-EUC', 'UniCNS-UCS2', 'UniCNS-UTF16']],
  Japan1: [
    ...['83pv-RKSJ', '90ms-RKSJ', '90msp-RKSJ', '90pv-RKSJ', 'Add-RKSJ', 'EUC', 'Ext-RKSJ', ''],
    ...['UniJIS-UCS2', 'UniJIS-UCS2-HW', 'UniJIS-UTF16'],
  ],
  Korea1: [...['KSC-EUC', 'KSCms-UHC', 'KSCms-UHC-HW', 'KSCpc-EUC', 'UniKS-UCS2', 'UniKS-UTF16']],
}
const IDENTITY = 'Identity'
const COLLECTIONS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(CMAPS_OF))
const PREDEFINED: ReadonlySet<string> = new Set([IDENTITY, ...Object.values(CMAPS_OF).flat()])
const WRITING_MODE = /(?:^|-)([HV])$/

/**
 * Reads the encoding of a composite font.
 *
 * @returns undefined when readers may take it differently; a map without `read` is predefined
 */
export function readEncodingOf(
  context: GraphicsContext,
  font: PdfDictionary,
): CodeMap | Pick<CodeMap, 'isVertical'> | undefined {
  const { document } = context
  const encoding = document.resolve(font.get('Encoding'))
  if (!(encoding instanceof PdfStream)) {
    const name = document.name(encoding) ?? ''
    const isKnown = WRITING_MODE.test(name) && PREDEFINED.has(name.replace(WRITING_MODE, ''))
    if (!isKnown) return undefined
    const isVertical = name.endsWith('V')
    return name.startsWith(IDENTITY) ? identityMap(isVertical) : { isVertical }
  }
  if (encoding.dictionary.has('UseCMap')) return undefined
  const map = readCodeMap(decodeTable(context, encoding)?.toString('latin1') ?? '')
  const mode = document.resolve(encoding.dictionary.get('WMode'))
  const isAgreed = mode === null || (mode === 1) === map?.isVertical
  return isAgreed ? map : undefined
}

/**
 * Judges a composite font.
 *
 * @param cids that texts show
 * @returns whether every reader shows the same glyphs at the same places
 */
export function isKnownComposite(
  context: GraphicsContext,
  font: PdfDictionary,
  cids: CodeSet,
): boolean {
  const { document } = context
  const descendant = document.dictionary(document.array(font.get('DescendantFonts'))?.[0])
  if (!descendant) return false
  const width = document.resolve(descendant.get('DW'))
  return (
    (width === null || isInteger(width)) &&
    isPair(context, descendant.get('DW2')) &&
    hasKnownMetrics(context, descendant.get('W'), 1) &&
    hasKnownMetrics(context, descendant.get('W2'), VERTICAL_NUMBERS) &&
    hasKnownGlyphs(context, font, descendant, cids)
  )
}

/** A width, and where the glyph lies. */
const VERTICAL_NUMBERS = 3

/** The numbers of some CIDs. */
interface Metrics {
  readonly first: number
  readonly last: number
  readonly numbers: readonly number[]
}

/** Readers take different ones of two widths, and continue differently behind an odd one. */
function hasKnownMetrics(
  context: GraphicsContext,
  value: PdfValue | undefined,
  numbersOfEach: number,
): boolean {
  const metrics = readMetrics(context, value, numbersOfEach)
  if (!metrics) return false
  let before: Metrics | undefined
  for (const one of metrics.toSorted((a, b) => a.first - b.first)) {
    if (before && one.first <= before.last && `${one.numbers}` !== `${before.numbers}`) return false
    if (!before || one.last > before.last) before = one
  }
  return true
}

/** 9.7.4.3. @returns undefined when an item is of another kind */
function readMetrics(
  { document }: GraphicsContext,
  value: PdfValue | undefined,
  numbersOfEach: number,
): readonly Metrics[] | undefined {
  const items = (document.array(value) ?? []).map((item) => document.resolve(item))
  const metrics: Metrics[] = []
  for (let at = 0; at < items.length;) {
    const [first, next] = items.slice(at, at + 2)
    if (!isInteger(first) || next === undefined) return undefined
    const list = isArray(next) ? next.map((item) => document.resolve(item)) : undefined
    const last = isInteger(next) && next >= first ? next : undefined
    const given = list ?? items.slice(at + 2, at + 2 + numbersOfEach)
    const isWhole = list
      ? list.length % numbersOfEach === 0
      : last !== undefined && given.length === numbersOfEach
    if (!isWhole || !given.every((item) => typeof item === 'number')) return undefined
    for (let index = 0; index < given.length; index += numbersOfEach) {
      const cid = first + index / numbersOfEach
      const numbers = given.slice(index, index + numbersOfEach)
      metrics.push({ first: cid, last: last ?? cid, numbers })
    }
    at += list ? 2 : 2 + numbersOfEach
  }
  return metrics
}

/** Whether a value is absent or two numbers. */
function isPair({ document }: GraphicsContext, value: PdfValue | undefined): boolean {
  if (document.resolve(value) === null) return true
  const items = (document.array(value) ?? []).map((item) => document.resolve(item))
  return items.length === 2 && items.every((item) => typeof item === 'number')
}

const CID_BYTES = 2

function hasKnownGlyphs(
  context: GraphicsContext,
  font: PdfDictionary,
  descendant: PdfDictionary,
  cids: CodeSet,
): boolean {
  const { document } = context
  const program = readProgram(context, document.dictionary(descendant.get('FontDescriptor')))
  if (!program) return isReplacedAlike(context, font, descendant)
  const glyphs = readTrueTypeGlyphs(program.data)
  const hasGlyph = (glyph: number) => !glyphs || glyphs.outlineOf(glyph) !== undefined
  const map = document.resolve(descendant.get('CIDToGIDMap'))
  if (!(map instanceof PdfStream)) {
    return cids.every((isShown, cid) => isShown === 0 || hasGlyph(cid))
  }
  // Some readers map the CIDs of a compact font, too.
  if (program.isCompact) return false
  const table = decodeTable(context, map)
  if (!table || table.length % CID_BYTES !== 0) return false
  return cids.every((isShown, cid) => {
    const at = cid * CID_BYTES
    return isShown === 0 || (at < table.length && hasGlyph(table.readUInt16BE(at)))
  })
}

/**
 * Readers have fonts for the characters of a collection. What a CID means without one, each knows
 * differently: the number of a glyph in its own font, a character, or what `ToUnicode` says.
 */
function isReplacedAlike(
  { document }: GraphicsContext,
  font: PdfDictionary,
  descendant: PdfDictionary,
): boolean {
  const system = document.dictionary(descendant.get('CIDSystemInfo'))
  const collection = textOf(document.resolve(system?.get('Ordering'))) ?? ''
  const cmap = document.name(font.get('Encoding'))?.replace(WRITING_MODE, '')
  const known = COLLECTIONS.get(collection)
  return cmap !== undefined && known !== undefined && [IDENTITY, ...known].includes(cmap)
}
