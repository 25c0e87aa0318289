import t, { type Test } from 'tap'

import {
  displayedSize,
  isInsidePage,
  type Matrix,
  placeOnPage,
} from '../../../pades/appearance/geometry.ts'
import { inspect } from '../../../pades/pdf/inspect.ts'
import type { PageGeometry, Rectangle } from '../../../pades/pdf/page-tree.ts'
import { buildPdf, type PageSpec } from '../../fixtures/pdf.ts'

const ROTATIONS = [0, 90, 180, 270] as const
const BOXES: readonly { mediaBox: Rectangle; cropBox: Rectangle }[] = [
  { mediaBox: [0, 0, 595, 842], cropBox: [0, 0, 595, 842] },
  { mediaBox: [0, 0, 595, 842], cropBox: [50, 100, 400, 700] },
  { mediaBox: [-100, -200, 495, 642], cropBox: [-80, -150, 300, 500] },
  { mediaBox: [595, 842, 0, 0], cropBox: [400, 700, 50, 100] },
  { mediaBox: [0, 0, 595, 842], cropBox: [-50, -50, 900, 900] },
]
const PLACEMENT = { x: 30, y: 40, width: 120, height: 50, unit: 'pt' } as const

function apply([a, b, c, d, e, f]: Matrix, [x, y]: readonly number[]): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f]
}

function boundsOf(points: readonly (readonly number[])[]): [number, number, number, number] {
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

type RawPage = Required<Pick<PageSpec, 'rotate'>> &
  (typeof BOXES)[number] &
  Pick<PageSpec, 'userUnit'>

/** The page as it is read from a file. */
const read = (page: RawPage) => inspect(buildPdf({ pages: [page] })).pages[0] as PageGeometry

/** What a reader does: cut to the crop box, turn clockwise, count from the top left corner. */
function display(page: RawPage, [x, y]: readonly number[]): [number, number] {
  const media = boundsOf([page.mediaBox.slice(0, 2), page.mediaBox.slice(2)])
  const crop = boundsOf([page.cropBox.slice(0, 2), page.cropBox.slice(2)])
  const visible = [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ]
  const angle = (-page.rotate * Math.PI) / 180
  const turn = ([px, py]: readonly number[]): [number, number] => [
    px * Math.cos(angle) - py * Math.sin(angle),
    px * Math.sin(angle) + py * Math.cos(angle),
  ]
  const corners = boundsOf([turn([visible[0], visible[1]]), turn([visible[2], visible[3]])])
  const [turnedX, turnedY] = turn([x, y])
  const unit = page.userUnit ?? 1
  return [(turnedX - corners[0]) * unit, (corners[3] - turnedY) * unit]
}

/** The algorithm of ISO 32000-2, 12.5.5: the transformed box is fitted into the rectangle. */
function appearanceToPage(
  { rect, size, matrix }: ReturnType<typeof placeOnPage>,
  point: readonly number[],
): [number, number] {
  const { width, height } = size
  const box = boundsOf(
    [
      [0, 0],
      [width, 0],
      [0, height],
      [width, height],
    ].map((corner) => apply(matrix, corner)),
  )
  const [x, y] = apply(matrix, point)
  return [
    rect[0] + ((x - box[0]) * (rect[2] - rect[0])) / (box[2] - box[0]),
    rect[1] + ((y - box[1]) * (rect[3] - rect[1])) / (box[3] - box[1]),
  ]
}

function near(t: Test, actual: readonly number[], expected: readonly number[], name: string) {
  const difference = Math.max(...actual.map((value, index) => Math.abs(value - expected[index])))
  t.ok(difference < 1e-6, `${name}: ${actual.join(', ')} is ${expected.join(', ')}`)
}

t.test('the displayed rectangle is what was asked, upright, on every page', async (t) => {
  for (const boxes of BOXES) {
    for (const rotate of ROTATIONS) {
      for (const userUnit of [undefined, 1, 2.5]) {
        const page = { ...boxes, rotate, ...(userUnit && { userUnit }) }
        const placed = placeOnPage(read(page), PLACEMENT)
        const shown = (x: number, y: number) => display(page, appearanceToPage(placed, [x, y]))
        const { x, y, width, height } = PLACEMENT
        const name = `${rotate}° ${boxes.cropBox.join(' ')} × ${userUnit}`
        near(t, shown(0, 0), [x, y + height], `${name} bottom left`)
        near(t, shown(width, 0), [x + width, y + height], `${name} bottom right`)
        near(t, shown(0, height), [x, y], `${name} top left`)
      }
    }
  }
})

t.test('the matrix keeps the box at the origin: a form can also be drawn by itself', async (t) => {
  for (const rotate of ROTATIONS) {
    const { matrix, size } = placeOnPage(read({ ...BOXES[0], rotate }), PLACEMENT)
    const corners = [
      [0, 0],
      [size.width, size.height],
    ].map((corner) => apply(matrix, corner))
    const [left, bottom] = boundsOf(corners)
    near(t, [left, bottom], [0, 0], `${rotate}°`)
  }
})

t.test('fractions and rendered sizes mean the same rectangle as points', async (t) => {
  for (const boxes of BOXES) {
    for (const rotate of ROTATIONS) {
      const page = read({ ...boxes, rotate })
      const { width, height } = displayedSize(page)
      const expected = placeOnPage(page, PLACEMENT)
      const fraction = placeOnPage(page, {
        x: 30 / width,
        y: 40 / height,
        width: 120 / width,
        height: 50 / height,
        unit: 'fraction',
      })
      const doubled = placeOnPage(page, {
        x: 60,
        y: 120,
        width: 240,
        height: 150,
        unit: 'pt',
        pageSize: { width: width * 2, height: height * 3 },
      })
      near(t, fraction.rect, expected.rect, 'fraction')
      near(t, doubled.rect, expected.rect, 'page size')
      near(t, [doubled.size.width, doubled.size.height], [120, 50], 'size')
    }
  }
})

t.test('a rectangle is inside when the reader would see all of it', async (t) => {
  const page = read({ ...BOXES[1], rotate: 90 })
  t.same(displayedSize(page), { width: 600, height: 350 })
  const inside = (x: number, y: number, width: number, height: number): boolean =>
    isInsidePage(page, { x, y, width, height, unit: 'pt' })
  t.ok(inside(0, 0, 600, 350))
  t.ok(inside(-0.05, 0, 600.1, 350), 'rounding is forgiven')
  t.notOk(inside(0, 0, 601, 350))
  t.notOk(inside(0, 1, 600, 350))
  t.notOk(inside(-1, 0, 10, 10))
  t.notOk(inside(10, 10, 0, 10))
  t.notOk(inside(10, 10, 10, -5))
  t.notOk(inside(Number.NaN, 10, 10, 10))
  t.ok(isInsidePage(page, { x: 0.5, y: 0.5, width: 0.5, height: 0.5, unit: 'fraction' }))
  t.notOk(isInsidePage(page, { x: 0.6, y: 0.5, width: 0.5, height: 0.5, unit: 'fraction' }))
})
