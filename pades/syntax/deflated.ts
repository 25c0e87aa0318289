/**
 * Inflates data and distinguishes faults by how readers treat them (ISO 32000-2, 7.4.4; RFC 1950
 * and 1951).
 */
import { Buffer } from 'node:buffer'
import { inflateRawSync, inflateSync } from 'node:zlib'
import { PadesError } from '../errors.ts'
import { MAX_INFLATE_RATIO, MAX_INFLATED_BYTES, MIN_INFLATE_BYTES } from '../pdf/limits.ts'

/** Data without their compression. */
export interface Inflated {
  readonly data: Buffer
  /** Bytes of the encoded data up to their end, the checksum included. */
  readonly consumedBytes: number
  /**
   * - `whole`: a last block and the right checksum end the data.
   * - `unchecked`: a last block ends the data, and the checksum is wrong or cut off.
   * - `flushed`: the data end between two blocks, without a last block.
   */
  readonly ending: 'whole' | 'unchecked' | 'flushed'
}

const HEADER_BYTES = 2
const CHECKSUM_BYTES = 4
/** An empty stored block that is the last one (RFC 1951, 3.2.4). */
const LAST_BLOCK = Buffer.from([0x01, 0x00, 0x00, 0xff, 0xff])

/**
 * Inflates data of the zlib format.
 *
 * @param encoded bytes behind the end of the deflated data are ignored
 * @param maxBytes of inflated data
 * @param maxRatio of inflated to encoded bytes
 * @returns undefined when the header or a block is damaged, or when a block is cut off
 * @throws PadesError `LIMIT_EXCEEDED` - more than `maxBytes` or `maxRatio` times the encoded data
 */
export function inflateStrictly(
  encoded: Buffer,
  maxBytes = MAX_INFLATED_BYTES,
  maxRatio = MAX_INFLATE_RATIO,
): Inflated | undefined {
  const byRatio = Math.max(MIN_INFLATE_BYTES, encoded.length * maxRatio)
  const maxOutputLength = Math.max(1, Math.min(maxBytes, byRatio))
  const whole = inflated(inflateSync, encoded, maxOutputLength)
  if (whole) return { ...whole, ending: 'whole' }
  if (!hasHeader(encoded)) return undefined
  const blocks = encoded.subarray(HEADER_BYTES)
  const unchecked = inflated(inflateRawSync, blocks, maxOutputLength)
  if (unchecked) {
    const end = HEADER_BYTES + unchecked.consumedBytes + CHECKSUM_BYTES
    const consumedBytes = Math.min(end, encoded.length)
    return { data: unchecked.data, consumedBytes, ending: 'unchecked' }
  }
  const closed = Buffer.concat([blocks, LAST_BLOCK])
  const flushed = inflated(inflateRawSync, closed, maxOutputLength)
  // A last block that was read from within the data would end elsewhere.
  if (flushed?.consumedBytes !== closed.length) return undefined
  return { data: flushed.data, consumedBytes: encoded.length, ending: 'flushed' }
}

/** RFC 1950, 2.2: deflate with a window of up to 32 KB, no dictionary, and the check bits. */
function hasHeader(encoded: Buffer): boolean {
  if (encoded.length < HEADER_BYTES) return false
  const header = encoded.readUInt16BE(0)
  const isDeflate = (header & 0x0f00) === 0x0800 && header >> 12 <= 7
  return isDeflate && (header & 0x20) === 0 && header % 31 === 0
}

type Inflate = typeof inflateSync

function inflated(
  inflate: Inflate,
  encoded: Buffer,
  maxOutputLength: number,
): { data: Buffer; consumedBytes: number } | undefined {
  try {
    // The declaration lacks what `info` changes.
    const { buffer, engine } = inflate(encoded, {
      maxOutputLength,
      info: true,
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
    return { data: buffer, consumedBytes: engine.bytesWritten }
  } catch (error) {
    const isTooLarge =
      error instanceof RangeError || (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    if (isTooLarge) throw new PadesError('LIMIT_EXCEEDED', undefined, { cause: error })
    return undefined
  }
}
