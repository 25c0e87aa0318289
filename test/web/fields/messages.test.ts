/** What the component of a site and the field editor in its frame send to each other. */
import t from 'tap'
import { fromSite, isShowMessage, PlaceKeys, toSite } from '../../../web/fields/messages.ts'

const A4 = { width: 595, height: 842 }
const PEOPLE = [
  { key: 'jana', name: 'Jana' },
  { key: 'peter', name: 'Peter' },
]
const BOX = { page: 1, x: 72, y: 560, width: 220, height: 66 }

t.test('places come back as they were given, with the ids of the site', async (t) => {
  const keys = new PlaceKeys()
  const given = PEOPLE.map(({ key }) => ({ id: 'f1', person: key, ...BOX, unit: 'pt' as const }))
  const places = fromSite({ people: PEOPLE, places: given }, [A4], keys)
  t.not(places[0]?.key, places[1]?.key, 'ids are unique for one person only')
  t.same(toSite(places, keys), given)
  t.same(fromSite({ people: PEOPLE, places: given }, [A4], keys), places, 'the keys stay')
})

t.test('a place without an id gets one; fractions become points', async (t) => {
  const keys = new PlaceKeys()
  const half = { page: 1, x: 0.5, y: 0.5, width: 0.25, height: 0.1, unit: 'fraction' as const }
  const given = { people: PEOPLE, places: [{ person: 'jana', ...half }] }
  const [place] = toSite(fromSite(given, [A4], keys), keys)
  t.match(place?.id, /^[0-9a-f]{32}$/)
  t.match(place, { x: 297.5, y: 421, width: 148.75, height: 84.2, unit: 'pt' })
})

t.test('a place of nobody or on no page is left out, and others stay inside', async (t) => {
  const keys = new PlaceKeys()
  const places = [
    { person: 'nobody', ...BOX },
    { person: 'jana', ...BOX, page: 2 },
    { person: 'jana', ...BOX, x: 590 },
  ]
  const [only, ...more] = fromSite({ people: PEOPLE, places }, [A4], keys)
  t.same(more, [])
  t.match(only, { x: 375, width: 220 })
})

t.test('other messages are not taken for those of the component', async (t) => {
  const show = { source: 'sigcase-fields', type: 'show', people: [], places: [], language: 'en' }
  t.ok(isShowMessage(show))
  for (const other of [null, 'x', {}, { ...show, source: 'x' }, { ...show, places: 'x' }]) {
    t.notOk(isShowMessage(other), JSON.stringify(other))
  }
})
