import { createHmac } from 'node:crypto'
import t from 'tap'
import { readWebhook, SigcaseError, verifyWebhook } from '../../../clients/typescript/src/index.ts'
import { QUESTIONS } from '../vectors.ts'

const SECRET = 's'.repeat(32)

function signed(body: string): Request {
  const seconds = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex')
  const headers = { 'service-signature': `t=${seconds},v1=${v1}` }
  return new Request('http://localhost/', { method: 'POST', headers, body })
}

t.test('genuine webhooks are distinguished from forged ones', async (t) => {
  t.ok(QUESTIONS.length >= 24)
  for (const { name, isGenuine, body, ...webhook } of QUESTIONS) {
    const rawBody = new TextEncoder().encode(body)
    t.equal(await verifyWebhook({ ...webhook, rawBody }), isGenuine, name)
  }
})

t.test('the accepted age can be changed', async (t) => {
  const [{ secret, header, body, nowSeconds }] = QUESTIONS as [(typeof QUESTIONS)[number]]
  const webhook = { secret, header, rawBody: new TextEncoder().encode(body), toleranceSeconds: 10 }
  t.equal(await verifyWebhook({ ...webhook, nowSeconds: nowSeconds + 10 }), true)
  t.equal(await verifyWebhook({ ...webhook, nowSeconds: nowSeconds + 11 }), false)
})

t.test('a webhook is read from a request', async (t) => {
  const body = JSON.stringify({ id: 'e1', type: 'case-completed', data: { note: 'č' } })
  t.match(await readWebhook(signed(body), SECRET), { id: 'e1', data: { note: 'č' } })
  const invalid = { name: 'SigcaseError', code: 'WEBHOOK_INVALID' }
  await t.rejects(readWebhook(signed(body), `${SECRET}x`), invalid)
  await t.rejects(readWebhook(new Request('http://localhost/'), SECRET), invalid)
})

t.test('a body that no webhook has is not read to its end', async (t) => {
  let pieces = 0
  const body = new ReadableStream({
    pull(controller) {
      pieces += 1
      controller.enqueue(new Uint8Array(64 * 1024))
    },
  })
  const init = { method: 'POST', body, duplex: 'half' }
  const error = await readWebhook(new Request('http://localhost/', init), SECRET).catch(
    (thrown: unknown) => thrown,
  )
  t.ok(error instanceof SigcaseError)
  t.match(error, { code: 'WEBHOOK_INVALID', message: /too large/ })
  t.ok(pieces < 20)
})
