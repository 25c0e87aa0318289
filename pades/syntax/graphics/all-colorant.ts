/**
 * Judges the colorant All (ISO 32000-2, 8.6.6.4): Ghostscript paints its tints in grey, whatever
 * colours they have in the alternate space.
 */
import { isInteger, type PdfDictionary, PdfStream, type PdfValue } from '../../pdf/values.ts'
import { decodeTable, entriesOf, type GraphicsContext, readNumbers } from './context.ts'
import { plainLightness } from './profiles/lightness.ts'

/** Least lightness of no ink, and most of all ink. */
const [PAPER, INK] = [90, 30]
const [SAMPLED, EXPONENTIAL] = [0, 2]
const SAMPLE_BITS = 8
const MOST_SAMPLE = 255
const COMPONENTS: ReadonlySet<number> = new Set([1, 3, 4])

/**
 * Finds out whether more of the colorant is darker, from paper to ink.
 *
 * @param tint the function of the tints, which is known
 */
export function isDarkening(context: GraphicsContext, tint: PdfValue): boolean {
  const colours = readColours(context, tint) ?? []
  if (!colours.every(({ length }) => COMPONENTS.has(length))) return false
  const lights = colours.map(plainLightness)
  const [first = 0, last = 100] = [lights[0], lights.at(-1)]
  const isFalling = lights.every((light, index) => light <= (lights[index - 1] ?? light))
  return isFalling && first >= PAPER && last <= INK
}

/** @returns colours of tints from 0 to 1 */
function readColours(
  context: GraphicsContext,
  tint: PdfValue,
): readonly (readonly number[])[] | undefined {
  const { document } = context
  const resolved = document.resolve(tint)
  const entries = entriesOf(resolved)
  const type = document.integer(entries?.get('FunctionType'))
  if (entries && type === EXPONENTIAL) {
    const ends = [readNumbers(context, entries.get('C0')), readNumbers(context, entries.get('C1'))]
    return [ends[0] ?? [0], ends[1] ?? [1]]
  }
  const isSampled = entries && type === SAMPLED && resolved instanceof PdfStream
  return isSampled ? readSamples(context, resolved, entries) : undefined
}

/** Samples of 8 bits that are amounts from 0 to 1, in the order of the tints. */
function readSamples(
  context: GraphicsContext,
  stream: PdfStream,
  entries: PdfDictionary,
): readonly (readonly number[])[] | undefined {
  const { document } = context
  const components = (readNumbers(context, entries.get('Range')) ?? []).length / 2
  const [size] = readNumbers(context, entries.get('Size')) ?? []
  const decode =
    readNumbers(context, entries.get('Decode')) ?? readNumbers(context, entries.get('Range'))
  const [from = 0, to = size] = readNumbers(context, entries.get('Encode')) ?? []
  const isPlain =
    document.integer(entries.get('BitsPerSample')) === SAMPLE_BITS &&
    isInteger(size) &&
    decode?.every((end, index) => end === index % 2) === true &&
    from < (to ?? 0)
  const data = isPlain ? decodeTable(context, stream) : undefined
  if (!data || !isInteger(size)) return undefined
  return Array.from({ length: size }, (_, index) =>
    Array.from(
      data.subarray(index * components, (index + 1) * components),
      (octet) => octet / MOST_SAMPLE,
    ),
  )
}
