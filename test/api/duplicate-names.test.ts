import t from 'tap'
import { duplicateName } from '../../api/duplicate-names.ts'

const found = (text: string) => duplicateName(text, JSON.parse(text))

t.test('the first member whose name its object had before is named', async (t) => {
  t.equal(found('{"a":1,"b":2,"a":3}'), '/a')
  t.equal(found('{"a":[{"b":1},{"c":1,"c":{"d":{},"e":[]}}]}'), '/a/1/c')
  t.equal(found('{"a":{"b":{"x":1}},"a":{"c":2,"d":3}}'), '/a', 'however many the kept one has')
  t.equal(found('{"a~/b":1,"a~/b":2}'), '/a~0~1b')
  t.equal(found('{"a":1,"\\u0061":2}'), '/a', 'an escaped name is the same name')
})

t.test('colons and quotes in texts are none of structure', async (t) => {
  for (const value of [
    { 'a:b': 'c:d', 'e"f': '"g":', h: '\\', i: ['\\"', ':', { j: '{"k":1,"k":2}' }] },
    [],
    'a:b',
    7,
    null,
    [{ a: 1 }, { a: 1 }],
    { a: null, b: [null, [[]]] },
  ]) {
    t.equal(found(JSON.stringify(value)), undefined, JSON.stringify(value))
  }
  t.equal(found('{"__proto__":1}'), undefined)
  t.equal(found('{"__proto__":1,"__proto__":2}'), '/__proto__')
})
