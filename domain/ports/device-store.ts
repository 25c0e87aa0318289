/** Where a tenant's kiosks are registered: custom resources on a cluster, SQLite on one machine. */
import type { Device } from '../devices/schema.ts'
import type { Page } from './stores.ts'

/** Names one device: the tenant is its namespace, the id its `metadata.name` (a UUID). */
export interface DeviceKey {
  tenant: string
  deviceId: string
}

/** `KioskDevice` resources; values read are copies that the caller may keep. */
export interface DeviceStore {
  /** @returns the device with `resourceVersion` set @throws AlreadyExistsError */
  create(device: Device): Promise<Device>
  /** @returns undefined when there is none */
  get(key: DeviceKey): Promise<Device | undefined>
  /**
   * Devices of one tenant in a stable order, by pages of at most `limit`.
   *
   * @param options `handedCaseId`: only those whose last hand-over is of this case
   */
  list(
    tenant: string,
    options: { limit: number; continue?: string; handedCaseId?: string },
  ): Promise<Page<Device>>
  /** @throws ConflictError when `resourceVersion` is not the newest, or the device is gone */
  replace(device: Device): Promise<Device>
  /** @returns whether it was there */
  delete(key: DeviceKey): Promise<boolean>
}
