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

t.test('other texts are refused with an example', async (t) => {
  const wrong = ['', 'Jana', 'Jana <jana@example.com>', 'Jana Nováková', 'A B <a b>', 'A B <>']
  for (const text of wrong) {
    t.throws(() => readParticipant(text), { name: 'UsageError', message: /jana@example/ }, text)
  }
})
