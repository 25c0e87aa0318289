import { resolve } from 'node:path'
import t from 'tap'
import { EnvironmentReader, type Environment } from '../../../runtime/config/reader.ts'
import { readS3 } from '../../../runtime/config/s3.ts'

function read(environment: Environment) {
  const reader = new EnvironmentReader(environment)
  return { value: readS3(reader), faults: reader.faults }
}

const FILE = { AWS_SHARED_CREDENTIALS_FILE: 'credentials' }
const BUCKET = { S3_BUCKET: 'cases-of-acme' }

t.test('without its bucket the store is not used', async (t) => {
  t.same(read(FILE), { value: undefined, faults: [] })
})

t.test('Amazon S3 is where its region says, and links lead to it', async (t) => {
  t.same(read({ ...BUCKET, ...FILE, S3_REGION: 'eu-central-1' }), {
    value: {
      bucket: 'cases-of-acme',
      region: 'eu-central-1',
      addressing: 'path',
      endpoint: 'https://s3.eu-central-1.amazonaws.com',
      publicEndpoint: 'https://s3.eu-central-1.amazonaws.com',
      identity: { file: resolve('credentials') },
    },
    faults: [],
  })
})

t.test('another store has its own origin, and another one in links', async (t) => {
  const endpoints = {
    S3_ENDPOINT: 'http://store.storage.svc:9000',
    S3_PUBLIC_ENDPOINT: 'https://objects.example.com/',
    S3_ADDRESSING: 'host',
  }
  t.match(read({ ...BUCKET, ...FILE, ...endpoints }).value, {
    addressing: 'host',
    endpoint: 'http://store.storage.svc:9000',
    publicEndpoint: 'https://objects.example.com',
  })
  const wrong = { ...BUCKET, ...FILE, S3_ADDRESSING: 'dns', S3_ENDPOINT: 'https://a.example/path' }
  t.match(read(wrong).faults, [/^S3_ENDPOINT: /, /^S3_ADDRESSING: .* one of path, host/])
})

t.test('a role needs the token of the pod', async (t) => {
  const role = { AWS_ROLE_ARN: 'arn:aws:iam::1:role/a', AWS_WEB_IDENTITY_TOKEN_FILE: '/token' }
  t.match(read({ ...BUCKET, ...role }).value?.identity, {
    tokenFile: '/token',
    role: 'arn:aws:iam::1:role/a',
    endpoint: 'https://sts.us-east-1.amazonaws.com',
  })
  t.match(read(BUCKET).faults, [/^Set AWS_SHARED_CREDENTIALS_FILE, or AWS_WEB_IDENTITY_TOKEN/])
  t.equal(read({ ...BUCKET, AWS_ROLE_ARN: 'x' }).faults.length, 1)
})

t.test('a second bucket is refused', async (t) => {
  const { faults } = read({ ...BUCKET, ...FILE, GCS_BUCKET: 'other' })
  t.same(faults, ['S3_BUCKET and GCS_BUCKET exclude each other: set one of them'])
})
