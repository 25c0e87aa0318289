/** The frame of a JPEG image: its size and its components (ISO/IEC 10918-1, B.2.2 and A.1). */
import type { Buffer } from 'node:buffer'
import { PadesError } from '../../../errors.ts'
import { MAX_IMAGE_BYTES } from '../../../pdf/limits.ts'
import { BLOCK_SIZE } from './samples.ts'

const PRECISION_BITS = 8
const MAX_SAMPLING = 4
const HEADER_BYTES = 6
const COMPONENT_BYTES = 3
const BLOCK_SIDE = 8
const BYTES_PER_COEFFICIENT = 2
const MAX_COMPONENTS = 4
/** Coefficients of which no scan has coded a bit. */
const NOT_CODED = -1

export interface JpegComponent {
  readonly id: number
  /** Blocks of the component in a unit of an interleaved scan, in each direction. */
  readonly horizontal: number
  readonly vertical: number
  readonly quantisation: number
  /** Blocks that hold samples, in each direction. */
  readonly blocksWide: number
  readonly blocksHigh: number
  /** Blocks of a row, including those that only fill the last unit. */
  readonly stride: number
  /** All blocks of the component for a progressive frame, otherwise one block. */
  readonly coefficients: Int16Array
  /** Number of low bits that are missing, for each coefficient. */
  readonly progress: Int8Array
  /** Steps by which its first scan was quantised. */
  steps?: Uint16Array
}

export interface JpegFrame {
  readonly width: number
  readonly height: number
  readonly isProgressive: boolean
  /** Units of an interleaved scan, in each direction. */
  readonly unitsWide: number
  readonly unitsHigh: number
  readonly components: readonly JpegComponent[]
}

/**
 * Reads a frame header.
 *
 * @param body of the segment
 * @returns undefined for one that readers do not share
 * @throws PadesError `LIMIT_EXCEEDED`
 */
export function readFrame(body: Buffer, isProgressive: boolean): JpegFrame | undefined {
  if (body.length < HEADER_BYTES || body[0] !== PRECISION_BITS) return undefined
  const [height, width, count] = [body.readUInt16BE(1), body.readUInt16BE(3), body[5]]
  const hasLength = body.length === HEADER_BYTES + count * COMPONENT_BYTES
  if (!hasLength || width === 0 || height === 0 || count === 0 || count > MAX_COMPONENTS)
    return undefined
  const parts = Array.from({ length: count }, (_, index) => {
    const [id, sampling, quantisation] = body.subarray(HEADER_BYTES + index * COMPONENT_BYTES)
    return { id, horizontal: sampling >> 4, vertical: sampling & 15, quantisation }
  })
  const isKnown = ({ horizontal, vertical }: { horizontal: number; vertical: number }) =>
    [horizontal, vertical].every((factor) => factor > 0 && factor <= MAX_SAMPLING)
  const ids = new Set(parts.map(({ id }) => id))
  if (ids.size !== count || !parts.every(isKnown)) return undefined
  const most = {
    horizontal: Math.max(...parts.map(({ horizontal }) => horizontal)),
    vertical: Math.max(...parts.map(({ vertical }) => vertical)),
  }
  // libjpeg scales by whole factors alone.
  const isWhole = parts.every(
    ({ horizontal, vertical }) =>
      most.horizontal % horizontal === 0 && most.vertical % vertical === 0,
  )
  if (!isWhole) return undefined
  const unitsWide = Math.ceil(width / (BLOCK_SIDE * most.horizontal))
  const unitsHigh = Math.ceil(height / (BLOCK_SIDE * most.vertical))
  const sizes = parts.map((part) => ({
    ...part,
    blocksWide: blocksOf(width, part.horizontal, most.horizontal),
    blocksHigh: blocksOf(height, part.vertical, most.vertical),
    stride: unitsWide * part.horizontal,
    blocks: isProgressive ? unitsWide * part.horizontal * unitsHigh * part.vertical : 1,
  }))
  const blocks = sizes.reduce((sum, size) => sum + size.blocks, 0)
  if (blocks * BLOCK_SIZE * BYTES_PER_COEFFICIENT > MAX_IMAGE_BYTES)
    throw new PadesError('LIMIT_EXCEEDED')
  const components = sizes.map((size) => ({
    ...size,
    coefficients: new Int16Array(size.blocks * BLOCK_SIZE),
    progress: new Int8Array(BLOCK_SIZE).fill(NOT_CODED),
  }))
  return { width, height, isProgressive, unitsWide, unitsHigh, components }
}

const blocksOf = (samples: number, factor: number, most: number): number =>
  Math.ceil(Math.ceil((samples * factor) / most) / BLOCK_SIDE)
