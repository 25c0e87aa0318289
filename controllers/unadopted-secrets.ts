/** Deletes secrets whose case was never created because the API stopped between the two writes. */
import type { SecretStore } from '../domain/ports/secret-store.ts'
import type { CaseStore } from '../domain/ports/stores.ts'

/** Far longer than a request can take between its two writes. */
const PATIENCE_MS = 60 * 60 * 1000
/** The next sweep finds the rest. */
const LIMIT = 500

export interface SweepDeps {
  cases: CaseStore
  secrets: SecretStore
}

/**
 * Deletes secrets whose case does not exist, and adopts those whose case does.
 *
 * @throws any error of the stores; the next sweep continues
 */
export async function sweepUnadoptedSecrets({ cases, secrets }: SweepDeps, now: Date) {
  const createdBefore = new Date(now.getTime() - PATIENCE_MS)
  for (const key of await secrets.listUnadopted(createdBefore, LIMIT)) {
    if (await cases.get(key)) await secrets.adopt(key)
    else await secrets.delete(key)
  }
}
