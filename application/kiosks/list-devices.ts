/** Pages of a tenant's kiosks (specification 4.5). */
import { sealCursor } from '../../domain/cursor.ts'
import type { ApiDeps } from '../../api/deps.ts'
import { limitOf, positionOf, type PageQuery } from '../../api/paging.ts'
import { presentDevice } from '../../api/present/device.ts'

/** @throws ServiceError INVALID_LIMIT, INVALID_CURSOR */
export async function listDevices(
  tenant: string,
  query: PageQuery,
  { devices, keyring }: Pick<ApiDeps, 'devices' | 'keyring'>,
) {
  const limit = limitOf(query)
  const kiosks = ['devices', tenant]
  const place = positionOf<string>(query, kiosks, keyring)
  const { items, continue: next } = await devices.list(tenant, {
    limit,
    ...(place === undefined ? {} : { continue: place }),
  })
  return {
    devices: items.map(presentDevice),
    ...(next === undefined ? {} : { nextCursor: sealCursor(keyring, kiosks, next) }),
  }
}
