import t from 'tap'
import { decodeJson, encodeJson } from '../../domain/json-object.ts'

t.test('a value is read as it was written, in UTF-8', async (t) => {
  const value = { name: 'Žofia 🖋', list: [1, null] }
  const bytes = encodeJson(value)
  t.equal(new TextDecoder().decode(bytes), JSON.stringify(value))
  t.same(decodeJson({ bytes }), value)
})

t.test('an object that is not JSON is refused', async (t) => {
  t.throws(() => decodeJson({ bytes: new Uint8Array([0x7b]) }), SyntaxError)
})
