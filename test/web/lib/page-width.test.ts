import t from 'tap'
import { shownWidthPx } from '../../../web/lib/page-width.ts'

const A4 = { width: 595, height: 842 }

t.test('pages of usual shapes are as wide as what fits', async (t) => {
  t.equal(shownWidthPx(360, A4), 360)
  t.equal(shownWidthPx(360, { width: 842, height: 595 }, 3), 1_080)
  t.equal(shownWidthPx(360, { width: 1_920, height: 1_080 }), 360)
})

t.test('a page that is much wider than high is high enough to read', async (t) => {
  t.equal(shownWidthPx(360, { width: 14_400, height: 300 }), 5_760)
  t.equal(shownWidthPx(360, { width: 1_000, height: 200 }, 2), 1_200)
})

t.test('no page is wider than what browsers can paint', async (t) => {
  t.equal(shownWidthPx(360, { width: 14_400, height: 3 }), 8_000)
  t.equal(shownWidthPx(360, { width: 14_400, height: 300 }, 3), 8_000)
})
