import t from 'tap'
import { testApi } from '../../fixtures/api.ts'

t.test('an upload that was taken has an answer without a body and a type', async (t) => {
  const objectHandler = { answer: async () => ({ status: 200, headers: {}, body: '' }) }
  const api = await testApi(t, { objectHandler })
  const { statusCode, headers, body } = await api.ask('PUT', '/objects/a', { body: 'x' })
  t.equal(statusCode, 200)
  t.same([headers['content-type'], headers['content-length'], body], [undefined, '0', ''])
})
