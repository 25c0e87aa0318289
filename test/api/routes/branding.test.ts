/** The look of a case (decision 226), and the sender that a tenant chose for all its cases. */
import t from 'tap'
import { lookOf } from '../../../adapters/branding/look.ts'
import type { TenantBranding } from '../../../domain/ports/branding.ts'
import { brandColours } from '../../../domain/tenants/branding.ts'
import { input, testApi, type TestApi } from '../../fixtures/api.ts'
import { seedWithCode } from '../../fixtures/codes.ts'
import { LOGO_PNG } from '../../fixtures/logos.ts'
import { TENANT } from '../../fixtures/signature-case.ts'

const SENDER = { name: 'Acme', replyTo: 'office@acme.example' }
const COLOUR = '#ffcc00'

const branding: TenantBranding = {
  read: async (tenant) =>
    tenant === TENANT
      ? lookOf({ sender: SENDER, branding: { colour: COLOUR, logo: LOGO_PNG.toString('base64') } })
      : {},
}

const ask = (api: TestApi, more: object = {}) => api.asParticipant(1, 'GET', 'branding', more)
const seed = (api: TestApi, more: object = {}) =>
  api.seed({ phase: 'IN_PROGRESS', definition: { sender: { name: 'Branch' } }, ...more })

t.test('the look has the colours, the checked logo and the sender of the case', async (t) => {
  const api = await testApi(t, { branding })
  seed(api)
  const answer = await ask(api)
  t.equal(answer.statusCode, 200)
  const { sender, colours, logo } = answer.json()
  t.same(sender, { name: 'Branch' })
  t.same(colours, brandColours(COLOUR))
  t.match(logo, { url: /^data:image\/png;base64,iVBOR/, width: 64, height: 16 })
  t.notMatch(Buffer.from(logo.url.split(',')[1], 'base64').toString('latin1'), /Somebody/)
  t.equal(answer.headers['cache-control'], 'no-store')
})

t.test('a case has an empty look when its tenant chose none', async (t) => {
  const api = await testApi(t)
  seed(api, { definition: {} })
  t.same((await ask(api)).json(), { language: 'sk' })
})

t.test('the look needs no code, and is there after the end of the case', async (t) => {
  const coded = await testApi(t, { branding })
  seedWithCode(coded)
  t.equal((await ask(coded)).statusCode, 200)
  for (const phase of ['CANCELLED', 'EXPIRED', 'FAILED', 'UPLOAD_REJECTED'] as const) {
    const api = await testApi(t, { branding })
    seed(api, { phase })
    t.match((await ask(api)).json(), { sender: { name: 'Branch' }, language: 'sk' }, phase)
  }
})

t.test('a link that does not work shows no look', async (t) => {
  const api = await testApi(t, { branding })
  seed(api)
  t.equal((await ask(api, { token: 'forged' })).statusCode, 401)
  const early = await testApi(t, { branding })
  seed(early, { phase: 'NEW' })
  t.equal((await ask(early)).statusCode, 401, 'before the upload')
  const framed = await ask(api, { headers: { 'service-embedding-origin': 'https://evil.example' } })
  t.match([framed.statusCode, framed.json()], [403, { code: 'EMBEDDING_NOT_ALLOWED' }])
})

t.test('a case without a sender gets that of its tenant', async (t) => {
  const api = await testApi(t, { branding })
  const create = async (body: object) =>
    (await api.ask('POST', '/cases', { body })).json().case.sender
  t.same(await create(input()), SENDER)
  t.same(await create(input({ sender: { name: 'Branch' } })), { ...SENDER, name: 'Branch' })
  const own = { name: 'Branch', replyTo: 'branch@acme.example' }
  t.same(await create(input({ sender: own })), own)
})

t.test('a repeated request is the same although the tenant changed its sender', async (t) => {
  let name = 'Before'
  const changing: TenantBranding = { read: async () => ({ sender: { name } }) }
  const api = await testApi(t, { branding: changing })
  const create = () =>
    api.ask('POST', '/cases', { body: input(), headers: { 'idempotency-key': 'one' } })
  const first = await create()
  name = 'After'
  const second = await create()
  t.equal(second.statusCode, 200)
  t.equal(second.json().case.id, first.json().case.id)
  t.same(second.json().case.sender, { name: 'Before' })
})
