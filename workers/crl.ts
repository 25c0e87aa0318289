/** The job `crl`: issues a new certificate revocation list and publishes it. */
import type { WorkerDeps } from './deps.ts'
import { publishAuthorities } from './pki/publish.ts'

/** @throws Error when the key or the store fails; the job is retried */
export async function makeRevocationList(
  deps: Pick<WorkerDeps, 'objects' | 'signingDevice' | 'keyring' | 'alarm' | 'baseUrl' | 'now'>,
): Promise<void> {
  await publishAuthorities(deps)
}
