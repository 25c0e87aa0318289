/**
 * Finds the kiosks that a case concerns: its own, and those whose last hand-over is of the case.
 */
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { DeviceStore } from '../../domain/ports/device-store.ts'
import type { Device } from '../../domain/devices/schema.ts'

/** Enough for one kiosk per participant (at most fifty) and the case's own kiosk. */
const MAXIMUM_KIOSKS = 100

/** @returns an empty list, without a request to the store, for a case that no kiosk can show */
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
