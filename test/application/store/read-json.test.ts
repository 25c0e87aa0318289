import t from 'tap'
import { readJson } from '../../../application/store/read-json.ts'
import { encodeJson } from '../../../domain/json-object.ts'

const objects = (bytes?: Uint8Array) => ({
  get: async (key: string) =>
    bytes && {
      key,
      bytes,
      size: bytes.length,
      generation: '1',
      contentType: 'application/json',
      updatedAt: new Date(0),
    },
})

t.test('the value of an object is its JSON', async (t) => {
  t.strictSame(await readJson(objects(encodeJson({ name: 'Zoë' })), 'key'), { name: 'Zoë' })
})

t.test('a missing object has no value', async (t) => {
  t.equal(await readJson(objects(), 'key'), undefined)
})

t.test('an object that is not JSON has no value', async (t) => {
  t.equal(await readJson(objects(new TextEncoder().encode('{')), 'key'), undefined)
})
