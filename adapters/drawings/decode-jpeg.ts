/** Decodes the pixels of JPEG drawings with the decoder of pdf.js (ITU-T T.81). */
import { Buffer } from 'node:buffer'
import {
  JpegImage,
  setVerbosityLevel,
  VerbosityLevel,
} from 'pdfjs-dist/image_decoders/pdf.image_decoders.mjs'
import { type DecodeJpeg, PadesError } from '../../pades/index.ts'

// Warnings about a picture are the sender's business, not the log's.
setVerbosityLevel(VerbosityLevel.ERRORS)

/**
 * @param bytes a JPEG whose frame says `width` and `height`, in pixels
 * @throws PadesError `BAD_DRAWING`
 */
export const decodeJpeg: DecodeJpeg = (bytes, width, height) => {
  try {
    const image = new JpegImage()
    image.parse(bytes)
    // A later marker may change the number of lines; the size that was checked counts.
    if (image.width !== width || image.height !== height) throw new Error('another size')
    const rgba = image.getData({ width, height, forceRGBA: true })
    if (rgba.length !== width * height * 4) throw new Error('too few pixels')
    return { width, height, rgba: Buffer.from(rgba.buffer, rgba.byteOffset, rgba.byteLength) }
  } catch (cause) {
    const message = 'the JPEG is damaged: its pixels cannot be read'
    throw new PadesError('BAD_DRAWING', message, { cause })
  }
}
