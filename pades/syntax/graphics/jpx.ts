/** Reads the size of JPEG 2000 data (ISO/IEC 15444-1, annex A). */
import { Buffer } from 'node:buffer'
import type { ImageShape } from './images.ts'

const CODESTREAM = Buffer.from([0xff, 0x4f, 0xff, 0x51])
const END = Buffer.from([0xff, 0xd9])
const SIZE_BYTES = 40

/** Finds out whether JPEG 2000 data are an image of this size. */
export function hasJpxShape(
  data: Buffer,
  { width, height }: Pick<ImageShape, 'width' | 'height'>,
): boolean {
  const at = data.indexOf(CODESTREAM)
  if (at === -1 || at + SIZE_BYTES > data.length) return false
  // Behind both markers, the length and the capabilities.
  const [right, bottom, left, top] = [8, 12, 16, 20].map((offset) => data.readUInt32BE(at + offset))
  return right - left === width && bottom - top === height && data.lastIndexOf(END) > at
}
