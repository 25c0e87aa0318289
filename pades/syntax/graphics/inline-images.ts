/**
 * Judges inline images (ISO 32000-2, 8.9.7) as images that are objects: readers replace odd entries
 * and missing samples in different ways.
 */
import { isArray, nameOf, type PdfDictionary, PdfName, type PdfValue } from '../../pdf/values.ts'
import type { FaultCode } from '../faults.ts'
import { IMAGE_FILTERS, INDEXED, type InlineImage, valueOf } from '../inline-image.ts'
import type { GraphicsContext } from './context.ts'
import { findImageFault } from './images.ts'

/** Colour spaces by their abbreviations, or by names that are not of resources (table 92). */
const SPACES: ReadonlyMap<string, string> = new Map([
  ...['DeviceCMYK', 'DeviceGray', 'DeviceRGB'].map((name) => [name, name] as const),
  ['CMYK', 'DeviceCMYK'],
  ['G', 'DeviceGray'],
  ['RGB', 'DeviceRGB'],
])

/**
 * Judges the entries and the data of an inline image.
 *
 * @param resources of the content that holds it
 * @returns undefined when every reader paints the same
 * @throws PadesError `LIMIT_EXCEEDED`
 */
export function findInlineImageFault(
  context: GraphicsContext,
  resources: PdfDictionary | undefined,
  { entries: sources, data }: InlineImage,
): FaultCode | undefined {
  const entries = new Map([...sources].map(([key, source]) => [key, valueOf(source)]))
  // Ghostscript does not take null for an absent entry.
  if ([...entries.values()].includes(null)) return 'IMAGE_ODD'
  const named = context.document.dictionary(resources?.get('ColorSpace'))
  replace(entries, 'ColorSpace', (space) => inFull(space, named))
  replace(entries, 'Filter', filtersInFull)
  // PDFium paints such an image in place of masking with it.
  if (entries.get('ImageMask') === true && entries.has('ColorSpace')) return 'IMAGE_ODD'
  return findImageFault(context, entries, () => data)
}

function replace(
  entries: Map<string, PdfValue>,
  key: string,
  change: (value: PdfValue) => PdfValue,
): void {
  const value = entries.get(key)
  if (value !== undefined) entries.set(key, change(value))
}

/** @param named colour spaces among the resources; null is none */
function inFull(space: PdfValue, named: PdfDictionary | undefined): PdfValue {
  if (!isArray(space)) {
    const name = nameOf(space) ?? ''
    const device = SPACES.get(name)
    return device === undefined ? (named?.get(name) ?? null) : new PdfName(device)
  }
  const [family, base = null, ...others] = space
  return INDEXED.has(nameOf(family))
    ? [new PdfName('Indexed'), inFull(base, named), ...others]
    : space
}

function filtersInFull(value: PdfValue): PdfValue {
  if (isArray(value)) return value.map(filtersInFull)
  const name = nameOf(value)
  return name === undefined ? value : new PdfName(IMAGE_FILTERS.get(name) ?? name)
}
