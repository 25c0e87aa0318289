import { join } from 'node:path'
import { SqliteDeviceStore } from '../../../adapters/embedded/device-store.ts'
import { deviceStoreContract } from '../../contract/device-store.ts'
import { MemoryDeviceStore } from '../../fixtures/memory-devices.ts'

const now = () => new Date()

deviceStoreContract('SqliteDeviceStore', async (t) => {
  const store = new SqliteDeviceStore(join(t.testdir(), 'devices.sqlite'), now)
  t.teardown(() => store.close())
  return store
})

deviceStoreContract('MemoryDeviceStore', async () => new MemoryDeviceStore())
