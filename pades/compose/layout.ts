/** Where the rows of a composed document go: down the page, and on to the next one. */
import type { Shaper } from '../appearance/shaper.ts'
import { Canvas } from './canvas.ts'
import type { Language } from './model.ts'
import { StructureElement } from './structure.ts'
import { MARGIN, PAGE, TEXT_HEIGHT, type TextStyle } from './style.ts'

/** A line without an element is an artifact, such as a repeated header. */
export interface StyledLine {
  readonly element?: StructureElement
  readonly text: string
  readonly style: TextStyle
}

/** Lines below each other, from `x` to the right. */
export interface Cell {
  readonly x: number
  readonly lines: readonly StyledLine[]
  /** What lies beside the lines needs so much height. */
  readonly leastHeightPt?: number
}

export interface RowOptions {
  /** Empty space within the row, above and below its lines. */
  readonly paddingTopPt?: number
  readonly paddingBottomPt?: number
  /** Running text may be cut between any two lines; other rows only when taller than a page. */
  readonly isRunningText?: boolean
  /** Draws behind and around a row, or a part of it, of this height. */
  readonly decorate?: (canvas: Canvas, top: number, height: number, part: RowPart) => void
  /** Is called on each new page before the row goes on, for instance to repeat a header. */
  readonly onNewPage?: () => void
}

export interface RowPart {
  readonly isFirst: boolean
  readonly isLast: boolean
}

/** Fewer lines of a paragraph are not left alone at the foot of a page. */
const ORPHAN_LINES = 2
/** The baseline lies this share of the leading below the top of its line. */
const BASELINE_SHARE = 0.72
const BOTTOM = PAGE.height - MARGIN.bottom

/** Puts cells below each other and begins a page where one is full. */
export class Layout {
  readonly canvas: Canvas
  /** The document; blocks add their elements to it. */
  readonly root = new StructureElement('Document')
  #y: number = MARGIN.top

  /** @param shaper of `shaperFor` with all texts */
  constructor(language: Language, shaper?: Shaper) {
    this.canvas = new Canvas(language, shaper)
    this.canvas.addPage()
  }

  /** Down to the bottom margin. */
  get remainingPt(): number {
    return BOTTOM - this.#y
  }

  /** Whether the page is still empty. */
  get isAtTop(): boolean {
    return this.#y === MARGIN.top
  }

  /** Leaves empty space, unless a page begins here. */
  space(heightPt: number): void {
    if (this.isAtTop) return
    this.#y = Math.min(BOTTOM, this.#y + heightPt)
  }

  /** @throws PadesError `CONTENT_TOO_LARGE` - beyond 2,000 pages */
  newPage(): void {
    this.canvas.addPage()
    this.#y = MARGIN.top
  }

  /** Begins a new page unless so much height is left. */
  need(heightPt: number): void {
    if (!this.isAtTop && this.remainingPt < heightPt) this.newPage()
  }

  /** Places cells beside each other. */
  row(cells: readonly Cell[], options: RowOptions = {}): void {
    const { paddingTopPt = 0, paddingBottomPt = 0, onNewPage } = options
    const padding = paddingTopPt + paddingBottomPt
    let rest = cells
    let isFirst = true
    const turnPage = (): void => {
      this.newPage()
      onNewPage?.()
    }
    if (!this.isAtTop && !this.#mayStart(cells, padding, options)) turnPage()
    // Each turn places at least one line of every unfinished cell.
    for (;;) {
      const room = this.remainingPt - padding
      const parts = rest.map((cell) => splitCell(cell, room))
      const isLast = parts.every((part) => part.after.lines.length === 0)
      const height = Math.max(0, ...parts.map((part) => heightOf(part.before))) + padding
      options.decorate?.(this.canvas, this.#y, height, { isFirst, isLast })
      for (const part of parts) this.#draw(part.before, this.#y + paddingTopPt)
      this.#y += height
      if (isLast) return
      rest = parts.map((part) => part.after)
      isFirst = false
      turnPage()
    }
  }

  #mayStart(cells: readonly Cell[], padding: number, options: RowOptions): boolean {
    const height = Math.max(0, ...cells.map(heightOf)) + padding
    if (height <= this.remainingPt) return true
    const canBeCut = options.isRunningText || height > TEXT_HEIGHT
    if (!canBeCut) return false
    const start = Math.max(
      0,
      ...cells.map((cell) => heightOf({ x: 0, lines: cell.lines.slice(0, ORPHAN_LINES) })),
    )
    return start + padding <= this.remainingPt
  }

  #draw(cell: Cell, top: number): void {
    let y = top
    for (const { text, style, element = 'decoration' } of cell.lines) {
      const baseline = y + style.leadingPt * BASELINE_SHARE
      this.canvas.text(text, style, { x: cell.x, y: baseline, purpose: element })
      y += style.leadingPt
    }
  }
}

/** Rows of a text that fit a width, in one style. @param element that they are part of */
export function linesOf(
  canvas: Canvas,
  text: string,
  style: TextStyle,
  widthPt: number,
  element?: StructureElement,
): StyledLine[] {
  const part = element && { element }
  return canvas.wrap(text, style, widthPt).map((row) => ({ text: row, style, ...part }))
}

/** In points: the leadings of its lines. */
export function heightOf({ lines, leastHeightPt = 0 }: Cell): number {
  return Math.max(
    leastHeightPt,
    lines.reduce((sum, { style }) => sum + style.leadingPt, 0),
  )
}

function splitCell(cell: Cell, room: number): { before: Cell; after: Cell } {
  let height = 0
  let count = 0
  for (const { style } of cell.lines) {
    height += style.leadingPt
    if (height > room && count > 0) break
    count += 1
  }
  return {
    before: { ...cell, lines: cell.lines.slice(0, count) },
    after: { x: cell.x, lines: cell.lines.slice(count) },
  }
}
