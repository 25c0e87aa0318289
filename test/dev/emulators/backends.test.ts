/** The emulators of Google Cloud and a mail server on the local cluster, and their outages. */
import { readdirSync } from 'node:fs'
import t, { type Test } from 'tap'
import { googleAuth } from '../../../adapters/shared/google-auth.ts'
import { KmsClient } from '../../../adapters/kms/client.ts'
import { OidcUploadNotifiers } from '../../../adapters/oidc/upload-notifiers.ts'
import { IdentityTokens } from '../../../adapters/oidc/tokens.ts'
import { GuardedHttp } from '../../../adapters/outbound-http/guarded-http.ts'
import { SmtpMailer } from '../../../adapters/smtp/mailer.ts'
import { systemTimers } from '../../../adapters/shared/system-timers.ts'
import { mailFolderIn, outsideEnvironment, startOutside } from '../../../dev/emulators/backends.ts'
import { bucketOf } from '../../fixtures/bucket.ts'
import { httpReceiver } from '../../fixtures/receiver.ts'
import { until } from '../../fixtures/until.ts'

async function open(t: Test, baseUrl = 'http://127.0.0.1:1') {
  const folder = t.testdir()
  const outside = await startOutside({ folder, baseUrl })
  t.teardown(() => outside.close())
  const environment = outsideEnvironment({ folder, baseUrl }, outside.ports)
  return { folder, outside, environment }
}

t.test('a bucket that is unavailable answers 503 and keeps what it has', async (t) => {
  const { outside, environment } = await open(t)
  const bucket = bucketOf(environment)
  await bucket.putIfAbsent('a', new Uint8Array([1]), 'text/plain')
  outside.setAway('storage', true)
  await t.rejects(bucket.stat('a'), { code: 'TIMEOUT' })
  t.equal(outside.setAway('storage', false), 4, 'every attempt was refused')
  t.match(await bucket.stat('a'), { size: 1 })
  t.equal(outside.setAway('storage', false), 0)
})

t.test('keys that are out of service answer UNAVAILABLE', async (t) => {
  const { outside, environment } = await open(t)
  const keyFile = environment.GOOGLE_APPLICATION_CREDENTIALS
  const endpoint = new URL(environment.KMS_ENDPOINT)
  const client = new KmsClient({ endpoint, auth: googleAuth({ keyFile }) })
  t.teardown(() => client.close())
  outside.setAway('keys', true)
  await t.rejects(client.publicKey(environment.KMS_SEAL_KEY), { code: 'TIMEOUT' })
  t.equal(outside.setAway('keys', false), 4)
  t.match(await client.publicKey(environment.KMS_SEAL_KEY), { algorithm: 'ecdsa-p256-sha256' })
})

t.test('a mail that comes twice lies in the folder once', async (t) => {
  const { folder, outside } = await open(t)
  const place = { host: '127.0.0.1', port: outside.ports.mail, security: 'none' as const }
  const mailer = new SmtpMailer({ ...place, from: 'no-reply@sign.example' })
  t.teardown(() => mailer.close())
  const id = '6f1c0a52-7c0b-5d9e-9c36-1f0b8a2f6d11'
  const people = { fromName: 'Acme', to: { name: 'Jana', address: 'jana@example.com' } }
  const mail = { id, ...people, subject: 'x', text: 'x', html: 'x', language: 'en' as const }
  for (let sent = 0; sent < 2; sent++) await mailer.send(mail)
  t.same(readdirSync(mailFolderIn(folder)), [`${id}.eml`])
  await t.rejects(mailer.send({ ...mail, id: 'none' }), { message: /554/ })
})

t.test(
  'an upload is pushed until it is taken, with a token that the service believes',
  async (t) => {
    const answers = [503, 204]
    const service = await httpReceiver((_request, response) => {
      response.writeHead(answers.shift() ?? 500).end()
    })
    t.teardown(() => service.close())
    const { environment } = await open(t, `http://127.0.0.1:${service.port}`)
    const http = new GuardedHttp({ timers: systemTimers, allowed: ['127.0.0.1/32'] })
    t.teardown(() => http.close())
    const now = () => new Date()
    const notifiers = new OidcUploadNotifiers(new IdentityTokens({ http, now }), {
      audience: environment.PUBSUB_PUSH_AUDIENCE,
      serviceAccount: environment.PUBSUB_PUSH_ACCOUNT,
      issuer: environment.PUBSUB_PUSH_ISSUER,
    })
    const expiresAt = new Date(Date.now() + 60_000)
    const headers = { 'content-type': 'application/pdf' }
    const url = await bucketOf(environment).presignPut('a.pdf', {
      contentType: headers['content-type'],
      expiresAt,
    })
    t.equal((await fetch(url, { method: 'PUT', headers, body: 'x' })).status, 200)
    await until(async () => service.requests.length === 2)
    for (const { url: path, headers: sent, body } of service.requests) {
      t.equal(path, '/notifications/uploads')
      t.ok(await notifiers.isNotifier(String(sent.authorization).replace('Bearer ', '')))
      t.match(JSON.parse(body), { message: { attributes: { objectId: 'a.pdf' } } })
    }
  },
)
