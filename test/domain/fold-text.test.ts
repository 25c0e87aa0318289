import t from 'tap'
import { foldText } from '../../domain/fold-text.ts'

t.test('case, accents and spacing do not count', async (t) => {
  t.equal(foldText('  Ľuboš\n\tŠŤASTNÝ '), 'lubos stastny')
  t.equal(foldText('ﬁnance'), 'finance')
  t.equal(foldText('a\u0000b'), 'a b')
})
