/**
 * Reads the drawing of a signer: PNG, JPEG or SVG path data from untrusted people
 * (ISO/IEC 15948; ITU-T T.81; SVG 2, 9.3; data URLs: RFC 2397).
 */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'

import { PadesError } from '../errors.ts'
import { JPEG_SIGNATURE, readJpeg } from './jpeg.ts'
import { extractInk, MAX_KEPT_SIDE_PX } from './ink.ts'
import type { Picture, RasterImage } from './picture.ts'
import { decodePng, type PngLimits, readPng, SENT_LIMITS } from './png.ts'
import { PNG_SIGNATURE } from './png-signature.ts'
import { writePng } from './png-writer.ts'
import { isSvgDocument, pathDataOfDocument } from './svg-document.ts'
import { readPathData } from './svg-path.ts'

export const DRAWING_MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/svg+xml'] as const
/** Characters of `encodedSignature`, its data URL prefix included. */
export const MAX_ENCODED_DRAWING = 512 * 1024

/** `image/svg+xml` means bare path data: the value of a `d` attribute, UTF-8. */
export type DrawingMediaType = (typeof DRAWING_MEDIA_TYPES)[number]

export interface Drawing {
  readonly mediaType: DrawingMediaType
  /** What to keep: the drawing alone, without camera data, texts and other passengers. */
  readonly bytes: Uint8Array
  /** SHA-256 of `bytes` in lower-case hexadecimal: the name under which to keep them. */
  readonly sha256: string
  readonly picture: Picture
}

const DATA_URL = /^data:([^,]{0,200}),/i
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const PATH_START = /^\s*[Mm][\s,]*[-+.\d]/

/**
 * Reads a drawing as a client sends it.
 *
 * @param encoded base64 of a PNG or JPEG, or SVG path data, or an SVG document of paths alone;
 *   each with or without a data URL prefix, at most {@link MAX_ENCODED_DRAWING} characters
 * @throws PadesError `BAD_DRAWING` - the message says what is wrong in words for the sender
 */
export function readDrawing(encoded: string): Drawing {
  const payload = payloadOf(encoded)
  return typeof payload === 'string' ? readSvg(payload) : readBinary(payload, SENT_LIMITS)
}

/** Larger drawings are kept with fewer pixels. */
const MAX_KEPT_BYTES = 256 * 1_024
/** Raw pixels of this side fit into {@link MAX_KEPT_BYTES}. */
const SMALLEST_KEPT_SIDE_PX = 200

/**
 * Reads a drawing as {@link readDrawing} and keeps the ink of a PNG alone: its paper becomes
 * transparent, and its size is bounded. JPEG and path data stay as they are.
 *
 * @throws PadesError `BAD_DRAWING` - the message says what is wrong in words for the sender
 */
export function acceptDrawing(encoded: string): Drawing {
  const payload = payloadOf(encoded)
  if (typeof payload === 'string') return readSvg(payload)
  if (startsWith(payload, PNG_SIGNATURE)) return inkDrawing(decodePng(payload, SENT_LIMITS))
  return readBinary(payload)
}

function inkDrawing({ rgba, width, height }: RasterImage): Drawing {
  let sidePx = MAX_KEPT_SIDE_PX
  // Each round has less than two thirds of the pixels of the one before.
  for (;;) {
    const ink = extractInk(rgba, width, height, sidePx)
    if (!ink) throw new PadesError('BAD_DRAWING', 'it is empty: nothing visible is drawn on it')
    const bytes = writePng(ink)
    if (bytes.length <= MAX_KEPT_BYTES || sidePx <= SMALLEST_KEPT_SIDE_PX) {
      return readDrawingBytes('image/png', bytes)
    }
    const shrink = 0.8 * Math.sqrt(MAX_KEPT_BYTES / bytes.length)
    sidePx = Math.max(SMALLEST_KEPT_SIDE_PX, Math.floor(Math.max(ink.width, ink.height) * shrink))
  }
}

/** @returns SVG as text, or the bytes of something else */
function payloadOf(encoded: string): string | Buffer {
  if (encoded.length > MAX_ENCODED_DRAWING) {
    throw new PadesError('BAD_DRAWING', 'it is larger than 512 KB; send a smaller one')
  }
  const prefix = DATA_URL.exec(encoded)
  const payload = prefix ? encoded.slice(prefix[0].length) : encoded
  const isBase64Url = prefix !== null && /;\s*base64$/i.test(prefix[1])
  const text = prefix && !isBase64Url ? percentDecoded(payload) : payload
  if (!isBase64Url && (PATH_START.test(text) || isSvgDocument(text))) return text
  return fromBase64(payload)
}

/**
 * Reads a stored drawing. Drawings that earlier versions accepted stay readable, with any number of
 * bits in their pixels.
 *
 * @throws PadesError `BAD_DRAWING` - the bytes are not what the media type says
 */
export function readDrawingBytes(mediaType: DrawingMediaType, bytes: Uint8Array): Drawing {
  const drawing = mediaType === 'image/svg+xml' ? readSvg(textOf(bytes)) : readBinary(bytes)
  if (drawing.mediaType === mediaType) return drawing
  throw new PadesError('BAD_DRAWING', `it is ${drawing.mediaType}, not ${mediaType}`)
}

const startsWith = (bytes: Uint8Array, signature: Buffer): boolean =>
  signature.equals(bytes.subarray(0, signature.length))

function readBinary(bytes: Uint8Array, limits?: PngLimits): Drawing {
  if (startsWith(bytes, PNG_SIGNATURE)) {
    const { picture, bytes: kept } = readPng(bytes, limits)
    return drawingOf('image/png', kept, picture)
  }
  if (startsWith(bytes, JPEG_SIGNATURE)) {
    const { picture, bytes: kept } = readJpeg(bytes)
    return drawingOf('image/jpeg', kept, picture)
  }
  const text = textOf(bytes.subarray(0, 1_024))
  if (PATH_START.test(text) || isSvgDocument(text)) return readSvg(textOf(bytes))
  throw new PadesError('BAD_DRAWING', 'it is neither PNG nor JPEG nor SVG path data')
}

function readSvg(text: string): Drawing {
  const data = isSvgDocument(text) ? pathDataOfDocument(text) : text.trim()
  return drawingOf('image/svg+xml', Buffer.from(data), readPathData(data))
}

function drawingOf(mediaType: DrawingMediaType, bytes: Uint8Array, picture: Picture): Drawing {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { mediaType, bytes, sha256, picture }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

function fromBase64(text: string): Buffer {
  const compact = text.replace(/[\r\n\t ]+/g, '')
  if (compact === '') throw new PadesError('BAD_DRAWING', 'it is empty')
  if (!BASE64.test(compact)) {
    throw new PadesError('BAD_DRAWING', 'it is neither base64 nor SVG path data')
  }
  return Buffer.from(compact, 'base64')
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new PadesError('BAD_DRAWING', 'its data URL is damaged', { cause })
  }
}
