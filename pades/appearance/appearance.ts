/**
 * The visible part of a signature: the drawing on a line, and under it who signed and when (ISO
 * 32000-2, 12.5.5, 8.10).
 */
import { Buffer } from 'node:buffer'
import { deflateSync } from 'node:zlib'

import type { Drawing } from './drawing.ts'
import type { FontResource } from './font.ts'
import type { Matrix } from './geometry.ts'
import { type Box, drawInBox } from './image-xobject.ts'
import { pdfNumbers } from './numbers.ts'
import type { ObjectSink } from './object-sink.ts'
import { wrapText } from './text.ts'

export interface SignatureAppearance {
  readonly drawing: Drawing
  /**
   * The first line names the signer; the others are shown paler. A line with a letter that the font
   * lacks is left out: the drawing shows the name, and the field and the certificate tell it.
   */
  readonly lines: readonly string[]
  /**
   * Draws a thin frame around the box, with the name even where it is very small: for places that
   * the signer chose, so that the drawing is not taken for a part of the page.
   */
  readonly isFramed?: boolean
}

interface TextRow {
  readonly text: string
  readonly isFirstLine: boolean
}

interface TextLayout {
  readonly rows: readonly TextRow[]
  readonly fontSize: number
}

/** A line of the appearance beyond this length is no name; it is cut before it is measured. */
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
const MAX_OPACITY = 0.65
const INK_STATE =
  `/ExtGState << /Ink << /Type /ExtGState /BM /Multiply` +
  ` /ca ${MAX_OPACITY} /CA ${MAX_OPACITY} >> >>`

const RULE = '0.42 0.48 0.57 RG 0.4 w'
const FRAME_WIDTH_PT = 0.5
const FRAME = `0.42 0.48 0.57 RG ${FRAME_WIDTH_PT} w`
const NAME_COLOUR = '0 0 0.08 rg'
const DETAIL_COLOUR = '0.1 0.13 0.2 rg'
/** Deflating shorter contents makes them longer. */
const SHORTEST_DEFLATED = 400

/**
 * Writes the appearance of a signature as a form XObject with the box [0 0 width height]; nothing
 * is drawn outside of it, whatever its size.
 *
 * @param font made by `prepareFont` with the same lines
 * @param size in points
 * @param matrix turns the upright appearance for a rotated page (`placeOnPage`)
 * @returns the number of the form XObject
 */
export function writeAppearance(
  sink: ObjectSink,
  font: FontResource,
  appearance: SignatureAppearance,
  size: { readonly width: number; readonly height: number },
  matrix?: Matrix,
): number {
  const { width, height } = size
  const padding = Math.min(4, Math.min(width, height) * 0.05)
  const inner = { width: width - 2 * padding, height: height - 2 * padding }
  const smallestFontPt = appearance.isFramed ? SMALLEST_FRAMED_FONT_PT : SMALLEST_FONT_PT
  const text = layOutText(font, appearance.lines, inner, smallestFontPt)
  const textHeight = text ? (text.rows.length * LEADING + 0.35) * text.fontSize : 0
  const box: Box = {
    left: padding,
    bottom: padding + textHeight + (text ? padding * 0.6 : 0),
    width: inner.width,
    height: inner.height - textHeight - (text ? padding * 0.6 : 0),
  }
  const { operators, image } = drawInBox(sink, appearance.drawing, box)
  const parts = ['/Ink gs', operators]
  if (text) {
    const ruleY = padding + textHeight
    const [from, to] = [pdfNumbers(padding, ruleY), pdfNumbers(width - padding, ruleY)]
    parts.push(`q ${RULE} ${from} m ${to} l S Q`)
    parts.push(textOperators(font, text, padding, ruleY))
  }
  if (appearance.isFramed) parts.push(frameOperators(width, height))
  const fontEntry = text ? ` /Font << /Text ${font.objectNumber} 0 R >>` : ''
  const imageEntry = image === undefined ? '' : ` /XObject << /Drawing ${image} 0 R >>`
  const matrixEntry = matrix ? ` /Matrix [${pdfNumbers(...matrix)}]` : ''
  const dictionary =
    `/Type /XObject /Subtype /Form /BBox [0 0 ${pdfNumbers(width, height)}]` +
    `${matrixEntry} /Resources << ${INK_STATE}${fontEntry}${imageEntry} >>`
  const content = Buffer.from(parts.join('\n'))
  if (content.length < SHORTEST_DEFLATED) return sink.add(`<< ${dictionary} >>`, content)
  return sink.add(`<< ${dictionary} /Filter /FlateDecode >>`, deflateSync(content))
}

/** A rectangle along the inside of the box. */
function frameOperators(width: number, height: number): string {
  const inset = FRAME_WIDTH_PT / 2
  const rectangle = pdfNumbers(inset, inset, width - FRAME_WIDTH_PT, height - FRAME_WIDTH_PT)
  return `q ${FRAME} ${rectangle} re S Q`
}

/**
 * The largest font at which all lines fit; at the smallest, what does not fit ends in an
 * ellipsis.
 */
function layOutText(
  font: FontResource,
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
  font: FontResource,
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
  font: FontResource,
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

function withEllipsis(font: FontResource, text: string, rowWidth: number): string {
  if (font.widthOf(text) <= rowWidth) return text
  const characters = [...text.replace(/…$/u, '')]
  while (characters.length > 1 && font.widthOf(`${characters.join('')}…`) > rowWidth) {
    characters.pop()
  }
  return `${characters.join('').trimEnd()}…`
}

function textOperators(
  font: FontResource,
  { rows, fontSize }: TextLayout,
  left: number,
  top: number,
): string {
  const leading = fontSize * LEADING
  const operators = [
    `BT /Text ${pdfNumbers(fontSize)} Tf ${pdfNumbers(leading)} TL`,
    `${pdfNumbers(left, top - fontSize * 1.2 + leading)} Td`,
  ]
  let isFirstLine: boolean | undefined
  for (const row of rows) {
    if (row.isFirstLine !== isFirstLine) {
      operators.push(row.isFirstLine ? NAME_COLOUR : DETAIL_COLOUR)
      isFirstLine = row.isFirstLine
    }
    operators.push(`T* ${font.encode(row.text)} Tj`)
  }
  return [...operators, 'ET'].join('\n')
}
