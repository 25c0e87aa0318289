/** Paints a signature as the signed PDF shows it, by the layout that the PDF is made with. */
import {
  DETAIL_COLOUR,
  fitPicture,
  FRAME_COLOUR,
  FRAME_WIDTH_PT,
  layOutAppearance,
  MAX_OPACITY,
  NAME_COLOUR,
  STRIP_OPACITY,
  stripsOf,
  type Box,
  type Colour,
  type PlacedText,
} from '../../pades/appearance/layout.ts'
import { directionOf, isCommon } from '../../pades/appearance/scripts.ts'
import { appearanceFont, measureIn } from './appearance-font.ts'

export interface AppearancePreview {
  /** The ink of the drawing. */
  picture: HTMLImageElement
  /** The name, and when it was signed. */
  lines: readonly string[]
  /** The participant chose the place. */
  isFramed: boolean
  /** Points. */
  size: { width: number; height: number }
}

const BYTE = 255
const css = (colour: Colour) => `rgb(${colour.map((part) => Math.round(part * BYTE)).join(' ')})`

function paintText(
  context: CanvasRenderingContext2D,
  { rows, fontSize, left, baseline, leading }: PlacedText,
  heightPt: number,
): void {
  const { widthOf } = measureIn(context)
  for (const [index, row] of rows.entries()) {
    context.fillStyle = css(row.isFirstLine ? NAME_COLOUR : DETAIL_COLOUR)
    const y = heightPt - baseline + index * leading
    context.font = appearanceFont(fontSize)
    if (!isCommon(row.text)) {
      context.direction = directionOf(row.text)
      context.textAlign = 'left'
      context.fillText(row.text, left, y)
      continue
    }
    let x = left
    for (const character of row.text) {
      const width = widthOf(character)
      context.font = appearanceFont(fontSize)
      context.fillText(character, x, y)
      x += (width * fontSize) / 1_000
    }
  }
}

/** Gives a canvas its size and returns its context, which counts in points. */
function contextOf(
  canvas: HTMLCanvasElement,
  size: AppearancePreview['size'],
  scale: number,
): CanvasRenderingContext2D | null {
  canvas.width = Math.max(1, Math.round(size.width * scale))
  canvas.height = Math.max(1, Math.round(size.height * scale))
  const context = canvas.getContext('2d')
  context?.scale(scale, scale)
  return context
}

/**
 * Fills a canvas with the strips under the text. The element has to be under that of the
 * appearance, and not blended.
 *
 * @param scale pixels of the canvas per point
 */
export function paintStrips(
  canvas: HTMLCanvasElement,
  { lines, isFramed, size }: Omit<AppearancePreview, 'picture'>,
  scale: number,
): void {
  const context = contextOf(canvas, size, scale)
  if (!context) return
  const font = measureIn(context)
  const { text } = layOutAppearance(font, lines, isFramed, size)
  if (!text) return
  context.fillStyle = `rgb(255 255 255 / ${STRIP_OPACITY})`
  for (const { left, bottom, width, height } of stripsOf(font, text)) {
    // The layout counts from the bottom, a canvas from the top.
    context.rect(left, size.height - bottom - height, width, height)
  }
  context.fill()
}

/**
 * Fills a canvas with the appearance. The element has to be blended with the page by Multiply.
 *
 * @param scale pixels of the canvas per point
 */
export function paintAppearance(
  canvas: HTMLCanvasElement,
  { picture, lines, isFramed, size }: AppearancePreview,
  scale: number,
): void {
  const context = contextOf(canvas, size, scale)
  if (!context) return
  const { box, text } = layOutAppearance(measureIn(context), lines, isFramed, size)
  context.globalAlpha = MAX_OPACITY
  context.imageSmoothingQuality = 'high'
  const natural = { width: picture.naturalWidth, height: picture.naturalHeight }
  const at: Box = fitPicture(natural, box)
  context.drawImage(picture, at.left, size.height - at.bottom - at.height, at.width, at.height)
  if (text) paintText(context, text, size.height)
  if (!isFramed) return
  context.strokeStyle = css(FRAME_COLOUR)
  context.lineWidth = FRAME_WIDTH_PT
  const inset = FRAME_WIDTH_PT / 2
  context.strokeRect(inset, inset, size.width - FRAME_WIDTH_PT, size.height - FRAME_WIDTH_PT)
}
