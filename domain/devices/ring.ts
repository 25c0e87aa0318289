/** What is rung on the devices' bell: which device, and nothing that could be stale or secret. */
import type { DeviceKey } from '../ports/device-store.ts'

export interface DeviceRing extends DeviceKey {
  /** `<ms>/<uuid>` of a stream that began: older ones of the device end. */
  connection?: string
}

/** What was rung may come from anywhere: anything but a ring is passed over. */
export function parseRing(message: string): DeviceRing | undefined {
  try {
    const { tenant, deviceId, connection } = JSON.parse(message) as Partial<DeviceRing>
    if (typeof tenant !== 'string' || typeof deviceId !== 'string') return undefined
    return { tenant, deviceId, ...(typeof connection === 'string' ? { connection } : {}) }
  } catch {
    return undefined
  }
}
