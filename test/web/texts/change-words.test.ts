import t from 'tap'
import { CHANGED_PARTS } from '../../../domain/contract/validation-report.ts'
import { changeSentence } from '../../../web/texts/change-words.ts'

t.test('every change is one sentence in both languages', async (t) => {
  for (const part of CHANGED_PARTS) {
    for (const action of ['added', 'changed', 'deleted'] as const) {
      for (const count of [1, 3]) {
        for (const language of ['sk', 'en'] as const) {
          const sentence = changeSentence(language, { page: 2, part, action, count })
          t.match(sentence, /^[\p{Lu}3][^.]* 2\b[^.]*\.$/u)
          t.notMatch(sentence, /undefined/)
        }
      }
    }
  }
})

t.test('a change names what it was and where', async (t) => {
  const note = { page: 2, part: 'note', action: 'added' } as const
  t.equal(changeSentence('en', { ...note, count: 1 }), 'A note was added to page 2.')
  t.equal(changeSentence('en', { ...note, count: 3 }), '3 notes were added to page 2.')
  t.equal(changeSentence('sk', { ...note, count: 1 }), 'Na strane 2 pribudla poznámka.')
  t.equal(changeSentence('sk', { ...note, count: 3 }), 'Na strane 2 pribudli poznámky (3).')
  const elsewhere = { action: 'changed', count: 2 } as const
  t.match(changeSentence('en', elsewhere), /whole document/)
  t.match(changeSentence('sk', elsewhere), /celému dokumentu/)
})
