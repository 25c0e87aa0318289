/** The service's keys and clock on one machine, judged by OpenSSL as well. */
import { execFileSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { LocalTimeStampAuthority } from '../../../adapters/tsa/local-time-stamp-authority.ts'
import { replaceIssuingCa, replaceSeal } from '../../../adapters/embedded/key-files.ts'
import { SoftwareKeys } from '../../../adapters/embedded/software-keys.ts'
import type { SigningKeyInfo, SigningKeyName } from '../../../domain/ports/signing.ts'
import { verifySignature } from '../../fixtures/verify-signature.ts'
import { skip } from '../../pades/cms/openssl.ts'

const NAMES: SigningKeyName[] = ['issuing-ca', 'seal', 'time-stamp-authority']
const YEAR_MS = 365.25 * 24 * 60 * 60 * 1000
const BASE_URL = 'http://sign.example'
const serialOf = ({ certificates }: SigningKeyInfo) =>
  new X509Certificate(certificates[0] as Uint8Array).serialNumber
const now = () => new Date()

t.test('keys are made once, with a chain to one root, and stay', async (t) => {
  const folder = join(t.testdir(), 'keys')
  const first = await SoftwareKeys.open(folder, now(), BASE_URL)
  const second = await SoftwareKeys.open(folder, now(), BASE_URL)
  for (const name of NAMES) {
    const { certificates } = await first.describe(name)
    t.same((await second.describe(name)).certificates, certificates)
    const chain = certificates.map((der) => new X509Certificate(der))
    chain.forEach((certificate, index) => {
      const issuer = chain[index + 1] ?? certificate
      t.ok(certificate.verify(issuer.publicKey), `${name} ${index}`)
      const lifeMs = certificate.validToDate.getTime() - certificate.validFromDate.getTime()
      t.ok(lifeMs <= 15.01 * YEAR_MS, 'no certificate lives longer than fifteen years')
      t.ok(certificate.validToDate <= issuer.validToDate)
    })
  }
})

t.test('keys are readable by their owner alone, and the root has no key left', async (t) => {
  const folder = join(t.testdir(), 'keys')
  await SoftwareKeys.open(folder, now(), BASE_URL)
  const keys = readdirSync(folder).filter((file) => file.endsWith('.key'))
  t.same(keys.sort(), NAMES.map((name) => `${name}.key`).sort())
  for (const key of keys) t.equal(statSync(join(folder, key)).mode & 0o777, 0o600, key)
})

t.test('a key that is missing or damaged is named', async (t) => {
  const folder = join(t.testdir(), 'keys')
  await SoftwareKeys.open(folder, now(), BASE_URL)
  const path = join(folder, 'seal.key')
  const named = { name: 'DamagedFileError', message: path }
  writeFileSync(path, '')
  await t.rejects(SoftwareKeys.open(folder, now(), BASE_URL), named)
  rmSync(path)
  await t.rejects(SoftwareKeys.open(folder, now(), BASE_URL), named)
  mkdirSync(path)
  const other = { code: 'EISDIR', name: 'Error' }
  await t.rejects(SoftwareKeys.open(folder, now(), BASE_URL), other, 'no backup helps')
})

t.test('certificates that are missing, damaged or of another key are named', async (t) => {
  const folder = join(t.testdir(), 'keys')
  await SoftwareKeys.open(folder, now(), BASE_URL)
  const path = join(folder, 'seal.pem')
  const other = readFileSync(join(folder, 'issuing-ca.pem'), 'utf8')
  const reject = (message: string | RegExp) =>
    t.rejects(SoftwareKeys.open(folder, now(), BASE_URL), { name: 'DamagedFileError', message })
  for (const text of ['', other.slice(0, 300), other.replace('MII', 'ZZZ')]) {
    writeFileSync(path, text)
    await reject(path)
  }
  writeFileSync(path, other)
  await reject(/seal\.pem cannot be read \(its first certificate is of another key\)/)
  rmSync(path)
  await reject(path)
})

t.test("a root's list that cannot be read is not treated as a missing list", async (t) => {
  const folder = join(t.testdir(), 'keys')
  await SoftwareKeys.open(folder, now(), BASE_URL)
  rmSync(join(folder, 'root.crl'))
  t.ok(await SoftwareKeys.open(folder, now(), BASE_URL))
  writeFileSync(join(folder, 'root.crl'), 'half')
  const damaged = { name: 'DamagedFileError', message: join(folder, 'root.crl') }
  await t.rejects(SoftwareKeys.open(folder, now(), BASE_URL), damaged)
  rmSync(join(folder, 'root.crl'))
  mkdirSync(join(folder, 'root.crl'))
  await t.rejects(SoftwareKeys.open(folder, now(), BASE_URL), { code: 'EISDIR' })
})

t.test('a signature verifies with the certificate of its key', async (t) => {
  const device = await SoftwareKeys.open(join(t.testdir(), 'keys'), now(), BASE_URL)
  const data = new TextEncoder().encode('what is signed')
  for (const name of NAMES) {
    const { certificates } = await device.describe(name)
    const signature = await device.sign(name, data)
    t.ok(verifySignature(certificates[0]!, data, signature), name)
    t.notOk(verifySignature(certificates[0]!, new Uint8Array(1), signature), name)
  }
})

t.test('OpenSSL accepts the time-stamps', { skip }, async (t) => {
  const place = t.testdir()
  const device = await SoftwareKeys.open(join(place, 'keys'), now(), BASE_URL)
  const authority = new LocalTimeStampAuthority(device, now)
  const digest = createHash('sha256').update('document').digest()
  const token = join(place, 'token.der')
  writeFileSync(token, await authority.stamp(digest))
  const root = join(place, 'keys', 'root.pem')
  const chain = join(place, 'keys', 'issuing-ca.pem')
  const argv = ['ts', '-verify', '-digest', digest.toString('hex'), '-token_in', '-in', token]
  const output = execFileSync('openssl', [...argv, '-CAfile', root, '-untrusted', chain])
  t.match(output.toString(), /Verification: OK/)
  const other = createHash('sha256').update('other').digest('hex')
  argv[3] = other
  t.throws(() =>
    execFileSync('openssl', [...argv, '-CAfile', root, '-untrusted', chain], {
      stdio: 'pipe',
    }),
  )
})

t.test('a seal is replaced while it is in use', async (t) => {
  const folder = join(t.testdir(), 'keys')
  const device = await SoftwareKeys.open(folder, now(), BASE_URL)
  const before = await device.describe('seal')
  const { certificates } = await device.describe('issuing-ca')
  await replaceSeal(folder, { now: now(), baseUrl: BASE_URL })
  const after = await device.describe('seal')
  t.not(serialOf(after), serialOf(before))
  t.same(after.certificates.slice(1), before.certificates.slice(1), 'under the same CA')
  t.same((await device.describe('issuing-ca')).certificates, certificates)
  const data = new TextEncoder().encode('what is signed')
  t.ok(verifySignature(after.certificates[0]!, data, await device.sign('seal', data)))
  t.same(
    await device.describe('seal'),
    await (await SoftwareKeys.open(folder, now(), '')).describe('seal'),
  )
})

t.test('an issuing CA is replaced, and the one before it signs lists on', async (t) => {
  const folder = join(t.testdir(), 'keys')
  const device = await SoftwareKeys.open(folder, now(), BASE_URL)
  const before = await device.describe('issuing-ca')
  t.equal(before.predecessor, undefined)
  await replaceIssuingCa(folder, { now: now(), baseUrl: BASE_URL })
  const after = await device.describe('issuing-ca')
  t.not(serialOf(after), serialOf(before))
  t.equal(after.predecessor, 'former-issuing-ca')
  const former = await device.describe('former-issuing-ca')
  t.same(former.certificates, before.certificates)
  t.same(former.revocationLists, before.revocationLists)
  const data = new TextEncoder().encode('a list')
  const signature = await device.sign('former-issuing-ca', data)
  t.ok(verifySignature(before.certificates[0]!, data, signature))
  const roots = readFileSync(join(folder, 'root.pem'), 'utf8')
  t.equal(roots.match(/BEGIN CERTIFICATE/g)?.length, 2, 'both roots can be trusted')
  for (const key of readdirSync(folder).filter((file) => file.endsWith('.key'))) {
    t.equal(statSync(join(folder, key)).mode & 0o777, 0o600, key)
  }
})

t.test('a replacement that was cut off between its two moves loses nothing', async (t) => {
  const folder = join(t.testdir(), 'keys')
  const before = await (await SoftwareKeys.open(folder, now(), BASE_URL)).describe('seal')
  renameSync(folder, `${folder}.retired`)
  const after = await (await SoftwareKeys.open(folder, now(), BASE_URL)).describe('seal')
  t.same(after.certificates, before.certificates)
})

t.test('keys that a killed process left are removed at a start an hour later', async (t) => {
  const folder = join(t.testdir({ 'keys-of-another.retired': {} }), 'keys')
  await SoftwareKeys.open(folder, new Date(), BASE_URL)
  for (const left of ['retired', '0123456789ab.tmp']) {
    cpSync(folder, `${folder}.${left}`, { recursive: true })
  }
  await SoftwareKeys.open(folder, new Date(Date.now() + 59 * 60_000), BASE_URL)
  t.equal(readdirSync(join(folder, '..')).length, 4, 'a process may still need them')
  await SoftwareKeys.open(folder, new Date(Date.now() + 61 * 60_000), BASE_URL)
  t.same(readdirSync(join(folder, '..')), ['keys', 'keys-of-another.retired'])
})

t.test(
  'a replacement that was cut off after its two moves does not prevent the next',
  async (t) => {
    const folder = join(t.testdir(), 'keys')
    const device = await SoftwareKeys.open(folder, now(), BASE_URL)
    const before = await device.describe('seal')
    cpSync(folder, `${folder}.retired`, { recursive: true })
    await replaceSeal(folder, { now: now(), baseUrl: BASE_URL })
    t.not(serialOf(await device.describe('seal')), serialOf(before))
    t.same(readdirSync(join(folder, '..')), ['keys'])
  },
)
