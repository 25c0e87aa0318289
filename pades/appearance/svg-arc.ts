/**
 * Elliptical arcs of SVG as cubic curves (SVG 2, B.2: from end points to centre, out-of-range
 * radii).
 */

export interface Arc {
  readonly radiusX: number
  readonly radiusY: number
  /** Rotation of the ellipse's x axis. */
  readonly degrees: number
  readonly isLarge: boolean
  readonly isSweep: boolean
}

/** Two control points and the end point: x1, y1, x2, y2, x, y. */
export type Curve = readonly [number, number, number, number, number, number]

/** Below this radius an arc is a straight line to the eye and to the arithmetic. */
const SMALLEST_RADIUS = 1e-9

/**
 * Draws an arc as at most four curves of at most a quarter turn each.
 *
 * @returns undefined when the arc is a straight line (a radius is zero), no curves for equal ends
 */
export function arcToCurves(
  from: readonly [number, number],
  arc: Arc,
  to: readonly [number, number],
): Curve[] | undefined {
  if (from[0] === to[0] && from[1] === to[1]) return []
  let radiusX = Math.abs(arc.radiusX)
  let radiusY = Math.abs(arc.radiusY)
  if (radiusX < SMALLEST_RADIUS || radiusY < SMALLEST_RADIUS) return undefined

  const cos = Math.cos((arc.degrees * Math.PI) / 180)
  const sin = Math.sin((arc.degrees * Math.PI) / 180)
  const halfX = (from[0] - to[0]) / 2
  const halfY = (from[1] - to[1]) / 2
  const x = cos * halfX + sin * halfY
  const y = cos * halfY - sin * halfX

  // Radii that cannot reach both points grow until they do.
  const reach = Math.hypot(x / radiusX, y / radiusY)
  if (reach > 1) {
    radiusX *= reach
    radiusY *= reach
  }
  const squared = (x / radiusX) ** 2 + (y / radiusY) ** 2
  const side = arc.isLarge === arc.isSweep ? -1 : 1
  const factor = side * Math.sqrt(Math.max(0, 1 / squared - 1))
  const centreX = (factor * radiusX * y) / radiusY
  const centreY = (-factor * radiusY * x) / radiusX

  const start = Math.atan2((y - centreY) / radiusY, (x - centreX) / radiusX)
  let turn = Math.atan2((-y - centreY) / radiusY, (-x - centreX) / radiusX) - start
  if (arc.isSweep && turn < 0) turn += 2 * Math.PI
  if (!arc.isSweep && turn > 0) turn -= 2 * Math.PI

  const middle = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]
  const place = (unitX: number, unitY: number): [number, number] => {
    const onX = radiusX * unitX + centreX
    const onY = radiusY * unitY + centreY
    return [cos * onX - sin * onY + middle[0], sin * onX + cos * onY + middle[1]]
  }
  const count = Math.max(1, Math.ceil(Math.abs(turn) / (Math.PI / 2) - 1e-9))
  const step = turn / count
  // The distance of the control points that makes a curve touch the circle in its middle.
  const handle = (4 / 3) * Math.tan(step / 4)
  return Array.from({ length: count }, (_, index) => {
    const a = start + index * step
    const b = a + step
    const first = place(Math.cos(a) - handle * Math.sin(a), Math.sin(a) + handle * Math.cos(a))
    const second = place(Math.cos(b) + handle * Math.sin(b), Math.sin(b) - handle * Math.cos(b))
    const end = index === count - 1 ? to : place(Math.cos(b), Math.sin(b))
    return [...first, ...second, ...end] as unknown as Curve
  })
}
