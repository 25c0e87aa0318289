/** People of a new case, as they are written on the command line. */
import t from 'tap'
import { readParticipant } from '../../../cli/sigcase/participants.ts'

t.test('a given name, a family name of any number of words, and an address', async (t) => {
  t.same(readParticipant(' Ján  de la Cruz <jan@example.com> '), {
    firstName: 'Ján',
    lastName: 'de la Cruz',
    email: 'jan@example.com',
  })
})

t.test('the name may be in quotes, as mail programs write it', async (t) => {
  t.same(readParticipant('"Ján Novák ml." <jan@example.com>'), {
    firstName: 'Ján',
    lastName: 'Novák ml.',
    email: 'jan@example.com',
  })
  t.same(readParticipant('Ján "Janko" Novák <jan@example.com>').lastName, '"Janko" Novák')
})

t.test('other texts are refused with an example', async (t) => {
  const wrong = [
    '',
    'Jana',
    'Jana <jana@example.com>',
    'Jana Nováková',
    'A B <a b>',
    'A B <>',
    '"A" <a@b.example>',
  ]
  for (const text of wrong) {
    t.throws(() => readParticipant(text), { name: 'UsageError', message: /jana@example/ }, text)
  }
  // Which of the two is the family name?
  t.throws(() => readParticipant('"Novák, Ján" <jan@example.com>'), { name: 'UsageError' })
})
