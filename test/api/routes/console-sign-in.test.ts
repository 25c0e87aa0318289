/** Sign-in to the console: the provider in the policy, one-time codes, names of this machine. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { ConsoleSignIn } from '../../../domain/ports/console-sign-in.ts'
import { testApi } from '../../fixtures/api.ts'

const PAGES = ['index.html', 'sign/index.html', 'kiosk/index.html', 'verify/index.html']
const MORE = [
  'docs/index.html',
  'console/index.html',
  'embed/index.html',
  'embed/sigcase-sign.js',
  'fields/index.html',
  'embed/sigcase-fields.js',
]
const PROVIDER: ConsoleSignIn = {
  kind: 'provider',
  issuer: 'https://login.example/realms/acme',
  clientId: 'console',
  scope: 'openid',
  token: 'id_token',
  tokenOrigin: 'https://tokens.example',
}
const LOCAL: ConsoleSignIn = {
  kind: 'local',
  isTenant: (text) => text === 'acme',
  mint: async (tenant, lifeSeconds) => `token of ${tenant} for ${lifeSeconds} s`,
}
const OWN = { host: '127.0.0.1:8080' }

async function open(t: Test, consoleSignIn?: ConsoleSignIn) {
  const pagesFolder = t.testdir({ assets: {} })
  for (const name of [...PAGES, ...MORE]) {
    await mkdir(join(pagesFolder, name, '..'), { recursive: true })
    await writeFile(join(pagesFolder, name), 'x')
  }
  return testApi(t, { pagesFolder, ...(consoleSignIn && { consoleSignIn }) })
}

t.test('only the console may connect to the provider', async (t) => {
  const api = await open(t, PROVIDER)
  const connects = async (path: string) => {
    const { headers } = await api.ask('GET', path, { token: '' })
    return /connect-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1]
  }
  t.equal(await connects('/console'), "'self' https://login.example https://tokens.example")
  t.equal(await connects('/'), "'self'")
  const signIn = await api.ask('GET', '/console/sign-in', { token: '' })
  const { tokenOrigin: _, ...shown } = PROVIDER
  t.same(signIn.json(), shown)
  t.equal((await api.ask('POST', '/dev/console/codes', { token: '' })).statusCode, 404)
})

t.test('without a provider a token is asked for, and there are no codes', async (t) => {
  const api = await open(t)
  t.same((await api.ask('GET', '/console/sign-in', { token: '' })).json(), { kind: 'token' })
  t.equal((await api.ask('POST', '/dev/console/codes', { token: '' })).statusCode, 404)
})

t.test('a code of the local issuer is exchanged once', async (t) => {
  const api = await open(t, LOCAL)
  const post = (path: string, body: object, headers: Record<string, string> = OWN) =>
    api.ask('POST', `/dev/console/${path}`, { token: '', body, headers })
  t.same((await api.ask('GET', '/console/sign-in', { token: '' })).json(), { kind: 'local' })
  const { code } = (await post('codes', { tenant: 'acme' })).json() as { code: string }
  const exchanged = await post('token', { code })
  t.same(exchanged.json(), { tenant: 'acme', token: 'token of acme for 43200 s' })
  t.equal((await post('token', { code })).statusCode, 401)
  t.equal((await post('token', { code: 'guessed' })).statusCode, 401)
  t.equal((await post('codes', { tenant: 'No name' })).statusCode, 400)
  t.equal((await post('codes', {})).statusCode, 400)
  const elsewhere = { host: 'elsewhere.example' }
  t.equal((await post('codes', { tenant: 'acme' }, elsewhere)).statusCode, 404, 'DNS rebinding')
})

t.test('of two requests with one code, one gets a token', async (t) => {
  const api = await open(t, LOCAL)
  const post = (path: string, body: object) =>
    api.ask('POST', `/dev/console/${path}`, { token: '', body, headers: OWN })
  const { code } = (await post('codes', { tenant: 'acme' })).json() as { code: string }
  const both = await Promise.all([post('token', { code }), post('token', { code })])
  t.same(both.map(({ statusCode }) => statusCode).sort(), [200, 401])
})
