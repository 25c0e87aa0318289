import t from 'tap'
import { draftLike, newDraft, newPerson, placesLike, toInput } from '../../../web/console/draft.ts'

const NOW = new Date(2026, 10, 2, 9, 30)
const draft = () => newDraft(NOW, 'a', 'sk')

t.test('an empty draft is sent without optional members, and the API refuses it', async (t) => {
  t.equal(draft().validUntil, '2026-11-16T23:59')
  const { validUntil, ...rest } = toInput(draft())
  t.equal(validUntil, new Date(2026, 10, 16, 23, 59).toISOString())
  const person = { firstName: '', lastName: '', email: '', language: 'sk', signatureFields: [] }
  t.same(rest, { title: '', participants: [person] })
})

t.test('fields belong to their people, and options are sent when they are set', async (t) => {
  const place = { key: 'p', person: 'b', page: 2, x: 1, y: 2, width: 180, height: 54 }
  const whole = {
    ...draft(),
    title: ' Zmluva ',
    people: [newPerson('a', 'sk' as const), { ...newPerson('b', 'en' as const), phone: ' +421 ' }],
    places: [place],
    multiFactorType: 'SMS' as const,
    inPerson: true,
    deviceId: 'kiosk',
    replyTo: 'a@example.com',
  }
  const input = toInput(whole)
  t.match(input, { title: 'Zmluva', quickSign: true, device: { deviceId: 'kiosk' } })
  t.match(input, { multiFactorType: 'SMS', sender: { replyTo: 'a@example.com' } })
  const [first, second] = input.participants
  t.same(first?.signatureFields, [])
  const { key: _key, person: _person, ...box } = place
  t.same(second?.signatureFields, [{ id: 'f1', ...box, unit: 'pt' }])
  t.equal(second?.phone, '+421')
  t.notOk('device' in toInput({ ...whole, inPerson: false }), 'a kiosk only in person')
  t.equal(toInput({ ...whole, validUntil: 'x' }).validUntil, 'x', 'the API names the rule')
})

t.test('people and places of an earlier case are used again', async (t) => {
  const field = (page: number, unit: 'pt' | 'fraction') => ({
    ...{ id: 'f1', page, x: 0.5, y: 0.5, width: 100, height: 50, unit },
  })
  const person = (firstName: string, signatureFields: object[]) => ({
    ...{ firstName, lastName: 'N', email: `${firstName}@example.com`, language: 'en' as const },
    signatureFields,
  })
  const half = { ...field(1, 'fraction'), width: 0.25, height: 0.1 }
  const participants = [person('a', [half, field(2, 'pt')]), person('b', [field(1, 'pt')])]
  const earlier = { title: 'Contract', participants, multiFactorType: 'SMS' } as never
  let count = 0
  const newKey = () => `key${count++}`
  const like = draftLike(earlier, draft(), newKey)
  t.match(like, { title: 'Contract', multiFactorType: 'SMS', inPerson: false })
  t.equal(like.validUntil, draft().validUntil, 'the deadline is a new one')
  t.same(
    like.people.map(({ firstName, phone }) => [firstName, phone]),
    [
      ['a', ''],
      ['b', ''],
    ],
  )
  const places = placesLike(earlier, like.people, [{ width: 600, height: 800 }], newKey)
  t.match(
    places,
    [
      { person: 'key0', page: 1, x: 300, y: 400, width: 150, height: 80 },
      { person: 'key1', page: 1, x: 0.5 },
    ],
    'a place on a page that does not exist is left out',
  )
  t.equal(places.length, 2)
})
