/** A kiosk as tenants and itself see it (specification 2.6), without its token. */
import type { ListedDevice } from '../../application/kiosks/list-devices.ts'
import type { PairedAnswer } from '../../domain/contract/device.ts'
import type { Device } from '../../domain/devices/schema.ts'

/** With the path of the channel that the kiosk listens to. */
export function presentDevice({ metadata, spec }: Device): PairedAnswer {
  const { name: deviceId } = metadata
  const { name, created } = spec
  return { deviceId, name, created, channel: `/devices/${deviceId}/events` }
}

/** A page of kiosks, each with whether it listens where that is known. */
export const presentDevices = <T extends { devices: readonly ListedDevice[] }>(page: T) => ({
  ...page,
  devices: page.devices.map(({ device, connected }) => ({
    ...presentDevice(device),
    ...(connected === undefined ? {} : { connected }),
  })),
})
