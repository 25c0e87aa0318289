/** The variables about Google Cloud, Cloud KMS and mail: what they give, and what is refused. */
import { join, resolve } from 'node:path'
import t from 'tap'
import {
  readGcs,
  readGoogleCredentials,
  readPubSubPush,
} from '../../../runtime/config/google-cloud.ts'
import { readKms } from '../../../runtime/config/kms.ts'
import { EnvironmentReader, type Environment } from '../../../runtime/config/reader.ts'
import { readSmtp } from '../../../runtime/config/smtp.ts'
import { root } from '../../fixtures/pki.ts'
import { pem } from '../../pades/cms/openssl.ts'

const VERSION = 'projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1'

function read<T>(from: (reader: EnvironmentReader) => T, environment: Environment) {
  const reader = new EnvironmentReader(environment)
  return { value: from(reader), faults: reader.faults }
}

t.test('a bucket is needed, and Google is where it is', async (t) => {
  t.same(read(readGcs, { GCS_BUCKET: 'cases-of-acme' }), {
    value: {
      bucket: 'cases-of-acme',
      endpoint: 'https://storage.googleapis.com',
      signingEndpoint: 'https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/',
    },
    faults: [],
  })
  t.match(read(readGcs, {}).faults, [/^GCS_BUCKET is required: /])
  t.match(read(readGcs, { GCS_BUCKET: 'Not a bucket' }).faults, [/^GCS_BUCKET: ".+" is not/])
  t.same(read(readGoogleCredentials, {}).value, {})
  const keyFile = { GOOGLE_APPLICATION_CREDENTIALS: 'key.json' }
  t.same(read(readGoogleCredentials, keyFile).value, { keyFile: resolve('key.json') })
})

t.test('pushes are believed when audience and account are named', async (t) => {
  const both = { PUBSUB_PUSH_AUDIENCE: 'https://sign.example', PUBSUB_PUSH_ACCOUNT: 'p@x.example' }
  t.same(read(readPubSubPush, both).value, {
    audience: 'https://sign.example',
    serviceAccount: 'p@x.example',
    issuer: 'https://accounts.google.com',
  })
  t.equal(read(readPubSubPush, {}).value, undefined)
  t.equal(read(readPubSubPush, { PUBSUB_PUSH_AUDIENCE: 'x' }).faults.length, 1)
})

t.test('keys are pinned versions', async (t) => {
  const needed = {
    KMS_ISSUING_CA_KEY: VERSION,
    KMS_SEAL_KEY: VERSION,
    KMS_CERTIFICATES: '/etc/sigcase/certificates',
  }
  const { value, faults } = read(readKms, { ...needed, KMS_TSA_KEY: VERSION })
  t.same(faults, [])
  t.same(value.keys, {
    'issuing-ca': VERSION,
    seal: VERSION,
    'time-stamp-authority': VERSION,
  })
  t.equal(value.endpoint.origin, 'https://cloudkms.googleapis.com')
  t.match(read(readKms, {}).faults, [/^KMS_ISSUING_CA_KEY/, /^KMS_SEAL_KEY/, /^KMS_CERTIFICATES/])
  const unpinned = { ...needed, KMS_SEAL_KEY: VERSION.replace(/\/cryptoKeyVersions.*/, '') }
  t.match(read(readKms, unpinned).faults, [/^KMS_SEAL_KEY: ".+" is not projects/])
})

t.test('mail goes over TLS, and passwords never without it', async (t) => {
  const folder = t.testdir({ 'ca.pem': pem(root.certificate) })
  const from = { SMTP_FROM: 'no-reply@sign.example' }
  const login = { SMTP_USER: 'u', SMTP_PASSWORD: 'a-secret-password' }
  const whole = { SMTP_URL: 'smtps://mail.example', ...from, ...login }
  const { value } = read(readSmtp, { ...whole, SMTP_CA_FILE: join(folder, 'ca.pem') })
  t.match(value, {
    host: 'mail.example',
    port: 465,
    security: 'tls',
    credentials: { user: 'u', password: 'a-secret-password' },
    from: 'no-reply@sign.example',
    authorities: /BEGIN CERTIFICATE/,
  })
  t.match(read(readSmtp, { SMTP_URL: 'smtp://mail.example', ...from }).value, { port: 587 })
  t.match(read(readSmtp, { SMTP_URL: 'smtp+plain://[::1]:2525', ...from }).value, {
    host: '::1',
    port: 2525,
    security: 'none',
  })
  for (const wrong of [
    {},
    { ...from },
    { ...whole, SMTP_FROM: 'nobody' },
    { ...whole, SMTP_PASSWORD: '' },
    { ...whole, SMTP_URL: 'smtp+plain://mail.example' },
    { ...whole, SMTP_URL: 'smtps://u:a-secret-password@mail.example' },
    { ...whole, SMTP_CA_FILE: join(folder, 'missing.pem') },
  ]) {
    const { faults } = read(readSmtp, wrong)
    t.ok(faults.length > 0, JSON.stringify(wrong))
    t.notMatch(faults.join(), 'a-secret-password')
  }
})
