/** The service's keys and clock on one machine, judged by OpenSSL as well. */
import { execFileSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { LocalTimeStampAuthority } from '../../../adapters/embedded/local-time-stamp-authority.ts'
import { SoftwareKeys } from '../../../adapters/embedded/software-keys.ts'
import type { SigningKeyName } from '../../../domain/ports/signing.ts'
import { verifySignature } from '../../fixtures/verify-signature.ts'

const NAMES: SigningKeyName[] = ['issuing-ca', 'seal', 'time-stamp-authority']
const YEAR_MS = 365.25 * 24 * 60 * 60 * 1000
const BASE_URL = 'http://sign.example'
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

t.test('OpenSSL accepts the time-stamps', async (t) => {
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
