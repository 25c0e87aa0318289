/** The published OpenAPI document has standard keywords alone, and names its public operations. */
import t from 'tap'
import { publicDocument } from '../../api/public-document.ts'
import { RULE_KEYWORDS } from '../../api/validation.ts'
import { input, testApi } from '../fixtures/api.ts'
import { problemsOf } from '../fixtures/problems.ts'

const PUBLIC = ['/healthz', '/readyz', '/pki', '/kiosk/pair', '/verify/uploads', '/verify']

t.test('no keyword of our own is published, and every rule is still applied', async (t) => {
  const api = await testApi(t)
  await api.app.ready()
  const text = JSON.stringify(api.app.swagger())
  t.ok(RULE_KEYWORDS.length > 10)
  for (const keyword of RULE_KEYWORDS) t.notOk(text.includes(`"${keyword}":true`), keyword)
  t.match(text, '"type":"string"')
  t.same(await problemsOf(api, input({ validUntil: '2020-01-01T00:00:00Z' })), [
    '/validUntil future',
  ])
})

t.test('public operations have no security, and all others have some', async (t) => {
  const { app } = await testApi(t)
  await app.ready()
  const { paths = {} } = app.swagger() as { paths?: Record<string, Record<string, object>> }
  for (const [url, path] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(path)) {
      const { security } = operation as { security?: object[] }
      t.equal(security?.length === 0, PUBLIC.includes(url), `${method} ${url}`)
    }
  }
})

t.test('schemas have names, and every reference leads to one that is used', async (t) => {
  const { app } = await testApi(t)
  await app.ready()
  const document = app.swagger() as { components?: { schemas?: Record<string, object> } }
  const names = Object.keys(document.components?.schemas ?? {})
  for (const name of ['Case', 'Participant', 'SignatureField', 'Problem', 'Device', 'CaseInput']) {
    t.ok(names.includes(name), name)
  }
  const text = JSON.stringify(document)
  const used = new Set(
    [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name),
  )
  t.same([...used].sort(), [...names].sort())
})

t.test('a property of the name of a keyword stays, and nothing that is given is changed', (t) => {
  const schema = { future: true, properties: { future: { type: 'string', future: true } } }
  const document = { paths: { '/a': { get: { schema } } } }
  const plain = { properties: { future: { type: 'string' } } }
  t.same(publicDocument(document, ['future']), {
    components: { schemas: {} },
    paths: { '/a': { get: { schema: plain, security: [] } } },
  })
  t.equal(schema.future, true)
  t.end()
})
