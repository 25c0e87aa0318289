/** `sigcase doctor` finds seeded faults of an S3-compatible store and of keys in Vault. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { makeMissingKeySets } from '../../../adapters/embedded/key-sets.ts'
import { examine } from '../../../cli/doctor/doctor.ts'
import { emulatedS3 } from '../../../dev/emulators/s3/server.ts'
import { emulatedVault, transitKey } from '../../../dev/emulators/vault/server.ts'
import { RedisServer, withoutRedis } from '../../fixtures/redis-server.ts'
import { runTool } from '../../fixtures/run-tool.ts'
import { S3_TEST_BUCKET, s3Environment } from '../../fixtures/s3-service.ts'
import { faultsOf, kubeconfigFor, startApiServer, type Environment } from './ground.ts'

t.setTimeout(300_000)
const ACCOUNT = { accessKeyId: 'AKEXAMPLE', secretAccessKey: 'secret' }
const TOKEN = 'token'

t.test('seeded faults of S3 and Vault', { skip: withoutRedis }, async (t) => {
  const folder = t.testdir()
  const store = { bucket: S3_TEST_BUCKET, region: 'us-east-1', account: ACCOUNT }
  const keys = ['issuing-ca', 'seal', 'tsa'].map((name) => transitKey(name, 'ecdsa-p256'))
  const [api, s3, redis, vault] = await Promise.all([
    startApiServer(),
    emulatedS3(store),
    RedisServer.start(),
    emulatedVault({ keys, tokens: { [TOKEN]: { ttl: 0, renewable: false } } }),
  ])
  t.teardown(() => Promise.all([api.close(), s3.close(), redis.close(), vault.close()]))
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  makeMissingKeySets(join(folder, 'keyring'))
  const worker: Environment = {
    ...s3Environment(folder, s3.origin, ACCOUNT),
    BASE_URL: api.url,
    KUBECONFIG: file('kubeconfig', JSON.stringify(kubeconfigFor(api.url))),
    KEYRING_FOLDER: join(folder, 'keyring'),
    KMS_CERTIFICATES: join(folder, 'certificates'),
    MAIL_FOLDER: join(folder, 'mail'),
    REDIS_URL: redis.url,
    VAULT_ADDR: vault.origin,
    VAULT_TOKEN_FILE: file('vault-token', TOKEN),
    VAULT_ISSUING_CA_KEY: 'issuing-ca:1',
    VAULT_SEAL_KEY: 'seal:1',
    VAULT_TSA_KEY: 'tsa:1',
  }
  const certificates = ['--organisation', 'Acme', '--root-key', join(folder, 'root.key')]
  const issued = await runTool(
    'cli/kms-certificates.ts',
    [...certificates, join(folder, 'certificates')],
    { env: worker as Record<string, string> },
  )
  t.equal(issued.code, 0, issued.stderr)

  /** Expects this finding first; one cause can make several checks fail. */
  const finds = async (
    title: string,
    change: Environment,
    expected: { check: string; detail: RegExp; remedy?: RegExp },
  ) => {
    const found = faultsOf(await examine('worker', { ...worker, ...change }))
    t.match(found[0], expected, `${title}: ${JSON.stringify(found)}`)
    for (const { remedy } of found) t.match(remedy ?? '', /\w{4}/, 'it names a remedy')
  }

  await t.test('a sound worker has no fault', async (t) => {
    t.same(faultsOf(await examine('worker', worker)), [])
  })

  await t.test('a bucket that the worker cannot use is a fault', async () => {
    const check = 'object store'
    const remedy = /S3_BUCKET.*install-on-any-kubernetes/
    await finds('no bucket', { S3_BUCKET: 'other' }, { check, detail: /does not exist/, remedy })
    const region = { S3_REGION: 'eu-west-1' }
    await finds('another region', region, { check, detail: /S3_REGION|credentials/, remedy })
    const stranger = file(
      'stranger',
      '[default]\naws_access_key_id = AKEXAMPLE\naws_secret_access_key = other\n',
    )
    const wrong = { AWS_SHARED_CREDENTIALS_FILE: stranger }
    await finds('a wrong secret', wrong, { check, detail: /credentials were not accepted/, remedy })
    const empty = { AWS_SHARED_CREDENTIALS_FILE: file('empty', '') }
    await finds('an empty file', empty, { check, detail: /no section \[default\]/, remedy })
    const none = { AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none') }
    await finds('no file', none, { check, detail: /cannot be read/, remedy })
    const identity = { AWS_SHARED_CREDENTIALS_FILE: '' }
    const configuration = { check: 'configuration', detail: /AWS_SHARED_CREDENTIALS_FILE/ }
    await finds('no credentials', identity, configuration)
    await finds('two stores', { GCS_BUCKET: 'b-1' }, { check: 'configuration', detail: /exclude/ })
  })

  await t.test('a key that the worker may not use is a fault', async () => {
    const check = 'key seal'
    const token = { VAULT_TOKEN_FILE: file('other-token', 'other') }
    await finds('a wrong token', token, { check: 'key issuing-ca', detail: /token|login|denied/ })
    await finds('no version', { VAULT_SEAL_KEY: 'seal:2' }, { check, detail: /does not exist/ })
    const seal = keys.find(({ name }) => name === 'seal')
    if (!seal) throw new Error('the emulator has no seal')
    seal.isPermitted = false
    await finds('no right', {}, { check, detail: /policy must allow/ })
    seal.isPermitted = true
    seal.minimumEncryptionVersion = 2
    await finds('disabled', {}, { check, detail: /min_encryption_version/ })
    seal.minimumEncryptionVersion = 0
    const swapped = { VAULT_SEAL_KEY: 'tsa:1' }
    await finds('another key', swapped, {
      check,
      detail: /certificate/,
      remedy: /kms-certificates/,
    })
    const configuration = { check: 'configuration', detail: /VAULT_ROLE or VAULT_TOKEN_FILE/ }
    await finds('no identity', { VAULT_TOKEN_FILE: '' }, configuration)
  })

  await t.test('a fault of a service without Google Cloud does not name Google', async () => {
    const notFolder = { VAULT_ADDR: '', SIGNING_KEYS_FOLDER: file('file', '') }
    const vaultKeys = { VAULT_ISSUING_CA_KEY: '', VAULT_SEAL_KEY: '', VAULT_TSA_KEY: '' }
    const change = { ...notFolder, ...vaultKeys, VAULT_TOKEN_FILE: '', KMS_CERTIFICATES: '' }
    await finds('a file as folder', change, { check: 'object store and keys', detail: /\w/ })
  })
})
