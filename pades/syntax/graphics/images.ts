/**
 * Judges images (ISO 32000-2, 8.9.5): readers fill missing samples and replace odd entries in
 * different ways, so that one hides what is beneath and another does not.
 */
import type { Buffer } from 'node:buffer'
import { isInteger, PdfStream, type PdfDictionary } from '../../pdf/values.ts'
import type { FaultCode } from '../faults.ts'
import { areWithin } from './amounts.ts'
import { type ColourSpace, readColourSpace } from './colour-spaces.ts'
import { type GraphicsContext, readNumbers } from './context.ts'
import { findDataFault } from './image-data.ts'

/** An image as every reader understands it. */
export interface ImageShape {
  readonly width: number
  readonly height: number
  readonly bits: number
  /** Absent for a mask, and where JPEG 2000 data say it. */
  readonly space?: ColourSpace
  readonly isMask: boolean
}

/** MuPDF draws no image that is larger. */
const MAX_PIXELS_OF_SIDE = 65_535
const BITS: ReadonlySet<number> = new Set([1, 2, 4, 8, 16])
/** Bits of samples that all readers invert and mask. */
const BITS_OF_ALL = 8
/** PDFium masks no colours of more inks. */
const MASKED_COMPONENTS = 3
/** Some readers know the abbreviations of inline images outside of them, too (table 91). */
const ABBREVIATIONS = ['W', 'H', 'BPC', 'CS', 'D', 'IM', 'I'] as const

/**
 * Judges the dictionary and the data of an image.
 *
 * @param data gives them as the filters encode them
 * @returns undefined when every reader paints the same
 * @throws PadesError `LIMIT_EXCEEDED`
 */
export function findImageFault(
  context: GraphicsContext,
  dictionary: PdfDictionary,
  data: () => Buffer,
): FaultCode | undefined {
  const shape = hasKnownParameters(context, dictionary) && readShape(context, dictionary)
  if (!shape || !hasKnownMasks(context, dictionary, shape)) return 'IMAGE_ODD'
  return findDataFault(context, { dictionary, data }, shape)
}

/** Ghostscript ignores parameters that are not in an array when the filters are in one. */
function hasKnownParameters({ document }: GraphicsContext, entries: PdfDictionary): boolean {
  const parameters = document.dictionary(entries.get('DecodeParms'))
  return parameters === undefined || document.array(entries.get('Filter')) === undefined
}

function readShape(context: GraphicsContext, entries: PdfDictionary): ImageShape | undefined {
  const { document } = context
  const [width, height] = ['Width', 'Height'].map((key) => document.resolve(entries.get(key)))
  if (!isSide(width) || !isSide(height)) return undefined
  if (ABBREVIATIONS.some((key) => entries.has(key)) || entries.has('Alternates')) return undefined
  const mask = document.resolve(entries.get('ImageMask')) ?? false
  if (typeof mask !== 'boolean') return undefined
  const bits = document.resolve(entries.get('BitsPerComponent'))
  const isSelfContained = lastFilter(context, entries) === 'JPXDecode'
  if (mask) {
    const isMask = (bits ?? 1) === 1 && hasMaskDecode(context, entries) && !isSelfContained
    return isMask ? { width, height, bits: 1, isMask } : undefined
  }
  // pdf.js ignores ranges of samples whose colour space it does not know.
  if (isSelfContained && !entries.has('ColorSpace')) {
    return entries.has('Decode') ? undefined : { width, height, bits: 8, isMask: false }
  }
  const space = readColourSpace(context, entries.get('ColorSpace'))
  const isCounted = isSelfContained || (isInteger(bits) && BITS.has(bits))
  // MuPDF shows white samples in place of those of Lab.
  if (!space || space.family === 'Lab' || !isCounted) return undefined
  const shape = { width, height, bits: isInteger(bits) ? bits : 8, space, isMask: false }
  return hasKnownDecode(context, entries, shape) ? shape : undefined
}

const isSide = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_PIXELS_OF_SIDE

/** Name of the filter that makes samples of the data. */
function lastFilter({ document }: GraphicsContext, entries: PdfDictionary) {
  const filter = document.resolve(entries.get('Filter'))
  return document.name(Array.isArray(filter) ? filter.at(-1) : filter)
}

function hasMaskDecode(context: GraphicsContext, entries: PdfDictionary): boolean {
  if (!entries.has('Decode')) return true
  const decode = readNumbers(context, entries.get('Decode')) ?? []
  return ['0,1', '1,0'].includes(decode.join())
}

/** Each pair is the whole range of a component, in one of both directions. */
function hasKnownDecode(
  context: GraphicsContext,
  entries: PdfDictionary,
  { bits, space }: ImageShape & { space: ColourSpace },
): boolean {
  if (!entries.has('Decode')) return true
  const decode = readNumbers(context, entries.get('Decode'))
  if (decode?.length !== space.components * 2) return false
  const top = space.family === 'Indexed' ? 2 ** bits - 1 : 1
  const ranges = Array.from({ length: space.components }, (_, index) =>
    decode.slice(index * 2, index * 2 + 2).join(),
  )
  // Ghostscript does not invert samples of 16 bits.
  const isInvertible = bits <= BITS_OF_ALL
  return ranges.every((range) => range === `0,${top}` || (isInvertible && range === `${top},0`))
}

function hasKnownMasks(
  context: GraphicsContext,
  entries: PdfDictionary,
  { bits, space, isMask }: ImageShape,
): boolean {
  const { document } = context
  const [mask, softMask] = ['Mask', 'SMask'].map((key) => document.resolve(entries.get(key)))
  if ((document.resolve(entries.get('SMaskInData')) ?? 0) !== 0) return false
  if (isMask) return mask === null && softMask === null
  if (softMask !== null && !isSoftMask(context, softMask, space)) return false
  if (mask === null) return true
  // Ghostscript takes the colours that are masked out, others the soft mask.
  if (softMask !== null) return false
  if (mask instanceof PdfStream) return isStencil(context, mask)
  // Readers compare other samples of these with the masked ones.
  const isSmallIndex = space?.family === 'Indexed' && bits < BITS_OF_ALL
  const isOfInks = (space?.components ?? 0) > MASKED_COMPONENTS
  if (
    bits > BITS_OF_ALL ||
    isSmallIndex ||
    isOfInks ||
    lastFilter(context, entries) === 'JPXDecode'
  )
    return false
  const colours = readNumbers(context, mask)
  const components = space?.components
  return (
    colours !== undefined &&
    components !== undefined &&
    colours.length === components * 2 &&
    colours.every((value, index) => {
      const isInRange = isInteger(value) && value >= 0 && value < 2 ** bits
      return isInRange && (index % 2 === 0 || colours[index - 1] <= value)
    })
  )
}

type Resolved = ReturnType<GraphicsContext['document']['resolve']>

/** Spaces whose samples are not mixed with another colour: an index, or amounts of inks. */
const UNMIXED: ReadonlySet<string | undefined> = new Set(['DeviceN', 'Indexed', 'Separation'])

function isSoftMask(
  context: GraphicsContext,
  value: Resolved,
  space: ColourSpace | undefined,
): boolean {
  if (!(value instanceof PdfStream)) return false
  const { document } = context
  const { dictionary } = value
  // Some readers mix samples back before they are converted, and others behind that (11.6.5.3).
  const isMixed = document.resolve(dictionary.get('Matte')) !== null
  const matte = readNumbers(context, dictionary.get('Matte')) ?? []
  const isKnownMatte = space && !UNMIXED.has(space.family) && areWithin(matte, space.ranges)
  if (isMixed && !isKnownMatte) return false
  const isGrey = document.name(dictionary.get('ColorSpace')) === 'DeviceGray'
  const isPlain = ['Mask', 'SMask', 'ImageMask'].every((key) => !dictionary.has(key))
  return document.name(dictionary.get('Subtype')) === 'Image' && isGrey && isPlain
}

function isStencil({ document }: GraphicsContext, { dictionary }: PdfStream): boolean {
  const isImage = document.name(dictionary.get('Subtype')) === 'Image'
  return isImage && document.resolve(dictionary.get('ImageMask')) === true
}
