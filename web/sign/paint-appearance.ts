/** Paints a signature as the signed PDF shows it, by the layout that the PDF is made with. */
import {
  DETAIL_COLOUR,
  fitPicture,
  FRAME_COLOUR,
  FRAME_WIDTH_PT,
  layOutAppearance,
  MAX_OPACITY,
  NAME_COLOUR,
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
  canvas.width = Math.max(1, Math.round(size.width * scale))
  canvas.height = Math.max(1, Math.round(size.height * scale))
  const context = canvas.getContext('2d')
  if (!context) return
  const { box, text } = layOutAppearance(measureIn(context), lines, isFramed, size)
  context.scale(scale, scale)
  context.globalAlpha = MAX_OPACITY
  context.imageSmoothingQuality = 'high'
  const natural = { width: picture.naturalWidth, height: picture.naturalHeight }
  const at: Box = fitPicture(natural, box)
  // The layout counts from the bottom, a canvas from the top.
  context.drawImage(picture, at.left, size.height - at.bottom - at.height, at.width, at.height)
  if (text) paintText(context, text, size.height)
  if (!isFramed) return
  context.strokeStyle = css(FRAME_COLOUR)
  context.lineWidth = FRAME_WIDTH_PT
  const inset = FRAME_WIDTH_PT / 2
  context.strokeRect(inset, inset, size.width - FRAME_WIDTH_PT, size.height - FRAME_WIDTH_PT)
}
