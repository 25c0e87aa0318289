import t from 'tap'
import { ReadingTimes, type Sides } from '../../../web/sign/reading-times.ts'

const page: Sides = { left: 0, top: 0, right: 400, bottom: 600 }
/** The page moved up by so many pixels. */
const scrolled = (byPx: number): Sides => ({ ...page, top: -byPx, bottom: 600 - byPx })
const open = (more: Partial<Sides>): Sides => ({ ...page, ...more })

t.test('a page counts after a second in sum, not after an instant (S8)', async (t) => {
  const times = new ReadingTimes()
  t.notOk(times.add(1, page, page, 999))
  t.notOk(times.add(2, page, page, 1), 'each page has its own time')
  t.ok(times.add(1, page, page, 1))
})

t.test('a page counts with its lower edge and 80 % of its parts (S8)', async (t) => {
  t.ok(new ReadingTimes().add(1, page, open({ top: 120 }), 1_000))
  t.notOk(new ReadingTimes().add(1, page, open({ top: 151 }), 1_000), 'a quarter is covered')
  t.notOk(new ReadingTimes().add(1, page, open({ bottom: 570 }), 1_000), 'the lower edge is')
  t.notOk(new ReadingTimes().add(1, page, open({ right: 250 }), 1_000), 'columns are')
})

t.test('a page that is taller than the window counts when its parts were seen (S8)', async (t) => {
  const times = new ReadingTimes()
  const low = open({ bottom: 210 })
  t.notOk(times.add(1, scrolled(0), low, 1_000))
  t.notOk(times.add(1, scrolled(200), low, 1_000))
  t.notOk(times.add(1, scrolled(400), low, 900))
  t.ok(times.add(1, scrolled(400), low, 100))
})
