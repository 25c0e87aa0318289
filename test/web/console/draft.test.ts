import t from 'tap'
import { newDraft, newPerson, toInput } from '../../../web/console/draft.ts'

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
