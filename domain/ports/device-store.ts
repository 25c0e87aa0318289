/** The port of kiosk registrations: custom resources on a cluster, SQLite on one machine. */
import type { Device } from '../devices/schema.ts'
import type { Page } from './stores.ts'

/** Identifies one device: the tenant is its namespace, the id its `metadata.name` (a UUID). */
export interface DeviceKey {
  tenant: string
  deviceId: string
}

/** Stores `KioskDevice` resources. Returned values are copies that the caller may keep. */
export interface DeviceStore {
  /** @returns the device with `resourceVersion` set @throws AlreadyExistsError */
  create(device: Device): Promise<Device>
  /** @returns undefined when it does not exist */
  get(key: DeviceKey): Promise<Device | undefined>
  /**
   * Lists devices of one tenant in a stable order, in pages of at most `limit`.
   *
   * @param options `handedCaseId`: only devices whose last hand-over is of this case
   */
  list(
    tenant: string,
    options: { limit: number; continue?: string; handedCaseId?: string },
  ): Promise<Page<Device>>
  /** @throws ConflictError when `resourceVersion` is not the newest, or the device is gone */
  replace(device: Device): Promise<Device>
  /** @returns whether it existed */
  delete(key: DeviceKey): Promise<boolean>
}
