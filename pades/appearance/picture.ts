/**
 * What a drawing is once it has been read and checked: ready to be written as PDF objects (ISO
 * 32000-2, 8.5 and 8.9).
 */
import type { Buffer } from 'node:buffer'
import { PadesError } from '../errors.ts'

/** Samples that a PDF takes as they are: a JPEG file, or the compressed rows of a PNG. */
export interface EncodedPicture {
  readonly kind: 'encoded'
  readonly width: number
  readonly height: number
  /** Entries of the image dictionary that say how the data is encoded, as PDF source. */
  readonly entries: string
  readonly data: Uint8Array
}

/** Decoded samples, cropped to what is visible. */
export interface PixelPicture {
  readonly kind: 'pixels'
  readonly width: number
  readonly height: number
  /** One colour for a drawing in one ink, otherwise three bytes per pixel. */
  readonly colour: readonly [number, number, number] | Uint8Array
  /** One byte per pixel; absent when every pixel is opaque. */
  readonly alpha?: Uint8Array
}

/** One ink and its opacity for each pixel, as compressed rows of a PNG that a PDF takes over. */
export interface MaskPicture {
  readonly kind: 'mask'
  readonly width: number
  readonly height: number
  readonly ink: readonly [number, number, number]
  /** Rows of one byte per pixel with PNG's row filters, deflated. */
  readonly data: Uint8Array
}

/** Pixels of an image file, before anything is taken off. */
export interface RasterImage {
  readonly width: number
  readonly height: number
  /** Four bytes per pixel, not premultiplied. */
  readonly rgba: Buffer
}

/** One step of a path in absolute coordinates, y downwards as in SVG. */
export type PathStep =
  | readonly ['M', number, number]
  | readonly ['L', number, number]
  | readonly ['C', number, number, number, number, number, number]
  | readonly ['Z']

/** Strokes. */
export interface PathPicture {
  readonly kind: 'path'
  readonly steps: readonly PathStep[]
  /** Left, top, right, bottom of all points, control points included. */
  readonly bounds: readonly [number, number, number, number]
}

export type Picture = EncodedPicture | MaskPicture | PixelPicture | PathPicture

/** What a reader of a media type returns: the picture, and the bytes without what is not drawn. */
export interface ReadPicture<Kind extends Picture = Picture> {
  readonly picture: Kind
  readonly bytes: Uint8Array
}

/** A whole screen of 3,840 × 2,160; decoding more would stall the process for a signature. */
const MAX_PIXELS = 8_294_400
/** Each row costs time besides its pixels: eight million rows of one pixel took two seconds. */
const MAX_SIDE_PIXELS = 16_384

/** @throws PadesError `BAD_DRAWING` - more pixels than may be decoded, or too long a side */
export function assertPictureSize(width: number, height: number): void {
  if (width * height > MAX_PIXELS) {
    throw new PadesError('BAD_DRAWING', `it has more than ${MAX_PIXELS} pixels`)
  }
  if (Math.max(width, height) > MAX_SIDE_PIXELS) {
    throw new PadesError('BAD_DRAWING', `it is more than ${MAX_SIDE_PIXELS} pixels wide or high`)
  }
}
