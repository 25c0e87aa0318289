import t from 'tap'
import { getIntrospectionQuery } from 'graphql'
import { assertAffordable } from '../../../api/graphql/cost.ts'

const TOO_MUCH = { message: /^A query has at most / }
const fields = (count: number) => Array.from({ length: count }, (_, at) => `f${at}: id`).join(' ')
const nested = (depth: number) => `{ ${'a { '.repeat(depth - 1)}a${' }'.repeat(depth - 1)} }`

t.test('usual queries can be asked', async (t) => {
  for (const query of [getIntrospectionQuery(), nested(15), `{ case { ${fields(490)} } }`]) {
    t.doesNotThrow(() => assertAffordable(query))
  }
})

t.test('wide and deep queries are refused, also those of fragments', async (t) => {
  const doubling = Array.from(
    { length: 12 },
    (_, at) => `fragment f${at} on T { ...f${at + 1} ...f${at + 1} }`,
  )
  for (const [name, query] of Object.entries({
    'six fields at the root': `{ ${fields(6)} }`,
    'six aliases': '{ a: cases b: cases c: cases d: cases e: cases f: cases }',
    'many fields': `{ case { ${fields(501)} } }`,
    'deep fields': nested(16),
    'a fragment in itself': '{ ...f } fragment f on T { ...f }',
    'fragments that double': `{ ...f0 } ${doubling.join(' ')} fragment f12 on T { id }`,
    'several operations': `query A { ${fields(3)} } query B { ${fields(3)} }`,
  })) {
    t.throws(() => assertAffordable(query), TOO_MUCH, name)
  }
})

t.test('a text that is not a query, or has too many tokens, is refused', async (t) => {
  t.throws(() => assertAffordable('{'), { name: 'GraphQLError' })
  t.throws(() => assertAffordable(`{ a(list: [${'1 '.repeat(2_000)}]) }`), { message: /tokens/ })
})
