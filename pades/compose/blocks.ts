/** How each kind of block is set. */
import type { Canvas } from './canvas.ts'
import { type Cell, heightOf, type Layout, type RowOptions, type StyledLine } from './layout.ts'
import type { Block, Callout, Heading, KeyValues, Paragraph, Table, Timeline } from './model.ts'
import { COLOUR, MARGIN, STYLE, TEXT_WIDTH, type TextStyle } from './style.ts'

const RIGHT = MARGIN.left + TEXT_WIDTH
const LABEL_WIDTH_PT = 128
const TIME_WIDTH_PT = 118
/** From the left end of a timeline event's text back to its dot. */
const DOT_DISTANCE_PT = 14
const DOT_DIAMETER_PT = 4.5
const COLUMN_GAP_PT = 10
const CALLOUT_INSET_PT = 14
/** A heading stays with at least this much of what it introduces. */
const HEADING_COMPANY_PT = 60
/** Label and value rows up to this height together are not torn apart. */
const LARGEST_GROUP_PT = 200
const HEADING_GAP_PT = 6
const KEY_VALUE_ROW = { paddingTopPt: 3, paddingBottomPt: 3.5, decorate: ruleBelow } as const

/** Sets one block below what is already there; a heading looks at what it introduces. */
export function setBlock(layout: Layout, block: Block, next: Block | undefined): void {
  switch (block.kind) {
    case 'heading':
      return setHeading(layout, block, next)
    case 'paragraph':
      return setParagraph(layout, block)
    case 'keyValues':
      return setKeyValues(layout, block)
    case 'table':
      return setTable(layout, block)
    case 'timeline':
      return setTimeline(layout, block)
    case 'callout':
      return setCallout(layout, block)
    case 'spacer':
      return layout.space(block.heightPt)
    case 'pageBreak':
      return layout.isAtTop ? undefined : layout.newPage()
  }
}

/** Sets the title of the document with a short rule under it. */
export function setTitle(layout: Layout, title: string, subject: string | undefined): void {
  const { canvas } = layout
  const lines = linesOf(canvas, title, STYLE.title, TEXT_WIDTH)
  if (subject !== undefined) lines.push(...linesOf(canvas, subject, STYLE.subject, TEXT_WIDTH))
  layout.row([{ x: MARGIN.left, lines }], {
    paddingBottomPt: 10,
    decorate: (target, top, height) =>
      target.area(COLOUR.accent, MARGIN.left, top + height - 2, 36, 2),
  })
  layout.space(10)
}

function linesOf(canvas: Canvas, text: string, style: TextStyle, widthPt: number): StyledLine[] {
  return canvas.wrap(text, style, widthPt).map((row) => ({ text: row, style }))
}

function setHeading(layout: Layout, { level, text }: Heading, next: Block | undefined): void {
  const style = level === 1 ? STYLE.heading1 : STYLE.heading2
  const lines = linesOf(layout.canvas, text, style, TEXT_WIDTH)
  layout.space(level === 1 ? 20 : 12)
  layout.need(lines.length * style.leadingPt + companyOf(layout.canvas, next))
  layout.row([{ x: MARGIN.left, lines }], { paddingBottomPt: level === 1 ? 5 : 2 })
}

/** Height that must fit below a heading on its page. */
function companyOf(canvas: Canvas, next: Block | undefined): number {
  if (next?.kind !== 'keyValues') return HEADING_COMPANY_PT
  const height = keyValueRows(canvas, next).reduce((sum, row) => sum + row.heightPt, 0)
  return height > LARGEST_GROUP_PT ? HEADING_COMPANY_PT : height + HEADING_GAP_PT
}

function setParagraph(layout: Layout, { text, tone }: Paragraph): void {
  const style = tone === 'muted' ? STYLE.bodyMuted : STYLE.body
  for (const part of text.split(/\r?\n/)) {
    if (part.trim() === '') continue
    const lines = linesOf(layout.canvas, part, style, TEXT_WIDTH)
    layout.row([{ x: MARGIN.left, lines }], { isRunningText: true })
    layout.space(6)
  }
}

function setKeyValues(layout: Layout, block: KeyValues): void {
  const rows = keyValueRows(layout.canvas, block)
  const height = rows.reduce((sum, { heightPt }) => sum + heightPt, 0)
  if (height <= LARGEST_GROUP_PT) layout.need(height)
  for (const { cells } of rows) layout.row(cells, KEY_VALUE_ROW)
  layout.space(6)
}

function keyValueRows(
  canvas: Canvas,
  { rows }: KeyValues,
): { cells: readonly Cell[]; heightPt: number }[] {
  return rows.map(({ label, value, mono }) => {
    const style = mono ? STYLE.mono : STYLE.value
    const labels = linesOf(canvas, label, STYLE.label, LABEL_WIDTH_PT - COLUMN_GAP_PT)
    const values = linesOf(canvas, value, style, TEXT_WIDTH - LABEL_WIDTH_PT)
    const cells = [
      { x: MARGIN.left, lines: labels },
      { x: MARGIN.left + LABEL_WIDTH_PT, lines: values },
    ]
    const padding = KEY_VALUE_ROW.paddingTopPt + KEY_VALUE_ROW.paddingBottomPt
    return { cells, heightPt: Math.max(...cells.map(heightOf)) + padding }
  })
}

function ruleBelow(canvas: Canvas, top: number, height: number): void {
  canvas.line(COLOUR.rule, [MARGIN.left, top + height], [RIGHT, top + height])
}

function setTable(layout: Layout, { columns, rows }: Table): void {
  const { canvas } = layout
  const weights = columns.reduce((sum, { weight }) => sum + weight, 0)
  let x: number = MARGIN.left
  const places = columns.map(({ weight, mono }) => {
    const width = (TEXT_WIDTH * weight) / weights
    const place = { x, width: width - COLUMN_GAP_PT, style: mono ? STYLE.cellMono : STYLE.cell }
    x += width
    return place
  })
  const header = places.map((place, index) => ({
    x: place.x,
    lines: linesOf(canvas, columns[index].title, STYLE.columnTitle, place.width),
  }))
  const setHeader = (): void => {
    layout.row(header, {
      paddingTopPt: 3,
      paddingBottomPt: 4,
      decorate: (target, top, height) =>
        target.line(COLOUR.accent, [MARGIN.left, top + height], [RIGHT, top + height]),
    })
  }
  layout.need(HEADING_COMPANY_PT)
  setHeader()
  for (const row of rows) {
    const cells = places.map((place, index) => ({
      x: place.x,
      lines: linesOf(canvas, row[index] ?? '', place.style, place.width),
    }))
    layout.row(cells, {
      paddingTopPt: 4,
      paddingBottomPt: 4,
      decorate: ruleBelow,
      onNewPage: setHeader,
    })
  }
  layout.space(8)
}

function setTimeline(layout: Layout, { events }: Timeline): void {
  const { canvas } = layout
  const textX = MARGIN.left + TIME_WIDTH_PT + DOT_DISTANCE_PT
  const dotX = MARGIN.left + TIME_WIDTH_PT
  const textWidth = RIGHT - textX
  for (const [index, { time, title, detail, digest }] of events.entries()) {
    const lines = linesOf(canvas, title, STYLE.strong, textWidth)
    if (detail) lines.push(...linesOf(canvas, detail, STYLE.detail, textWidth))
    if (digest) lines.push(...linesOf(canvas, digest, STYLE.detailMono, textWidth))
    const decorate: RowOptions['decorate'] = (target, top, height, { isFirst }) => {
      const dotY = top + 6.3
      const isVeryFirst = index === 0 && isFirst
      const isVeryLast = index === events.length - 1
      const lineTop = isVeryFirst ? dotY : top
      const lineBottom = isVeryLast ? dotY : top + height
      if (lineBottom > lineTop) target.line(COLOUR.rule, [dotX, lineTop], [dotX, lineBottom])
      if (isFirst) target.dot(COLOUR.accent, dotX, dotY, DOT_DIAMETER_PT)
    }
    const times = linesOf(canvas, time, STYLE.time, TIME_WIDTH_PT - COLUMN_GAP_PT)
    layout.row(
      [
        { x: MARGIN.left, lines: times },
        { x: textX, lines },
      ],
      { paddingBottomPt: 8, decorate },
    )
  }
  layout.space(4)
}

function setCallout(layout: Layout, { title, text }: Callout): void {
  const { canvas } = layout
  const width = TEXT_WIDTH - 2 * CALLOUT_INSET_PT
  const lines: StyledLine[] = []
  if (title !== undefined) lines.push(...linesOf(canvas, title, STYLE.heading2, width))
  for (const part of text.split(/\r?\n/)) lines.push(...linesOf(canvas, part, STYLE.body, width))
  layout.space(8)
  layout.row([{ x: MARGIN.left + CALLOUT_INSET_PT, lines }], {
    paddingTopPt: 11,
    paddingBottomPt: 11,
    decorate: (target, top, height) => {
      target.area(COLOUR.panel, MARGIN.left, top, TEXT_WIDTH, height)
      target.area(COLOUR.accent, MARGIN.left, top, 2.5, height)
    },
  })
  layout.space(10)
}
