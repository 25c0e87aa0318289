/** Keys in Cloud KMS sign what verifies, are checked both ways, and say what is wrong with them. */
import { constants, verify, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import t, { type Test } from 'tap'
import type { AuthorityKey, CertifiedKeyName } from '../../../adapters/shared/authorities.ts'
import { googleAuth } from '../../../adapters/shared/google-auth.ts'
import { bootstrap } from '../../../adapters/shared/bootstrap.ts'
import { openAuthorityKey } from '../../../adapters/shared/certified-device.ts'
import { KmsClient } from '../../../adapters/kms/client.ts'
import { KmsSigningDevice } from '../../../adapters/kms/signing-device.ts'
import type { KeyRefusal, SigningKeyName } from '../../../domain/ports/signing.ts'
import { generateKey, hasIssued, readCertificate } from '../../../pades/index.ts'
import { EmulatedIdentity } from '../../../dev/emulators/google-identity.ts'
import type { EmulatedAnswer } from '../../../dev/emulators/http.ts'
import {
  emulatedKey,
  emulatedKms,
  kmsError,
  type KmsAlgorithm,
} from '../../../dev/emulators/kms/server.ts'

const RING = 'projects/project/locations/europe-west1/keyRings/sigcase/cryptoKeys'
const versionOf = (name: string, version = 1) => `${RING}/${name}/cryptoKeyVersions/${version}`
const data = new TextEncoder().encode('to be signed')
const identity = new EmulatedIdentity()
const accounts = await identity.serve()
t.teardown(() => accounts.close())
process.env.GCE_METADATA_HOST = new URL(accounts.origin).host

const NAMES = ['issuing-ca', 'seal', 'time-stamp-authority'] as const
const making = {
  now: new Date(),
  baseUrl: 'https://sign.example',
  names: { organisation: 'Acme', prefix: 'Acme' },
}
const root = generateKey()

async function open(t: Test, algorithm: KmsAlgorithm = 'EC_SIGN_P256_SHA256') {
  const keys = [
    ...NAMES.map((name) => emulatedKey(versionOf(name), algorithm)),
    emulatedKey(versionOf('issuing-ca', 2), algorithm),
  ]
  const kms = await emulatedKms({ keys, identity })
  t.teardown(() => kms.close())
  const folder = join(t.testdir(), 'certificates')
  const options = { endpoint: new URL(kms.origin), auth: googleAuth({}) }
  const client = new KmsClient(options)
  t.teardown(() => client.close())
  const issue = async (
    versions: Partial<Record<CertifiedKeyName, string>>,
    {
      isOffline = false,
      ...more
    }: { isOffline?: boolean; now?: Date; renewBefore?: Date; root?: AuthorityKey } = {},
  ) => {
    const named = Object.entries(versions).map(
      async ([name, version]) =>
        [name as CertifiedKeyName, await openAuthorityKey(client, version)] as const,
    )
    const keys = new Map(await Promise.all(named))
    return bootstrap({ ...making, folder, ...(isOffline ? {} : { root }), keys, ...more })
  }
  const versions = Object.fromEntries(NAMES.map((name) => [name, versionOf(name)]))
  const device = (changed: Partial<Record<SigningKeyName, string>> = {}) => {
    const device = new KmsSigningDevice({
      ...options,
      keys: { ...versions, ...changed },
      certificatesFolder: folder,
    })
    t.teardown(() => device.close())
    return device
  }
  await issue(versions)
  return { kms, keys, folder, issue, versions, device }
}

for (const algorithm of [
  'EC_SIGN_P256_SHA256',
  'EC_SIGN_P384_SHA384',
  'RSA_SIGN_PKCS1_2048_SHA256',
  'RSA_SIGN_PSS_2048_SHA256',
] as const) {
  t.test(`${algorithm} signs under a chain that leads to the root`, async (t) => {
    const device = (await open(t, algorithm)).device()
    const { certificates, revocationLists } = await device.describe('seal')
    const [own, issuing, top] = certificates.map((der) => readCertificate(der))
    t.equal(certificates.length, 3)
    t.ok(hasIssued(issuing!, own!))
    t.ok(hasIssued(top!, issuing!))
    const { subject, publicKey } = new X509Certificate(certificates[0]!)
    t.match(subject, 'CN=Acme seal')
    t.equal(revocationLists?.length, 1)
    const hash = algorithm.endsWith('384') ? 'sha384' : 'sha256'
    const isPss = algorithm.includes('PSS')
    const padding = isPss ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } : {}
    const signature = await device.sign('seal', data)
    t.ok(verify(hash, data, { key: publicKey, ...padding }, signature))
  })
}

t.test('a certificate that expires soon is renewed, and does not outlive its issuer', async (t) => {
  const { folder, issue, versions, device: make } = await open(t)
  const device = make()
  const years = (count: number) => new Date(making.now.getTime() + count * 365.25 * 86_400_000)
  const renew = (now: Date) =>
    issue(versions, { now, renewBefore: new Date(now.getTime() + 60 * 86_400_000) })
  t.same(await renew(years(4.7)), [], 'more than 60 days are left')
  const before = await device.describe('seal')
  t.same(await renew(years(4.9)), ['seal'])
  const seal = await device.describe('seal')
  t.same(seal.certificates.slice(1), before.certificates.slice(1))
  t.notSame(seal.certificates[0], before.certificates[0])
  t.same(await renew(years(8.9)), ['time-stamp-authority'])
  const [stamps, issuing] = (await device.describe('time-stamp-authority')).certificates
  t.same(readCertificate(stamps!).notAfter, readCertificate(issuing!).notAfter)
  t.same(await renew(years(9.9)), ['issuing-ca', 'seal', 'time-stamp-authority'])
  t.notOk(existsSync(join(folder, 'former-issuing-ca.pem')), 'the same key signs the same list')
  t.same(await renew(years(14.9)), ['issuing-ca', 'seal', 'time-stamp-authority'])
  const [own, ca, top] = (await device.describe('seal')).certificates.map((der) =>
    readCertificate(der),
  )
  t.ok(own!.notAfter <= ca!.notAfter && ca!.notAfter <= top!.notAfter)
  t.ok(hasIssued(ca!, own!) && hasIssued(top!, ca!))
})

t.test('without the key of the root, certificates below the issuing CA are issued', async (t) => {
  const { folder, issue, versions } = await open(t)
  rmSync(join(folder, 'seal.pem'))
  t.same(await issue(versions, { isOffline: true }), ['seal'])
  const another = { name: 'RootKeyError', message: /of another key/ }
  await t.rejects(issue(versions, { root: generateKey() }), another)
  const replaced = { ...versions, 'issuing-ca': versionOf('issuing-ca', 2) }
  const needed = { name: 'RootKeyError', message: /the issuing CA needs a new certificate/ }
  await t.rejects(issue(replaced, { isOffline: true }), needed)
  t.notOk(existsSync(join(folder, 'former-issuing-ca.pem')), 'nothing was replaced')
  t.same(await issue(replaced), ['issuing-ca', 'seal', 'time-stamp-authority'])
  t.ok(existsSync(join(folder, 'former-issuing-ca.pem')))
})

t.test('a short outage of Cloud KMS is retried, a long one is TIMEOUT', async (t) => {
  const { kms, device: make } = await open(t)
  const device = make()
  await device.describe('seal')
  const unavailable = kmsError('UNAVAILABLE')
  for (const answer of [unavailable, undefined]) {
    kms.faults.push({ matches: () => true, ...(answer ? { answer } : {}), times: 2 })
    t.ok((await device.sign('seal', data)).length > 0)
  }
  kms.faults.push({ matches: () => true, answer: unavailable, times: 100 })
  await t.rejects(device.sign('seal', data), { name: 'ServiceError', code: 'TIMEOUT' })
})

t.test('what changed on its way is asked for again, and never used', async (t) => {
  const { kms, device: make } = await open(t)
  const device = make()
  await device.describe('seal')
  const whole = {
    name: versionOf('seal'),
    signature: 'MAA=',
    signatureCrc32c: '1',
    verifiedDigestCrc32c: true,
  }
  const answer = (value: object): EmulatedAnswer => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  })
  for (const wrong of [whole, { ...whole, verifiedDigestCrc32c: false }, { ...whole, name: 'x' }]) {
    kms.faults.push({ matches: () => true, answer: answer(wrong), times: 1 })
    t.not(Buffer.from(await device.sign('seal', data)).toString('base64'), 'MAA=')
  }
  kms.faults.push({ matches: () => true, answer: answer(whole), times: 4 })
  const error = { code: 'TIMEOUT', cause: { name: 'KmsChecksumError' } }
  await t.rejects(device.sign('seal', data), error)
})

t.test(
  'a key without rights, disabled or missing is reported at once, with the remedy',
  async (t) => {
    const { kms, keys, device: make } = await open(t)
    const device = make()
    await device.describe('seal')
    const seal = keys.find(({ name }) => name === versionOf('seal'))!
    const refusal = async (code: KeyRefusal, message: RegExp, of = device) => {
      const before = kms.requests.length
      await t.rejects(of.sign('seal', data), { name: 'KmsRefusedError', code, message })
      t.equal(kms.requests.length, before + 1, 'not asked again')
    }
    seal.isPermitted = false
    await refusal(
      'SIGNING_KEY_DENIED',
      /seal\/cryptoKeyVersions\/1: PERMISSION_DENIED: .*signerVerifier/,
    )
    seal.isPermitted = true
    seal.state = 'DISABLED'
    await refusal(
      'SIGNING_KEY_DISABLED',
      /FAILED_PRECONDITION: the key version is disabled or destroyed/,
    )
    seal.state = 'ENABLED'
    await refusal('SIGNING_KEY_MISSING', /NOT_FOUND/, make({ seal: versionOf('seal', 7) }))
    t.ok(await device.sign('seal', data))
  },
)

t.test('a certificate of another key, or none, is not a certificate', async (t) => {
  const { folder, device: make } = await open(t)
  const device = make({ seal: versionOf('issuing-ca', 2) })
  await t.rejects(device.describe('seal'), /the certificate of seal is for another key than/)
  const path = join(folder, 'seal.pem')
  writeFileSync(path, readFileSync(path, 'utf8').replace('MII', 'ZZZ'))
  await t.rejects(make().describe('seal'), { name: 'DamagedFileError', message: path })
  rmSync(path)
  await t.rejects(make().describe('seal'), /no certificate of seal found/)
  await t.rejects(
    make().describe('former-issuing-ca'),
    /the key former-issuing-ca is not configured/,
  )
})

t.test('a second run issues nothing; a new issuing CA is followed by what is below', async (t) => {
  const { issue, versions, device: make } = await open(t)
  t.same(await issue(versions), [])
  const old = make()
  const before = (await old.describe('seal')).certificates
  const next = versionOf('issuing-ca', 2)
  t.same(await issue({ ...versions, 'issuing-ca': next }), [...NAMES])
  const after = (await old.describe('seal')).certificates
  t.notSame(after[0], before[0], 'read again while it runs')
  t.same(after[2], before[2], 'the same root')
  const device = make({ 'issuing-ca': next, 'former-issuing-ca': versionOf('issuing-ca') })
  t.equal((await device.describe('issuing-ca')).predecessor, 'former-issuing-ca')
  const former = await device.describe('former-issuing-ca')
  t.same(former.certificates[0], before[1])
  t.equal(former.revocationLists?.length, 1)
})
