import t from 'tap'
import { decodeJson, decodeObject, encodeJson } from '../../domain/json-object.ts'

t.test('a value is read as it was written, in UTF-8', async (t) => {
  const value = { name: 'Žofia 🖋', list: [1, null] }
  const bytes = encodeJson(value)
  t.equal(new TextDecoder().decode(bytes), JSON.stringify(value))
  t.same(decodeJson({ bytes }), value)
})

t.test('an object that is not JSON is refused', async (t) => {
  t.throws(() => decodeJson({ bytes: new Uint8Array([0x7b]) }), SyntaxError)
})

t.test('an object of the store is a JSON object, or nothing', async (t) => {
  t.same(decodeObject({ bytes: encodeJson({ list: [1] }) }), { list: [1] })
  for (const odd of ['', '{', 'null', '[]', '"text"', '1']) {
    t.equal(decodeObject({ bytes: new TextEncoder().encode(odd) }), undefined, odd)
  }
})
