/**
 * Writes the ink of a drawing as a PNG (ISO/IEC 15948). A drawing in one ink is an indexed picture
 * whose entries differ in opacity alone, so that a PDF takes its rows over as a soft mask.
 */
import { Buffer } from 'node:buffer'
import { crc32, deflateSync } from 'node:zlib'

import type { PixelPicture } from './picture.ts'
import { PNG_SIGNATURE } from './png-signature.ts'

const INDEXED = 3
const RGBA = 6
/** Rows are not filtered: most of a drawing is empty. */
const NO_FILTER = 0

/** Opacity of each entry of the palette of a drawing in one ink: its own index. */
export const OPACITIES = Buffer.from(Array.from({ length: 256 }, (_, index) => index))

/** @param picture with an opacity for each pixel */
export function writePng({ width, height, colour, alpha }: PixelPicture): Buffer {
  if (!alpha) throw new TypeError('the picture has no opacity')
  if (colour instanceof Uint8Array) {
    const samples = Buffer.alloc(width * height * 4)
    for (let pixel = 0; pixel < alpha.length; pixel += 1) {
      samples.set(colour.subarray(pixel * 3, pixel * 3 + 3), pixel * 4)
      samples[pixel * 4 + 3] = alpha[pixel]
    }
    return assemble(header(width, height, RGBA), data(samples, width * 4))
  }
  const palette = Buffer.alloc(256 * 3, Buffer.from(colour))
  return assemble(
    header(width, height, INDEXED),
    chunk('PLTE', palette),
    chunk('tRNS', OPACITIES),
    data(alpha, width),
  )
}

function assemble(...chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([PNG_SIGNATURE, ...chunks, chunk('IEND', Buffer.alloc(0))])
}

function header(width: number, height: number, colourType: number): Buffer {
  const body = Buffer.alloc(13)
  body.writeUInt32BE(width, 0)
  body.writeUInt32BE(height, 4)
  body.set([8, colourType], 8)
  return chunk('IHDR', body)
}

function data(samples: Uint8Array, rowBytes: number): Buffer {
  const rowCount = samples.length / rowBytes
  const rows = Buffer.alloc(rowCount * (rowBytes + 1), NO_FILTER)
  for (let row = 0; row < rowCount; row += 1) {
    rows.set(samples.subarray(row * rowBytes, (row + 1) * rowBytes), row * (rowBytes + 1) + 1)
  }
  return chunk('IDAT', deflateSync(rows))
}

function chunk(type: string, body: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(body.length, 0)
  frame.writeUInt32BE(crc32(typed), 4)
  return Buffer.concat([frame.subarray(0, 4), typed, frame.subarray(4)])
}
