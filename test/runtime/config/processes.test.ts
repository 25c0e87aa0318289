import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import {
  readApiConfig,
  readControllerConfig,
  readWorkerConfig,
} from '../../../runtime/config/processes.ts'
import { SIGNING_VARIABLES } from '../../../runtime/config/kms.ts'
import { readReaderConfig } from '../../../runtime/config/reader-process.ts'
import { ConfigError } from '../../../runtime/config/reader.ts'

const folder = mkdtempSync(join(tmpdir(), 'sigcase-config-'))
const KEYRING_FOLDER = folder
t.teardown(() => rmSync(folder, { recursive: true }))

const COMMON = {
  BASE_URL: 'https://sign.example/',
  REDIS_URL: 'rediss://:secret@redis.example:6380/1',
  KEYRING_FOLDER,
}
const FOLDERS = { OBJECTS_FOLDER: '/o', MAIL_FOLDER: '/m' }
const KEY = 'projects/p/locations/eu/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1'

function faultsOf(read: () => unknown): string {
  try {
    read()
    return ''
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

t.test('folders replace bucket, keys and mail server', async (t) => {
  const environment = { ...COMMON, ...FOLDERS }
  t.match(readApiConfig(environment), {
    baseUrl: 'https://sign.example',
    host: '::',
    port: 8080,
    operationsPort: 9090,
    redis: { prefix: 'sigcase' },
    objects: { folder: '/o' },
    mail: { folder: '/m' },
  })
  const signing = { ...environment, SIGNING_KEYS_FOLDER: '/k' }
  t.match(readWorkerConfig(signing).signingKeys, { folder: '/k' })
  const pod = { POD_NAMESPACE: 'sigcase-system', POD_NAME: 'controller-1' }
  t.match(readControllerConfig({ ...environment, ...pod }), { replica: 'controller-1' })
})

t.test('uploads are reported where Cloud Storage pushes them', async (t) => {
  const pod = { POD_NAMESPACE: 'sigcase-system', POD_NAME: 'controller-1' }
  const push = { PUBSUB_PUSH_AUDIENCE: 'https://sign.example' }
  const bucket = { ...COMMON, ...pod, GCS_BUCKET: 'documents', MAIL_FOLDER: '/m' }
  t.match(readControllerConfig({ ...bucket, ...push }), { areUploadsReported: true })
  t.match(readControllerConfig(bucket), { areUploadsReported: false })
  const elsewhere = { ...COMMON, ...FOLDERS, ...pod, ...push }
  t.match(readControllerConfig(elsewhere), { areUploadsReported: false })
})

t.test('without folders the services are named', async (t) => {
  const environment = {
    ...COMMON,
    GCS_BUCKET: 'documents',
    KMS_ISSUING_CA_KEY: KEY,
    KMS_SEAL_KEY: KEY,
    KMS_CERTIFICATES: folder,
    SMTP_URL: 'smtps://mail.example',
    SMTP_FROM: 'no-reply@sign.example',
  }
  t.match(
    faultsOf(() => readWorkerConfig(environment)),
    'Set KMS_TSA_KEY or TSA_URLS',
  )
  const config = readWorkerConfig({ ...environment, KMS_TSA_KEY: KEY })
  t.match(config.objects, { bucket: 'documents' })
  t.match(config.signingKeys, { keys: { seal: KEY } })
  t.match(config.mail, { host: 'mail.example' })
})

t.test('everything that is missing is reported at once, and no secret', async (t) => {
  const faults = faultsOf(() => readWorkerConfig({ REDIS_URL: 'http://:secret@redis.example' }))
  for (const name of ['BASE_URL', 'REDIS_URL', 'KEYRING_FOLDER', 'GCS_BUCKET', 'SMTP_URL']) {
    t.match(faults, new RegExp(`^  ${name}( is required)?: `, 'm'))
  }
  t.match(faults, "KMS_SEAL_KEY is required: key version of the service's seal")
  t.notMatch(faults, 'secret')
  t.match(
    faultsOf(() => readControllerConfig({ ...COMMON, ...FOLDERS })),
    'POD_NAME is required: ',
  )
})

t.test('the API and the controller take no signing keys', async (t) => {
  const pod = { POD_NAMESPACE: 'sigcase-system', POD_NAME: 'controller-1' }
  const environment = { ...COMMON, ...FOLDERS, ...pod }
  t.equal(
    faultsOf(() => readApiConfig(environment)),
    '',
  )
  for (const name of SIGNING_VARIABLES) {
    const more = { ...environment, [name]: KEY }
    for (const read of [readApiConfig, readControllerConfig]) {
      t.match(
        faultsOf(() => read(more)),
        `${name}: only workers sign`,
      )
    }
  }
})

t.test('only the API accepts requests for a while before it ends', async (t) => {
  const pod = { POD_NAMESPACE: 'sigcase-system', POD_NAME: 'controller-1' }
  const environment = { ...COMMON, ...FOLDERS, ...pod, SIGNING_KEYS_FOLDER: '/k' }
  const { SIGNING_KEYS_FOLDER: _keys, ...withoutKeys } = environment
  const graceMs = 28_000
  t.same(readApiConfig(withoutKeys).shutdown, { delayMs: 10_000, graceMs })
  t.same(readControllerConfig(withoutKeys).shutdown, { delayMs: 0, graceMs })
  t.same(readWorkerConfig(environment).shutdown, { delayMs: 0, graceMs })
  const times = { SHUTDOWN_DELAY_MS: '1', SHUTDOWN_GRACE_MS: '2' }
  t.same(readApiConfig({ ...withoutKeys, ...times }).shutdown, { delayMs: 1, graceMs: 2 })
  t.same(readWorkerConfig({ ...environment, ...times }).shutdown, { delayMs: 0, graceMs: 2 })
})

t.test('a worker and the reader beside it meet at a socket', async (t) => {
  const socket = { READER_SOCKET: '/run/reader.sock' }
  const shutdown = { delayMs: 0, graceMs: 28_000 }
  t.same(readReaderConfig(socket), { socket: '/run/reader.sock', logLevel: 'info', shutdown })
  t.match(
    faultsOf(() => readReaderConfig({})),
    'READER_SOCKET',
  )
  const environment = { ...COMMON, ...FOLDERS, SIGNING_KEYS_FOLDER: '/k' }
  t.equal(readWorkerConfig({ ...environment, ...socket }).readerSocket, '/run/reader.sock')
  t.notOk('readerSocket' in readWorkerConfig(environment))
})
