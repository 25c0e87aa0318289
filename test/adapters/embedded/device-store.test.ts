import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { SqliteDeviceStore } from '../../../adapters/embedded/device-store.ts'
import { newDevice } from '../../../domain/devices/schema.ts'
import { deviceStoreContract } from '../../contract/device-store.ts'
import { MemoryDeviceStore } from '../../fixtures/memory-devices.ts'
import { until } from '../../fixtures/until.ts'

const now = () => new Date()

deviceStoreContract('SqliteDeviceStore', async (t) => {
  const store = new SqliteDeviceStore(join(t.testdir(), 'devices.sqlite'), now)
  t.teardown(() => store.close())
  return store
})

deviceStoreContract('MemoryDeviceStore', async () => new MemoryDeviceStore())

t.test('the name of a removed kiosk leaves the file and its log', async (t) => {
  const file = join(t.testdir(), 'devices.sqlite')
  const store = new SqliteDeviceStore(file, now, { afterMs: 5 })
  t.teardown(() => store.close())
  const name = 'Kiosk of Zdislava Kvapilíková'
  const key = { tenant: 'acme', deviceId: '40cedc03-3be2-4153-85fc-5085ce23a629' }
  const isIn = (path: string) => readFileSync(path).includes(name)
  const isLeft = () => isIn(file) || isIn(`${file}-wal`)
  await store.create(
    newDevice(key.tenant, key.deviceId, {
      name,
      created: now().toISOString(),
      tokenSha256: '0'.repeat(64),
    }),
  )
  // The start has emptied the log, so only the removal empties it again.
  await until(() => isIn(file) && !isIn(`${file}-wal`))
  t.ok(await store.delete(key))
  await until(() => !isLeft())
  t.notOk(isLeft())
})
