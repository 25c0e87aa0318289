import t from 'tap'
import { pythonLiteral, typescriptLiteral } from '../../../../api/document/samples/literals.ts'

t.test('values are written as their language has them', async (t) => {
  const value = { name: `O'Brien "X"`, 'a-b': [true, null, 1.5], empty: {} }
  t.equal(
    typescriptLiteral(value),
    `{ name: 'O\\'Brien "X"', 'a-b': [true, null, 1.5], empty: {} }`,
  )
  t.equal(
    pythonLiteral(value),
    `{"name": "O'Brien \\"X\\"", "a-b": [True, None, 1.5], "empty": {}}`,
  )
})

t.test('what is long has one member a line', async (t) => {
  const long = { first: 'x'.repeat(40), second: ['y'.repeat(40)] }
  const [x, y] = [long.first, long.second[0]]
  t.equal(typescriptLiteral(long), `{\n  first: '${x}',\n  second: ['${y}'],\n}`)
  t.equal(pythonLiteral(long), `{\n    "first": "${x}",\n    "second": ["${y}"],\n}`)
  t.same(JSON.parse(pythonLiteral(long).replaceAll(/,(?=\n[}\]])/g, '')), long)
})

t.test('a literal of TypeScript has the value that it was made of', async (t) => {
  const value = { text: `\\ ' " \n \u2028 $\{x}`, list: [[], [{}]], 'key with space': false }
  t.same(new Function(`return ${typescriptLiteral(value)}`)(), value)
})
