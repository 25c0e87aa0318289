import { resolve } from 'node:path'
import t from 'tap'
import {
  readGcs,
  readGoogleCredentials,
  readPubSubPush,
} from '../../../runtime/config/google-cloud.ts'
import { EnvironmentReader, type Environment } from '../../../runtime/config/reader.ts'

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
