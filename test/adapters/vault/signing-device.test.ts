/** Keys in Vault sign what verifies, and say what is wrong with them. */
import { constants, verify, X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { bootstrap } from '../../../adapters/shared/bootstrap.ts'
import { openAuthorityKey } from '../../../adapters/shared/certified-device.ts'
import { VaultClient, type VaultOptions } from '../../../adapters/vault/client.ts'
import { VaultSigningDevice } from '../../../adapters/vault/signing-device.ts'
import {
  emulatedVault,
  transitKey,
  vaultError,
  type EmulatedVaultOptions,
  type TransitType,
} from '../../../dev/emulators/vault/server.ts'
import type { KeyRefusal, SigningKeyName } from '../../../domain/ports/signing.ts'
import { generateKey, hasIssued, readCertificate } from '../../../pades/index.ts'

const NAMES = ['issuing-ca', 'seal', 'time-stamp-authority'] as const
const data = new TextEncoder().encode('to be signed')
const always = () => true
const TIMEOUT = { name: 'ServiceError', code: 'TIMEOUT' }

interface Opening {
  type?: TransitType
  vault?: Partial<EmulatedVaultOptions>
  client?: Partial<VaultOptions>
}

async function open(t: Test, { type = 'ecdsa-p256', vault, client: changed }: Opening = {}) {
  const keys = NAMES.map((name) => transitKey(name, type, 2))
  const tokens = { 'hvs.file': { ttl: 0, renewable: false } }
  const server = await emulatedVault({ keys, tokens, ...vault })
  t.teardown(() => server.close())
  const tokenFile = join(t.testdir({ token: 'hvs.file\n', jwt: 'jwt of the pod' }), 'token')
  const options: VaultOptions = {
    endpoint: server.origin,
    mount: 'transit',
    rsaPadding: 'pkcs1',
    identity: { tokenFile },
    ...changed,
  }
  const folder = join(t.testdirName, 'certificates')
  const device = (others: Partial<Record<SigningKeyName, string>> = {}) => {
    const versions = Object.fromEntries(NAMES.map((name) => [name, `${name}:1`]))
    const keys = { ...versions, ...others }
    const opened = new VaultSigningDevice({ ...options, keys, certificatesFolder: folder })
    t.teardown(() => opened.close())
    return opened
  }
  return { server, keys, options, folder, device, jwtFile: join(t.testdirName, 'jwt') }
}

for (const [type, rsaPadding] of [
  ['ecdsa-p256', 'pkcs1'],
  ['ecdsa-p384', 'pkcs1'],
  ['rsa-2048', 'pkcs1'],
  ['rsa-2048', 'pss'],
] as const) {
  t.test(`${type} ${rsaPadding} signs under a chain that leads to the root`, async (t) => {
    const { options, folder, device: make } = await open(t, { type, client: { rsaPadding } })
    const client = new VaultClient(options)
    t.teardown(() => client.close())
    const keys = new Map()
    for (const name of NAMES) keys.set(name, await openAuthorityKey(client, `${name}:1`))
    const names = { organisation: 'Acme', prefix: 'Acme' }
    const making = { now: new Date(), baseUrl: 'https://sign.example', names }
    t.same(await bootstrap({ ...making, folder, root: generateKey(), keys }), ['root', ...NAMES])
    const device = make()
    const { certificates } = await device.describe('seal')
    const [own, issuing, top] = certificates.map((der) => readCertificate(der))
    t.ok(hasIssued(issuing!, own!))
    t.ok(hasIssued(top!, issuing!))
    const { publicKey } = new X509Certificate(certificates[0]!)
    const hash = type === 'ecdsa-p384' ? 'sha384' : 'sha256'
    const isPss = type === 'rsa-2048' && rsaPadding === 'pss'
    const padding = isPss ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } : {}
    const signature = await device.sign('seal', data)
    t.ok(verify(hash, data, { key: publicKey, ...padding }, signature))
    const other = make({ seal: 'seal:2' })
    await t.rejects(other.describe('seal'), /the certificate of seal is for another key than/)
  })
}

t.test('a short outage is retried, a long one and a sealed Vault are TIMEOUT', async (t) => {
  const { server, device: make } = await open(t)
  const device = make()
  const html = { status: 404, headers: { 'content-type': 'text/html' }, body: '<html></html>' }
  for (const answer of [vaultError(503, 'Vault is sealed'), vaultError(429), html, undefined]) {
    server.faults.push({ matches: always, ...(answer ? { answer } : {}), times: 2 })
    t.ok((await device.sign('seal', data)).length > 0)
  }
  for (const body of ['cut', 'slow'] as const) {
    server.faults.push({ matches: always, body, times: 1 })
    t.ok((await device.sign('seal', data)).length > 0)
  }
  server.faults.push({ matches: always, answer: vaultError(503, 'Vault is sealed'), times: 100 })
  const sealed = { ...TIMEOUT, cause: { message: '503 Vault is sealed' } }
  await t.rejects(device.sign('seal', data), sealed)
})

t.test('a signature of another version or other data is never used', async (t) => {
  const { server, device: make } = await open(t)
  const device = make()
  const good = Buffer.from(await device.sign('seal', data)).toString('base64')
  const other = Buffer.from(await device.sign('seal', new Uint8Array(3))).toString('base64')
  const isSigning = ({ url }: { url: URL }) => url.pathname.includes('/sign/')
  for (const signature of [`vault:v2:${good}`, `vault:v1:${other}`, good, 'vault:v1:']) {
    const body = JSON.stringify({ data: { signature } })
    server.faults.push({ matches: isSigning, answer: { status: 200, body }, times: 4 })
    const error = { ...TIMEOUT, cause: { name: 'VaultAnswerError' } }
    await t.rejects(device.sign('seal', data), error, signature)
  }
})

t.test('what an operator has to mend is said at once, with the remedy', async (t) => {
  const { keys, device: make } = await open(t)
  const device = make()
  await device.sign('seal', data)
  const seal = keys.find(({ name }) => name === 'seal')!
  const refusal = (code: KeyRefusal, message: RegExp, of = device) =>
    t.rejects(of.sign('seal', data), { name: 'VaultRefusedError', code, message })
  seal.isPermitted = false
  await refusal('SIGNING_KEY_DENIED', /refuses seal:1: permission denied; the policy must allow/)
  seal.isPermitted = true
  seal.minimumEncryptionVersion = 2
  await refusal('SIGNING_KEY_DISABLED', /below min_encryption_version/)
  await refusal('SIGNING_KEY_MISSING', /seal:9: the key or its version/, make({ seal: 'seal:9' }))
  await refusal('SIGNING_KEY_MISSING', /none:1: the key or its/, make({ seal: 'none:1' }))
  seal.type = 'ed25519'
  await t.rejects(make().sign('seal', data), { message: /does not sign with ed25519/ })
})

t.test('a pod logs in with its own token, again before its session ends', async (t) => {
  let nowMs = Date.now()
  const login = { role: 'sigcase-worker', jwt: 'jwt of the pod' }
  const clock = { nowMs: () => nowMs }
  const { server, options, jwtFile } = await open(t, {
    vault: { login, namespace: 'team', ...clock },
    client: { namespace: 'team', ...clock },
  })
  const identity = { role: login.role, mount: 'kubernetes', jwtFile }
  const client = new VaultClient({ ...options, identity })
  t.teardown(() => client.close())
  const logins = () => server.requests.filter(({ url }) => url.pathname.endsWith('/login')).length
  const sign = () => client.sign('seal:1', 'ecdsa-p256-sha256', data)
  await Promise.all([sign(), sign()])
  t.equal(logins(), 1, 'one login for both')
  nowMs += 9 * 60_000
  await sign()
  t.equal(logins(), 1)
  nowMs += 2 * 60_000
  await sign()
  t.equal(logins(), 2, 'at half of its life')
  server.revoke()
  await sign()
  t.equal(logins(), 3, 'a revoked session is replaced')
  const stranger = new VaultClient({ ...options, identity: { ...identity, role: 'other' } })
  t.teardown(() => stranger.close())
  await t.rejects(stranger.publicKey('seal:1'), {
    code: 'SIGNING_CREDENTIALS_REFUSED',
    message: /the role other does not bind this service account/,
  })
})

t.test('a token of a file is renewed while it can be', async (t) => {
  let nowMs = Date.now()
  const clock = { nowMs: () => nowMs }
  const tokens = { 'hvs.file': { ttl: 600, renewable: true } }
  const { server, options } = await open(t, { vault: { tokens, ...clock }, client: clock })
  const client = new VaultClient(options)
  t.teardown(() => client.close())
  const sign = () => client.sign('seal:1', 'ecdsa-p256-sha256', data)
  for (let minutes = 0; minutes < 30; minutes += 4) {
    await sign()
    nowMs += 4 * 60_000
  }
  const renewals = server.requests.filter(({ url }) => url.pathname.endsWith('/renew-self'))
  t.ok(renewals.length >= 3, 'it lives longer than its first ten minutes')
  nowMs += 60 * 60_000
  await t.rejects(sign(), {
    code: 'SIGNING_CREDENTIALS_REFUSED',
    message: /the token of VAULT_TOKEN_FILE: it has expired or was revoked/,
  })
  const missing = new VaultClient({ ...options, identity: { tokenFile: '/none' } })
  t.teardown(() => missing.close())
  await t.rejects(missing.publicKey('seal:1'), { message: 'VAULT_TOKEN_FILE cannot be read' })
})
