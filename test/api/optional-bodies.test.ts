/** A body of which nothing is required may be left out, as the OpenAPI document says. */
import t from 'tap'
import { operationsOf, readDocument } from '../fixtures/api-document.ts'
import { testApi, type TestApi } from '../fixtures/api.ts'
import { problemsIn } from '../fixtures/problems.ts'
import { CASE_ID } from '../fixtures/signature-case.ts'

type Ask = (api: TestApi, more: Parameters<TestApi['ask']>[2]) => ReturnType<TestApi['ask']>

const OPTIONAL: Readonly<Record<string, Ask>> = {
  cancelCase: (api, more) => api.ask('DELETE', `/cases/${CASE_ID}`, more),
  decline: (api, more) => api.asParticipant(1, 'POST', 'decline', more),
  uploadForVerification: (api, more) => api.ask('POST', '/verify/uploads', more),
}

t.test('these are the operations with an optional body', async (t) => {
  const all = operationsOf(await readDocument(t))
  const optional = all.filter(({ operation }) => operation.requestBody?.['required'] === false)
  t.same(optional.map(({ operation }) => operation.operationId).sort(), Object.keys(OPTIONAL))
})

for (const [operationId, ask] of Object.entries(OPTIONAL)) {
  t.test(`${operationId} takes no body, or an empty one`, async (t) => {
    for (const more of [{}, { body: '', headers: { 'content-type': 'application/json' } }]) {
      const api = await testApi(t)
      api.seed({ phase: 'IN_PROGRESS' })
      t.equal((await ask(api, more)).statusCode, 200)
    }
  })

  t.test(`${operationId} refuses null, which is a body`, async (t) => {
    const api = await testApi(t)
    api.seed({ phase: 'IN_PROGRESS' })
    const more = { body: 'null', headers: { 'content-type': 'application/json' } }
    t.same(await problemsIn(ask(api, more)), [' type'])
  })
}
