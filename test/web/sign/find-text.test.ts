import t from 'tap'
import { findText } from '../../../web/sign/find-text.ts'

const found = (text: string, query: string) =>
  findText(text, query).map(({ begin, end }) => text.slice(begin, end))

t.test('case, accents and line breaks make no difference', async (t) => {
  t.same(found('Zmluva o dielo, ZMLUVA', 'zmluva'), ['Zmluva', 'ZMLUVA'])
  t.same(found('Žilina a zilina', 'žilina'), ['Žilina', 'zilina'])
  t.same(found('the last\n page', 'last page'), ['last\n page'])
  t.same(found('an office', 'office'), ['office'])
  t.same(found('the o\ufb03ce', 'office'), ['o\ufb03ce'], 'ligatures are letters')
})

t.test('offsets stay those of the original behind letters that become longer', async (t) => {
  t.same(found('\ufb03 İ e\u0301nd \u{1d400} x', 'nd'), ['nd'])
})

t.test('what is not there is not found; nothing is found nowhere', async (t) => {
  t.same(findText('some text', 'other'), [])
  t.same(findText('some text', '  '), [])
  t.same(findText('', 'x'), [])
})
