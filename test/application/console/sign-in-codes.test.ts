import t from 'tap'
import { createSignInCode, exchangeSignInCode } from '../../../application/console/sign-in-codes.ts'
import type { ConsoleIssuer } from '../../../domain/ports/console-sign-in.ts'
import { MemoryEphemeral } from '../../fixtures/memory-ephemeral.ts'

const issuer: ConsoleIssuer = {
  kind: 'local',
  isTenant: () => true,
  mint: async (tenant) => `token of ${tenant}`,
}
const MINUTE_MS = 60_000

t.test('a code is exchanged once, within two minutes', async (t) => {
  let nowMs = 0
  const ephemeral = new MemoryEphemeral(() => new Date(nowMs))
  const deps = { ephemeral }
  await createSignInCode('acme', 'first', deps)
  await createSignInCode('acme', 'second', deps)
  const exchanged = { tenant: 'acme', token: 'token of acme' }
  t.same(await exchangeSignInCode('first', issuer, deps), exchanged)
  t.equal(await exchangeSignInCode('first', issuer, deps), undefined)
  nowMs += 2 * MINUTE_MS + 1
  t.equal(await exchangeSignInCode('second', issuer, deps), undefined)
})

t.test('of two exchanges at the same time, one gets a token', async (t) => {
  const deps = { ephemeral: new MemoryEphemeral(() => new Date(0)) }
  await createSignInCode('acme', 'code', deps)
  const exchanges = await Promise.all([1, 2].map(() => exchangeSignInCode('code', issuer, deps)))
  t.equal(exchanges.filter((exchanged) => exchanged !== undefined).length, 1)
})
