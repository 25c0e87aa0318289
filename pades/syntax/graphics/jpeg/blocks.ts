/**
 * Decodes the coefficients of one block of a JPEG image (ISO/IEC 10918-1, F.2.2 and G.1.2), as
 * strictly as the tables allow: decoders replace what they do not understand in different ways.
 */
import type { BitReader, HuffmanTable } from './bits.ts'
import { BLOCK_SIZE } from './samples.ts'

/** Limits for images with 8 bits for a sample (tables F.1 and F.2). */
const MAX_DC_SIZE = 11
const MAX_AC_SIZE = 10
const ZERO_RUN = 15
const LAST = BLOCK_SIZE - 1

/** The tables of a component in a scan, and what one block leaves for the next. */
export interface Coding {
  readonly dc?: HuffmanTable
  readonly ac?: HuffmanTable
  /** DC coefficient of the block before. */
  prediction: number
}

/** What a scan codes: a band of coefficients, and the bits of them (G.1.1.1). */
export interface Band {
  readonly first: number
  readonly last: number
  /** Number of low bits that later scans code. */
  readonly low: number
  readonly isRefinement: boolean
  /** Blocks that end at once, because of a run of ends. */
  ended: number
}

/** A block: its 64 coefficients, in the order of the data. */
export interface Block {
  readonly coefficients: Int16Array
  at: number
}

/** Decodes all coefficients of a block. @returns false for codes that decoders read differently */
export function decodeSequential(bits: BitReader, coding: Coding, block: Block): boolean {
  const { coefficients, at } = block
  if (!decodeDc(bits, coding, 0, block)) return false
  for (let k = 1; k <= LAST; k += 1) {
    const symbol = coding.ac ? bits.decode(coding.ac) : -1
    const size = symbol & 15
    if (symbol === 0) return true
    k += symbol >> 4
    if (symbol < 0 || k > LAST || size > MAX_AC_SIZE) return false
    if (size === 0 && symbol >> 4 !== ZERO_RUN) return false
    if (size > 0) coefficients[at + k] = bits.readSigned(size)
  }
  return true
}

/** Decodes the difference of a DC coefficient (F.2.2.1). */
export function decodeDc(
  bits: BitReader,
  coding: Coding,
  low: number,
  { coefficients, at }: Block,
): boolean {
  const size = coding.dc ? bits.decode(coding.dc) : -1
  if (size < 0 || size > MAX_DC_SIZE) return false
  coding.prediction += bits.readSigned(size)
  const value = coding.prediction * 2 ** low
  if (Math.abs(value) >= 2 ** (MAX_DC_SIZE + 1)) return false
  coefficients[at] = value
  return true
}

/** Decodes the first bits of a band (G.1.2.2). */
export function decodeFirst(
  bits: BitReader,
  { ac }: Coding,
  band: Band,
  { coefficients, at }: Block,
): boolean {
  if (band.ended > 0) {
    band.ended -= 1
    return true
  }
  for (let k = band.first; k <= band.last; k += 1) {
    const symbol = ac ? bits.decode(ac) : -1
    if (symbol < 0) return false
    const [run, size] = [symbol >> 4, symbol & 15]
    if (size === 0 && run < ZERO_RUN) {
      band.ended = (1 << run) + bits.read(run) - 1
      return true
    }
    k += run
    if (k > band.last || size > MAX_AC_SIZE) return false
    if (size > 0) coefficients[at + k] = bits.readSigned(size) * 2 ** band.low
  }
  return true
}

/** Decodes one more bit of each coefficient of a band (G.1.2.3). */
export function decodeRefinement(
  bits: BitReader,
  { ac }: Coding,
  band: Band,
  block: Block,
): boolean {
  const { coefficients, at } = block
  const step = 1 << band.low
  let k = band.first
  while (band.ended === 0 && k <= band.last) {
    const symbol = ac ? bits.decode(ac) : -1
    const [run, size] = [symbol >> 4, symbol & 15]
    if (symbol < 0 || size > 1) return false
    if (size === 0 && run < ZERO_RUN) {
      band.ended = (1 << run) + bits.read(run)
      break
    }
    const value = size === 0 ? 0 : bits.read(1) === 1 ? step : -step
    k = refine(bits, block, k, band, run)
    if (k > band.last) return false
    if (value !== 0) coefficients[at + k] = value
    k += 1
  }
  if (band.ended > 0) {
    refine(bits, block, k, band, BLOCK_SIZE)
    band.ended -= 1
  }
  return true
}

/**
 * Reads a bit for each coefficient that is not zero, over a run of those that are.
 *
 * @returns index of the zero behind the run, or one beyond the band
 */
function refine(
  bits: BitReader,
  { coefficients, at }: Block,
  from: number,
  band: Band,
  run: number,
): number {
  const step = 1 << band.low
  let zeros = run
  for (let k = from; k <= band.last; k += 1) {
    const value = coefficients[at + k]
    if (value === 0 && zeros === 0) return k
    if (value === 0) zeros -= 1
    else if (bits.read(1) === 1) coefficients[at + k] = value + (value > 0 ? step : -step)
  }
  return band.last + 1
}
