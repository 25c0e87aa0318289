/** Pages load documents from where these lie, and nothing from anywhere else. */
import t, { type Test } from 'tap'
import { testApi } from '../../fixtures/api.ts'
import { builtPages } from '../../fixtures/built-pages.ts'

/** The sources that a page may connect to. */
async function connections(t: Test, more: { objectsOrigin?: string }): Promise<string | undefined> {
  const api = await testApi(t, { pagesFolder: builtPages(t), ...more })
  const { statusCode, headers } = await api.ask('GET', '/verify')
  t.equal(statusCode, 200)
  return /(?:^|; )connect-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1]
}

t.test('where the API serves documents itself, pages connect to no other host', async (t) => {
  t.equal(await connections(t, {}), "'self'")
})

t.test('where documents lie in a bucket, pages connect to it, too', async (t) => {
  const objectsOrigin = 'https://storage.googleapis.com'
  t.equal(await connections(t, { objectsOrigin }), `'self' ${objectsOrigin}`)
})
