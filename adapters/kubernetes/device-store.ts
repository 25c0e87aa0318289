/** Kiosks as `KioskDevice` resources of a Kubernetes API server. */
import { API_VERSION } from '../../domain/resources.ts'
import type { Device } from '../../domain/devices/schema.ts'
import type { DeviceKey, DeviceStore } from '../../domain/ports/device-store.ts'
import type { Page } from '../../domain/ports/stores.ts'
import type { ApiServer } from './api-server.ts'
import { Resources } from './resources.ts'

/** Label with the case of the last hand-over, so that a selector finds its devices. */
const HANDED_CASE = 'sigcase.dev/handed-case'

interface Labelled {
  labels?: Record<string, string>
}

/** Sets the label from the spec. */
function labelled(device: Device): Device {
  const { labels, ...metadata } = device.metadata as Device['metadata'] & Labelled
  const { [HANDED_CASE]: _, ...others } = labels ?? {}
  const caseId = device.spec.handOver?.caseId
  const own: Record<string, string> = caseId === undefined ? {} : { [HANDED_CASE]: caseId }
  const withLabels: Device['metadata'] & Labelled = { ...metadata, labels: { ...others, ...own } }
  return { ...device, metadata: withLabels }
}

export class KubernetesDeviceStore implements DeviceStore {
  readonly #devices: Resources<Device>

  constructor(api: ApiServer) {
    this.#devices = new Resources(api, `/apis/${API_VERSION}`, 'kioskdevices', {
      isOfTenants: true,
    })
  }

  async create(device: Device): Promise<Device> {
    return this.#devices.create(labelled(device))
  }

  async get({ tenant, deviceId }: DeviceKey): Promise<Device | undefined> {
    return this.#devices.get(deviceId, tenant)
  }

  async list(
    tenant: string,
    options: { limit: number; continue?: string; handedCaseId?: string },
  ): Promise<Page<Device>> {
    const { handedCaseId, ...page } = options
    const selected =
      handedCaseId === undefined ? {} : { labelSelector: `${HANDED_CASE}=${handedCaseId}` }
    return this.#devices.list({ ...page, ...selected }, tenant)
  }

  async replace(device: Device): Promise<Device> {
    return this.#devices.replace(labelled(device))
  }

  async delete({ tenant, deviceId }: DeviceKey): Promise<boolean> {
    return this.#devices.delete(deviceId, tenant)
  }
}
