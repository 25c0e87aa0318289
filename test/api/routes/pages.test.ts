/** Pages load documents from where these lie, and nothing from anywhere else. */
import t, { type Test } from 'tap'
import { testApi } from '../../fixtures/api.ts'

const HTML = '<!doctype html><title>page</title>'
const page = () => ({ 'index.html': HTML })

/** The sources that a page may connect to. */
async function connections(t: Test, more: { objectsOrigin?: string }): Promise<string | undefined> {
  const folder = t.testdir({
    ...page(),
    assets: {},
    sign: page(),
    kiosk: page(),
    verify: page(),
    docs: page(),
    embed: { ...page(), 'sigcase-sign.js': '' },
  })
  const api = await testApi(t, { pagesFolder: folder, ...more })
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
