/** Whose token it is, as the tenants of a real API server say. */
import { exportJWK, generateKeyPair, importJWK, SignJWT, type JWK } from 'jose'
import t, { type Test } from 'tap'
import { pathOf } from '../../../adapters/kubernetes/api-server.ts'
import { KubernetesTenantStore } from '../../../adapters/kubernetes/tenant-store.ts'
import { LOCAL_ISSUER, mintTenantToken } from '../../../adapters/jose/local-identity.ts'
import { IdentityTokens } from '../../../adapters/oidc/tokens.ts'
import { ClusterIdentity } from '../../../runtime/cluster/identity.ts'
import { TenantSpecs } from '../../../runtime/cluster/tenant-specs.ts'
import type { OutboundHttp } from '../../../domain/ports/outbound-http.ts'
import { withCluster } from '../../fixtures/kubernetes-api.ts'
import { keyring } from '../../fixtures/signature-case.ts'

t.setTimeout(600_000)

const TENANTS = '/apis/sigcase.dev/v1/tenants'
const AUDIENCE = 'sigcase'
const ISSUERS = ['https://login.example', 'https://id.example/realm'] as const
/** A tenant that is registered or removed is noticed within this time. */
const NOTICE_MS = 5_000

async function newKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid, alg: 'ES256' }
}

/** Two issuers with keys of their own. */
async function issuers() {
  const keys = new Map(
    await Promise.all(ISSUERS.map(async (issuer) => [issuer, [await newKey('k1')]] as const)),
  )
  const send: OutboundHttp['send'] = async ({ url }) => {
    const issuer = ISSUERS.find((one) => url.startsWith(one)) as string
    const isDiscovery = url.endsWith('/.well-known/openid-configuration')
    const jwks = {
      keys: (keys.get(issuer as never) ?? []).map((key) => ({ ...key, d: undefined })),
    }
    const value = isDiscovery ? { issuer, jwks_uri: `${issuer}/keys` } : jwks
    const body = new TextEncoder().encode(JSON.stringify(value))
    return { outcome: 'answered', status: 200, headers: {}, body, truncated: false } as never
  }
  return { keys, http: { send } as OutboundHttp }
}

await withCluster(async ({ admin }) => {
  const store = new KubernetesTenantStore(admin, { warn: () => {} })
  const judge = async (name: string, reason: string) => {
    const tenant = (await store.get(name))!
    const lastTransitionTime = new Date().toISOString()
    const truth = reason === 'NamespaceReady' ? ('True' as const) : ('False' as const)
    const ready = { type: 'Ready', status: truth, reason, message: 'x', lastTransitionTime }
    const status = { observedGeneration: 1, conditions: [ready] }
    await store.replaceStatus({ ...tenant, status })
  }
  const register = async (name: string, identity: Record<string, string>) => {
    const body = {
      apiVersion: 'sigcase.dev/v1',
      kind: 'Tenant',
      metadata: { name },
      spec: {
        namespace: `${name}-cases`,
        identity: {
          issuer: ISSUERS[0],
          audience: AUDIENCE,
          claim: 'org',
          value: name,
          ...identity,
        },
      },
    }
    await admin.send({ method: 'POST', path: TENANTS, body })
    await judge(name, 'NamespaceReady')
  }
  const remove = (name: string) => admin.send({ method: 'DELETE', path: TENANTS + pathOf(name) })

  async function world(t: Test, tenants: Record<string, Record<string, string>>) {
    for (const [name, identity] of Object.entries(tenants)) {
      await register(name, identity)
      t.teardown(() => remove(name).catch(() => undefined))
    }
    const { keys, http } = await issuers()
    const clock = { ms: Date.now() }
    const now = () => new Date(clock.ms)
    let isAway = false
    const specsByReadiness = async () => {
      if (isAway) throw new Error('the API server is away')
      return store.specsByReadiness()
    }
    const identity = new ClusterIdentity({
      specs: new TenantSpecs({ tenants: { specsByReadiness }, now }),
      tokens: new IdentityTokens({ http, now }),
      keyring,
      now,
    })
    const token = async (claims: object, issuer: string = ISSUERS[0], key?: JWK) => {
      const signer = key ?? keys.get(issuer as never)![0]!
      const seconds = Math.floor(clock.ms / 1000)
      const usual = { iss: issuer, aud: AUDIENCE, sub: 's', iat: seconds, exp: seconds + 3_600 }
      return new SignJWT({ ...usual, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: signer.kid! })
        .sign(await importJWK(signer))
    }
    const outcome = async (bearer: string) => {
      const answer = await identity.authenticate(bearer)
      return answer.outcome === 'tenant' ? answer.tenant : answer.outcome
    }
    const setAway = (value: boolean) => {
      isAway = value
    }
    return { keys, clock, now, token, outcome, setAway }
  }

  t.test('each tenant has its issuer, audience and claim', async (t) => {
    const { token, outcome } = await world(t, {
      acme: {},
      globex: { audience: 'globex-audience' },
      initech: { issuer: ISSUERS[1], claim: 'groups', value: 'initech' },
    })
    t.equal(await outcome(await token({ org: 'acme' })), 'acme-cases')
    t.equal(await outcome(await token({ org: 'globex', aud: 'globex-audience' })), 'globex-cases')
    const groups = { groups: ['staff', 'initech'] }
    t.equal(await outcome(await token(groups, ISSUERS[1])), 'initech-cases')
    t.equal(await outcome(await token({ org: 'globex' })), 'no-tenant', 'of another audience')
    t.equal(await outcome(await token({ org: 'acme', aud: 'other' })), 'invalid')
    t.equal(await outcome(await token({ org: 'acme' }, ISSUERS[1])), 'no-tenant')
    t.equal(await outcome(await token({ org: 'nobody' })), 'no-tenant')
    t.equal(await outcome(await token({ org: 'acme', iss: 'https://evil.example' })), 'invalid')
  })

  t.test(
    'a token of one issuer that is signed with the key of another names no tenant',
    async (t) => {
      const { keys, token, outcome } = await world(t, { acme: {}, initech: { issuer: ISSUERS[1] } })
      const [other] = keys.get(ISSUERS[1])!
      t.equal(await outcome(await token({ org: 'acme' }, ISSUERS[0], other)), 'invalid')
    },
  )

  t.test('an issuer that rotates its keys is followed', async (t) => {
    const { keys, clock, token, outcome } = await world(t, { acme: {} })
    t.equal(await outcome(await token({ org: 'acme' })), 'acme-cases')
    const [old] = keys.get(ISSUERS[0])!
    keys.set(ISSUERS[0], [await newKey('k2')])
    clock.ms += 31_000
    t.equal(await outcome(await token({ org: 'acme' })), 'acme-cases')
    const withdrawn = await token({ org: 'acme', jti: 'late' }, ISSUERS[0], old)
    t.equal(await outcome(withdrawn), 'invalid')
  })

  t.test('a tenant that comes or goes is noticed within five seconds', async (t) => {
    const { clock, token, outcome } = await world(t, { acme: {} })
    const [acme, late] = [await token({ org: 'acme' }), await token({ org: 'late' })]
    t.equal(await outcome(acme), 'acme-cases')
    t.equal(await outcome(late), 'no-tenant')
    await remove('acme')
    await register('late', {})
    t.teardown(() => remove('late'))
    clock.ms += NOTICE_MS
    t.equal(await outcome(late), 'late-cases')
    t.equal(await outcome(acme), 'no-tenant', 'though its token is remembered')
  })

  t.test('a tenant whose namespace is made again is asked to retry', async (t) => {
    const { clock, now, token, outcome } = await world(t, {
      acme: {},
      globex: { issuer: LOCAL_ISSUER },
      initech: {},
    })
    const tokens = [await token({ org: 'acme' }), await mintTenantToken(keyring, 'globex', now())]
    const judgeBoth = async (reason: string) => {
      for (const name of ['acme', 'globex']) await judge(name, reason)
      clock.ms += NOTICE_MS
    }
    for (const reason of ['NamespaceTerminating', 'NamespaceRefused']) {
      await judgeBoth(reason)
      for (const one of tokens) {
        await t.rejects(outcome(one), { code: 'TIMEOUT', details: { retryAfterSeconds: 5 } })
      }
      t.equal(await outcome(await token({ org: 'nobody' })), 'no-tenant')
    }
    await judgeBoth('IdentityTaken')
    for (const one of tokens) t.equal(await outcome(one), 'no-tenant')
    await judgeBoth('NamespaceReady')
    t.equal(await outcome(tokens[0]!), 'acme-cases')
  })

  t.test('a token of two tenants names none', async (t) => {
    const same = { value: 'both' }
    const { token, outcome } = await world(t, { one: same, two: same })
    t.equal(await outcome(await token({ org: 'both' })), 'no-tenant')
    t.equal(await outcome(await token({ org: ['both'] })), 'no-tenant')
  })

  t.test('the local issuer speaks for tenants that name it, and no others', async (t) => {
    const local = { issuer: LOCAL_ISSUER }
    const more = { third: { ...local, value: 'twins' }, fourth: { ...local, value: 'twins' } }
    const { now, outcome } = await world(t, { acme: local, globex: {}, ...more })
    const mint = (tenant: string) => mintTenantToken(keyring, tenant, now())
    t.equal(await outcome(await mint('acme')), 'acme-cases')
    t.equal(await outcome(await mint('globex')), 'no-tenant')
    t.equal(await outcome(await mint('twins')), 'no-tenant', 'of two tenants')
  })

  t.test('known tenants are accepted while the API server is unavailable', async (t) => {
    const { clock, token, outcome, setAway } = await world(t, { acme: {} })
    setAway(true)
    await t.rejects(outcome(await token({ org: 'acme' })), 'none is known yet')
    setAway(false)
    t.equal(await outcome(await token({ org: 'acme' })), 'acme-cases')
    setAway(true)
    clock.ms += 60_000
    t.equal(await outcome(await token({ org: 'acme' })), 'acme-cases')
  })
})
