/** The service's keys in Vault, with certificates in a folder (a mounted ConfigMap). */
import { CertifiedDevice, type CertifiedDeviceOptions } from '../shared/certified-device.ts'
import { VaultClient, type VaultOptions } from './client.ts'

/** Keys are names of key versions, such as `sigcase-seal:1`. */
export type VaultSigningDeviceOptions = VaultOptions & Omit<CertifiedDeviceOptions, 'client'>

/** Signs with key versions in the transit engine of Vault. */
export class VaultSigningDevice extends CertifiedDevice {
  constructor(options: VaultSigningDeviceOptions) {
    super({ ...options, client: new VaultClient(options) })
  }
}
