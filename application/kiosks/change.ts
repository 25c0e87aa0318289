/** Writes a device's record by compare-and-swap, then notifies subscribers. */
import type { DeviceKey, DeviceStore } from '../../domain/ports/device-store.ts'
import { DEVICE_CHANGED, type PubSub } from '../../domain/ports/pub-sub.ts'
import { ConflictError } from '../../domain/ports/stores.ts'
import { traceContextOf, type Tracer } from '../../domain/ports/tracing.ts'
import type { DeviceChange } from '../../domain/devices/device-change.ts'
import type { Device } from '../../domain/devices/schema.ts'

/** Fewer people use one kiosk at a time than this, so more lost races mean another problem. */
const MAXIMUM_LOST_RACES = 100

export interface ChangeDeps {
  devices: DeviceStore
  ephemeral: PubSub
  /** Absent: nothing is traced. */
  tracer?: Tracer
}

/**
 * Notifies the processes with streams of the device that its record was written or removed.
 *
 * @throws ServiceError TIMEOUT when publishing fails
 */
export async function publishDeviceChange(
  change: DeviceChange,
  { ephemeral, tracer }: Pick<ChangeDeps, 'ephemeral' | 'tracer'>,
) {
  const message = { ...change, ...traceContextOf(tracer) }
  await ephemeral.publish(DEVICE_CHANGED, JSON.stringify(message))
}

/**
 * @param change returns the next record of the device, or undefined to leave it unchanged
 * @returns the written record; undefined when the device does not exist or was left unchanged
 * @throws ConflictError when all races are lost, and errors of store and pub/sub
 */
export async function changeDevice(
  { tenant, deviceId }: DeviceKey,
  { devices, ephemeral, tracer }: ChangeDeps,
  change: (device: Device) => Device | undefined,
): Promise<Device | undefined> {
  for (let lost = 0; ; lost++) {
    const device = await devices.get({ tenant, deviceId })
    const next = device && change(device)
    if (!next) return undefined
    try {
      const written = await devices.replace(next)
      await publishDeviceChange({ tenant, deviceId }, { ephemeral, ...(tracer && { tracer }) })
      return written
    } catch (error) {
      if (!(error instanceof ConflictError) || lost >= MAXIMUM_LOST_RACES) throw error
    }
  }
}
