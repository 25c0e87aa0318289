import t from 'tap'
import { areaFault, doOverlap } from '../../../domain/cases/placement.ts'
import {
  inReadingOrder,
  isTaken,
  movedTo,
  placeAt,
  resizedTo,
  suggestedPlace,
} from '../../../web/sign/place.ts'

const A4 = { width: 595, height: 842 }
const at = (id: string, page: number, x: number, y: number) =>
  ({ id, page, x, y, width: 150, height: 40, unit: 'pt' }) as const

t.test('fields come page by page, line by line, from left to right', async (t) => {
  const places = [
    at('second page', 2, 50, 50),
    at('right', 1, 300, 402),
    at('below', 1, 50, 500),
    // A few points lower than its neighbour: the same line.
    at('left', 1, 50, 410),
    at('top', 1, 300, 100),
  ]
  t.same(
    inReadingOrder(places).map(({ id }) => id),
    ['top', 'left', 'right', 'below', 'second page'],
  )
  t.equal(places[0]?.id, 'second page', 'the list itself keeps its order')
})

t.test('a place stays on its page wherever it is moved', async (t) => {
  const place = placeAt(1, A4, 0.99, 0.99)
  t.ok(place.x + place.width <= 1 && place.y + place.height <= 1)
  t.match(movedTo(place, 3, -1, 2), { page: 3, x: 0, y: 1 - place.height })
})

t.test('a place is never larger than the service accepts, nor too small to see', async (t) => {
  const place = placeAt(1, A4, 0.1, 0.1)
  for (const size of [A4, { width: 1684, height: 2384 }]) {
    const large = resizedTo(place, size, 5, 5)
    t.ok(large.x + large.width <= 1 && large.y + large.height <= 1)
    t.ok(large.width * large.height <= 0.15, 'at most 15 % of the page')
    t.ok(large.width * large.height * size.width * size.height <= 80_000, 'and 80,000 pt²')
    const small = resizedTo(place, size, -1, -1)
    t.ok(small.width * size.width > 70 && small.height * size.height > 25)
  }
})

const chooser = (total: number, number: number) => ({
  participants: { total, signed: 0 },
  places: { number, taken: [] },
})
const SIZES = [A4, { width: 842, height: 595 }, { width: 2384, height: 3370 }]

t.test('people who choose no place do not sign over each other', async (t) => {
  for (const size of SIZES) {
    const page = { number: 3, size, taken: [] }
    const places = Array.from({ length: 16 }, (_, number) =>
      suggestedPlace(page, chooser(17, number)),
    )
    const [first] = places
    t.ok(first && first.x > 0.5 && first.y > 0.7, 'the first signs at the lower right')
    for (const [index, place] of places.entries()) {
      t.ok(place.page === 3 && place.y >= 0 && place.y + place.height <= 1)
      t.equal(areaFault(place, size), undefined, 'the service accepts its size')
      const earlier = places.slice(0, index).filter((one) => doOverlap(one, place, size))
      t.same(earlier, [], `place ${index + 1} is free`)
    }
    const again = suggestedPlace(page, chooser(17, 16))
    t.same(again, first, 'then again from the first')
  }
})

t.test('a suggestion avoids what is on the page, also for people at the same time', async (t) => {
  const empty = { number: 1, size: A4, taken: [] }
  const usual = [0, 1, 2].map((number) => suggestedPlace(empty, chooser(3, number)))
  const page = { ...empty, taken: usual.slice(0, 2) }
  const places = [0, 1, 2].map((number) => suggestedPlace(page, chooser(3, number)))
  t.same(places[2], usual[2])
  for (const place of places) t.notOk(isTaken(place, page))
  t.notOk(doOverlap(places[0]!, places[1]!, A4))
  const full = { ...empty, taken: [{ ...usual[0]!, x: 0, y: 0, width: 1, height: 1 }] }
  t.same(suggestedPlace(full, chooser(3, 1)), usual[1], 'on a full page it is the usual one')
  const older = { participants: { total: 3, signed: 2 } }
  t.same(suggestedPlace(empty, older), usual[2], 'an older answer counts those who signed')
})
