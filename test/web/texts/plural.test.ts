import t from 'tap'
import { pluralIn } from '../../../web/texts/plural.ts'

t.test('words take the form of their language', async (t) => {
  const [sk, en] = [pluralIn('sk'), pluralIn('en')]
  const pages = (count: number) => sk(count, { one: 'strana', few: 'strany', other: 'strán' })
  t.same([0, 1, 2, 4, 5, 22].map(pages), ['strán', 'strana', 'strany', 'strany', 'strán', 'strán'])
  t.same(
    [0, 1, 2].map((count) => en(count, { one: 'page', other: 'pages' })),
    ['pages', 'page', 'pages'],
  )
  t.equal(sk(3, { other: 'PDF' }), 'PDF', 'a form that is missing is the general one')
})
