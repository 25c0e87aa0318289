/**
 * Reads JPEG drawings of untrusted people (ITU-T T.81, annex B) so that a PDF can take them over
 * (ISO 32000-2, 7.4.8).
 */
import { Buffer } from 'node:buffer'

import { PadesError } from '../errors.ts'
import { assertPictureSize, type EncodedPicture, type ReadPicture } from './picture.ts'

export const JPEG_SIGNATURE = Buffer.from([0xff, 0xd8, 0xff])

const MAX_SEGMENTS = 4_096

const START_OF_FRAME = new Set([0xc0, 0xc1, 0xc2])
/** Lossless, hierarchical and arithmetic frames: no reader of PDFs decodes them. */
const UNSUPPORTED_FRAME = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])
const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda
const APP0 = 0xe0
const APP14 = 0xee
const APP15 = 0xef
const COMMENT = 0xfe

interface Frame {
  readonly width: number
  readonly height: number
  readonly components: number
}

/**
 * Reads and checks a JPEG; the returned bytes are the file without camera data (place, time,
 * thumbnail), comments and what follows the end of the image. Its EXIF rotation is ignored.
 *
 * @throws PadesError `BAD_DRAWING` - damaged, too large, or of a kind that PDF readers cannot show
 */
export function readJpeg(file: Uint8Array): ReadPicture<EncodedPicture> {
  const source = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const kept: Buffer[] = [source.subarray(0, 2)]
  let frame: Frame | undefined
  let hasScan = false
  let isAdobe = false
  let at = 2
  for (let count = 0; count < MAX_SEGMENTS; count += 1) {
    const { marker, start } = nextMarker(source, at)
    if (marker === END_OF_IMAGE) {
      kept.push(source.subarray(start, start + 2))
      if (!frame || !hasScan) throw damaged('it holds no picture')
      const bytes = Buffer.concat(kept)
      return { picture: toPicture(frame, isAdobe, bytes), bytes }
    }
    const end = segmentEnd(source, start)
    const body = source.subarray(start + 4, end)
    if (UNSUPPORTED_FRAME.has(marker)) {
      throw new PadesError('BAD_DRAWING', 'it is a rare kind of JPEG; save it as PNG')
    }
    if (START_OF_FRAME.has(marker)) {
      if (frame) throw damaged('it holds two pictures')
      frame = readFrame(body)
    }
    if (marker === APP14 && body.toString('latin1', 0, 5) === 'Adobe') isAdobe = true
    at = end
    if (marker === START_OF_SCAN) {
      hasScan = true
      at = scanEnd(source, end)
    }
    if (isDrawn(marker)) kept.push(source.subarray(start, at))
  }
  throw damaged('it has too many parts')
}

function damaged(what: string): PadesError {
  return new PadesError('BAD_DRAWING', `the JPEG is damaged: ${what}`)
}

/** Any number of fill bytes may precede a marker (B.1.1.2). */
function nextMarker(source: Buffer, from: number): { marker: number; start: number } {
  let at = from
  if (at >= source.length) throw damaged('it ends too early')
  if (source[at] !== 0xff) throw damaged('a part is missing')
  while (source[at + 1] === 0xff) at += 1
  const marker = source[at + 1]
  if (marker === undefined) throw damaged('it ends too early')
  return { marker, start: at }
}

function segmentEnd(source: Buffer, start: number): number {
  if (start + 4 > source.length) throw damaged('it ends too early')
  const length = source.readUInt16BE(start + 2)
  if (length < 2 || start + 2 + length > source.length) throw damaged('it ends too early')
  return start + 2 + length
}

/** Within a scan, 0xFF is followed by 0x00 or by a restart marker; anything else ends it. */
function scanEnd(source: Buffer, from: number): number {
  let at = source.indexOf(0xff, from)
  while (at >= 0 && at + 1 < source.length) {
    const next = source[at + 1]
    const isInside = next === 0x00 || (next >= 0xd0 && next <= 0xd7)
    if (!isInside) return at
    at = source.indexOf(0xff, at + 2)
  }
  throw damaged('it ends too early')
}

/** JFIF and Adobe segments say how colours are meant; the others are about the picture. */
function isDrawn(marker: number): boolean {
  if (marker === COMMENT) return false
  return marker < APP0 || marker > APP15 || marker === APP0 || marker === APP14
}

function readFrame(body: Buffer): Frame {
  if (body.length < 6) throw damaged('its header is broken')
  const [precision] = body
  const height = body.readUInt16BE(1)
  const width = body.readUInt16BE(3)
  const components = body[5]
  if (body.length !== 6 + components * 3) throw damaged('its header is broken')
  if (precision !== 8 || ![1, 3, 4].includes(components)) {
    throw new PadesError('BAD_DRAWING', 'it is a rare kind of JPEG; save it as PNG')
  }
  if (width === 0 || height === 0) throw damaged('it has no width or no height')
  assertPictureSize(width, height)
  return { width, height, components }
}

function toPicture(frame: Frame, isAdobe: boolean, data: Buffer): EncodedPicture {
  const { width, height, components } = frame
  const space = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK' }[components]
  // Adobe's programs store the four inks inverted, and readers of PDFs leave them so.
  const decode = components === 4 && isAdobe ? ' /Decode [1 0 1 0 1 0 1 0]' : ''
  const entries = `/ColorSpace ${space} /BitsPerComponent 8 /Filter /DCTDecode${decode}`
  return { kind: 'encoded', width, height, entries, data }
}
