/** Wrapped stores of cases. */
import t from 'tap'
import { overrideStore } from '../../../application/cases/override-store.ts'
import type { CaseStore } from '../../../domain/ports/stores.ts'

const METHODS = [
  'create',
  'get',
  'replaceSpec',
  'replaceStatus',
  'delete',
  'list',
  'watch',
] as const satisfies readonly (keyof CaseStore)[]

/** A store whose methods return their name and their arguments. */
const echo = Object.fromEntries(
  METHODS.map((name) => [name, (...args: unknown[]) => [name, ...args.filter(Boolean)]]),
) as unknown as CaseStore

t.test('what is not replaced is passed on with its arguments', async (t) => {
  const store = overrideStore(echo, {}) as unknown as Record<
    string,
    (...args: unknown[]) => unknown
  >
  for (const name of METHODS) t.same(store[name]?.('first'), [name, 'first'])
  for (const name of ['delete', 'replaceStatus'] as const) {
    t.same(store[name]?.('first', 'second'), [name, 'first', 'second'])
  }
})

t.test('a replaced method is used instead of that of the store', async (t) => {
  const key = { tenant: 'acme', caseId: 'one' }
  const store = overrideStore(echo, { get: async () => undefined })
  t.equal(await store.get(key), undefined)
  t.same(store.list({ limit: 1 }), ['list', { limit: 1 }])
})
