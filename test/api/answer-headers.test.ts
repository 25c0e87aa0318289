/** What every answer says to caches, to other sites and to the browser that shows it. */
import { readdir, readFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { testApi, type TestApi } from '../fixtures/api.ts'
import { builtPages } from '../fixtures/built-pages.ts'
import { device, DEVICE_ID } from '../fixtures/device.ts'
import { CASE_ID, participant } from '../fixtures/signature-case.ts'

const WEB = new URL('../../web/', import.meta.url)
const EVIL = 'https://evil.example'
const MARKUP = '<script>alert(1)</script>'

async function seeded(t: Test): Promise<TestApi> {
  const mailbox = { list: async () => [], read: async () => '<p style="color:red">x</p>' }
  const api = await testApi(t, { pagesFolder: builtPages(t), mailbox })
  await api.app.ready()
  api.seed({ phase: 'IN_PROGRESS' })
  api.devices.seed(device())
  return api
}

const IDS: Readonly<Record<string, string>> = {
  caseId: CASE_ID,
  participantId: participant(1).id,
  deviceId: DEVICE_ID,
  eventId: CASE_ID,
}

/** Every documented route but the stream, which does not end, asked with each kind of token. */
async function* requestAnswers(api: TestApi) {
  const { paths = {} } = api.app.swagger() as { paths?: Record<string, object> }
  const tokens = [await api.tenantToken(), await api.link(1), '']
  for (const [path, methods] of Object.entries(paths)) {
    if (path === '/devices/{deviceId}/events') continue
    const url = path.replace(/\{(\w+)\}/g, (_, name: string) => IDS[name] ?? 'x')
    for (const method of Object.keys(methods)) {
      for (const token of tokens) {
        const headers = { origin: EVIL, referer: `${EVIL}/`, cookie: 'a=b' }
        yield [`${method} ${url}`, await api.ask(method.toUpperCase(), url, { token, headers })]
      }
    }
  }
}

t.test(
  'no answer is cached, sniffed or readable by other sites, or leaks a referrer',
  async (t) => {
    const api = await seeded(t)
    let count = 0
    for await (const [requestLine, answer] of requestAnswers(api)) {
      const { headers, statusCode } = answer as Awaited<ReturnType<TestApi['ask']>>
      const name = `${requestLine as string} ${statusCode}`
      // Who issued our certificates is not a secret, and asked for often.
      const kept = name === 'get /pki 200' ? 'public, max-age=60' : 'no-store'
      t.equal(headers['cache-control'], kept, name)
      t.equal(headers['referrer-policy'], 'no-referrer', name)
      t.equal(headers['x-content-type-options'], 'nosniff', name)
      t.notOk(
        Object.keys(headers).some((header) => header.startsWith('access-control-')),
        name,
      )
      t.notOk(headers['content-type']?.toString().startsWith('text/html'), name)
      count += 1
    }
    t.ok(count > 60, `${count} answers`)
  },
)

t.test('browsers that came by https stay on https', async (t) => {
  const api = await seeded(t)
  const urls = ['/', '/verify', '/assets/main-1234.js', '/healthz', '/cases', '/nowhere', '/%']
  for (const url of urls) {
    const { headers } = await api.ask('GET', url, { token: '' })
    t.equal(headers['strict-transport-security'], 'max-age=31536000', url)
  }
  const local = await testApi(t, { baseUrl: 'http://127.0.0.1:8080' })
  for (const url of ['/healthz', '/cases', '/%']) {
    const { headers } = await local.ask('GET', url, { token: '' })
    t.equal(headers['strict-transport-security'], undefined, url)
  }
})

t.test('no other site may ask in the name of who is here', async (t) => {
  const api = await seeded(t)
  const asked = { origin: EVIL, 'access-control-request-method': 'POST' }
  for (const url of ['/cases', '/kiosk/pair', '/graphql', `/devices/${DEVICE_ID}/events`]) {
    const { statusCode, headers } = await api.ask('OPTIONS', url, { token: '', headers: asked })
    t.equal(statusCode, 405, url)
    t.equal(headers['access-control-allow-origin'], undefined, url)
  }
  // What a form of another site can send without asking first.
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const headers = { origin: EVIL, 'content-type': type }
    const answer = await api.ask('POST', '/kiosk/pair', {
      token: '',
      headers,
      body: '{"token":"x"}',
    })
    t.equal(answer.statusCode, 415, type)
    t.equal(answer.headers['set-cookie'], undefined, type)
  }
})

t.test('a 401 says whether it asks for a token, or for a code or PIN beside it', async (t) => {
  const api = await testApi(t)
  const asked = async (definition: object, asked = {}) => {
    api.seed({ phase: 'IN_PROGRESS', definition })
    const { statusCode, headers } = await api.asParticipant(1, 'GET', 'signedDocument', asked)
    t.equal(statusCode, 401)
    return headers['www-authenticate']
  }
  const stepUp = 'Bearer error="insufficient_user_authentication"'
  t.equal(await asked({ multiFactorType: 'EMAIL' }), stepUp)
  t.equal(await asked({ pinRequired: true }), stepUp)
  t.equal(await asked({ multiFactorType: 'EMAIL' }, { token: 'forged' }), 'Bearer')
})

const POLICY = /default-src 'none'.*base-uri 'none'; form-action 'none'; frame-ancestors 'none'/

t.test('every page runs only its own scripts and cannot be framed', async (t) => {
  const api = await seeded(t)
  const pages = [
    '/',
    `/sign/${participant(1).id}`,
    '/embed/sign/x?origin=https://evil.example',
    `/sign/${encodeURIComponent(MARKUP)}`,
  ]
  for (const url of [
    ...pages,
    '/kiosk',
    '/verify',
    '/dev/mailbox',
    '/dev/mails/x',
    '/docs',
    '/docs/',
  ]) {
    const headers = { host: 'localhost' }
    const answer = await api.ask('GET', url, { token: '', headers })
    t.equal(answer.statusCode, 200, url)
    t.match(answer.headers['content-type'], 'text/html', url)
    const policy = String(answer.headers['content-security-policy'])
    t.match(policy, POLICY, url)
    t.notMatch(policy, /'unsafe-(inline|eval)'|\*|https?:/, url)
    t.equal(answer.headers['referrer-policy'], 'no-referrer', url)
    t.match(answer.headers['cache-control'], /no-store/, url)
    t.notOk(answer.body.includes(MARKUP), `${url} repeats nothing`)
  }
  const asset = await api.ask('GET', '/assets/main-1234.js', { token: '' })
  t.match(asset.headers['content-security-policy'], POLICY)
  t.match(asset.headers['cache-control'], 'immutable')
})

t.test(
  'mails on this machine are shown to this machine, by whatever name it is called',
  async (t) => {
    const api = await seeded(t)
    for (const [host, status] of [
      ['localhost:8080', 200],
      ['127.0.0.1', 200],
      ['[::1]:8080', 200],
      ['evil.example', 404],
      ['localhost.evil.example', 404],
      ['127.0.0.1.nip.example:8080', 404],
      ['localhost@evil.example', 404],
    ] as const) {
      for (const url of ['/dev/mails', '/dev/mails/x']) {
        const { statusCode } = await api.ask('GET', url, { token: '', headers: { host } })
        t.equal(statusCode, status, `${url} as ${host}`)
      }
    }
  },
)

t.test('a page has no script, style or handler within it', async (t) => {
  const names = await readdir(WEB, { recursive: true })
  const pages = names.filter((name) => name.endsWith('.html'))
  t.ok(pages.length >= 6, 'the built ones and what they are made of')
  for (const page of pages) {
    const html = await readFile(new URL(page, WEB), 'utf8')
    t.notMatch(html, /<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:/i, page)
    t.notMatch(html, /(src|href)="(https?:)?\/\//, `${page} loads from here alone`)
  }
})

t.test('what was asked is not repeated in what is refused', async (t) => {
  const api = await seeded(t)
  const bad = encodeURIComponent(MARKUP)
  const tries: readonly (readonly [string, string, object?])[] = [
    ['GET', `/${bad}`],
    ['GET', `/cases/${bad}`],
    ['GET', `/cases?limit=${bad}&cursor=${bad}&status=${bad}`],
    ['GET', `/cases/${CASE_ID}/events?limit=${bad}`],
    ['DELETE', `/tenant/devices/${bad}`],
    ['GET', `/objects/${bad}`],
    ['GET', `/pki/${bad}`],
    ['POST', '/verify', { key: MARKUP }],
    ['POST', '/kiosk/pair', { token: MARKUP }],
    ['POST', '/cases', { title: MARKUP, authType: MARKUP }],
  ]
  for (const [method, url, body] of tries) {
    const answer = await api.ask(method, url, { ...(body ? { body } : {}) })
    t.notOk(answer.body.includes('<script'), `${method} ${url}`)
    t.notMatch(answer.headers['content-type'], 'text/html', `${method} ${url}`)
  }
})
