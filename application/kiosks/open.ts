/** Hands a case to a kiosk: writes its record, then publishes a notification (design 6, kiosk). */
import { changeDevice, type ChangeDeps } from './change.ts'
import { handOver } from '../../domain/devices/handover.ts'
import type { Device } from '../../domain/devices/schema.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { DeviceKey } from '../../domain/ports/device-store.ts'
import type { UseCaseDeps } from '../deps.ts'

/** @returns the device's key @throws ServiceError UNKNOWN_DEVICE unless the tenant registered it */
export async function assertRegistered(
  tenant: string,
  { deviceId }: { deviceId: string },
  { devices }: Pick<UseCaseDeps, 'devices'>,
): Promise<DeviceKey> {
  // RFC 9562, 4: upper case is read as lower case.
  const key = { tenant, deviceId: deviceId.toLowerCase() }
  if (!(await devices.get(key))) throw new ServiceError('UNKNOWN_DEVICE')
  return key
}

/**
 * When it returns, the kiosk shows the case, or will when it listens again.
 *
 * @throws ServiceError UNKNOWN_DEVICE when it was removed meanwhile, EVENTS_UNAVAILABLE when the
 * record cannot be written or the notification not published
 */
export async function openOnDevice(
  key: DeviceKey,
  showing: { caseId: string; participantId: string },
  deps: ChangeDeps & Pick<UseCaseDeps, 'now'>,
): Promise<void> {
  const open = (device: Device) =>
    handOver(device, { state: 'open', ...showing }, deps.now().getTime())
  const written = await changeDevice(key, deps, open).catch((cause: unknown) => {
    throw new ServiceError('EVENTS_UNAVAILABLE', {}, { cause })
  })
  if (!written) throw new ServiceError('UNKNOWN_DEVICE')
}
