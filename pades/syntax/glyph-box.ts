/**
 * Finds out whether a glyph of a Type 3 font draws outside of the box that `d1` states (ISO
 * 32000-2, 9.6.4): pdf.js and Ghostscript clip the glyph to that box, other readers do not. MuPDF
 * does not clip the cell of a pattern to its box where few cells are seen (8.7.3).
 */
import { type Box, concatenate, IDENTITY, type Matrix, transform } from './matrices.ts'

/** A side of the box may be so much of its length too short; producers round. */
const TOLERANCE = 0.1
const LEAST_TOLERANCE = 2
/** As a part of the larger side of a cell. */
const CELL_TOLERANCE = 0.02
/** Coordinates that begin a path or continue it, in pairs. */
const POINTS: ReadonlySet<string> = new Set(['c', 'l', 'm', 'v', 'y'])
/** Corners of the unit square, which images fill. */
const UNIT_SQUARE = [0, 0, 1, 1] as const

/** Follows what a glyph draws. */
export class GlyphBox {
  #box: Box | undefined
  #matrix = IDENTITY
  readonly #saved: Matrix[] = []

  /** @param cell box of the cell of a pattern; absent for a glyph, which states its own */
  constructor(cell?: Box) {
    if (!cell) return
    const [left, bottom, right, top] = cell
    this.#box = widened(cell, CELL_TOLERANCE * Math.max(right - left, top - bottom))
  }

  /**
   * Takes an operator.
   *
   * @param numbers gives its operands
   * @returns false when it draws outside of the box
   */
  take(name: string, numbers: () => readonly number[]): boolean {
    if (name === 'd1') this.#begin(numbers())
    else if (name === 'q') this.#saved.push(this.#matrix)
    else if (name === 'Q') this.#matrix = this.#saved.pop() ?? this.#matrix
    else if (name === 'cm') this.#matrix = concatenate(numbers(), this.#matrix)
    else if (POINTS.has(name)) return this.#holdsPairs(numbers())
    else if (name === 're') return this.#holdsRectangle(numbers())
    else if (name === 'BI' || name === 'Do') return this.#holdsRectangle(UNIT_SQUARE)
    return true
  }

  #begin([, , x0 = 0, y0 = 0, x1 = 0, y1 = 0]: readonly number[]): void {
    const [left, right] = [Math.min(x0, x1), Math.max(x0, x1)]
    const [bottom, top] = [Math.min(y0, y1), Math.max(y0, y1)]
    const margin = Math.max(LEAST_TOLERANCE, TOLERANCE * Math.max(right - left, top - bottom))
    this.#box = widened([left, bottom, right, top], margin)
  }

  #holdsPairs(numbers: readonly number[]): boolean {
    return numbers.every((x, index) => index % 2 === 1 || this.#holds(x, numbers[index + 1] ?? 0))
  }

  #holdsRectangle([x = 0, y = 0, width = 0, height = 0]: readonly number[]): boolean {
    const [right, top] = [x + width, y + height]
    return this.#holdsPairs([x, y, right, y, x, top, right, top])
  }

  #holds(x: number, y: number): boolean {
    if (!this.#box) return true
    const [left, bottom, right, top] = this.#box
    const [px, py] = transform([x, y], this.#matrix)
    return left <= px && px <= right && bottom <= py && py <= top
  }
}

const widened = ([left, bottom, right, top]: Box, margin: number): Box => [
  left - margin,
  bottom - margin,
  right + margin,
  top + margin,
]
