/** Transformation matrices and boxes of content streams (ISO 32000-2, 8.3.3 and 8.3.4). */

export type Matrix = readonly [number, number, number, number, number, number]
export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

/** A point as x and y. */
export type Point = readonly [x: number, y: number]
export type Box = readonly [left: number, bottom: number, right: number, top: number]

/**
 * Puts a matrix before another one, as the operator `cm` does.
 *
 * @param operands six numbers; missing ones are those of the identity
 */
export function concatenate(operands: readonly number[], matrix: Matrix): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = operands
  const [ma, mb, mc, md, me, mf] = matrix
  return [
    a * ma + b * mc,
    a * mb + b * md,
    c * ma + d * mc,
    c * mb + d * md,
    e * ma + f * mc + me,
    e * mb + f * md + mf,
  ]
}

/** @returns the point in the coordinates that the matrix leads to */
export const transform = ([x, y]: Point, [a, b, c, d, e, f]: Matrix): Point => [
  a * x + c * y + e,
  b * x + d * y + f,
]

/** @returns the smallest box around the points; undefined without points */
export function boxAround(points: readonly Point[]): Box | undefined {
  if (points.length === 0) return undefined
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of points) {
    left = Math.min(left, x)
    bottom = Math.min(bottom, y)
    right = Math.max(right, x)
    top = Math.max(top, y)
  }
  return [left, bottom, right, top]
}

/** @returns the common part; its left may exceed its right, and its bottom its top */
export const intersect = (one: Box, other: Box): Box => [
  Math.max(one[0], other[0]),
  Math.max(one[1], other[1]),
  Math.min(one[2], other[2]),
  Math.min(one[3], other[3]),
]

/** @returns the smallest box around both */
export const unite = (one: Box, other: Box): Box => [
  Math.min(one[0], other[0]),
  Math.min(one[1], other[1]),
  Math.max(one[2], other[2]),
  Math.max(one[3], other[3]),
]

/** The corners of a rectangle. */
export const cornersOf = ([left, bottom, right, top]: Box): readonly Point[] => [
  [left, bottom],
  [right, bottom],
  [left, top],
  [right, top],
]
