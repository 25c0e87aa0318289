import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'
import t, { type Test } from 'tap'
import type { ClientCredentials } from '../../../workers/oauth/client-credentials.ts'
import { AccessTokens } from '../../../workers/oauth/access-tokens.ts'
import { MemoryEphemeral } from '../../fixtures/memory-ephemeral.ts'
import { outboundHttp } from '../../fixtures/outbound.ts'
import { httpReceiver } from '../../fixtures/receiver.ts'
import { keyring } from '../../fixtures/signature-case.ts'
import { tlsIdentity } from '../../fixtures/tls-identity.ts'

const LIFE_SECONDS = 600
/** Characters that Basic has to carry form-encoded. */
const ODD_ID = 'client: no. 1/a+%41&='
const ODD_SECRET = 'a secret, : + % & = ~ * ! "\\'

const client = (client_id: string, client_secret: string, method: string) => ({
  client_id,
  client_secret,
  token_endpoint_auth_method: method,
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
  scope: 'hooks:write hooks:read',
})

/** A complete OAuth server over TLS on loopback. */
async function oauthServer() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const identity = await tlsIdentity(['127.0.0.1'])
  let listener: ReturnType<Provider['callback']> = (_request, response) => void response.end()
  const receiver = await httpReceiver((request, response) => listener(request, response), {
    identity,
    streamed: true,
  })
  const issuer = `https://127.0.0.1:${receiver.port}`
  const provider = new Provider(issuer, {
    clients: [
      client('basic', 'basic-secret', 'client_secret_basic'),
      client(ODD_ID, ODD_SECRET, 'client_secret_basic'),
      client('post', ODD_SECRET, 'client_secret_post'),
    ],
    scopes: ['hooks:write', 'hooks:read', 'hooks:admin'],
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
    ttl: { ClientCredentials: LIFE_SECONDS },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['for tests alone'] },
  })
  const serve = provider.callback()
  const requested: string[] = []
  listener = (request, response) => {
    requested.push(request.url ?? '')
    serve(request, response)
  }
  const { authority } = identity
  return { receiver, provider, requested, tokenUrl: `${issuer}/token`, authority }
}

const server = await oauthServer()
t.teardown(() => server.receiver.close())

function accessTokens(t: Test) {
  return new AccessTokens({
    outboundHttp: outboundHttp(t, { certificateAuthorities: [server.authority] }),
    ephemeral: new MemoryEphemeral(),
    keyring,
    now: () => new Date(),
    log: { info: () => {}, warn: (details) => void t.fail('it warned', details) },
  })
}

const basic: ClientCredentials = {
  tenant: 'acme',
  tokenUrl: server.tokenUrl,
  clientId: 'basic',
  clientSecret: 'basic-secret',
  tokenAuthMethod: 'basic',
}

t.test('a real server grants a token to whom it knows, by either method', async (t) => {
  const tokens = accessTokens(t)
  const known: ClientCredentials[] = [
    basic,
    { ...basic, scope: 'hooks:write' },
    { ...basic, clientId: ODD_ID, clientSecret: ODD_SECRET },
    { ...basic, clientId: 'post', clientSecret: ODD_SECRET, tokenAuthMethod: 'post' },
  ]
  for (const credentials of known) {
    const result = await tokens.get(credentials)
    t.equal(result.outcome, 'token', credentials.clientId)
    if (result.outcome !== 'token') continue
    const issued = await server.provider.ClientCredentials.find(result.accessToken)
    t.equal(issued?.clientId, credentials.clientId)
    t.equal(issued?.scope, credentials.scope)
    t.same(await tokens.get(credentials), result, 'and it is kept')
  }
})

t.test('a real server refuses whom it does not know, and that is final', async (t) => {
  const tokens = accessTokens(t)
  const refused: [ClientCredentials, string][] = [
    [{ ...basic, clientSecret: 'wrong' }, 'token endpoint: status 401 invalid_client'],
    [{ ...basic, clientId: 'nobody' }, 'token endpoint: status 401 invalid_client'],
    [{ ...basic, scope: 'hooks:admin' }, 'token endpoint: status 400 invalid_scope'],
    [{ ...basic, tokenUrl: `${server.tokenUrl}/none` }, 'token endpoint: status 404'],
  ]
  for (const [credentials, error] of refused) {
    t.same(await tokens.get(credentials), { outcome: 'refused', error })
  }
})

t.test('a new token is fetched when the receiver rejects the kept one', async (t) => {
  const tokens = accessTokens(t)
  const first = await tokens.get(basic)
  if (first.outcome !== 'token') throw new Error(first.error)
  const second = await tokens.get(basic, first.accessToken)
  if (second.outcome !== 'token') throw new Error(second.error)
  t.not(second.accessToken, first.accessToken)
  t.ok(await server.provider.ClientCredentials.find(second.accessToken))
  t.same(await tokens.get(basic), second)
})

t.test('a server whose certificate is not trusted gets no credentials', async (t) => {
  const before = server.requested.length
  const tokens = new AccessTokens({
    outboundHttp: outboundHttp(t),
    ephemeral: new MemoryEphemeral(),
    keyring,
    now: () => new Date(),
    log: { info: () => {}, warn: () => {} },
  })
  const error = 'token endpoint: tls-failed'
  t.same(await tokens.get(basic), { outcome: 'unavailable', error })
  t.equal(server.requested.length, before)
})
