/** Pages of a tenant's kiosks (specification 4.5). */
import type { Device } from '../../domain/devices/schema.ts'
import { sealCursor } from '../../domain/cursor.ts'
import type { UseCaseDeps } from '../deps.ts'
import { limitOf, positionOf, type PageQuery } from '../paging.ts'

/** @throws ServiceError INVALID_LIMIT, INVALID_CURSOR */
export async function listDevices(
  tenant: string,
  query: PageQuery,
  { devices, keyring }: Pick<UseCaseDeps, 'devices' | 'keyring'>,
): Promise<{ devices: Device[]; nextCursor?: string }> {
  const limit = limitOf(query)
  const kiosks = ['devices', tenant]
  const place = positionOf<string>(query, kiosks, keyring)
  const { items, continue: next } = await devices.list(tenant, {
    limit,
    ...(place === undefined ? {} : { continue: place }),
  })
  return {
    devices: items,
    ...(next === undefined ? {} : { nextCursor: sealCursor(keyring, kiosks, next) }),
  }
}
