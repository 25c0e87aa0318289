/** Pages of a tenant's kiosks (specification 4.5). */
import type { Device } from '../../domain/devices/schema.ts'
import { sealCursor } from '../../domain/cursor.ts'
import type { UseCaseDeps } from '../deps.ts'
import { limitOf, positionOf, type PageQuery } from '../paging.ts'
import { isConnected } from './connections.ts'

/** A kiosk, and whether it listens; undefined when that is not known. */
export interface ListedDevice {
  device: Device
  connected: boolean | undefined
}

/** @throws ServiceError INVALID_LIMIT, INVALID_CURSOR */
export async function listDevices(
  tenant: string,
  query: PageQuery,
  { devices, ephemeral, keyring }: Pick<UseCaseDeps, 'devices' | 'ephemeral' | 'keyring'>,
): Promise<{ devices: ListedDevice[]; nextCursor?: string }> {
  const limit = limitOf(query)
  const kiosks = ['devices', tenant]
  const place = positionOf<string>(query, kiosks, keyring)
  const { items, continue: next } = await devices.list(tenant, {
    limit,
    ...(place === undefined ? {} : { continue: place }),
  })
  const listed = items.map(async (device) => {
    const key = { tenant, deviceId: device.metadata.name }
    return { device, connected: await isConnected(key, { ephemeral }) }
  })
  return {
    devices: await Promise.all(listed),
    ...(next === undefined ? {} : { nextCursor: sealCursor(keyring, kiosks, next) }),
  }
}
