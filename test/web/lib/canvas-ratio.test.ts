import t from 'tap'
import { canvasRatio } from '../../../web/lib/canvas-ratio.ts'

const PAGE = { width: 600, height: 800 }

t.test('a canvas has the ratio of the screen, up to the maximum', async (t) => {
  t.equal(canvasRatio(PAGE, 3, 2), 2)
  t.equal(canvasRatio(PAGE, 2, 3), 2)
})

t.test('a large page has fewer pixels for each CSS pixel', async (t) => {
  const size = { width: 6_000, height: 8_000 }
  const ratio = canvasRatio(size, 3, 2)
  t.ok(ratio < 1)
  t.ok(size.width * ratio * size.height * ratio <= 4096 * 1536 + 1)
})
