/** The command issues certificates for keys in Cloud KMS. */
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { EmulatedIdentity } from '../../dev/emulators/google-identity.ts'
import { emulatedKey, emulatedKms } from '../../dev/emulators/kms/server.ts'
import { emulatedVault, transitKey } from '../../dev/emulators/vault/server.ts'
import { callTool } from '../fixtures/call-tool.ts'
import { runTool } from '../fixtures/run-tool.ts'

const RING = 'projects/project/locations/europe-west1/keyRings/sigcase/cryptoKeys'
const versionOf = (name: string) => `${RING}/${name}/cryptoKeyVersions/1`
const NAMES = ['issuing-ca', 'seal', 'time-stamp-authority']
const identity = new EmulatedIdentity()

/** Starts an emulator with three keys. @returns it and the variables of the command */
async function openKms(t: Test) {
  const keys = NAMES.map((name) => emulatedKey(versionOf(name), 'EC_SIGN_P256_SHA256'))
  const kms = await emulatedKms({ keys, identity })
  t.teardown(() => kms.close())
  const home = t.testdir({ 'key.json': identity.keyFile() })
  const env = {
    KMS_ENDPOINT: kms.origin,
    KMS_ISSUING_CA_KEY: versionOf('issuing-ca'),
    KMS_SEAL_KEY: versionOf('seal'),
    KMS_TSA_KEY: versionOf('time-stamp-authority'),
    BASE_URL: 'https://sign.example',
    GOOGLE_APPLICATION_CREDENTIALS: join(home, 'key.json'),
  }
  return { kms, keys, home, env }
}

const OTHER_KEY = {
  namedCurve: 'P-384',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const
const ARGUMENTS = ['--organisation', 'Acme', '--root-key', 'root.key', 'certificates']

/** Starts a proxy that connects every name to a port of loopback. @returns its URL */
async function openProxy(t: Test, port: string): Promise<{ url: string; names: string[] }> {
  const names: string[] = []
  const proxy = createServer()
  proxy.on('connect', ({ url = '' }, client: Socket) => {
    names.push(url)
    const upstream = connect(Number(port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.pipe(client).pipe(upstream)
    })
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.teardown(() => void proxy.close())
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, names }
}

t.test('the command makes the certificates, with the root in a file of its own', async (t) => {
  const { keys, home, env } = await openKms(t)
  const run = () => callTool('cli/kms-certificates.ts', ARGUMENTS, { cwd: home, env })
  const first = await runTool('cli/kms-certificates.ts', ARGUMENTS, { cwd: home, env })
  t.equal(first.code, 0, first.stderr)
  t.match(first.stdout, 'issued: root, issuing-ca, seal, time-stamp-authority')
  t.equal(statSync(join(home, 'root.key')).mode & 0o777, 0o600)
  t.match((await run()).stdout, 'nothing to issue')
  keys[1]!.isPermitted = false
  const refused = await run()
  t.equal(refused.code, 1)
  t.match(refused.stderr, 'PERMISSION_DENIED')
})

t.test('the key of the root can stay offline, and is never replaced by chance', async (t) => {
  const { home, env } = await openKms(t)
  const run = (given: string[]) => callTool('cli/kms-certificates.ts', given, { cwd: home, env })
  const offline = ['--organisation', 'Acme', 'certificates']
  t.match(await run(offline), {
    code: 2,
    stderr: /has no root\.pem: the key of the root is needed/,
  })
  t.equal((await run(ARGUMENTS)).code, 0)
  const [key, moved] = [join(home, 'root.key'), join(home, 'safe.key')]
  renameSync(key, moved)
  const root = () => readFileSync(join(home, 'certificates', 'root.pem'), 'utf8')
  const before = root()
  t.match(await run(ARGUMENTS), { code: 2, stderr: /root\.key is missing/ })
  t.notOk(existsSync(key), 'no other key was made')
  const renewed = await run([...offline, '--renew-days', '2000'])
  t.match(renewed, { code: 0, stdout: /^issued: seal\n$/ })
  writeFileSync(key, generateKeyPairSync('ec', OTHER_KEY).privateKey)
  t.match(await run(ARGUMENTS), { code: 2, stderr: /root\.pem is of another key/ })
  t.equal(root(), before, 'readers trust the same root')
})

t.test('the command uses the proxy of the environment', async (t) => {
  const { kms, home, env } = await openKms(t)
  const { port } = new URL(kms.origin)
  const proxy = await openProxy(t, port)
  // A name that only the proxy resolves.
  const KMS_ENDPOINT = `http://kms.example:${port}`
  const { code, stderr } = await runTool('cli/kms-certificates.ts', ARGUMENTS, {
    cwd: home,
    env: { ...env, KMS_ENDPOINT, HTTPS_PROXY: proxy.url },
  })
  t.equal(code, 0, stderr)
  t.same([...new Set(proxy.names)], [`kms.example:${port}`])
})

t.test('an unreachable Cloud KMS is named with the cause', async (t) => {
  const { home, env } = await openKms(t)
  const KMS_ENDPOINT = 'http://kms.invalid'
  const { code, stderr } = await callTool('cli/kms-certificates.ts', ARGUMENTS, {
    cwd: home,
    env: { ...env, KMS_ENDPOINT },
  })
  t.equal(code, 1)
  t.match(stderr, /Cloud KMS at http:\/\/kms\.invalid is not reachable: .*ENOTFOUND/)
})

t.test('the command certifies keys in Vault', async (t) => {
  const keys = NAMES.map((name) => transitKey(name, 'ecdsa-p256'))
  const vault = await emulatedVault({
    keys,
    tokens: { 'hvs.person': { ttl: 0, renewable: false } },
  })
  t.teardown(() => vault.close())
  const home = t.testdir({ token: 'hvs.person' })
  const env = {
    VAULT_ADDR: vault.origin,
    VAULT_TOKEN_FILE: join(home, 'token'),
    VAULT_ISSUING_CA_KEY: 'issuing-ca:1',
    VAULT_SEAL_KEY: 'seal:1',
    VAULT_TSA_KEY: 'time-stamp-authority:1',
    BASE_URL: 'https://sign.example',
  }
  const run = (changed = {}) =>
    callTool('cli/kms-certificates.ts', ARGUMENTS, { cwd: home, env: { ...env, ...changed } })
  const { code, stdout, stderr } = await run()
  t.equal(code, 0, stderr)
  t.match(stdout, 'issued: root, issuing-ca, seal, time-stamp-authority')
  t.match((await run({ VAULT_SEAL_KEY: 'seal:2' })).stderr, 'Vault refuses seal:2')
  t.match((await run({ VAULT_TOKEN_FILE: '' })).stderr, 'Set VAULT_ROLE or VAULT_TOKEN_FILE')
  const away = await run({ VAULT_ADDR: 'http://vault.invalid' })
  t.match(away.stderr, /Vault at http:\/\/vault\.invalid is not reachable: .*ENOTFOUND/)
})
