/** Rows of labels and values, and tables with a header. */
import type { Canvas } from './canvas.ts'
import { type Cell, heightOf, type Layout, linesOf } from './layout.ts'
import type { KeyValues, Table } from './model.ts'
import type { StructureElement } from './structure.ts'
import { COLOUR, MARGIN, STYLE, TEXT_WIDTH } from './style.ts'

export const RIGHT = MARGIN.left + TEXT_WIDTH
export const COLUMN_GAP_PT = 10
/** Rows that have at most this height together stay on one page. */
export const LARGEST_GROUP_PT = 200
/** Tables up to this height stay on one page: a few rows without the others are hard to read. */
const LARGEST_WHOLE_TABLE_PT = 320
const LABEL_WIDTH_PT = 128
export const KEY_VALUE_ROW = {
  paddingTopPt: 3,
  paddingBottomPt: 3.5,
  decorate: ruleBelow,
} as const
const TABLE_ROW = { paddingTopPt: 4, paddingBottomPt: 4, decorate: ruleBelow } as const
const HEADER_ROW = {
  paddingTopPt: 3,
  paddingBottomPt: 4,
  decorate: (canvas: Canvas, top: number, height: number) =>
    canvas.line(COLOUR.accent, [MARGIN.left, top + height], [RIGHT, top + height]),
} as const

export interface SetRow {
  readonly cells: readonly Cell[]
  readonly heightPt: number
}

function ruleBelow(canvas: Canvas, top: number, height: number): void {
  canvas.line(COLOUR.rule, [MARGIN.left, top + height], [RIGHT, top + height])
}

function setRow(
  cells: readonly Cell[],
  { paddingTopPt, paddingBottomPt }: { paddingTopPt: number; paddingBottomPt: number },
): SetRow {
  return { cells, heightPt: Math.max(0, ...cells.map(heightOf)) + paddingTopPt + paddingBottomPt }
}

/** Height of rows below each other, in points. */
export const heightOfRows = (rows: readonly SetRow[]): number =>
  rows.reduce((sum, { heightPt }) => sum + heightPt, 0)

/** Rows of labels and values: headers of rows and their cells. @param table absent to measure */
export function keyValueRows(
  canvas: Canvas,
  { rows }: KeyValues,
  table?: StructureElement,
): SetRow[] {
  return rows.map(({ label, value, mono }) => {
    const row = table?.add('TR')
    const [header, cell] = [row?.add('TH', { scope: 'Row' }), row?.add('TD')]
    const style = mono ? STYLE.mono : STYLE.value
    const labels = linesOf(canvas, label, STYLE.label, LABEL_WIDTH_PT - COLUMN_GAP_PT, header)
    const values = linesOf(canvas, value, style, TEXT_WIDTH - LABEL_WIDTH_PT, cell)
    const cells = [
      { x: MARGIN.left, lines: labels },
      { x: MARGIN.left + LABEL_WIDTH_PT, lines: values },
    ]
    return setRow(cells, KEY_VALUE_ROW)
  })
}

/** The header of a table and its rows. */
interface SetTable {
  readonly header: SetRow
  readonly rows: readonly SetRow[]
}

/** Header and rows as elements of the structure, or without elements to measure them. */
function tableRows(canvas: Canvas, { columns, rows }: Table, table?: StructureElement): SetTable {
  const weights = columns.reduce((sum, { weight }) => sum + weight, 0)
  let x: number = MARGIN.left
  const places = columns.map(({ weight, mono }) => {
    const width = (TEXT_WIDTH * weight) / weights
    const place = { x, width: width - COLUMN_GAP_PT, style: mono ? STYLE.cellMono : STYLE.cell }
    x += width
    return place
  })
  const headerRow = table?.add('THead').add('TR')
  const header = places.map((place, index) => {
    const element = headerRow?.add('TH', { scope: 'Column' })
    const { title } = columns[index]
    return { x: place.x, lines: linesOf(canvas, title, STYLE.columnTitle, place.width, element) }
  })
  const body = table?.add('TBody')
  const bodyRows = rows.map((row) => {
    const element = body?.add('TR')
    const cells = places.map((place, index) => ({
      x: place.x,
      lines: linesOf(canvas, row[index] ?? '', place.style, place.width, element?.add('TD')),
    }))
    return setRow(cells, TABLE_ROW)
  })
  return { header: setRow(header, HEADER_ROW), rows: bodyRows }
}

/** Height of what a table begins with: all of a small one, else its header and its first row. */
function beginningOf({ header, rows }: SetTable): number {
  const whole = header.heightPt + heightOfRows(rows)
  if (whole <= LARGEST_WHOLE_TABLE_PT) return whole
  return header.heightPt + Math.min(heightOfRows(rows.slice(0, 1)), LARGEST_GROUP_PT)
}

/** Height that must be left on a page where a table begins. */
export const tableBeginning = (canvas: Canvas, table: Table): number =>
  beginningOf(tableRows(canvas, table))

/** Sets a table. Its header is repeated on each page, as an artifact. */
export function setTable(layout: Layout, block: Table): void {
  if (block.rows.length === 0) return
  const { canvas, root } = layout
  const table = tableRows(canvas, block, root.add('Table'))
  layout.need(beginningOf(table))
  layout.row(table.header.cells, HEADER_ROW)
  const repeated = table.header.cells.map(({ x, lines }) => ({
    x,
    lines: lines.map(({ text, style }) => ({ text, style })),
  }))
  const onNewPage = () => layout.row(repeated, HEADER_ROW)
  for (const { cells } of table.rows) layout.row(cells, { ...TABLE_ROW, onNewPage })
  layout.space(8)
}
