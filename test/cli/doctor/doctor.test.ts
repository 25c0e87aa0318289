/** `sigcase doctor` finds seeded faults of an installation, and names the remedy of each. */
import { once } from 'node:events'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { LIFECYCLE_RULES } from '../../../adapters/gcs/lifecycle.ts'
import { makeMissingKeySets } from '../../../adapters/embedded/key-sets.ts'
import { freePorts } from '../../../adapters/shared/free-ports.ts'
import { examine } from '../../../cli/doctor/doctor.ts'
import type { ProcessName } from '../../../cli/doctor/finding.ts'
import { clockCheck } from '../../../cli/doctor/network.ts'
import { outsideEnvironment, startOutside } from '../../../dev/emulators/backends.ts'
import { RedisServer, withoutRedis } from '../../fixtures/redis-server.ts'
import { runTool } from '../../fixtures/run-tool.ts'
import { faultsOf, kubeconfigFor, startApiServer, type Environment } from './ground.ts'

t.setTimeout(300_000)
const NOTIFICATION = {
  id: '1',
  event_types: ['OBJECT_FINALIZE'],
  object_name_prefix: 'tenants/',
}
/** A port on which nothing listens. */
const freePort = async () => (await freePorts(1))[0] as number

t.test('seeded faults of a cluster', { skip: withoutRedis }, async (t) => {
  const folder = t.testdir()
  const api = await startApiServer()
  const outside = await startOutside({ folder, baseUrl: api.url })
  const redis = await RedisServer.start()
  t.teardown(async () => {
    api.close()
    await Promise.all([outside.close(), redis.close()])
  })
  writeFileSync(join(folder, 'kubeconfig'), JSON.stringify(kubeconfigFor(api.url)))
  makeMissingKeySets(join(folder, 'keyring'))
  const worker: Environment = {
    ...outsideEnvironment({ folder, baseUrl: api.url }, outside.ports),
    BASE_URL: api.url,
    KUBECONFIG: join(folder, 'kubeconfig'),
    KEYRING_FOLDER: join(folder, 'keyring'),
    REDIS_URL: redis.url,
    EGRESS_ALLOW: '127.0.0.1/32',
  }
  const issuing = await runTool(
    'cli/kms-certificates.ts',
    [
      '--organisation',
      'Acme',
      '--root-key',
      join(folder, 'root.key'),
      join(folder, 'certificates'),
    ],
    { env: worker as Record<string, string> },
  )
  t.equal(issuing.code, 0, issuing.stderr)
  outside.storage.bucket.lifecycle = { rule: [...LIFECYCLE_RULES] }
  outside.storage.bucket.notifications = [NOTIFICATION]

  /** Expects exactly one finding that is not good. */
  const finds = async (
    title: string,
    change: Environment,
    expected: { check: string; detail?: RegExp | string; remedy?: RegExp | string },
    name: ProcessName = 'worker',
    webhook?: string,
  ) => {
    const found = faultsOf(await examine(name, { ...worker, ...change }, webhook))
    t.match(found, [expected], title)
    t.equal(found.length, 1, `${title}: ${JSON.stringify(found)}`)
    t.match(found[0]?.remedy ?? '', /\w{4}/, 'it names a remedy')
  }

  await t.test('a sound installation has no fault, as each process sees it', async (t) => {
    const signing = { KMS_ISSUING_CA_KEY: '', KMS_SEAL_KEY: '', KMS_TSA_KEY: '' }
    const unsigned = { ...signing, KMS_CERTIFICATES: '', KMS_ENDPOINT: '' }
    const pod = { POD_NAMESPACE: 'sigcase', POD_NAME: 'controller-1' }
    t.same(faultsOf(await examine('worker', worker)), [])
    t.same(faultsOf(await examine('controller', { ...worker, ...unsigned, ...pod })), [])
    t.same(faultsOf(await examine('api', { ...worker, ...unsigned })), [])
  })

  await t.test('a missing or wrong variable is named', async () => {
    const check = 'configuration'
    await finds('no URL', { BASE_URL: '' }, { check, detail: /^BASE_URL/ })
    await finds('no Redis', { REDIS_URL: '' }, { check, detail: /^REDIS_URL/ })
    await finds('a wrong bucket name', { GCS_BUCKET: 'A bucket' }, { check, detail: /GCS_BUCKET/ })
    await finds('no folder', { KEYRING_FOLDER: '/none' }, { check, detail: /KEYRING_FOLDER/ })
    await finds('no sender', { SMTP_FROM: '' }, { check, detail: /SMTP_FROM/ })
    const tsa = 'http://127.0.0.1:1/'
    await finds('no roots', { TSA_URLS: tsa }, { check, detail: /TSA_ROOTS/ })
    const api = { KMS_SEAL_KEY: '', KMS_TSA_KEY: '', KMS_CERTIFICATES: '', KMS_ENDPOINT: '' }
    await finds('an API with keys', api, { check, detail: /KMS_ISSUING_CA_KEY/ }, 'api')
  })

  await t.test('Redis: one that is away, evicts keys or needs a password is a fault', async (t) => {
    const away = { REDIS_URL: `redis://127.0.0.1:${await freePort()}` }
    await finds('away', away, { check: 'Redis', detail: /ECONNREFUSED/, remedy: /REDIS_URL/ })
    const evicting = await RedisServer.start('--maxmemory-policy', 'allkeys-lru')
    const closed = await RedisServer.start('--requirepass', 'secret')
    t.teardown(() => Promise.all([evicting.close(), closed.close()]))
    await finds('evicts', { REDIS_URL: evicting.url }, { check: 'Redis', remedy: /noeviction/ })
    await finds('password', { REDIS_URL: closed.url }, { check: 'Redis', detail: /NOAUTH|auth/i })
  })

  await t.test('the API server: missing resources and missing rights are faults', async () => {
    const group = '/apis/sigcase.dev/v1'
    api.setRefusal({ path: group, status: 404, reason: 'NotFound' })
    await finds('no CRDs', {}, { check: 'custom resources', remedy: /crds/ })
    api.setRefusal({ path: `${group}/tenants`, status: 403, reason: 'Forbidden' })
    await finds('no rights', {}, { check: 'rights', remedy: /bind the role/ })
    api.setRefusal({ path: '/healthz', status: 502, reason: 'BadGateway' })
    await finds('a wrong URL', {}, { check: 'public URL', remedy: /BASE_URL/ })
    api.setRefusal(undefined)
  })

  await t.test('files that cannot be read', async () => {
    const none = join(folder, 'none')
    await finds('kubeconfig', { KUBECONFIG: none }, { check: 'API server', detail: /ENOENT/ })
    const google = { check: 'Google identity', remedy: /workload identity/ }
    await finds('no key', { GOOGLE_APPLICATION_CREDENTIALS: none }, google)
  })

  await t.test('a receiver of webhooks is checked where they are sent', async (t) => {
    const url = 'https://hooks.example'
    await t.rejects(examine('controller', worker, url), { name: 'UsageError' })
  })

  await t.test(
    'a key that cannot sign, and a missing certificate or key set, are faults',
    async () => {
      const seal = { check: 'key seal' }
      outside.changeKey('KMS_SEAL_KEY', { state: 'DISABLED' })
      await finds('disabled', {}, { ...seal, detail: /disabled/ })
      outside.changeKey('KMS_SEAL_KEY', { state: 'ENABLED', isPermitted: false })
      await finds('denied', {}, { ...seal, detail: /signerVerifier/ })
      outside.changeKey('KMS_SEAL_KEY', { isPermitted: true })
      const certificate = join(folder, 'certificates', 'seal.pem')
      renameSync(certificate, `${certificate}.away`)
      await finds('no certificate', {}, { ...seal, remedy: /kms-certificates/ })
      renameSync(`${certificate}.away`, certificate)
      rmSync(join(folder, 'keyring', 'audit-trail.json'))
      await finds('a missing key set', {}, { check: 'keyring', detail: /audit-trail/ })
      makeMissingKeySets(join(folder, 'keyring'))
    },
  )

  await t.test('bucket, mail and webhooks', async () => {
    outside.storage.bucket.lifecycle = { rule: [] }
    await finds('no rules', {}, { check: 'rules of the bucket', remedy: /gcs-lifecycle/ })
    outside.storage.bucket.lifecycle = { rule: [...LIFECYCLE_RULES] }
    const smtp = { SMTP_URL: `smtp+plain://127.0.0.1:${await freePort()}` }
    await finds('no mail server', smtp, { check: 'mail server', detail: /ESOCKET/ })
    const hook = { check: 'webhook receiver', remedy: /EGRESS_ALLOW/ }
    await finds('private', { EGRESS_ALLOW: '' }, hook, 'worker', `${api.url}/hook`)
  })

  await t.test('uploads by Pub/Sub, the console and traces', async () => {
    const unsigned = { KMS_ISSUING_CA_KEY: '', KMS_SEAL_KEY: '', KMS_TSA_KEY: '' }
    const asApi = { ...unsigned, KMS_CERTIFICATES: '', KMS_ENDPOINT: '' }
    const push = {
      ...asApi,
      PUBSUB_PUSH_AUDIENCE: api.url,
      PUBSUB_PUSH_ACCOUNT: 'push@p.iam.gserviceaccount.com',
      PUBSUB_PUSH_ISSUER: api.url,
    }
    const uploads = { check: 'notifications of the bucket', remedy: /set-up-google-cloud/ }
    outside.storage.bucket.notifications = []
    await finds('no notifications', push, uploads, 'api')
    const foreign = { ...NOTIFICATION, event_types: ['OBJECT_DELETE'] }
    outside.storage.bucket.notifications = [foreign]
    await finds('notifications of something else', push, uploads, 'api')
    outside.storage.bucket.notifications = [NOTIFICATION]
    t.same(faultsOf(await examine('api', { ...worker, ...push })), [])
    const other = { ...push, PUBSUB_PUSH_ISSUER: `${api.url}/other` }
    const issuer = { check: 'issuer of Pub/Sub', remedy: /PUBSUB_PUSH_ISSUER/ }
    await finds('another issuer', other, { ...issuer, detail: /names http/ }, 'api')
    const site = { ...asApi, CONSOLE_OIDC_CLIENT_ID: 'console', CONSOLE_OIDC_ISSUER: api.url }
    t.same(faultsOf(await examine('api', { ...worker, ...site })), [])
    const unpushed = { PUBSUB_PUSH_AUDIENCE: '', PUBSUB_PUSH_ACCOUNT: '' }
    const blocked = { ...site, ...unpushed, EGRESS_ALLOW: '' }
    const console = { check: 'issuer of the console', remedy: /EGRESS_ALLOW/ }
    await finds('an issuer at a private address', blocked, console, 'api')
    const away = `http://127.0.0.1:${await freePort()}`
    await finds(
      'no collector',
      { OTEL_EXPORTER_OTLP_ENDPOINT: away },
      {
        check: 'collector of traces',
        detail: /does not answer .*ECONNREFUSED/,
        remedy: /4318/,
      },
    )
    t.same(
      faultsOf(await examine('worker', { ...worker, OTEL_EXPORTER_OTLP_ENDPOINT: api.url })),
      [],
    )
  })

  await t.test('a clock that is a minute off is a fault', async (t) => {
    const statedMs = Date.parse('2026-11-23T08:00:00Z')
    const server = createServer((_, response) => {
      response.setHeader('date', new Date(statedMs).toUTCString()).end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    t.teardown(() => server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const findingAt = (nowMs: number) => clockCheck(url, () => nowMs).ask()
    t.match(await findingAt(statedMs + 900), { outcome: 'ok' })
    const behind = await findingAt(statedMs - 60_000)
    t.match(behind, { outcome: 'failed', detail: /60 s behind/, remedy: /NTP/ })
    const ahead = await findingAt(statedMs + 60_000)
    t.match(ahead, { outcome: 'failed', detail: /60 s ahead/, remedy: /NTP/ })
  })
})

t.test('the service on one machine', async (t) => {
  const away = { DATA_DIR: join(t.testdir(), 'none'), PORT: String(await freePort()) }
  const found = faultsOf(await examine('embedded', away))
  t.match(found, [
    { check: 'data directory', outcome: 'warning', remedy: /npm start/ },
    { check: 'public URL', outcome: 'failed', remedy: /start it first/ },
  ])
})
