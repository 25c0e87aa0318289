/**
 * Judges the data of images (ISO 32000-2, 7.4): they must be whole, and their own headers must say
 * the same as the dictionary of the image.
 */
import type { Buffer } from 'node:buffer'
import { PadesError } from '../../errors.ts'
import { unpredicted } from '../../pdf/filters.ts'
import { MAX_FILTERS, MAX_IMAGE_BYTES } from '../../pdf/limits.ts'
import {
  isArray,
  isInteger,
  PdfStream,
  type PdfDictionary,
  type PdfValue,
} from '../../pdf/values.ts'
import { decodeStrictly, FILTER_NAMES } from '../content-filters.ts'
import { inflateStrictly } from '../deflated.ts'
import type { FaultCode } from '../faults.ts'
import { decodeTable, type GraphicsContext } from './context.ts'
import { isWholeFax } from './fax.ts'
import type { ImageShape } from './images.ts'
import { hasJbig2Shape } from './jbig2.ts'
import { hasJpegShape } from './jpeg.ts'
import { hasJpxShape } from './jpx.ts'

const BITS_PER_BYTE = 8
const TIFF = 2
const FIRST_PNG = 10
const LAST_PNG = 15
/** The last of the filters of PNG rows (ISO/IEC 15948, 9.2). */
const LAST_ROW_FILTER = 4
const FAX_COLUMNS = 1_728
/** A white page inflates to 1,000 times its data. */
const NO_RATIO = Number.MAX_SAFE_INTEGER
/** Data behind the last sample, which every reader ignores. */
const SPARE_BYTES = 65_536

interface Step {
  readonly name: string
  readonly parameters: PdfDictionary
}

interface Frame {
  readonly context: GraphicsContext
  readonly shape: ImageShape
  readonly rowBytes: number
}

/** Judges data in a form of their own. */
type JudgeCodec = (frame: Frame, data: Buffer, parameters: PdfDictionary) => boolean

const CODECS: Readonly<Record<string, JudgeCodec>> = {
  DCTDecode: ({ context, shape }, data, parameters) =>
    shape.bits === BITS_PER_BYTE &&
    hasJpegShape(data, shape, parameters.get('ColorTransform'), context.imageBudget),
  JPXDecode: ({ shape }, data) => hasJpxShape(data, shape),
  CCITTFaxDecode: hasFaxData,
  JBIG2Decode: hasJbig2Data,
}

/** What {@link findDataFault} judges: the entries of an image, and its data as they are encoded. */
interface EncodedImage {
  readonly dictionary: PdfDictionary
  readonly data: () => Buffer
}

/**
 * Judges the data of an image.
 *
 * @param shape that its dictionary gives it
 * @returns undefined when every reader makes the same samples of them, as far as the structure of
 *   JPEG 2000 and JBIG2 data says
 * @throws PadesError `LIMIT_EXCEEDED`
 */
export function findDataFault(
  context: GraphicsContext,
  { dictionary, data: encoded }: EncodedImage,
  shape: ImageShape,
): FaultCode | undefined {
  const rowBytes = Math.ceil((shape.width * componentsOf(shape) * shape.bits) / BITS_PER_BYTE)
  const frame: Frame = { context, shape, rowBytes }
  const steps = readSteps(context, dictionary)
  const last = steps.at(-1)
  const judgeCodec = last && Object.hasOwn(CODECS, last.name) ? CODECS[last.name] : undefined
  let data: Buffer | undefined = encoded()
  for (const step of judgeCodec ? steps.slice(0, -1) : steps) {
    const isLast = step === last
    if (!isLast && predictorOf(step) !== 1) return 'IMAGE_ODD'
    data = data && decodeStep(frame, step, data, isLast)
  }
  if (!data) return 'IMAGE_DATA_ODD'
  const isWhole = judgeCodec
    ? hasEveryColour(shape) && judgeCodec(frame, data, last?.parameters ?? new Map())
    : hasSamples(frame, data, last)
  return isWhole ? undefined : 'IMAGE_DATA_ODD'
}

/** Whether each sample is an index of the palette. */
const hasEveryColour = ({ space, bits }: ImageShape): boolean =>
  space?.highestIndex === undefined || space.highestIndex === 2 ** bits - 1

const componentsOf = ({ space }: ImageShape): number => space?.components ?? 1
const isBilevel = (shape: ImageShape): boolean => shape.bits === 1 && componentsOf(shape) === 1

function readSteps({ document }: GraphicsContext, entries: PdfDictionary): readonly Step[] {
  const listOf = (value: PdfValue | undefined): readonly PdfValue[] => {
    const resolved = document.resolve(value)
    if (resolved === null) return []
    return isArray(resolved) ? resolved : [resolved]
  }
  const sets = listOf(entries.get('DecodeParms'))
  const names = listOf(entries.get('Filter'))
  if (names.length > MAX_FILTERS) throw new PadesError('LIMIT_EXCEEDED')
  return names.map((item, index) => {
    const name = document.name(item) ?? ''
    const set = document.dictionary(sets[index])
    const parameters = set ? document.resolvedEntries(set) : new Map<string, PdfValue>()
    return { name: FILTER_NAMES.get(name) ?? name, parameters }
  })
}

const predictorOf = ({ parameters }: Step): PdfValue => parameters.get('Predictor') ?? 1

/** @returns undefined when readers may decode the data differently */
function decodeStep(
  { context: { imageBudget }, shape, rowBytes }: Frame,
  { name, parameters }: Step,
  encoded: Buffer,
  isLast: boolean,
): Buffer | undefined {
  const rows = (rowBytes + 1) * shape.height
  if (isLast && rows > MAX_IMAGE_BYTES) throw new PadesError('LIMIT_EXCEEDED')
  const expected = isLast ? 2 * rows + SPARE_BYTES : MAX_IMAGE_BYTES
  const maxBytes = Math.min(expected, imageBudget.remainingBytes)
  const earlyChange = parameters.get('EarlyChange') === 0 ? 0 : 1
  const decoded =
    name === 'FlateDecode'
      ? inflateStrictly(encoded, maxBytes, NO_RATIO)
      : decodeStrictly({ name, earlyChange }, encoded, maxBytes)
  imageBudget.remainingBytes -= decoded?.data.length ?? 0
  return decoded?.data
}

/** Whether there is a sample for each component of each pixel. */
function hasSamples(frame: Frame, data: Buffer, last: Step | undefined): boolean {
  const { shape, rowBytes } = frame
  const predictor = last ? predictorOf(last) : 1
  const isPng = typeof predictor === 'number' && predictor >= FIRST_PNG && predictor <= LAST_PNG
  if (predictor !== 1 && !(isPng || predictor === TIFF)) return false
  if (predictor !== 1 && !hasSameRows(frame, last, isPng)) return false
  const encodedRow = isPng ? rowBytes + 1 : rowBytes
  if (data.length < encodedRow * shape.height) return false
  if (isPng && !hasKnownFilters(data, encodedRow, shape.height)) return false
  if (hasEveryColour(shape)) return true
  const samples = unpredicted(data.subarray(0, encodedRow * shape.height), last?.parameters)
  return isWithin(samples, shape.space?.highestIndex ?? 0, frame)
}

/** A predictor has its own idea of rows; some readers take that of the image instead. */
function hasSameRows({ shape }: Frame, last: Step | undefined, isPng: boolean): boolean {
  const valueOf = (key: string, preset: number) => last?.parameters.get(key) ?? preset
  const isSame =
    valueOf('Columns', 1) === shape.width &&
    valueOf('Colors', 1) === componentsOf(shape) &&
    valueOf('BitsPerComponent', BITS_PER_BYTE) === shape.bits
  return isSame && (isPng || shape.bits === BITS_PER_BYTE)
}

function hasKnownFilters(data: Buffer, rowBytes: number, rows: number): boolean {
  for (let row = 0; row < rows; row += 1) if (data[row * rowBytes] > LAST_ROW_FILTER) return false
  return true
}

/** Whether every sample is an index of the palette; readers paint others differently. */
function isWithin(samples: Uint8Array, highest: number, { shape, rowBytes }: Frame): boolean {
  const { bits, width, height } = shape
  if (bits > BITS_PER_BYTE) return false
  const perByte = BITS_PER_BYTE / bits
  const mask = 2 ** bits - 1
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const byte = samples[row * rowBytes + Math.floor(column / perByte)]
      const shift = BITS_PER_BYTE - bits - (column % perByte) * bits
      if (((byte >> shift) & mask) > highest) return false
    }
  }
  return true
}

/** 7.4.7. */
function hasJbig2Data({ context, shape }: Frame, data: Buffer, parameters: PdfDictionary): boolean {
  const globals = context.document.resolve(parameters.get('JBIG2Globals'))
  if (!isBilevel(shape)) return false
  if (globals === null) return hasJbig2Shape(data, undefined, shape)
  const decoded = globals instanceof PdfStream ? decodeTable(context, globals) : undefined
  return decoded !== undefined && hasJbig2Shape(data, decoded, shape)
}

/** 7.4.6: the parameters must say what the dictionary says, and every row must be whole. */
function hasFaxData({ context, shape }: Frame, data: Buffer, parameters: PdfDictionary): boolean {
  const columns = parameters.get('Columns') ?? FAX_COLUMNS
  const rows = parameters.get('Rows') ?? 0
  const k = parameters.get('K') ?? 0
  const isAligned = parameters.get('EncodedByteAlign') ?? false
  const flags = ['EndOfLine', 'EndOfBlock', 'BlackIs1']
  const isKnown =
    isBilevel(shape) &&
    columns === shape.width &&
    (rows === 0 || rows === shape.height) &&
    isInteger(k) &&
    typeof isAligned === 'boolean' &&
    // Rows that refer to the row above have no end; some readers look for it nevertheless.
    (k >= 0 || (parameters.get('EndOfLine') ?? false) === false) &&
    (parameters.get('DamagedRowsBeforeError') ?? 0) === 0 &&
    flags.every((key) => typeof (parameters.get(key) ?? false) === 'boolean')
  if (!isKnown) return false
  // Each row and each code takes a bit or more.
  context.imageBudget.remainingBytes -= data.length * BITS_PER_BYTE
  if (context.imageBudget.remainingBytes < 0) throw new PadesError('LIMIT_EXCEEDED')
  return isWholeFax(data, { k, columns: shape.width, rows: shape.height, isAligned })
}
