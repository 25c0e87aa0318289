/** Writes a device's record by compare-and-swap, then rings: the record first, then the bell. */
import type { DeviceKey, DeviceStore } from '../ports/device-store.ts'
import { DEVICE_BELL, type Ephemeral } from '../ports/ephemeral.ts'
import { ConflictError } from '../ports/stores.ts'
import type { DeviceRing } from './ring.ts'
import type { Device } from './schema.ts'

/** More lost races than one kiosk has people in front of it mean that something else is wrong. */
const MAXIMUM_LOST_RACES = 100

export interface ChangeDeps {
  devices: DeviceStore
  ephemeral: Ephemeral
}

/**
 * Tells everybody who has streams of the device that its record was written or removed.
 *
 * @throws ServiceError TIMEOUT when the bell cannot be rung
 */
export async function ringDevice(ring: DeviceRing, { ephemeral }: Pick<ChangeDeps, 'ephemeral'>) {
  await ephemeral.ring(DEVICE_BELL, JSON.stringify(ring))
}

/**
 * @param change gives the next record of the device as it is now, or undefined to leave it
 * @returns what was written, or undefined when nothing was: no such device, or left as it is
 * @throws ConflictError when the race is never won, and what store and bell throw
 */
export async function changeDevice(
  { tenant, deviceId }: DeviceKey,
  { devices, ephemeral }: ChangeDeps,
  change: (device: Device) => Device | undefined,
): Promise<Device | undefined> {
  for (let lost = 0; ; lost++) {
    const device = await devices.get({ tenant, deviceId })
    const next = device && change(device)
    if (!next) return undefined
    try {
      const written = await devices.replace(next)
      await ringDevice({ tenant, deviceId }, { ephemeral })
      return written
    } catch (error) {
      if (!(error instanceof ConflictError) || lost >= MAXIMUM_LOST_RACES) throw error
    }
  }
}
