/** Registers and removes kiosks (specification 4.5). */
import { newDevice, type Device } from '../../domain/devices/schema.ts'
import { deviceToken, tokenDigest } from '../../domain/devices/token.ts'
import type { DeviceKey } from '../../domain/ports/device-store.ts'
import type { UseCaseDeps } from '../deps.ts'
import { NotFoundError } from '../errors.ts'
import { publishDeviceChange } from './change.ts'

/**
 * @param secret 256 random bits in base64url; only its digest is stored
 * @returns the device, and its token, which cannot be read again
 * @throws BoundReachedError when the tenant has registered enough kiosks in a day
 */
export async function registerDevice(
  { tenant, name, secret }: { tenant: string; name: string; secret: string },
  {
    devices,
    bounds,
    now,
    randomUuid,
  }: Pick<UseCaseDeps, 'devices' | 'bounds' | 'now' | 'randomUuid'>,
): Promise<{ device: Device; token: string }> {
  await bounds?.take({ bound: 'tenantDevicesPerDay', of: tenant })
  const deviceId = randomUuid()
  const token = deviceToken({ tenant, deviceId }, secret)
  const created = now().toISOString()
  const spec = { name, created, tokenSha256: tokenDigest(token) }
  return { device: await devices.create(newDevice(tenant, deviceId, spec)), token }
}

/**
 * Removes a kiosk and ends its stream.
 *
 * @param onNotNotified reports why the stream's process could not be notified: the kiosk is removed
 * @throws NotFoundError
 */
export async function removeDevice(
  { tenant, deviceId }: DeviceKey,
  deps: Pick<UseCaseDeps, 'devices' | 'ephemeral'>,
  onNotNotified: (error: unknown) => void,
): Promise<void> {
  const key = { tenant, deviceId: deviceId.toLowerCase() }
  if (!(await deps.devices.delete(key))) throw new NotFoundError('Device')
  await publishDeviceChange(key, deps).catch(onNotNotified)
}
