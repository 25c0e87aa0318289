/**
 * Decodes the scans of a JPEG image and judges whether they are whole (ISO/IEC 10918-1, B.2.3, F
 * and G). Readers paint the part behind damaged codes in different colours, or not at all.
 */
import type { Buffer } from 'node:buffer'
import { PadesError } from '../../../errors.ts'
import type { DecodingBudget } from '../../content-filters.ts'
import { BitReader, type HuffmanTable } from './bits.ts'
import {
  type Band,
  type Block,
  type Coding,
  decodeDc,
  decodeFirst,
  decodeRefinement,
  decodeSequential,
} from './blocks.ts'
import type { JpegComponent, JpegFrame } from './frame.ts'
import { BLOCK_SIZE, hasPlainSamples } from './samples.ts'

const MAX_BLOCKS_OF_UNIT = 10
const RESTART = 0xffd0
/** Libjpeg refuses scans that leave more bits to later ones. */
const MAX_LOW_BITS = 13
const RESTARTS = 8
/** A block takes a quarter of the time of 64 samples that other filters decode. */
const BUDGET_OF_BLOCK = 16

/** The tables that the segments before a scan define, by their number. */
export interface Tables {
  readonly dc: Map<number, HuffmanTable>
  readonly ac: Map<number, HuffmanTable>
  /** Steps in the order of the data. */
  readonly quantisation: Map<number, Uint16Array>
  /** Units between two restart markers; 0 for none. */
  restartInterval: number
}

/** A component of a scan. */
interface Part extends Coding {
  readonly component: JpegComponent
  readonly steps: Uint16Array
  readonly block: Block
}

type DecodeBlock = (bits: BitReader, part: Part, band: Band) => boolean

/**
 * @param body of the header of the scan
 * @param at offset of the codes behind it
 * @returns offset of the marker behind the codes; undefined when readers decode them differently
 * @throws PadesError `LIMIT_EXCEEDED`
 */
export function readScan(
  data: Buffer,
  { body, at }: { body: Buffer; at: number },
  frame: JpegFrame,
  tables: Tables,
  budget: DecodingBudget,
): number | undefined {
  const count = body[0] ?? 0
  if (count === 0 || body.length !== count * 2 + 4) return undefined
  const parts = readParts(body, count, frame, tables)
  const [first, last, bits] = body.subarray(body.length - 3)
  const band = { first, last, low: bits & 15, isRefinement: bits >> 4 !== 0, ended: 0 }
  if (!parts || !isNext(frame, parts, band, bits >> 4)) return undefined
  for (const { component } of parts) component.progress.fill(band.low, first, last + 1)
  return decodeUnits(data, at, { frame, parts, band, interval: tables.restartInterval, budget })
}

function readParts(
  body: Buffer,
  count: number,
  { components }: JpegFrame,
  { dc, ac, quantisation }: Tables,
): readonly Part[] | undefined {
  const parts: Part[] = []
  let next = 0
  for (let index = 0; index < count; index += 1) {
    const [id, numbers] = body.subarray(1 + index * 2)
    const found = components.findIndex((component) => component.id === id)
    const component = components[found]
    const steps = component && quantisation.get(component.quantisation)
    // Components keep the order of the frame. Readers take the steps of the first or the last scan.
    if (!component || found < next || !steps || (component.steps ?? steps) !== steps)
      return undefined
    component.steps = steps
    next = found + 1
    const block = { coefficients: component.coefficients, at: 0 }
    const [dcTable, acTable] = [dc.get(numbers >> 4), ac.get(numbers & 15)]
    parts.push({ component, steps, block, dc: dcTable, ac: acTable, prediction: 0 })
  }
  return count === 1 || countBlocks(parts) <= MAX_BLOCKS_OF_UNIT ? parts : undefined
}

const countBlocks = (parts: readonly Part[]): number =>
  parts.reduce((sum, { component: { horizontal, vertical } }) => sum + horizontal * vertical, 0)

/** Whether the scan codes what the scans before it left (G.1.1.1). */
function isNext(
  { isProgressive }: JpegFrame,
  parts: readonly Part[],
  { first, last, low }: Band,
  high: number,
): boolean {
  if (last >= BLOCK_SIZE || first > last || low > MAX_LOW_BITS) return false
  if (!isProgressive && (first !== 0 || last !== BLOCK_SIZE - 1 || low !== 0 || high !== 0))
    return false
  if (isProgressive && first === 0 && last !== 0) return false
  const isBand = first > 0
  if (isBand && (parts.length > 1 || parts[0].component.progress[0] < 0)) return false
  if (high !== 0 && high !== low + 1) return false
  const before = high === 0 ? -1 : high
  return parts.every(({ component: { progress } }) =>
    progress.subarray(first, last + 1).every((missing) => missing === before),
  )
}

interface Units {
  readonly frame: JpegFrame
  readonly parts: readonly Part[]
  readonly band: Band
  readonly interval: number
  readonly budget: DecodingBudget
}

function decodeUnits(
  data: Buffer,
  at: number,
  { frame, parts, band, interval, budget }: Units,
): number | undefined {
  const [{ component }] = parts
  const isInterleaved = parts.length > 1
  const wide = isInterleaved ? frame.unitsWide : component.blocksWide
  const high = isInterleaved ? frame.unitsHigh : component.blocksHigh
  const blocksOfUnit = isInterleaved ? countBlocks(parts) : 1
  const decode = decoderOf(frame, band)
  let bits = new BitReader(data, at)
  for (let unit = 0; unit < wide * high; unit += 1) {
    if (interval > 0 && unit > 0 && unit % interval === 0) {
      const restartAt = band.ended === 0 ? bits.end() : undefined
      const marker = RESTART + ((unit / interval - 1) % RESTARTS)
      if (restartAt === undefined || readMarker(data, restartAt) !== marker) return undefined
      bits = new BitReader(data, restartAt + 2)
      for (const part of parts) part.prediction = 0
    }
    const [row, column] = [Math.floor(unit / wide), unit % wide]
    budget.remainingBytes -= BUDGET_OF_BLOCK * blocksOfUnit
    if (budget.remainingBytes < 0) throw new PadesError('LIMIT_EXCEEDED')
    for (const part of parts) {
      const { horizontal, vertical } = isInterleaved ? part.component : SINGLE
      for (let index = 0; index < horizontal * vertical; index += 1) {
        const y = row * vertical + Math.floor(index / horizontal)
        const x = column * horizontal + (index % horizontal)
        part.block.at = frame.isProgressive ? (y * part.component.stride + x) * BLOCK_SIZE : 0
        if (!decode(bits, part, band)) return undefined
      }
    }
  }
  return band.ended === 0 ? bits.end() : undefined
}

const SINGLE = { horizontal: 1, vertical: 1 }

const readMarker = (data: Buffer, at: number): number =>
  at + 2 <= data.length ? data.readUInt16BE(at) : 0

function decoderOf({ isProgressive }: JpegFrame, { first, low, isRefinement }: Band): DecodeBlock {
  if (!isProgressive) {
    return (bits, part) => {
      part.block.coefficients.fill(0)
      const isDecoded = decodeSequential(bits, part, part.block)
      return isDecoded && hasPlainSamples(part.block.coefficients, 0, part.steps)
    }
  }
  if (first > 0) {
    const decode = isRefinement ? decodeRefinement : decodeFirst
    return (bits, part, band) => decode(bits, part, band, part.block)
  }
  if (!isRefinement) return (bits, part) => decodeDc(bits, part, low, part.block)
  return (bits, { block: { coefficients, at } }) => {
    coefficients[at] |= bits.read(1) << low
    return true
  }
}

/** Whether the scans coded all bits of all coefficients, and all samples are in range. */
export function isComplete(
  { isProgressive, components }: JpegFrame,
  { quantisation: last }: Pick<Tables, 'quantisation'>,
): boolean {
  return components.every(({ coefficients, progress, steps, quantisation }) => {
    // pdf.js takes the steps that are valid at the end of the data.
    if (!steps || last.get(quantisation) !== steps || progress.some((missing) => missing !== 0))
      return false
    // The samples of other images were judged block by block.
    if (!isProgressive) return true
    for (let at = 0; at < coefficients.length; at += BLOCK_SIZE)
      if (!hasPlainSamples(coefficients, at, steps)) return false
    return true
  })
}
