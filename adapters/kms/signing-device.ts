/** The service's keys in Cloud KMS, with certificates in a folder (a mounted ConfigMap). */
import { CertifiedDevice, type CertifiedDeviceOptions } from '../shared/certified-device.ts'
import { KmsClient, type KmsOptions } from './client.ts'

/** Keys are resource names of key versions. */
export type KmsSigningDeviceOptions = KmsOptions & Omit<CertifiedDeviceOptions, 'client'>

/** Signs with key versions in Cloud KMS. */
export class KmsSigningDevice extends CertifiedDevice {
  constructor(options: KmsSigningDeviceOptions) {
    super({ ...options, client: new KmsClient(options) })
  }
}
