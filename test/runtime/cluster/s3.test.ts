/** The configuration of an S3-compatible store opens it, and says where links lead. */
import { join } from 'node:path'
import t from 'tap'
import { openObjects } from '../../../runtime/cluster/outside-services.ts'
import { linkOrigin } from '../../../runtime/cluster/s3.ts'
import { EnvironmentReader } from '../../../runtime/config/reader.ts'
import { readS3 } from '../../../runtime/config/s3.ts'
import { emulatedS3 } from '../../../dev/emulators/s3/server.ts'
import { emulatedServer } from '../../../dev/emulators/http.ts'

const ACCOUNT = { accessKeyId: 'ASIAEXAMPLE', secretAccessKey: 'secret', sessionToken: 'session' }
const expiresAt = new Date(Date.now() + 60_000)

t.test('a pod exchanges its token and uses the bucket', async (t) => {
  const region = 'eu-test-1'
  const s3 = await emulatedS3({ bucket: 'cases', region, account: ACCOUNT })
  const expires = new Date(Date.now() + 3_600_000).toISOString()
  const session =
    `<Credentials><AccessKeyId>${ACCOUNT.accessKeyId}</AccessKeyId><SecretAccessKey>secret` +
    `</SecretAccessKey><SessionToken>session</SessionToken><Expiration>${expires}</Expiration>` +
    '</Credentials>'
  const tokens = await emulatedServer(() => ({ status: 200, body: session }))
  t.teardown(() => Promise.all([s3.close(), tokens.close()]))
  const environment = {
    S3_BUCKET: 'cases',
    S3_REGION: region,
    S3_ENDPOINT: s3.origin,
    S3_STS_ENDPOINT: tokens.origin,
    AWS_ROLE_ARN: 'arn:aws:iam::1:role/sigcase',
    AWS_WEB_IDENTITY_TOKEN_FILE: join(t.testdir({ token: 'token' }), 'token'),
  }
  const objects = readS3(new EnvironmentReader(environment))!
  const config = { objects, baseUrl: 'https://sign.example', google: {} }
  const store = openObjects(config as never, undefined as never, () => new Date())
  t.teardown(() => (store as { close?: () => Promise<void> }).close?.())
  t.ok(await store.putIfAbsent('key', new TextEncoder().encode('x'), 'text/plain'))
  const url = await store.presignGet('key', { expiresAt })
  t.equal(await (await fetch(url)).text(), 'x', 'a link carries the token of the session')
  t.equal(new URL(url).origin, linkOrigin(objects))
})

t.test('links of a bucket in the host lead to the host of the bucket', async (t) => {
  const environment = {
    S3_BUCKET: 'cases',
    S3_ADDRESSING: 'host',
    S3_PUBLIC_ENDPOINT: 'https://objects.example.com:8443',
    AWS_SHARED_CREDENTIALS_FILE: 'credentials',
  }
  const objects = readS3(new EnvironmentReader(environment))!
  t.equal(linkOrigin(objects), 'https://cases.objects.example.com:8443')
})
