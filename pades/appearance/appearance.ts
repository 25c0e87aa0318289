/**
 * The visible part of a signature: the drawing, and under it who signed and when (ISO 32000-2,
 * 12.5.5, 8.10).
 */
import { Buffer } from 'node:buffer'
import { deflateSync } from 'node:zlib'

import type { Drawing } from './drawing.ts'
import type { FontResource } from './font.ts'
import type { Matrix } from './geometry.ts'
import { drawInBox } from './image-xobject.ts'
import {
  type Colour,
  DETAIL_COLOUR,
  FRAME_COLOUR,
  FRAME_WIDTH_PT,
  layOutAppearance,
  MAX_OPACITY,
  NAME_COLOUR,
  type PlacedText,
  STRIP_OPACITY,
  stripsOf,
} from './layout.ts'
import { pdfNumbers } from './numbers.ts'
import type { ObjectSink } from './object-sink.ts'

export interface SignatureAppearance {
  readonly drawing: Drawing
  /**
   * The first line names the signer; the others are shown paler. A line with a letter that the font
   * lacks is left out: the drawing shows the name, and the field and the certificate contain it.
   */
  readonly lines: readonly string[]
  /**
   * Draws a thin frame around the box, with the name even where it is very small: for places that
   * the signer chose, so that the drawing is not taken for a part of the page.
   */
  readonly isFramed?: boolean
}

/** Name of the primary font in the resources. */
const FONT_NAME = 'Text'

const INK_STATE = `/Ink << /Type /ExtGState /BM /Multiply /ca ${MAX_OPACITY} /CA ${MAX_OPACITY} >>`
/** The strips under the text make it readable over print. */
const STRIP_STATE = `/Strip << /Type /ExtGState /BM /Normal /ca ${STRIP_OPACITY} >>`

const FRAME = `${FRAME_COLOUR.join(' ')} RG ${FRAME_WIDTH_PT} w`
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
  const { isFramed = false } = appearance
  const { box, text } = layOutAppearance(font, appearance.lines, isFramed, size)
  const { operators, image } = drawInBox(sink, appearance.drawing, box)
  const parts = ['/Ink gs', operators]
  if (text) parts.push(stripOperators(font, text), textOperators(font, text))
  if (isFramed) parts.push(frameOperators(width, height))
  const states = text ? `${INK_STATE} ${STRIP_STATE}` : INK_STATE
  const fontEntry = text ? ` /Font << ${fontEntries(font)} >>` : ''
  const imageEntry = image === undefined ? '' : ` /XObject << /Drawing ${image} 0 R >>`
  const matrixEntry = matrix ? ` /Matrix [${pdfNumbers(...matrix)}]` : ''
  const dictionary =
    `/Type /XObject /Subtype /Form /BBox [0 0 ${pdfNumbers(width, height)}]` +
    `${matrixEntry} /Resources << /ExtGState << ${states} >>${fontEntry}${imageEntry} >>`
  const content = Buffer.from(parts.join('\n'))
  if (content.length < SHORTEST_DEFLATED) return sink.add(`<< ${dictionary} >>`, content)
  return sink.add(`<< ${dictionary} /Filter /FlateDecode >>`, deflateSync(content))
}

function fontEntries({ objectNumber, fallbacks }: FontResource): string {
  const fonts = [{ name: FONT_NAME, objectNumber }, ...fallbacks]
  return fonts.map((one) => `/${one.name} ${one.objectNumber} 0 R`).join(' ')
}

/** A rectangle along the inside of the box. */
function frameOperators(width: number, height: number): string {
  const inset = FRAME_WIDTH_PT / 2
  const rectangle = pdfNumbers(inset, inset, width - FRAME_WIDTH_PT, height - FRAME_WIDTH_PT)
  return `q ${FRAME} ${rectangle} re S Q`
}

/** One path, so that strips that touch leave no line between them. */
function stripOperators(font: FontResource, text: PlacedText): string {
  const rectangles = stripsOf(font, text).map(
    ({ left, bottom, width, height }) => `${pdfNumbers(left, bottom, width, height)} re`,
  )
  return ['q /Strip gs 1 g', ...rectangles, 'f Q'].join('\n')
}

/** As an operator that sets the colour of text. */
const fill = (colour: Colour) => `${colour.join(' ')} rg`

function textOperators(
  font: FontResource,
  { rows, fontSize, left, baseline, leading }: PlacedText,
): string {
  const operators = [
    `BT /${FONT_NAME} ${pdfNumbers(fontSize)} Tf ${pdfNumbers(leading)} TL`,
    `${pdfNumbers(left, baseline + leading)} Td`,
  ]
  let isFirstLine: boolean | undefined
  for (const row of rows) {
    if (row.isFirstLine !== isFirstLine) {
      operators.push(fill(row.isFirstLine ? NAME_COLOUR : DETAIL_COLOUR))
      isFirstLine = row.isFirstLine
    }
    operators.push(`T* ${font.show(row.text, { fontName: FONT_NAME, sizePt: fontSize })}`)
  }
  return [...operators, 'ET'].join('\n')
}
