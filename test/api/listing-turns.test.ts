/** Pages of cases are read one at a time for each tenant. */
import t from 'tap'
import { testApi } from '../fixtures/api.ts'
import { MemoryCaseStore } from '../fixtures/memory-cases.ts'
import { until } from '../fixtures/until.ts'

/** More than may wait for a tenant, beside the one that runs. */
const FLOOD = 102
/** For requests that wait while a busy machine does other things. */
const PATIENCE_MS = 600_000

/** Lists cases once the test says so. */
class HeldCaseStore extends MemoryCaseStore {
  readonly tenants: string[] = []
  readonly #ends: (() => void)[] = []
  #isOpen = false

  override async list(asked: Parameters<MemoryCaseStore['list']>[0]) {
    this.tenants.push(asked.tenant ?? '')
    if (!this.#isOpen) await new Promise<void>((resolve) => this.#ends.push(resolve))
    return super.list(asked)
  }

  open(): void {
    this.#isOpen = true
    for (const end of this.#ends) end()
  }
}

t.test('a tenant that asks for many pages at once delays only itself', async (t) => {
  const cases = new HeldCaseStore()
  const api = await testApi(t, { cases, requestBudgetMs: PATIENCE_MS })
  const list = async (tenant: string) =>
    api.ask('GET', '/cases', { token: await api.tenantToken(tenant) })
  const query = { query: '{ cases { cases { id } } }' }
  const answers = Array.from({ length: FLOOD }, () => list('acme'))
  const refused = await Promise.race(answers)
  t.equal(refused.statusCode, 503)
  t.match(refused.json(), { code: 'TIMEOUT', retryAfterSeconds: 2 })
  const byGraphql = await api.ask('POST', '/graphql', { body: query })
  t.match(byGraphql.json(), { errors: [{ extensions: { code: 'TIMEOUT' } }] }, 'the same turns')
  t.same(cases.tenants, ['acme'])
  const other = list('other')
  await until(() => cases.tenants.length > 1)
  t.same(cases.tenants, ['acme', 'other'], 'the page of another tenant does not wait')
  cases.open()
  t.equal((await other).statusCode, 200)
  const codes = (await Promise.all(answers)).map(({ statusCode }) => statusCode)
  t.same(
    codes.filter((code) => code !== 200),
    [503],
    'all others are answered in turn',
  )
})
