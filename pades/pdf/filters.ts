/**
 * Decodes the streams that hold structure: cross-reference and object streams (ISO 32000-2, 7.4).
 */
import { Buffer } from 'node:buffer'
import { constants, inflateSync } from 'node:zlib'

import { PadesError } from '../errors.ts'
import { GREATER_THAN, HEX_VALUE, LETTER_Z, NO_DIGIT, TILDE } from './characters.ts'
import { MAX_FILTERS, MAX_INFLATE_RATIO, MIN_INFLATE_BYTES } from './limits.ts'
import { isInteger, nameOf, type PdfDictionary } from './values.ts'

export interface FilterStep {
  readonly name: string
  /** `/DecodeParms`, values resolved. */
  readonly parameters?: PdfDictionary
}

/** A file that newer programs open is not damaged. */
export const BROTLI_UNSUPPORTED =
  'The PDF is compressed with Brotli, which is not supported; save or print it as a new PDF' +
  ' without that compression and upload that'

const MAX_PREDICTOR_COLUMNS = 65_536

/**
 * Decodes a stream through its filters.
 *
 * @param encoded at least the encoded bytes; what follows the end of deflated data is ignored
 * @param maxBytes of decoded data
 * @throws PadesError `DAMAGED` - the data cannot be decoded or the filter is not for structure
 * @throws PadesError `LIMIT_EXCEEDED` - the data inflates to more than `maxBytes` or 300 times,
 *   goes through more than four filters, or has rows of absurd length
 */
export function decodeStream(
  encoded: Uint8Array,
  filters: readonly FilterStep[],
  maxBytes: number,
): Buffer {
  if (filters.length > MAX_FILTERS) throw new PadesError('LIMIT_EXCEEDED')
  let data: Uint8Array = encoded
  for (const { name, parameters } of filters) {
    if (name === 'Crypt' && isIdentity(parameters)) continue
    data = unpredicted(applyFilter(name, data, maxBytes), parameters)
    if (data.length > maxBytes) throw new PadesError('LIMIT_EXCEEDED')
  }
  return Buffer.from(data.buffer, data.byteOffset, data.length)
}

/** A crypt filter that leaves the data as they are, which is the default (7.4.10). */
function isIdentity(parameters: PdfDictionary | undefined): boolean {
  const name = parameters?.get('Name')
  return name === undefined || nameOf(name) === 'Identity'
}

function applyFilter(name: string, data: Uint8Array, maxBytes: number): Uint8Array {
  switch (name) {
    case 'FlateDecode':
    case 'Fl':
      return inflated(data, maxBytes)
    case 'ASCIIHexDecode':
    case 'AHx':
      return fromHex(data)
    case 'ASCII85Decode':
    case 'A85':
      return fromBase85(data)
    case 'BrotliDecode':
      throw new PadesError('DAMAGED', BROTLI_UNSUPPORTED)
    default:
      throw new PadesError('DAMAGED')
  }
}

function inflated(data: Uint8Array, maxBytes: number): Uint8Array {
  const byRatio = Math.max(MIN_INFLATE_BYTES, data.length * MAX_INFLATE_RATIO)
  const maxOutputLength = Math.max(1, Math.min(maxBytes, byRatio))
  try {
    // Data cut off at the end gives what there is, as with other readers.
    return inflateSync(data, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    const tooLarge =
      error instanceof RangeError || (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    throw new PadesError(tooLarge ? 'LIMIT_EXCEEDED' : 'DAMAGED', undefined, { cause: error })
  }
}

function fromHex(data: Uint8Array): Uint8Array {
  const out = new Uint8Array((data.length + 1) >> 1)
  let digits = 0
  for (const byte of data) {
    if (byte === GREATER_THAN) break
    const value = HEX_VALUE[byte]
    if (value === NO_DIGIT) continue
    out[digits >> 1] |= digits % 2 === 0 ? value << 4 : value
    digits += 1
  }
  return out.subarray(0, (digits + 1) >> 1)
}

function fromBase85(data: Uint8Array): Uint8Array {
  const out = new Uint8Array(data.length * 4)
  let length = 0
  let group = 0
  let count = 0
  for (const byte of data) {
    if (byte === TILDE) break
    if (byte === LETTER_Z && count === 0) {
      length += 4
      continue
    }
    if (byte < 0x21 || byte > 0x75) continue
    group = group * 85 + (byte - 0x21)
    count += 1
    if (count < 5) continue
    for (let shift = 24; shift >= 0; shift -= 8) out[length++] = (group / 2 ** shift) & 0xff
    group = 0
    count = 0
  }
  if (count > 1) {
    for (let index = count; index < 5; index += 1) group = group * 85 + 84
    for (let index = 0; index < count - 1; index += 1) {
      out[length++] = (group / 2 ** (24 - 8 * index)) & 0xff
    }
  }
  return out.subarray(0, length)
}

function parameter(parameters: PdfDictionary, key: string, preset: number): number {
  const value = parameters.get(key)
  return isInteger(value) && value > 0 ? value : preset
}

/** Undoes the prediction of rows: TIFF 2 for bytes, PNG 10 to 15 (7.4.4.4). */
export function unpredicted(data: Uint8Array, parameters: PdfDictionary | undefined): Uint8Array {
  const predictor = parameters ? parameter(parameters, 'Predictor', 1) : 1
  if (!parameters || predictor === 1) return data
  const columns = parameter(parameters, 'Columns', 1)
  const colours = parameter(parameters, 'Colors', 1)
  const bits = parameter(parameters, 'BitsPerComponent', 8)
  if (columns * colours * bits > MAX_PREDICTOR_COLUMNS * 8) throw new PadesError('LIMIT_EXCEEDED')
  const rowBytes = Math.ceil((columns * colours * bits) / 8)
  const pixelBytes = Math.max(1, (colours * bits) >> 3)
  if (predictor >= 10) return undoPng(data, rowBytes, pixelBytes)
  if (predictor !== 2 || bits !== 8) throw new PadesError('DAMAGED')
  const out = Uint8Array.from(data)
  for (let row = 0; row < out.length; row += rowBytes) {
    const end = Math.min(row + rowBytes, out.length)
    for (let at = row + pixelBytes; at < end; at += 1) out[at] += out[at - pixelBytes]
  }
  return out
}

/**
 * Each row begins with the byte that identifies its filter; a row cut off at the end is dropped.
 */
function undoPng(data: Uint8Array, rowBytes: number, pixelBytes: number): Uint8Array {
  const rows = Math.floor(data.length / (rowBytes + 1))
  const out = new Uint8Array(rows * rowBytes)
  for (let row = 0; row < rows; row += 1) {
    const source = row * (rowBytes + 1)
    const target = row * rowBytes
    const filter = data[source]
    for (let column = 0; column < rowBytes; column += 1) {
      const at = target + column
      const left = column >= pixelBytes ? out[at - pixelBytes] : 0
      const up = row > 0 ? out[at - rowBytes] : 0
      const upLeft = row > 0 && column >= pixelBytes ? out[at - rowBytes - pixelBytes] : 0
      out[at] = data[source + 1 + column] + predicted(filter, left, up, upLeft)
    }
  }
  return out
}

function predicted(filter: number, left: number, up: number, upLeft: number): number {
  switch (filter) {
    case 1:
      return left
    case 2:
      return up
    case 3:
      return (left + up) >> 1
    case 4:
      return paeth(left, up, upLeft)
    default:
      return 0
  }
}

/**
 * The neighbour that is nearest to `left + up - upperLeft`, the first of equals (ISO/IEC 15948,
 * 9.4).
 *
 * @param left octet, 0 beyond the edge; so are the others
 */
export function paeth(left: number, up: number, upperLeft: number): number {
  const estimate = left + up - upperLeft
  const toLeft = Math.abs(estimate - left)
  const toUp = Math.abs(estimate - up)
  const toUpperLeft = Math.abs(estimate - upperLeft)
  if (toLeft <= toUp && toLeft <= toUpperLeft) return left
  return toUp <= toUpperLeft ? up : upperLeft
}
