/**
 * Lays out the visible part of a signature: where the drawing is, and the rows of text under it.
 * The PDF and the preview of the signing page are both painted from this layout; nothing here needs
 * a platform.
 */
import { lettersOf, wrapText } from './text.ts'

/** Measures text of one font. */
export interface TextMeasure {
  /** Width of the cleaned text in thousandths of the font size. */
  widthOf(text: string): number
  /** The cleaned text as the font can show it; empty when the font lacks one of its letters. */
  shown(text: string): string
}

/** Points, from the lower left of the appearance. */
export interface Box {
  readonly left: number
  readonly bottom: number
  readonly width: number
  readonly height: number
}

export interface TextRow {
  readonly text: string
  /** The first line names the signer. */
  readonly isFirstLine: boolean
}

interface TextLayout {
  readonly rows: readonly TextRow[]
  readonly fontSize: number
}

/** Rows of text, the first baseline at `baseline`, the others `leading` below each other. */
export interface PlacedText extends TextLayout {
  readonly left: number
  readonly baseline: number
  readonly leading: number
}

export interface AppearanceLayout {
  /** The drawing is in it as large as it fits ({@link fitPicture}). */
  readonly box: Box
  readonly text?: PlacedText
}

/** A line of the appearance beyond this length is not a name; it is cut before it is measured. */
const MAX_LINE_LENGTH = 300
const MAX_LINES = 8

const LARGEST_FONT_PT = 8
/** Smaller text is only a smudge: it is left out, and the drawing has the box for itself. */
const SMALLEST_FONT_PT = 3.5
/** In a frame: readable when it is enlarged. */
const SMALLEST_FRAMED_FONT_PT = 2
const FONT_STEP_PT = 0.25
/** From one baseline to the next, in font sizes. */
const LEADING = 1.28
/** From the top of the text to the first baseline, in font sizes. */
const FIRST_BASELINE = 1.2
/** The drawing keeps more than half of the height. */
const TEXT_SHARE = 0.42
/** In a wide box, text larger than this part of the height would look like a heading. */
const FONT_SHARE = 0.14

/**
 * Everything is painted with this opacity and blend mode (11.3.5.2, 11.6.4.4), so that a signature
 * hides nothing that is under it. 65 % black over white and over black text have the contrast 3:1
 * (WCAG 2.2, 1.4.11); ink at this opacity on white has 6:1. In readers without blend modes, the
 * opacity alone keeps what is under the ink.
 */
export const MAX_OPACITY = 0.65
/**
 * Opacity of the white strip under each row of text. Black print under it becomes grey, so that the
 * name can be read over it, and keeps a contrast of 3:1 to the paper (WCAG 2.2, 1.4.11).
 */
export const STRIP_OPACITY = 0.55
export const FRAME_WIDTH_PT = 0.5

/** Red, green and blue, from 0 to 1. */
export type Colour = readonly [number, number, number]
export const FRAME_COLOUR: Colour = [0.42, 0.48, 0.57]
export const NAME_COLOUR: Colour = [0, 0, 0.08]
export const DETAIL_COLOUR: Colour = [0.1, 0.13, 0.2]

/**
 * Lays out an appearance.
 *
 * @param lines the first names the signer
 * @param isFramed whether there is a frame, in which the name is shown even where it is very small
 * @param size in points
 */
export function layOutAppearance(
  font: TextMeasure,
  lines: readonly string[],
  isFramed: boolean,
  { width, height }: { readonly width: number; readonly height: number },
): AppearanceLayout {
  const padding = Math.min(4, Math.min(width, height) * 0.05)
  const inner = { width: width - 2 * padding, height: height - 2 * padding }
  const smallestFontPt = isFramed ? SMALLEST_FRAMED_FONT_PT : SMALLEST_FONT_PT
  const text = layOutText(font, lines, inner, smallestFontPt)
  const box = { left: padding, bottom: padding, ...inner }
  if (!text) return { box }
  const textHeight = (text.rows.length * LEADING + 0.35) * text.fontSize
  const taken = textHeight + padding * 0.6
  return {
    box: { ...box, bottom: padding + taken, height: inner.height - taken },
    text: {
      ...text,
      left: padding,
      baseline: padding + textHeight - text.fontSize * FIRST_BASELINE,
      leading: text.fontSize * LEADING,
    },
  }
}

/** From a baseline down to the lower edge of its strip, in font sizes. */
const STRIP_DESCENT = 0.3
/** Beside a row, in font sizes. */
const STRIP_MARGIN = 0.25

/** The strips under the rows of text, which touch each other and stay inside the appearance. */
export function stripsOf(font: TextMeasure, text: PlacedText): Box[] {
  const { rows, fontSize, left, baseline, leading } = text
  const margin = Math.min(left, STRIP_MARGIN * fontSize)
  return rows.map((row, index) => ({
    left: left - margin,
    bottom: baseline - index * leading - STRIP_DESCENT * fontSize,
    width: (font.widthOf(row.text) * fontSize) / 1_000 + 2 * margin,
    height: leading,
  }))
}

/** Where a picture is in a box: as large as it fits, at its left, in the middle of its height. */
export function fitPicture(
  picture: { readonly width: number; readonly height: number },
  box: Box,
): Box {
  const scale = Math.min(box.width / picture.width, box.height / picture.height)
  const width = picture.width * scale
  const height = picture.height * scale
  return { left: box.left, bottom: box.bottom + (box.height - height) / 2, width, height }
}

/**
 * The largest font at which all lines fit; at the smallest, what does not fit ends in an
 * ellipsis.
 */
function layOutText(
  font: TextMeasure,
  lines: readonly string[],
  inner: { readonly width: number; readonly height: number },
  smallestFontPt: number,
): TextLayout | undefined {
  const texts = lines
    .slice(0, MAX_LINES)
    .map((line) => font.shown(line.slice(0, MAX_LINE_LENGTH)).trim())
    .filter((line) => line !== '')
  if (texts.length === 0) return undefined
  const rowsThatFit = (fontSize: number): number =>
    Math.floor((inner.height * TEXT_SHARE) / fontSize / LEADING)
  const largest = Math.min(LARGEST_FONT_PT, Math.max(smallestFontPt, inner.height * FONT_SHARE))
  for (let fontSize = largest; fontSize >= smallestFontPt; fontSize -= FONT_STEP_PT) {
    const rows = wrapRows(font, texts, fontSize, inner.width)
    if (rows.length <= rowsThatFit(fontSize)) return { rows, fontSize }
  }
  const room = rowsThatFit(smallestFontPt)
  // A box too narrow for a few letters has no use for text either.
  if (room === 0 || inner.width < smallestFontPt * 6) return undefined
  const rows = wrapRows(font, texts, smallestFontPt, inner.width)
  const rowWidth = (inner.width * 1_000) / smallestFontPt
  return { rows: cutRows(font, texts, rows, room, rowWidth), fontSize: smallestFontPt }
}

function wrapRows(
  font: TextMeasure,
  texts: readonly string[],
  fontSize: number,
  width: number,
): TextRow[] {
  const rowWidth = (width * 1_000) / fontSize
  return texts.flatMap((text, index) =>
    wrapText(text, font.widthOf, rowWidth).map((row) => ({ text: row, isFirstLine: index === 0 })),
  )
}

/**
 * Keeps one row for each later line that still has room: the time matters more than the end of a
 * name.
 */
function cutRows(
  font: TextMeasure,
  texts: readonly string[],
  rows: readonly TextRow[],
  room: number,
  rowWidth: number,
): TextRow[] {
  const later = texts.slice(1, room)
  const nameRows = rows.filter((row) => row.isFirstLine)
  const nameRoom = room - later.length
  const shown = nameRows.slice(0, nameRoom)
  if (nameRows.length > nameRoom) {
    const last = `${nameRows[nameRoom - 1].text}…`
    shown[nameRoom - 1] = { text: withEllipsis(font, last, rowWidth), isFirstLine: true }
  }
  const details = later.map((text) => {
    return { text: withEllipsis(font, text, rowWidth), isFirstLine: false }
  })
  return [...shown, ...details]
}

function withEllipsis(font: TextMeasure, text: string, rowWidth: number): string {
  if (font.widthOf(text) <= rowWidth) return text
  const characters = lettersOf(text.replace(/…$/u, ''))
  while (characters.length > 1 && font.widthOf(`${characters.join('')}…`) > rowWidth) {
    characters.pop()
  }
  return `${characters.join('').trimEnd()}…`
}
