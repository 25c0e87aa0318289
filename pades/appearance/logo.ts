/** Reads logos of tenants: small PNG and JPEG files of untrusted people (ISO/IEC 15948). */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'

import { PadesError } from '../errors.ts'
import type { Drawing } from './drawing.ts'
import { JPEG_SIGNATURE, readJpeg } from './jpeg.ts'
import { type PngLimits, readPng } from './png.ts'
import { PNG_SIGNATURE } from './png-signature.ts'

/** Four times what a page shows, for screens with a high resolution. */
const MAX_LOGO_SIDE_PX = 1_024
const MAX_LOGO_PIXELS = 256 * 1_024
/** Four samples of 16 bits for each pixel: at most 2 MB are inflated. */
const MAX_LOGO_PIXEL_BITS = MAX_LOGO_PIXELS * 64

/** A checked logo, as a picture for composed documents. */
export interface LogoImage extends Drawing {
  readonly mediaType: 'image/png' | 'image/jpeg'
  /** In pixels, as the file states it. */
  readonly width: number
  readonly height: number
}

/** @throws PadesError `BAD_DRAWING` */
function assertLogoSize(width: number, height: number): void {
  if (Math.max(width, height) <= MAX_LOGO_SIDE_PX && width * height <= MAX_LOGO_PIXELS) return
  const limits = `${MAX_LOGO_SIDE_PX} pixels on a side or ${MAX_LOGO_PIXELS} pixels in all`
  throw new PadesError('BAD_DRAWING', `it has more than ${limits}`)
}

/** Pixels are decoded in the processes of the service: 2 MB of samples, and 1 MB of pixels. */
const PNG_LIMITS: PngLimits = { maxPixelBits: MAX_LOGO_PIXEL_BITS, assertSize: assertLogoSize }

const startsWith = (bytes: Uint8Array, signature: Buffer): boolean =>
  signature.equals(bytes.subarray(0, signature.length))

/** Width and height in the header of a PNG that was read (ISO/IEC 15948, 11.2.2). */
function sizeOfPng(file: Uint8Array): { width: number; height: number } {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function readFile(file: Uint8Array) {
  if (startsWith(file, PNG_SIGNATURE)) {
    const { picture, bytes } = readPng(file, PNG_LIMITS)
    return { mediaType: 'image/png' as const, picture, bytes, ...sizeOfPng(bytes) }
  }
  if (startsWith(file, JPEG_SIGNATURE)) {
    const { picture, bytes } = readJpeg(file)
    const { width, height } = picture
    assertLogoSize(width, height)
    return { mediaType: 'image/jpeg' as const, picture, bytes, width, height }
  }
  throw new PadesError('BAD_DRAWING', 'it is neither PNG nor JPEG')
}

/**
 * Reads and checks a logo; the returned bytes are the file without texts, dates and camera data.
 *
 * @param file PNG or JPEG with at most 256 K pixels and 1,024 pixels on a side
 * @throws PadesError `BAD_DRAWING` - the message says what is wrong
 */
export function readLogo(file: Uint8Array): LogoImage {
  const logo = readFile(file)
  return { ...logo, sha256: createHash('sha256').update(logo.bytes).digest('hex') }
}
