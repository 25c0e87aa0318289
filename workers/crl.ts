/** The job `crl`: makes the list of revoked certificates anew and publishes it. */
import type { WorkerDeps } from './deps.ts'
import { publishAuthorities } from './pki/publish.ts'

/** @throws Error when the key or the store fails: to be tried again */
export async function makeRevocationList(
  deps: Pick<WorkerDeps, 'objects' | 'signingDevice' | 'keyring' | 'alarm' | 'baseUrl' | 'now'>,
): Promise<void> {
  await publishAuthorities(deps)
}
