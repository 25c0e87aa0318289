/** A new case is sent as well where the browser offers neither digests nor UUIDs (plain HTTP). */
import t from 'tap'
import type { TenantClient } from '../../../web/console/api.ts'
import { newDraft } from '../../../web/console/draft.ts'
import { sendCase } from '../../../web/console/send-case.ts'
import { runAction } from '../../../web/console/use-action.ts'
import { randomId } from '../../../web/lib/random-id.ts'

t.test('the same draft has the same key, another draft another', async (t) => {
  const secure = globalThis.crypto
  const insecure = { getRandomValues: secure.getRandomValues.bind(secure) }
  t.intercept(globalThis, 'crypto', { value: insecure, configurable: true })
  const keys: (string | undefined)[] = []
  const ask = async (_method: string, _path: string, { headers }: { headers: object }) => {
    keys.push((headers as Record<string, string>)['idempotency-key'])
    return { kind: 'unreachable' }
  }
  const client = { ask } as unknown as TenantClient
  const [one, other] = [randomId(), randomId()]
  const draft = newDraft(new Date(0), one, 'en')
  const bytes = new Uint8Array()
  await sendCase(client, draft, bytes, one)
  await sendCase(client, { ...draft, title: 'Changed' }, bytes, one)
  await sendCase(client, draft, bytes, one)
  await sendCase(client, draft, bytes, other)
  t.match(keys[0], /^[0-9a-f]{32}$/)
  t.equal(keys[2], keys[0])
  t.equal(new Set(keys).size, 3)
})

t.test('a request that throws is an outcome', async (t) => {
  const failing = () => Promise.reject(new TypeError('not in this browser'))
  t.same(await runAction(failing), { kind: 'unreachable' })
})
