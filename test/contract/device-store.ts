/** What every DeviceStore must do; a test file runs this for each adapter. */
import t, { type Test as TapTest } from 'tap'
import { handOver } from '../../domain/devices/handover.ts'
import type { DeviceStore } from '../../domain/ports/device-store.ts'
import { AlreadyExistsError, ConflictError } from '../../domain/ports/stores.ts'
import { device, DEVICE_ID, DEVICE_KEY, deviceIdOf } from '../fixtures/device.ts'
import { CASE_ID, participant, TENANT } from '../fixtures/signature-case.ts'

const WRITERS = 50
const PAGE = 3

const open = { state: 'open' as const, caseId: CASE_ID, participantId: participant(1).id }

async function listNames(store: DeviceStore, more: { handedCaseId?: string } = {}) {
  const names: string[] = []
  let next: string | undefined
  do {
    const behind = next === undefined ? {} : { continue: next }
    const page = await store.list(TENANT, { limit: PAGE, ...behind, ...more })
    names.push(...page.items.map(({ metadata }) => metadata.name))
    next = page.continue
  } while (next !== undefined)
  return names
}

/** @param openStore gives an empty store, which is closed when the test ends */
export function deviceStoreContract(
  name: string,
  openStore: (t: TapTest) => Promise<DeviceStore>,
): void {
  t.test(`${name}: a device belongs to one tenant, and its id is taken once`, async (t) => {
    const store = await openStore(t)
    const created = await store.create(device())
    t.ok(created.metadata.resourceVersion)
    t.same(created.spec, device().spec)
    t.same(await store.get(DEVICE_KEY), created)
    t.equal(await store.get({ ...DEVICE_KEY, tenant: 'other' }), undefined)
    await t.rejects(store.create(device()), AlreadyExistsError)
    await store.create(device({ tenant: 'other' }))
  })

  t.test(`${name}: a write with an old resource version is refused`, async (t) => {
    const store = await openStore(t)
    const old = await store.create(device())
    const shown = await store.replace(handOver(old, open, 1000))
    t.same(shown.spec.handOver, { eventId: '1000-0', ...open })
    t.not(shown.metadata.resourceVersion, old.metadata.resourceVersion)
    await t.rejects(store.replace(old), ConflictError)
    await store.delete(DEVICE_KEY)
    await t.rejects(store.replace(shown), ConflictError, 'a removed device does not come back')
    t.equal(await store.get(DEVICE_KEY), undefined)
  })

  t.test(`${name}: of fifty writers at once one wins`, async (t) => {
    const store = await openStore(t)
    const old = await store.create(device())
    const writes = await Promise.allSettled(
      Array.from({ length: WRITERS }, (_, index) => store.replace(handOver(old, open, index))),
    )
    t.equal(writes.filter(({ status }) => status === 'fulfilled').length, 1)
  })

  t.test(`${name}: a tenant's devices are listed by pages, each once`, async (t) => {
    const store = await openStore(t)
    const ids = Array.from({ length: 2 * PAGE + 1 }, (_, index) => deviceIdOf(index)).sort()
    for (const deviceId of ids) await store.create(device({ deviceId }))
    await store.create(device({ tenant: 'other' }))
    t.same((await listNames(store)).sort(), ids)
    t.equal((await store.list(TENANT, { limit: ids.length })).continue, undefined)
  })

  t.test(`${name}: the devices to which a case was handed over last are found`, async (t) => {
    const store = await openStore(t)
    const ids = Array.from({ length: PAGE + 2 }, (_, index) => deviceIdOf(index)).sort()
    for (const deviceId of ids) {
      await store.replace(handOver(await store.create(device({ deviceId })), open, 1))
    }
    await store.create(device())
    t.same((await listNames(store, { handedCaseId: CASE_ID })).sort(), ids)
    t.same(await listNames(store, { handedCaseId: DEVICE_ID }), [])
    const [first = ''] = ids
    const shown = (await store.get({ tenant: TENANT, deviceId: first }))!
    await store.replace(handOver(shown, { ...open, caseId: DEVICE_ID }, 2))
    t.same((await listNames(store, { handedCaseId: CASE_ID })).sort(), ids.slice(1))
    t.same(await listNames(store, { handedCaseId: DEVICE_ID }), [first])
  })

  t.test(`${name}: a removal reports whether there was something to remove`, async (t) => {
    const store = await openStore(t)
    t.equal(await store.delete(DEVICE_KEY), false)
    await store.create(device())
    t.equal(await store.delete({ ...DEVICE_KEY, tenant: 'other' }), false)
    t.equal(await store.delete(DEVICE_KEY), true)
    t.same(await listNames(store), [])
  })

  t.test(`${name}: what was read is the reader's own`, async (t) => {
    const store = await openStore(t)
    const created = await store.create(device())
    created.spec.name = 'changed'
    t.not((await store.get(DEVICE_KEY))?.spec.name, 'changed')
  })
}
