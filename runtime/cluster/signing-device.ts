/**
 * Opens the signing keys. Only workers load it: loading the client of Cloud KMS takes a tenth of a
 * second of CPU time.
 */
import { SoftwareKeys } from '../../adapters/embedded/software-keys.ts'
import { KmsSigningDevice } from '../../adapters/kms/signing-device.ts'
import { googleAuth } from '../../adapters/shared/google-auth.ts'
import { VaultSigningDevice } from '../../adapters/vault/signing-device.ts'
import type { SigningDevice } from '../../domain/ports/signing.ts'
import type { WorkerConfig } from '../config/processes.ts'

/**
 * Opens the keys: in a folder, where missing keys are generated, in Cloud KMS, or in Vault.
 *
 * @param now start of validity for certificates of new keys
 */
export async function openSigningDevice(
  { baseUrl, google, signingKeys }: WorkerConfig,
  now: Date,
): Promise<SigningDevice> {
  if ('folder' in signingKeys) return SoftwareKeys.open(signingKeys.folder, now, baseUrl)
  if ('mount' in signingKeys) return new VaultSigningDevice(signingKeys)
  return new KmsSigningDevice({ ...signingKeys, auth: googleAuth(google) })
}
