import t from 'tap'
import { createSignInCode, tradeSignInCode } from '../../../application/console/sign-in-codes.ts'
import type { ConsoleIssuer } from '../../../domain/ports/console-sign-in.ts'
import { MemoryEphemeral } from '../../fixtures/memory-ephemeral.ts'

const issuer: ConsoleIssuer = {
  kind: 'local',
  isTenant: () => true,
  mint: async (tenant) => `token of ${tenant}`,
}
const MINUTE_MS = 60_000

t.test('a code is traded once, within two minutes', async (t) => {
  let nowMs = 0
  const ephemeral = new MemoryEphemeral(() => new Date(nowMs))
  const deps = { ephemeral }
  await createSignInCode('acme', 'first', deps)
  await createSignInCode('acme', 'second', deps)
  const traded = { tenant: 'acme', token: 'token of acme' }
  t.same(await tradeSignInCode('first', issuer, deps), traded)
  t.equal(await tradeSignInCode('first', issuer, deps), undefined)
  nowMs += 2 * MINUTE_MS + 1
  t.equal(await tradeSignInCode('second', issuer, deps), undefined)
})

t.test('of two trades at the same time, one gets a token', async (t) => {
  const deps = { ephemeral: new MemoryEphemeral(() => new Date(0)) }
  await createSignInCode('acme', 'code', deps)
  const trades = await Promise.all([1, 2].map(() => tradeSignInCode('code', issuer, deps)))
  t.equal(trades.filter((traded) => traded !== undefined).length, 1)
})
