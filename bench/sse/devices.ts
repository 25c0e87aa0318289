/** The kiosks of the row `sse`, as both of its processes know them. */
import { deviceIdOf, tokenOf } from '../../test/fixtures/device.ts'
import { TENANT } from '../../test/fixtures/signature-case.ts'

export const KIOSKS = 10_000

/** @param index from 0 */
export function kioskAt(index: number): { tenant: string; deviceId: string; token: string } {
  const key = { tenant: TENANT, deviceId: deviceIdOf(index) }
  return { ...key, token: tokenOf(key) }
}
