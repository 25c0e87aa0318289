import t from 'tap'
import { areaFault, doOverlap, isTooSmall } from '../../../domain/cases/placement.ts'
import { MINIMUM_RECTANGLE_PT } from '../../../domain/limits.ts'

const A4 = { width: 595, height: 842 }
const rectangle = (more: object = {}) => ({
  page: 1,
  x: 100,
  y: 100,
  width: 200,
  height: 60,
  unit: 'pt' as const,
  ...more,
})

t.test('a rectangle is as small in points, fractions and pixels', async (t) => {
  const least = MINIMUM_RECTANGLE_PT
  t.notOk(isTooSmall(rectangle({ width: least }), A4))
  t.ok(isTooSmall(rectangle({ width: least - 1 }), A4))
  t.ok(isTooSmall(rectangle({ height: least - 1 }), A4))
  const fraction = { width: least / A4.width, height: least / A4.height, unit: 'fraction' as const }
  t.notOk(isTooSmall(fraction, A4))
  t.ok(isTooSmall({ ...fraction, width: fraction.width / 2 }, A4))
  const pixels = { width: A4.width * 2, height: A4.height * 2 }
  t.ok(isTooSmall(rectangle({ width: least }), A4, pixels), 'two pixels are a point')
  t.notOk(isTooSmall(rectangle({ width: least * 2, height: least * 2 }), A4, pixels))
})

t.test('a signer covers a bounded part of a page', async (t) => {
  t.equal(areaFault(rectangle(), A4), undefined)
  const fault = areaFault(rectangle({ width: 590, height: 840 }), A4)
  t.match(fault?.message, /must cover at most \d+ square points of this page/)
  t.match(areaFault({ width: 1, height: 1, unit: 'fraction' }, A4)?.params, { maximumPt2: Number })
})

t.test('rectangles that touch do not overlap, and pages are separate', async (t) => {
  const right = rectangle({ x: 300 })
  t.notOk(doOverlap(rectangle(), right, A4))
  t.ok(doOverlap(rectangle(), rectangle({ x: 299 }), A4))
  t.notOk(doOverlap(rectangle(), rectangle({ page: 2 }), A4))
  const half = rectangle({ x: 0.5, y: 0, width: 0.5, height: 0.2, unit: 'fraction' })
  t.ok(doOverlap(rectangle(), half, A4), 'units are converted')
  t.notOk(doOverlap(rectangle({ width: 100 }), half, A4))
})
