/** Keeps a heading on the page of the block that it introduces. */
import type { Canvas } from './canvas.ts'
import { linesOf } from './layout.ts'
import type { Block } from './model.ts'
import { STYLE, TEXT_WIDTH } from './style.ts'
import { heightOfRows, keyValueRows, LARGEST_GROUP_PT, tableBeginning } from './tables.ts'

/** A page that ends with a heading has at least this much of the next block below it. */
const LEAST_FOLLOWING_PT = 60
/** Space around a heading or another block. */
const GAP_PT = 20
/** A longer paragraph does not count as the introduction of a table or a figure. */
const MAXIMUM_INTRODUCTION_LINES = 6

/**
 * Height that must fit below a heading on its page: the beginning of the next block, and of those
 * after it when the next is another heading or a short introduction.
 */
export function heightToKeep(canvas: Canvas, [next, ...others]: readonly Block[]): number {
  switch (next?.kind) {
    case 'heading': {
      const style = next.level === 1 ? STYLE.heading1 : STYLE.heading2
      const lines = linesOf(canvas, next.text, style, TEXT_WIDTH)
      return GAP_PT + lines.length * style.leadingPt + heightToKeep(canvas, others)
    }
    case 'paragraph': {
      const lines = linesOf(canvas, next.text, STYLE.body, TEXT_WIDTH)
      if (lines.length > MAXIMUM_INTRODUCTION_LINES) return LEAST_FOLLOWING_PT
      const height = lines.length * STYLE.body.leadingPt + GAP_PT
      const isIntroduction = ['table', 'figure', 'timeline'].includes(others[0]?.kind ?? '')
      return Math.max(
        LEAST_FOLLOWING_PT,
        height + (isIntroduction ? heightToKeep(canvas, others) : 0),
      )
    }
    case 'keyValues': {
      const height = heightOfRows(keyValueRows(canvas, next))
      return height > LARGEST_GROUP_PT ? LEAST_FOLLOWING_PT : height + GAP_PT
    }
    case 'table':
      return tableBeginning(canvas, next) + GAP_PT
    case 'figure':
      return next.heightPt + GAP_PT
    default:
      return LEAST_FOLLOWING_PT
  }
}
