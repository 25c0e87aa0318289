import t from 'tap'
import { acceptWeights } from '../../api/accept.ts'

t.test('media ranges have the weight that the client gives them', async (t) => {
  const weights = acceptWeights('Text/HTML;level=1;q=0.5, application/json ; q = 0, */*')
  t.same(
    [...weights],
    [
      ['text/html', 0.5],
      ['application/json', 0],
      ['*/*', 1],
    ],
  )
})

t.test('a weight that is not valid counts as 0', async (t) => {
  for (const weight of ['2', '-1', 'x', '', '0.1234']) {
    t.equal(acceptWeights(`application/json;q=${weight}`).get('application/json'), 0, weight)
  }
})
