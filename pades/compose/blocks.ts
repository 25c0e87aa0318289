/** How each kind of block is set, and which elements of the structure it becomes. */
import type { Canvas } from './canvas.ts'
import { heightToKeep } from './keep-with-next.ts'
import { linesOf, type Layout, type RowOptions, type StyledLine } from './layout.ts'
import type { Block, Callout, Figure, Heading, KeyValues, Paragraph, Timeline } from './model.ts'
import { COLOUR, MARGIN, STYLE, TEXT_WIDTH } from './style.ts'
import {
  COLUMN_GAP_PT,
  heightOfRows,
  KEY_VALUE_ROW,
  keyValueRows,
  LARGEST_GROUP_PT,
  RIGHT,
  setTable,
} from './tables.ts'

const TIME_WIDTH_PT = 118
/** From the left end of a timeline event's text back to its dot. */
const DOT_DISTANCE_PT = 14
const DOT_DIAMETER_PT = 4.5
const CALLOUT_INSET_PT = 14
const FIGURE_GAP_PT = 14

/** Sets one block below what is already there; a heading looks at the blocks that follow. */
export function setBlock(layout: Layout, block: Block, following: readonly Block[]): void {
  switch (block.kind) {
    case 'heading':
      return setHeading(layout, block, following)
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
    case 'figure':
      return setFigure(layout, block)
    case 'spacer':
      return layout.space(block.heightPt)
    case 'pageBreak':
      return layout.isAtTop ? undefined : layout.newPage()
  }
}

/** Sets the title of the document with a short rule under it. */
export function setTitle(layout: Layout, title: string, subject: string | undefined): void {
  const { canvas, root } = layout
  const lines = linesOf(canvas, title, STYLE.title, TEXT_WIDTH, root.add('H1'))
  if (subject !== undefined) {
    lines.push(...linesOf(canvas, subject, STYLE.subject, TEXT_WIDTH, root.add('P')))
  }
  layout.row([{ x: MARGIN.left, lines }], {
    paddingBottomPt: 10,
    decorate: (target, top, height) =>
      target.area(COLOUR.accent, MARGIN.left, top + height - 2, 36, 2),
  })
  layout.space(10)
}

function setHeading(layout: Layout, { level, text }: Heading, following: readonly Block[]): void {
  const style = level === 1 ? STYLE.heading1 : STYLE.heading2
  const element = layout.root.add(level === 1 ? 'H2' : 'H3')
  const lines = linesOf(layout.canvas, text, style, TEXT_WIDTH, element)
  layout.space(level === 1 ? 20 : 12)
  layout.need(lines.length * style.leadingPt + heightToKeep(layout.canvas, following))
  layout.row([{ x: MARGIN.left, lines }], { paddingBottomPt: level === 1 ? 5 : 2 })
}

function setParagraph(layout: Layout, { text, tone, language }: Paragraph): void {
  const style = tone === 'muted' ? STYLE.bodyMuted : STYLE.body
  for (const part of text.split(/\r?\n/)) {
    if (part.trim() === '') continue
    const element = layout.root.add('P', language && { language })
    const lines = linesOf(layout.canvas, part, style, TEXT_WIDTH, element)
    layout.row([{ x: MARGIN.left, lines }], { isRunningText: true })
    layout.space(6)
  }
}

function setKeyValues(layout: Layout, block: KeyValues): void {
  if (block.rows.length === 0) return
  const rows = keyValueRows(layout.canvas, block, layout.root.add('Table'))
  const height = heightOfRows(rows)
  if (height <= LARGEST_GROUP_PT) layout.need(height)
  for (const { cells } of rows) layout.row(cells, KEY_VALUE_ROW)
  layout.space(6)
}

function setTimeline(layout: Layout, { events }: Timeline): void {
  if (events.length === 0) return
  const { canvas } = layout
  const list = layout.root.add('L')
  const textX = MARGIN.left + TIME_WIDTH_PT + DOT_DISTANCE_PT
  const textWidth = RIGHT - textX
  for (const [index, { time, title, detail, digest }] of events.entries()) {
    const body = list.add('LI').add('LBody')
    // The time is read first, as it is shown.
    const times = time
      .split('\n')
      .flatMap((line) => linesOf(canvas, line, STYLE.time, TIME_WIDTH_PT - COLUMN_GAP_PT, body))
    const lines = linesOf(canvas, title, STYLE.strong, textWidth, body)
    if (detail) lines.push(...linesOf(canvas, detail, STYLE.detail, textWidth, body))
    if (digest) lines.push(...linesOf(canvas, digest, STYLE.detailMono, textWidth, body))
    layout.row(
      [
        { x: MARGIN.left, lines: times },
        { x: textX, lines },
      ],
      { paddingBottomPt: 8, decorate: dotAndLine(index === 0, index === events.length - 1) },
    )
  }
  layout.space(4)
}

/** The dot of an event and the line to the next one. */
function dotAndLine(isFirstEvent: boolean, isLastEvent: boolean): RowOptions['decorate'] {
  const dotX = MARGIN.left + TIME_WIDTH_PT
  return (target: Canvas, top, height, { isFirst }) => {
    const dotY = top + 6.3
    const lineTop = isFirstEvent && isFirst ? dotY : top
    const lineBottom = isLastEvent ? dotY : top + height
    if (lineBottom > lineTop) target.line(COLOUR.rule, [dotX, lineTop], [dotX, lineBottom])
    if (isFirst) target.dot(COLOUR.accent, dotX, dotY, DOT_DIAMETER_PT)
  }
}

function setCallout(layout: Layout, { title, text }: Callout): void {
  const { canvas, root } = layout
  const width = TEXT_WIDTH - 2 * CALLOUT_INSET_PT
  const element = root.add('Div')
  const lines: StyledLine[] = []
  if (title !== undefined) {
    lines.push(...linesOf(canvas, title, STYLE.heading2, width, element.add('P')))
  }
  for (const part of text.split(/\r?\n/)) {
    lines.push(...linesOf(canvas, part, STYLE.body, width, element.add('P')))
  }
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

/** The picture and its lines stay on one page; only lines that are taller go on. */
function setFigure(layout: Layout, block: Figure): void {
  const { picture, alt, widthPt, heightPt } = block
  const { canvas, root } = layout
  const figure = root.add('Figure', { alt })
  const textX = MARGIN.left + widthPt + FIGURE_GAP_PT
  const lines = block.lines.flatMap((text, index) =>
    linesOf(canvas, text, index === 0 ? STYLE.strong : STYLE.body, RIGHT - textX, root.add('P')),
  )
  layout.space(4)
  layout.need(heightPt)
  layout.row([{ x: textX, lines, leastHeightPt: heightPt }], {
    paddingBottomPt: 6,
    decorate: (target, top, _, { isFirst }) => {
      if (!isFirst) return
      target.picture(picture, figure, { x: MARGIN.left, y: top, width: widthPt, height: heightPt })
    },
  })
  layout.space(4)
}
