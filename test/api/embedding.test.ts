/** Signing pages in frames: only of sites that the tenant of the case registered (decision 192). */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { ApiDeps } from '../../api/deps.ts'
import type { EmbeddingOrigins } from '../../domain/ports/embedding.ts'
import { testApi, type TestApi } from '../fixtures/api.ts'
import { CASE_ID, participant, TENANT } from '../fixtures/signature-case.ts'

const APP = 'https://app.example.com'
const OF_ANOTHER = 'https://other.example.com'
const EVIL = 'https://evil.example'
const PAGES = [
  'index.html',
  'sign/index.html',
  'kiosk/index.html',
  'verify/index.html',
  'console/index.html',
  'docs/index.html',
]
const EMBEDDED = [
  'embed/index.html',
  'embed/sigcase-sign.js',
  'fields/index.html',
  'embed/sigcase-fields.js',
]
const ROUTES = [
  ['GET', 'caseDefinition'],
  ['GET', 'signedDocument'],
  ['POST', 'signature'],
  ['POST', 'otp'],
  ['POST', 'otp/verify'],
] as const

/** This tenant registered one site, and another tenant another. */
const embedding: EmbeddingOrigins = {
  isRegistered: async (origin) => origin === APP || origin === OF_ANOTHER,
  isRegisteredBy: async (tenant, origin) => origin === (tenant === TENANT ? APP : OF_ANOTHER),
}

type More = Pick<ApiDeps, 'embedding' | 'objectsOrigin'>
async function open(t: Test, more: More = { embedding }) {
  const files = Object.fromEntries([...PAGES, ...EMBEDDED].map((name) => [name, 'x']))
  const pagesFolder = t.testdir({ assets: {} })
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(pagesFolder, name, '..'), { recursive: true })
    await writeFile(join(pagesFolder, name), text)
  }
  return testApi(t, { pagesFolder, ...more })
}

const from = (origin: string) => ({ headers: { 'service-embedding-origin': origin } })
const page = (origin?: string) =>
  `/embed/sign/${participant(1).id}` +
  (origin === undefined ? '' : `?origin=${encodeURIComponent(origin)}`)

async function requestAncestors(api: TestApi, url: string) {
  const { statusCode, headers } = await api.ask('GET', url, { token: '' })
  const policy = String(headers['content-security-policy'])
  const [, ancestors] = /frame-ancestors ([^;]*)$/.exec(policy) ?? []
  return { statusCode, ancestors, policy, frameOptions: headers['x-frame-options'], headers }
}

t.test('the page for frames allows exactly the registered origin of its query', async (t) => {
  const api = await open(t)
  const registered = await requestAncestors(api, page(APP))
  t.equal(registered.statusCode, 200)
  t.equal(registered.ancestors, APP)
  t.equal(registered.frameOptions, undefined)
  t.match(registered.policy, /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/)
  t.equal(registered.headers['cache-control'], 'no-store')
  t.equal(registered.headers['referrer-policy'], 'no-referrer')
  t.equal((await requestAncestors(api, page(OF_ANOTHER))).ancestors, OF_ANOTHER)
})

t.test('every other query gives a page that no site may show', async (t) => {
  const api = await open(t)
  const queries = [EVIL, '*', 'null', '', `${APP}/`, `${APP} ${EVIL}`, `${APP}; script-src *`]
  const urls = [page(), ...queries.map(page), `${page(APP)}&origin=${encodeURIComponent(EVIL)}`]
  for (const url of urls) {
    const { statusCode, ancestors, frameOptions } = await requestAncestors(api, url)
    t.same([statusCode, ancestors, frameOptions], [200, "'none'", 'DENY'], url)
  }
  for (const url of ['/', '/verify', '/kiosk', `/sign/${participant(1).id}`]) {
    const { ancestors, frameOptions } = await requestAncestors(api, `${url}?origin=${APP}`)
    t.same([ancestors, frameOptions], ["'none'", 'DENY'], `${url} is never for frames`)
  }
})

t.test('without registered origins, nothing may be embedded', async (t) => {
  const api = await open(t, {})
  api.seed({ phase: 'IN_PROGRESS' })
  const { ancestors, frameOptions } = await requestAncestors(api, page(APP))
  t.same([ancestors, frameOptions], ["'none'", 'DENY'])
  const refused = await api.asParticipant(1, 'GET', 'caseDefinition', from(APP))
  t.equal(refused.statusCode, 403)
  t.equal((await api.asParticipant(1, 'GET', 'caseDefinition')).statusCode, 200)
})

t.test('the web components can be loaded by other sites', async (t) => {
  const api = await open(t)
  for (const path of ['/embed/sigcase-sign.js', '/embed/sigcase-fields.js']) {
    const { statusCode, headers } = await api.ask('GET', path, { token: '' })
    t.equal(statusCode, 200, path)
    t.match(headers, {
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
    })
  }
})

t.test('the field editor is for frames of registered sites only', async (t) => {
  const api = await open(t, { embedding, objectsOrigin: 'https://objects.example.com' })
  const url = (origin: string) => `/embed/fields?origin=${encodeURIComponent(origin)}`
  const registered = await requestAncestors(api, url(APP))
  t.same([registered.ancestors, registered.frameOptions], [APP, undefined])
  t.match(registered.policy, /connect-src 'self';/, 'it connects to the service only')
  t.match(registered.headers['cross-origin-resource-policy'], 'cross-origin')
  for (const other of [EVIL, '*', '', `${APP} ${EVIL}`]) {
    const { ancestors, frameOptions } = await requestAncestors(api, url(other))
    t.same([ancestors, frameOptions], ["'none'", 'DENY'], other)
  }
})

t.test('participant routes refuse frames of sites that the tenant did not register', async (t) => {
  for (const origin of [EVIL, OF_ANOTHER, '*', 'null', `${APP}/`, `${APP}, ${EVIL}`]) {
    const api = await open(t)
    api.seed({ phase: 'IN_PROGRESS', definition: { multiFactorType: 'EMAIL' } })
    for (const [method, route] of ROUTES) {
      const { statusCode, body } = await api.asParticipant(1, method, route, from(origin))
      t.equal(statusCode, 403, `${method} ${route} in a frame of ${origin}`)
      t.match(JSON.parse(body), { code: 'EMBEDDING_NOT_ALLOWED' })
    }
    t.same(await api.eventTypes(), [], 'nothing is recorded')
    t.equal(api.mailer.sent.length, 0, 'no code is sent')
  }
})

t.test('a signature from a frame of another site is not a signature', async (t) => {
  const api = await open(t)
  api.seed({ phase: 'IN_PROGRESS' })
  t.equal((await api.sign(1, {}, from(EVIL))).statusCode, 403)
  t.same((await api.stored())?.spec.signatures, [])
  t.equal((await api.sign(1, {}, from(APP))).statusCode, 200)
  t.equal((await api.stored())?.spec.signatures.length, 1)
})

t.test('the trail names the site around the page', async (t) => {
  const api = await open(t)
  api.seed({ phase: 'IN_PROGRESS' })
  await api.asParticipant(1, 'GET', 'caseDefinition')
  await api.asParticipant(1, 'GET', 'caseDefinition', from(APP))
  await api.asParticipant(1, 'GET', 'caseDefinition', from(APP))
  const { events } = (await api.ask('GET', `/cases/${CASE_ID}/events`)).json<{
    events: { type: string; data: object }[]
  }>()
  const viewed = events.filter(({ type }) => type === 'participant.viewed')
  t.same(
    viewed.map(({ data }) => data),
    [{ embeddingOrigin: APP }, {}],
    'once for each site, hour and address; the newest first',
  )
})

t.test('refusals come in this order: token, case, inactive link, frame, end of case', async (t) => {
  const ask = async (api: TestApi, token?: string) => {
    const asked = { ...from(EVIL), ...(token === undefined ? {} : { token }) }
    return (await api.asParticipant(1, 'GET', 'caseDefinition', asked)).statusCode
  }
  const api = await open(t)
  t.equal(await ask(api, 'forged'), 401)
  t.equal(await ask(api), 404)
  api.seed({ phase: 'NEW' })
  t.equal(await ask(api), 401)
  const ended = await open(t)
  ended.seed({ phase: 'CANCELLED' })
  t.equal(await ask(ended), 403)
  t.equal((await ended.asParticipant(1, 'GET', 'caseDefinition', from(APP))).statusCode, 410)
})

t.test('registrations that cannot be read are a reason to try again', async (t) => {
  const fail = async () => {
    throw new Error('the API server is away')
  }
  const api = await open(t, { embedding: { isRegistered: fail, isRegisteredBy: fail } })
  api.seed({ phase: 'IN_PROGRESS' })
  t.equal((await api.ask('GET', page(APP), { token: '' })).statusCode, 503)
  const answer = await api.asParticipant(1, 'GET', 'caseDefinition', from(APP))
  t.equal(answer.statusCode, 503)
  t.match(answer.json(), { code: 'TIMEOUT' })
  t.equal((await api.asParticipant(1, 'GET', 'caseDefinition')).statusCode, 200)
})
