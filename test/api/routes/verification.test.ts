/** Issue 12, H4: anonymous uploads are bounded in size, in number and in all, and expire. */
import t, { type Test } from 'tap'
import type { BoundLimits } from '../../../application/limits/bounds.ts'
import { MAXIMUM_PDF_BYTES } from '../../../domain/limits.ts'
import { sweepVerifications } from '../../../workers/verification/sweep.ts'
import { NOW, testApi, type TestApi } from '../../fixtures/api.ts'
import { boundsOf } from '../../fixtures/bounds.ts'
import { problemsIn } from '../../fixtures/problems.ts'

const MEBIBYTE = 1024 * 1024
/** One more than may be verified, so that the answer of POST /verify is DOCUMENT_TOO_LARGE. */
const MAXIMUM_STORED_BYTES = MAXIMUM_PDF_BYTES + MEBIBYTE
/** NOW is half past. */
const HALF_AN_HOUR_SECONDS = '1800'

const open = (t: Test, limits: Partial<BoundLimits> = {}) =>
  testApi(t, {
    trustedProxies: ['127.0.0.1'],
    bounds: boundsOf(limits, () => new Date(NOW)),
  })

const ask = (api: TestApi, body?: unknown, ip = '192.0.2.1') =>
  api.ask('POST', '/verify/uploads', {
    token: '',
    headers: { 'x-forwarded-for': ip },
    ...(body === undefined ? {} : { body }),
  })

t.test('the URL is for the size that was said, or 26 MB, and names its headers', async (t) => {
  const api = await open(t)
  for (const [body, size] of [
    [undefined, MAXIMUM_STORED_BYTES],
    [{}, MAXIMUM_STORED_BYTES],
    [{ size: 1_234 }, 1_234],
  ] as const) {
    const { statusCode, ...answer } = await ask(api, body)
    t.equal(statusCode, 200)
    const { key, upload } = answer.json()
    t.match(upload, {
      type: 'PUT',
      url: `put:verifications/${key}/upload.pdf application/pdf of ${size} until `,
      headers: { 'Content-Type': 'application/pdf', 'x-size': `0,${size}` },
    })
  }
})

t.test('a size that is none is refused', async (t) => {
  const api = await open(t)
  t.same(await problemsIn(ask(api, { size: 0 })), ['/size minimum'])
  t.same(await problemsIn(ask(api, { size: MAXIMUM_PDF_BYTES + 1 })), ['/size maximum'])
  t.same(await problemsIn(ask(api, { size: '5' })), ['/size type'])
  t.same(await problemsIn(ask(api, { size: 1.5 })), ['/size type'])
})

t.test('an address has so many uploads in an hour, then 429 with the message alone', async (t) => {
  const api = await open(t, { verificationUploadsPerHour: 2 })
  t.equal((await ask(api)).statusCode, 200)
  t.equal((await ask(api)).statusCode, 200)
  const { statusCode, headers, ...refused } = await ask(api)
  t.equal(statusCode, 429)
  t.same(Object.keys(refused.json()), ['message'])
  t.match(refused.json().message, /uploads/)
  t.equal(headers['retry-after'], HALF_AN_HOUR_SECONDS)
  t.equal((await ask(api, {}, '192.0.2.2')).statusCode, 200, 'another address')
  t.equal((await ask(api, {}, '2001:db8::1')).statusCode, 200)
  t.equal((await ask(api, {}, '2001:db8::2')).statusCode, 200)
  t.equal((await ask(api, {}, '2001:db8::3')).statusCode, 429, 'a /64 is one address')
})

t.test('an address has so many bytes in an hour; 25 MB count for a size not said', async (t) => {
  const api = await open(t, { verificationMegabytesPerHour: 30 })
  t.equal((await ask(api)).statusCode, 200)
  t.equal((await ask(api)).statusCode, 429)
  t.equal((await ask(api, { size: 4 * MEBIBYTE + 1 })).statusCode, 200, 'begun megabytes count')
  t.equal((await ask(api, { size: 1 })).statusCode, 429)
})

t.test('all addresses together have a bound, which a refused address does not use', async (t) => {
  const limits = { verificationUploadsPerHour: 1, allVerificationUploadsPerHour: 2 }
  const api = await open(t, limits)
  const from = async (ip: string) => (await ask(api, {}, ip)).statusCode
  t.same([await from('192.0.2.1'), await from('192.0.2.1')], [200, 429])
  t.same([await from('192.0.2.2'), await from('192.0.2.3')], [200, 429])
  const bytes = await open(t, { allVerificationMegabytesPerHour: 50 })
  for (const ip of ['192.0.2.1', '192.0.2.2']) t.equal((await ask(bytes, {}, ip)).statusCode, 200)
  t.equal((await ask(bytes, {}, '192.0.2.3')).statusCode, 429)
})

t.test('an upload that is not verified expires, and is swept away', async (t) => {
  const api = await open(t)
  const { key } = (await ask(api)).json()
  api.objects.upload(`verifications/${key}/upload.pdf`, new Uint8Array(9))
  const sweep = () => sweepVerifications({ objects: api.objects, now: api.timers.now })
  await api.timers.moveTo(api.timers.nowMs() + 59 * 60_000)
  await sweep()
  t.equal(api.objects.under('verifications/').length, 1)
  await api.timers.moveTo(api.timers.nowMs() + 60_000)
  t.equal((await api.ask('POST', '/verify', { token: '', body: { key } })).statusCode, 404)
  await sweep()
  t.same(api.objects.under('verifications/'), [])
})
