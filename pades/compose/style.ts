/** How composed documents look: A4, one scale of type, one accent colour; lengths in points. */
import type { FaceName } from '../appearance/font.ts'

export const PAGE = { width: 595.28, height: 841.89 } as const
export const MARGIN = { left: 62, right: 62, top: 76, bottom: 72 } as const
export const TEXT_WIDTH = PAGE.width - MARGIN.left - MARGIN.right
/** Height between the margins: what a row may fill at most. */
export const TEXT_HEIGHT = PAGE.height - MARGIN.top - MARGIN.bottom

/** Red, green, blue as operands of `rg` and `RG`. */
export const COLOUR = {
  text: '0.13 0.15 0.2',
  muted: '0.4 0.43 0.49',
  accent: '0.09 0.32 0.46',
  rule: '0.84 0.86 0.89',
  panel: '0.955 0.968 0.978',
} as const

export interface TextStyle {
  readonly face: FaceName
  readonly sizePt: number
  /** From one baseline to the next. */
  readonly leadingPt: number
  readonly colour: string
}

const style = (
  face: FaceName,
  sizePt: number,
  leadingPt: number,
  colour: string = COLOUR.text,
): TextStyle => ({ face, sizePt, leadingPt, colour })

export const STYLE = {
  title: style('bold', 17, 23),
  subject: style('sans', 10.5, 15, COLOUR.muted),
  heading1: style('bold', 12, 17, COLOUR.accent),
  heading2: style('bold', 9.5, 14),
  body: style('sans', 9, 14),
  bodyMuted: style('sans', 9, 14, COLOUR.muted),
  label: style('sans', 8.5, 13, COLOUR.muted),
  value: style('sans', 8.5, 13),
  strong: style('bold', 8.5, 13),
  mono: style('mono', 8, 13),
  columnTitle: style('bold', 7.5, 11, COLOUR.muted),
  cell: style('sans', 8, 12),
  cellMono: style('mono', 7.5, 12),
  time: style('sans', 8, 13, COLOUR.muted),
  detail: style('sans', 8, 12, COLOUR.muted),
  detailMono: style('mono', 7, 11, COLOUR.muted),
  running: style('sans', 7.5, 10, COLOUR.muted),
} as const
