/** The command issues certificates for keys in Cloud KMS. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { EmulatedIdentity } from '../../dev/emulators/google-identity.ts'
import { emulatedKey, emulatedKms } from '../../dev/emulators/kms/server.ts'
import { runTool } from '../fixtures/run-tool.ts'

const RING = 'projects/project/locations/europe-west1/keyRings/sigcase/cryptoKeys'
const versionOf = (name: string) => `${RING}/${name}/cryptoKeyVersions/1`
const NAMES = ['issuing-ca', 'seal', 'time-stamp-authority']
const identity = new EmulatedIdentity()

t.test('the command makes the certificates, with the root in a file of its own', async (t) => {
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
  const args = ['--organisation', 'Acme', '--root-key', 'root.key', 'certificates']
  const run = (given = args) => runTool('cli/kms-certificates.ts', given, { cwd: home, env })
  const first = await run()
  t.equal(first.code, 0, first.stderr)
  t.match(first.stdout, 'issued: root, issuing-ca, seal, time-stamp-authority')
  t.equal(statSync(join(home, 'root.key')).mode & 0o777, 0o600)
  t.match((await run()).stdout, 'nothing to issue')
  t.equal((await run(['--organisation', 'Acme', 'certificates'])).code, 2, 'no key of the root')
  keys[1]!.isPermitted = false
  const refused = await run()
  t.equal(refused.code, 1)
  t.match(refused.stderr, 'PERMISSION_DENIED')
})
