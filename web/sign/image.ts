/** Drawings as pictures of the right size: cropped to what is drawn, small enough to send. */
import { extractInk } from '../../pades/appearance/ink.ts'
import { lacksLetters } from './missing-letters.ts'

/** Font size of a name in handwriting. */
const HAND_SIZE_PX = 160
/** Sharp at the size of a signature field on paper. */
const MAXIMUM_WIDTH_PX = 1_200
const MAXIMUM_HEIGHT_PX = 480
const OPAQUE = 255
/** Limit for `encodedSignature` with its prefix: 512 KB, and some room. */
const MAXIMUM_ENCODED_LENGTH = 500_000
/** Parts of the maximum size: the noise of a photograph makes a large PNG. */
const SCALES = [1, 0.75, 0.5, 0.35]

export const MAXIMUM_UPLOAD_BYTES = 5 * 1024 * 1024
export const UPLOAD_TYPES = ['image/png', 'image/jpeg'] as const

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d')
  if (!context) throw new Error('there is no canvas to draw on')
  return context
}

function scaled(
  source: CanvasImageSource,
  box: { x: number; y: number; width: number; height: number },
  scale = 1,
): HTMLCanvasElement {
  const widthRatio = (scale * MAXIMUM_WIDTH_PX) / box.width
  const ratio = Math.min(1, widthRatio, (scale * MAXIMUM_HEIGHT_PX) / box.height)
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(box.width * ratio))
  canvas.height = Math.max(1, Math.round(box.height * ratio))
  const context = contextOf(canvas)
  context.imageSmoothingQuality = 'high'
  const { x, y, width, height } = box
  context.drawImage(source, x, y, width, height, 0, 0, canvas.width, canvas.height)
  return canvas
}

/**
 * What is drawn, on a transparent ground: the ink that the service keeps, found by the same code.
 *
 * @returns a data URL, or undefined when nothing is
 */
export function inkOf(canvas: HTMLCanvasElement): string | undefined {
  const small = scaled(canvas, { x: 0, y: 0, width: canvas.width, height: canvas.height })
  const { data } = contextOf(small).getImageData(0, 0, small.width, small.height)
  const ink = extractInk(data, small.width, small.height)
  if (!ink) return undefined
  const { width, height, colour, alpha } = ink
  const cropped = document.createElement('canvas')
  Object.assign(cropped, { width, height })
  const pixels = new ImageData(width, height)
  for (let at = 0; at < width * height; at++) {
    const own = colour instanceof Uint8Array ? colour.subarray(at * 3, at * 3 + 3) : colour
    pixels.data.set(own, at * 4)
    pixels.data[at * 4 + 3] = alpha?.[at] ?? OPAQUE
  }
  contextOf(cropped).putImageData(pixels, 0, 0)
  return cropped.toDataURL('image/png')
}

export interface Hand {
  /** As CSS names it, without its size. */
  family: string
  weight: number
  /** How far the top of a letter leans to the right, as a part of its height. */
  slant: number
}

const fontOf = ({ weight, family }: Hand) => `${weight} ${HAND_SIZE_PX}px ${family}`

/** Whether the device has a font for each letter of the name. */
export function canWrite(name: string, hand: Hand): boolean {
  const context = contextOf(document.createElement('canvas'))
  context.font = fontOf(hand)
  return !lacksLetters(context, name)
}

/**
 * A name in handwriting.
 *
 * @returns a data URL, or undefined when there is nothing to be seen
 */
export function writtenName(name: string, hand: Hand, ink: string): string | undefined {
  const { slant } = hand
  const canvas = document.createElement('canvas')
  const sizePx = HAND_SIZE_PX
  const context = contextOf(canvas)
  const font = fontOf(hand)
  context.font = font
  canvas.width = Math.ceil(context.measureText(name).width + 2 * sizePx)
  canvas.height = 2 * sizePx
  context.font = font
  context.fillStyle = ink
  const baseline = 1.3 * sizePx
  context.transform(1, 0, -slant, 1, slant * baseline, 0)
  context.fillText(name, sizePx / 2, baseline)
  return inkOf(canvas)
}

/**
 * Encodes the ink of a picture as PNG, and scales it down until it is small enough.
 *
 * @returns a data URL
 * @throws Error when it is not a picture, is empty, or stays too large
 */
export async function drawPicture(file: Blob): Promise<string> {
  const bitmap = await createImageBitmap(file)
  const { width, height } = bitmap
  try {
    for (const ratio of SCALES) {
      const canvas = scaled(bitmap, { x: 0, y: 0, width, height }, ratio)
      const png = inkOf(canvas)
      if (png === undefined) break
      if (png.length <= MAXIMUM_ENCODED_LENGTH) return png
    }
  } finally {
    bitmap.close()
  }
  throw new Error('the picture is empty or stays too large')
}
