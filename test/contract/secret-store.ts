/** What every SecretStore must do; a test file runs this for each adapter. */
import t, { type Test as TapTest } from 'tap'
import type { SecretStore } from '../../domain/ports/secret-store.ts'
import { AlreadyExistsError } from '../../domain/ports/stores.ts'
import { CASE_KEY } from '../fixtures/signature-case.ts'

const SECRETS = { clientId: 'acme', clientSecret: 's3cret', signingSecret: 'k'.repeat(32) }
const OTHER_KEY = { ...CASE_KEY, tenant: 'other' }
const LONG_AFTER = new Date('2100-01-01T00:00:00Z')
const LONG_BEFORE = new Date('2000-01-01T00:00:00Z')

/** @param open gives an empty store, which is closed when the test ends */
export function secretStoreContract(
  name: string,
  open: (t: TapTest) => Promise<SecretStore>,
): void {
  t.test(`${name}: secrets belong to one case of one tenant, and are written once`, async (t) => {
    const store = await open(t)
    t.equal(await store.get(CASE_KEY), undefined)
    await store.create(CASE_KEY, SECRETS)
    t.same(await store.get(CASE_KEY), SECRETS)
    t.equal(await store.get(OTHER_KEY), undefined)
    await t.rejects(store.create(CASE_KEY, {}), AlreadyExistsError)
    t.same(await store.get(CASE_KEY), SECRETS)
  })

  t.test(`${name}: what was not adopted is found after its time`, async (t) => {
    const store = await open(t)
    await store.adopt(CASE_KEY)
    await store.create(CASE_KEY, SECRETS)
    await store.create(OTHER_KEY, SECRETS)
    await store.adopt(OTHER_KEY)
    t.same(await store.listUnadopted(LONG_BEFORE, 10), [])
    t.same(await store.listUnadopted(LONG_AFTER, 10), [CASE_KEY])
    t.same(await store.listUnadopted(LONG_AFTER, 0), [])
    t.same(await store.get(OTHER_KEY), SECRETS, 'adoption changes nothing')
  })

  t.test(`${name}: deleted secrets are gone, also when there were none`, async (t) => {
    const store = await open(t)
    await store.delete(CASE_KEY)
    await store.create(CASE_KEY, SECRETS)
    await store.delete(CASE_KEY)
    t.equal(await store.get(CASE_KEY), undefined)
    t.same(await store.listUnadopted(LONG_AFTER, 10), [])
  })
}
