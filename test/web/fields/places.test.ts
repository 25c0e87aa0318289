import t from 'tap'
import {
  around,
  between,
  type Box,
  fitted,
  freeBox,
  moved,
  pagesWithOverlap,
  resized,
} from '../../../web/fields/places.ts'

const A4 = { width: 595, height: 842 }
const BOX = { x: 100, y: 200, width: 180, height: 54 }

t.test('a box stays on its page when it moves and grows', async (t) => {
  t.same(moved(BOX, 10, -10, A4), { ...BOX, x: 110, y: 190 })
  t.same(moved(BOX, -1_000, 1_000, A4), { ...BOX, x: 0, y: 788 })
  t.same(resized(BOX, 20, 6, A4), { ...BOX, width: 200, height: 60 })
  t.same(resized(BOX, 9_000, -9_000, A4), { ...BOX, width: 495, height: 18 })
  const small = { width: 100, height: 40 }
  t.same(fitted(BOX, small), { x: 0, y: 0, width: 100, height: 40 }, 'a page smaller than a field')
  const odd = { width: 595.276, height: 841.89 }
  const moves = [moved(BOX, 900, 900, odd), resized(BOX, 900, 900, odd), around(595, 841, odd)]
  for (const { x, y, width, height } of moves) {
    t.ok(x + width <= odd.width && y + height <= odd.height, 'sums do not leave the page')
  }
})

t.test('a drawn rectangle keeps its size, and a click makes the usual one', async (t) => {
  t.same(between([300, 400], [100, 300], A4), { x: 100, y: 300, width: 200, height: 100 })
  t.match(between([300, 400], [303, 402], A4), { width: 180, height: 54 })
  t.same(around(300, 400, A4), { x: 210, y: 373, width: 180, height: 54 })
})

t.test('a field that is added by keyboard covers no other one', async (t) => {
  const first = freeBox([], A4)
  const second = freeBox([first], A4)
  t.ok(second.y + second.height <= first.y)
})

t.test('many fields that are added by keyboard cover no other one', async (t) => {
  const boxes: Box[] = []
  for (let count = 0; count < 16; count++) boxes.push(freeBox(boxes, A4))
  const places = boxes.map((box, index) => ({ key: `${index}`, person: 'a', page: 1, ...box }))
  t.same(pagesWithOverlap(places), [])
  t.same(freeBox([], { width: 100, height: 60 }), { x: 0, y: 6, width: 100, height: 54 })
})

t.test('pages are named on which a field covers another one', async (t) => {
  const at = (key: string, page: number, x: number) => ({ key, person: key, page, ...BOX, x })
  const apart = [at('a', 3, 100), at('b', 3, 280), at('c', 2, 100)]
  t.same(pagesWithOverlap(apart), [], 'an edge may be shared')
  t.same(pagesWithOverlap([...apart, at('d', 3, 279), at('e', 2, 101), at('f', 2, 102)]), [2, 3])
})
