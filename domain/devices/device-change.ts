/** Message on the devices' channel: it identifies the device and contains no state or secret. */
import type { DeviceKey } from '../ports/device-store.ts'
import type { TraceContext } from '../ports/tracing.ts'

export interface DeviceChange extends DeviceKey, TraceContext {
  /** `<ms>/<uuid>` of a new stream; older streams of the device end. */
  connection?: string
}

/** Parses a published message. Any process may publish, so an invalid message is ignored. */
export function parseDeviceChange(message: string): DeviceChange | undefined {
  try {
    const change = JSON.parse(message) as Partial<DeviceChange>
    const { tenant, deviceId, connection, traceparent } = change
    if (typeof tenant !== 'string' || typeof deviceId !== 'string') return undefined
    return {
      tenant,
      deviceId,
      ...(typeof connection === 'string' ? { connection } : {}),
      ...(typeof traceparent === 'string' ? { traceparent } : {}),
    }
  } catch {
    return undefined
  }
}
