/**
 * Writes drawings into a PDF: images, soft masks and path operators (ISO 32000-2, 8.5, 8.9.5,
 * 11.6.5.2).
 */
import { deflateSync } from 'node:zlib'

import type { Drawing } from './drawing.ts'
import { type Box, fitPicture } from './layout.ts'
import { pdfNumbers } from './numbers.ts'
import type { ObjectSink } from './object-sink.ts'
import type { EncodedPicture, MaskPicture, PathPicture, PixelPicture } from './picture.ts'

/** What draws a drawing within a content stream. */
export interface DrawingContent {
  readonly operators: string
  /** The image object that the operators call `/Drawing`; absent for paths. */
  readonly image?: number
}

/** Path data says nothing about its pen; this is a fine pen on a signature 100 points wide. */
const PEN_SHARE = 0.014
const THINNEST_PEN = 0.4
const THICKEST_PEN = 2
/** A path is a line at least this long; a straight stroke has no height of its own. */
const SMALLEST_EXTENT = 1e-6
/** Blue-black ink, darker than it looks: it is painted with an opacity. */
const INK = '0 0.02 0.14 RG'

const written = new WeakMap<ObjectSink, WeakMap<Drawing, number>>()

/**
 * Returns the operators that draw a drawing as large as fits into a box, at its left,
 * in the middle of its height, aspect kept.
 * The image is added to a sink once, however many boxes show it.
 */
export function drawInBox(sink: ObjectSink, drawing: Drawing, box: Box): DrawingContent {
  const { picture } = drawing
  if (picture.kind === 'path') return { operators: pathOperators(picture, box) }
  const { left, bottom, width, height } = fitPicture(picture, box)
  return {
    operators: `q ${pdfNumbers(width, 0, 0, height, left, bottom)} cm /Drawing Do Q`,
    image: imageNumber(sink, drawing, picture),
  }
}

function imageNumber(
  sink: ObjectSink,
  drawing: Drawing,
  picture: EncodedPicture | MaskPicture | PixelPicture,
): number {
  let ofSink = written.get(sink)
  if (!ofSink) written.set(sink, (ofSink = new WeakMap()))
  const known = ofSink.get(drawing)
  if (known !== undefined) return known
  const image = addImage(sink, picture)
  ofSink.set(drawing, image)
  return image
}

function addImage(sink: ObjectSink, picture: EncodedPicture | MaskPicture | PixelPicture): number {
  if (picture.kind === 'encoded') return addEncoded(sink, picture)
  return picture.kind === 'mask' ? addMask(sink, picture) : addPixels(sink, picture)
}

function addMask(sink: ObjectSink, { width, height, ink, data }: MaskPicture): number {
  const predictor = `/Predictor 15 /Colors 1 /BitsPerComponent 8 /Columns ${width}`
  const encoding = `/BitsPerComponent 8 /Filter /FlateDecode /DecodeParms << ${predictor} >>`
  const mask = sink.add(imageSource(width, height, `/ColorSpace /DeviceGray ${encoding}`), data)
  return addInk(sink, ink, ` /SMask ${mask} 0 R`)
}

/** One ink: a single pixel, stretched under the mask, which need not have the image's size. */
function addInk(sink: ObjectSink, ink: readonly number[], softMask: string): number {
  const entries = `/ColorSpace /DeviceRGB /BitsPerComponent 8${softMask}`
  return sink.add(imageSource(1, 1, entries), Uint8Array.from(ink))
}

function addEncoded(sink: ObjectSink, picture: EncodedPicture): number {
  return sink.add(imageSource(picture.width, picture.height, picture.entries), picture.data)
}

function addPixels(sink: ObjectSink, picture: PixelPicture): number {
  const { width, height, colour, alpha } = picture
  const flate = '/BitsPerComponent 8 /Filter /FlateDecode'
  const mask =
    alpha &&
    sink.add(imageSource(width, height, `/ColorSpace /DeviceGray ${flate}`), deflateSync(alpha))
  const softMask = mask === undefined ? '' : ` /SMask ${mask} 0 R`
  if (colour instanceof Uint8Array) {
    const entries = `/ColorSpace /DeviceRGB ${flate}${softMask}`
    return sink.add(imageSource(width, height, entries), deflateSync(colour))
  }
  return addInk(sink, colour, softMask)
}

function imageSource(width: number, height: number, entries: string): string {
  return `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${entries} >>`
}

/**
 * Strokes with round caps; control points may lie outside, so the picture is never larger than
 * the box.
 */
function pathOperators(picture: PathPicture, box: Box): string {
  const [pathLeft, pathTop, pathRight, pathBottom] = picture.bounds
  const pathWidth = Math.max(pathRight - pathLeft, SMALLEST_EXTENT)
  const pathHeight = Math.max(pathBottom - pathTop, SMALLEST_EXTENT)
  const pen = penWidth(Math.min(box.width, (box.height * pathWidth) / pathHeight))
  const roomX = Math.max(box.width - pen, box.width / 2)
  const roomY = Math.max(box.height - pen, box.height / 2)
  const scale = Math.min(roomX / pathWidth, roomY / pathHeight)
  const left = box.left + Math.min(pen / 2, (box.width - pathWidth * scale) / 2)
  const bottom = box.bottom + (box.height - pathHeight * scale) / 2
  const operators = picture.steps.map((step) => {
    if (step[0] === 'Z') return 'h'
    const placed: number[] = []
    for (let at = 1; at < step.length; at += 2) {
      placed.push(left + ((step[at] as number) - pathLeft) * scale)
      placed.push(bottom + (pathBottom - (step[at + 1] as number)) * scale)
    }
    return `${pdfNumbers(...placed)} ${{ M: 'm', L: 'l', C: 'c' }[step[0]]}`
  })
  return `q ${INK} ${pdfNumbers(pen)} w 1 J 1 j\n${operators.join('\n')}\nS Q`
}

function penWidth(drawnWidth: number): number {
  return Math.min(THICKEST_PEN, Math.max(THINNEST_PEN, drawnWidth * PEN_SHARE))
}
