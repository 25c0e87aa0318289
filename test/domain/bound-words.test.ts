import t from 'tap'
import { bindAllWords, bindWords } from '../../domain/bound-words.ts'

t.test('words of one letter are bound to the next, also two in a row', async (t) => {
  t.equal(
    bindWords('A v ruke (s perom) „z domu“'),
    'A\u00a0v\u00a0ruke (s\u00a0perom) „z\u00a0domu“',
  )
  t.equal(bindWords('dom a\nzáhrada'), 'dom a\nzáhrada')
})

t.test('e-mail is not broken; addresses stay as they are', async (t) => {
  t.equal(bindWords('E-mail, e-mailom'), 'E\u2011mail, e\u2011mailom')
  t.equal(bindWords('jana@e-mail.sk'), 'jana@e-mail.sk')
})

t.test('a tree of texts is bound, with the sentences of functions', async (t) => {
  const texts = bindAllWords({ a: ['v dome'], b: { c: (name: string) => `s ${name}` }, d: 5 })
  t.same([texts.a, texts.b.c('Janou'), texts.d], [['v\u00a0dome'], 's\u00a0Janou', 5])
})
