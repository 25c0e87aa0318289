/** The kiosks of the row `sse`, shared by both of its processes. */
import { deviceIdOf, tokenOf } from '../../test/fixtures/device.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { signatureCase, TENANT } from '../../test/fixtures/signature-case.ts'

export const KIOSKS = 10_000
const DAY_MS = 24 * 60 * 60 * 1000

/** The case that is handed over to each kiosk in turn. */
export function handedCase(): SignatureCase {
  const validUntil = new Date(Date.now() + DAY_MS).toISOString()
  return signatureCase({ phase: 'IN_PROGRESS', definition: { quickSign: true, validUntil } })
}

/** @param index from 0 */
export function kioskAt(index: number): { tenant: string; deviceId: string; token: string } {
  const key = { tenant: TENANT, deviceId: deviceIdOf(index) }
  return { ...key, token: tokenOf(key) }
}
