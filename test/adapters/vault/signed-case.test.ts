/** A case that is signed with keys in Vault becomes a PDF that another program accepts. */
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t from 'tap'
import { bootstrap } from '../../../adapters/shared/bootstrap.ts'
import { openAuthorityKey } from '../../../adapters/shared/certified-device.ts'
import { LocalTimeStampAuthority } from '../../../adapters/tsa/local-time-stamp-authority.ts'
import { VaultClient } from '../../../adapters/vault/client.ts'
import { VaultSigningDevice } from '../../../adapters/vault/signing-device.ts'
import { isInstalled } from '../../../dev/outside-programs.ts'
import { emulatedVault, transitKey } from '../../../dev/emulators/vault/server.ts'
import { outcomeKey } from '../../../domain/cases/keys.ts'
import { generateKey } from '../../../pades/index.ts'
import { rootCertificatePath } from '../../../runtime/embedded/paths.ts'
import { finalise } from '../../../workers/finalise/finalise.ts'
import { judgedByPdfsig } from '../../e2e/harness.ts'
import { bytesAt } from '../../fixtures/finalised.ts'
import { CASE_KEY } from '../../fixtures/signature-case.ts'
import { signedByAll } from '../../fixtures/signed-by-all.ts'

const NAMES = ['issuing-ca', 'seal', 'time-stamp-authority'] as const
const missing = ['pdfsig', 'certutil'].find((program) => !isInstalled(program))

const skip = missing !== undefined && `${missing} is not installed`

t.test('pdfsig accepts the PDF of a case', { skip }, async (t) => {
  const vault = await emulatedVault({
    keys: NAMES.map((name) => transitKey(name, 'ecdsa-p256')),
    tokens: { token: { ttl: 0, renewable: false } },
  })
  t.teardown(() => vault.close())
  const home = t.testdir({ token: 'token' })
  const options = {
    endpoint: vault.origin,
    mount: 'transit',
    rsaPadding: 'pkcs1' as const,
    identity: { tokenFile: join(home, 'token') },
  }
  const w = await signedByAll()
  const { now } = w.deps
  const client = new VaultClient(options)
  const folder = join(home, 'certificates')
  const keys = new Map()
  for (const name of NAMES) keys.set(name, await openAuthorityKey(client, `${name}:1`))
  t.teardown(() => client.close())
  const names = { organisation: 'Acme', prefix: 'Acme' }
  const making = { now: now(), baseUrl: 'https://sign.example', names }
  await bootstrap({ ...making, folder, root: generateKey(), keys })

  const versions = Object.fromEntries(NAMES.map((name) => [name, `${name}:1`]))
  const device = new VaultSigningDevice({ ...options, keys: versions, certificatesFolder: folder })
  t.teardown(() => device.close())
  const timeStamps = new LocalTimeStampAuthority(device, now)
  await finalise(CASE_KEY, { ...w.deps, signingDevice: device, timeStamps })

  const rootPath = rootCertificatePath(home)
  await mkdir(dirname(rootPath), { recursive: true })
  await copyFile(join(folder, 'root.pem'), rootPath)
  const judged = await judgedByPdfsig(bytesAt(w, outcomeKey(CASE_KEY)), home)
  t.equal(judged.length, w.participants.length + 1, 'all participants and the seal')
  t.ok(judged.every(({ signature }) => signature === 'Signature is Valid.'))
  const certificates = judged.map(({ certificate }) => certificate)
  // The clock of the case is fixed, and certificates of participants are valid for a short time.
  const expired = w.participants.map(() => 'Certificate has Expired')
  t.same(certificates, [...expired, 'Certificate is Trusted.'])
})
