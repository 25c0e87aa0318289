import t from 'tap'
import { visibleOr, visibleTextFaults } from '../../domain/visible-text.ts'

t.test('what cannot be shown is named by the pattern that it breaks', async (t) => {
  for (const text of [' ', '\0', 'a\tb', '\u2800', 'a\u202db']) {
    const [fault, ...more] = visibleTextFaults(text)
    t.same(more, [])
    t.notOk(new RegExp(fault?.params.pattern ?? '', 'u').test(text), encodeURIComponent(text))
  }
  t.same(visibleTextFaults(''), [])
  t.same(visibleTextFaults('Jana'), [])
})

t.test('a name that cannot be shown gives way to another', async (t) => {
  t.equal(visibleOr(' \u202eJana\nNová ', 'x'), 'Jana Nová')
  t.equal(visibleOr('\u200b \u200b', 'x'), 'x')
})
