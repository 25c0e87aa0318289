/** Cloud KMS answers as its documentation says, and as proxies answer in its place. */
import { join } from 'node:path'
import process from 'node:process'
import t, { type Test } from 'tap'
import { googleAuth } from '../../../adapters/shared/google-auth.ts'
import { KmsClient } from '../../../adapters/kms/client.ts'
import { EmulatedIdentity } from '../../../dev/emulators/google-identity.ts'
import {
  HTML,
  JSON_TYPE,
  metadataServer,
  PROXY_PAGE,
  vendor,
  withoutNock,
  type Vendor,
} from '../../fixtures/vendor.ts'

t.setTimeout(600_000)

const ORIGIN = 'https://cloudkms.googleapis.com'
const VERSION = 'projects/p/locations/l/keyRings/r/cryptoKeys/seal/cryptoKeyVersions/1'
const TIMEOUT = { name: 'ServiceError', code: 'TIMEOUT' }
const ATTEMPTS = 4
const identity = new EmulatedIdentity()
process.env.GCE_METADATA_HOST = 'metadata.google.internal'
const skip = { skip: withoutNock }

function open(t: Test, by: 'key' | 'workload identity' = 'key') {
  const google = vendor(t)
  const keyFile = join(t.testdir({ 'key.json': identity.keyFile() }), 'key.json')
  const auth = googleAuth(by === 'key' ? { keyFile } : {})
  const client = new KmsClient({ endpoint: new URL(ORIGIN), auth })
  t.teardown(() => client.close())
  const sign = () => client.sign(VERSION, 'ecdsa-p256-sha256', new Uint8Array(3))
  return { google, sign }
}

const request = ({ at }: Vendor) => at(ORIGIN).post(`/v1/${VERSION}:asymmetricSign`).query(true)

/** An error as Google's APIs write it (AIP-193). */
const failure = (code: number, status: string, details: object[] = []) => ({
  error: { code, status, message: status, details },
})

const retryInfo = (retryDelay: string) => ({
  '@type': 'type.googleapis.com/google.rpc.RetryInfo',
  retryDelay,
})
const QUOTA = {
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason: 'RATE_LIMIT_EXCEEDED',
  domain: 'googleapis.com',
  metadata: { quota_metric: 'cloudkms.googleapis.com/hsm_asymmetric_requests' },
}

t.test('a page of a proxy says nothing about the key', skip, async (t) => {
  for (const status of [200, 308, 400, 403, 404, 503]) {
    const { google, sign } = open(t)
    request(google).times(ATTEMPTS).reply(status, PROXY_PAGE, HTML)
    await t.rejects(sign(), TIMEOUT, `${status}`)
    t.same(google.unmatched, [])
  }
})

t.test('an answer that ends too early or lacks its checksums is not used', skip, async (t) => {
  for (const body of ['{"name":"proj', '{}', '[]', '{"signature":"MAA="}']) {
    const { google, sign } = open(t)
    request(google).times(ATTEMPTS).reply(200, body, JSON_TYPE)
    await t.rejects(sign(), TIMEOUT, body)
    t.same(google.unmatched, [])
  }
})

t.test('a quota error is waited for as long as Cloud KMS asks', skip, async (t) => {
  const { google, sign } = open(t)
  const exhausted = failure(429, 'RESOURCE_EXHAUSTED', [QUOTA, retryInfo('1s')])
  const startedMs = performance.now()
  request(google).reply(429, exhausted, JSON_TYPE)
  request(google).reply(404, failure(404, 'NOT_FOUND'), JSON_TYPE)
  await t.rejects(sign(), { name: 'KmsRefusedError', code: 'SIGNING_KEY_MISSING' })
  t.ok(performance.now() - startedMs >= 990)
  t.same(google.unmatched, [])
})

t.test('a longer wait is the caller’s', skip, async (t) => {
  const { google, sign } = open(t)
  request(google).reply(429, failure(429, 'RESOURCE_EXHAUSTED', [retryInfo('45.5s')]), JSON_TYPE)
  await t.rejects(sign(), { ...TIMEOUT, details: { retryAfterSeconds: 46 } })
  t.same(google.unmatched, [], 'asked once')
})

t.test('409 ABORTED and 503 pass, 400 and the rights do not', skip, async (t) => {
  for (const [code, status] of [
    [409, 'ABORTED'],
    [503, 'UNAVAILABLE'],
  ] as const) {
    const { google, sign } = open(t)
    request(google).times(ATTEMPTS).reply(code, failure(code, status), JSON_TYPE)
    await t.rejects(sign(), TIMEOUT, status)
    t.same(google.unmatched, [])
  }
  for (const [code, status, refusal] of [
    [400, 'FAILED_PRECONDITION', 'SIGNING_KEY_DISABLED'],
    [403, 'PERMISSION_DENIED', 'SIGNING_KEY_DENIED'],
  ] as const) {
    const { google, sign } = open(t)
    request(google).reply(code, failure(code, status), JSON_TYPE)
    await t.rejects(sign(), { name: 'KmsRefusedError', code: refusal })
    t.same(google.unmatched, [], 'asked once')
  }
})

t.test('an access token that Cloud KMS refuses is replaced once', skip, async (t) => {
  const { google, sign } = open(t, 'workload identity')
  metadataServer(google)
  const seen: (string | null)[] = []
  request(google)
    .times(2)
    .reply((asked: Request) => {
      seen.push(asked.headers.get('authorization'))
      return [401, JSON.stringify(failure(401, 'UNAUTHENTICATED')), JSON_TYPE]
    })
  await t.rejects(sign(), {
    name: 'KmsRefusedError',
    code: 'SIGNING_CREDENTIALS_REFUSED',
    message: /check the account, its key and the clock/,
  })
  t.same(seen, ['Bearer token-1', 'Bearer token-2'])
  t.same(google.unmatched, [])
})

t.test('connections that break are opened again', skip, async (t) => {
  const { google, sign } = open(t)
  const reset = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
  request(google).times(ATTEMPTS).replyWithError(reset)
  await t.rejects(sign(), TIMEOUT)
  t.same(google.unmatched, [])
})
