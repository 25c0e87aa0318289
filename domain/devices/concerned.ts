/** The kiosks that a case has to do with: its own, and those to which it was handed over last. */
import type { SignatureCase } from '../cases/signature-case.ts'
import type { DeviceStore } from '../ports/device-store.ts'
import type { Device } from './schema.ts'

/** One participant stands before one kiosk; a case has fifty, and one kiosk of its own. */
const MAXIMUM_KIOSKS = 100

/** @returns none, without asking the store, for a case that no kiosk can show */
export async function concernedDevices(
  { metadata, spec }: SignatureCase,
  devices: DeviceStore,
): Promise<Device[]> {
  const { quickSign, device } = spec.definition
  if (!quickSign && !device) return []
  const { namespace: tenant, name: handedCaseId } = metadata
  const { items } = await devices.list(tenant, { limit: MAXIMUM_KIOSKS, handedCaseId })
  const isListed = items.some(({ metadata: { name } }) => name === device?.deviceId)
  const own = device && !isListed ? await devices.get({ tenant, ...device }) : undefined
  return own ? [own, ...items] : items
}
