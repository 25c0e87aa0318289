/** How much of what follows a heading must be on its page. */
import type { Canvas } from './canvas.ts'
import { linesOf } from './layout.ts'
import type { Block } from './model.ts'
import { STYLE, TEXT_WIDTH } from './style.ts'
import { heightOfRows, keyValueRows, LARGEST_GROUP_PT, tableBeginning } from './tables.ts'

/** A heading stays with at least this much of what it introduces. */
const LEAST_COMPANY_PT = 60
/** Space around a heading or another block. */
const GAP_PT = 20
/** Lines of a paragraph that introduces a table or a figure. */
const LONGEST_INTRODUCTION_LINES = 6

/**
 * Height that must fit below a heading on its page: the beginning of the next block, and of those
 * after it when the next is another heading or a short introduction.
 */
export function companyOf(canvas: Canvas, [next, ...others]: readonly Block[]): number {
  switch (next?.kind) {
    case 'heading': {
      const style = next.level === 1 ? STYLE.heading1 : STYLE.heading2
      const lines = linesOf(canvas, next.text, style, TEXT_WIDTH)
      return GAP_PT + lines.length * style.leadingPt + companyOf(canvas, others)
    }
    case 'paragraph': {
      const lines = linesOf(canvas, next.text, STYLE.body, TEXT_WIDTH)
      if (lines.length > LONGEST_INTRODUCTION_LINES) return LEAST_COMPANY_PT
      const height = lines.length * STYLE.body.leadingPt + GAP_PT
      const isIntroduction = ['table', 'figure', 'timeline'].includes(others[0]?.kind ?? '')
      return Math.max(LEAST_COMPANY_PT, height + (isIntroduction ? companyOf(canvas, others) : 0))
    }
    case 'keyValues': {
      const height = heightOfRows(keyValueRows(canvas, next))
      return height > LARGEST_GROUP_PT ? LEAST_COMPANY_PT : height + GAP_PT
    }
    case 'table':
      return tableBeginning(canvas, next) + GAP_PT
    case 'figure':
      return next.heightPt + GAP_PT
    default:
      return LEAST_COMPANY_PT
  }
}
