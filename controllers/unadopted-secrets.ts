/** Deletes secrets whose case was never created because the API stopped between the two writes. */
import type { SecretStore } from '../domain/ports/secret-store.ts'
import type { CaseKey, CaseStore } from '../domain/ports/stores.ts'
import { attemptAll } from './attempt-all.ts'

/** Far longer than a request can take between its two writes. */
const PATIENCE_MS = 60 * 60 * 1000
/** The next sweep finds the rest. */
const LIMIT = 500

export interface SweepDeps {
  cases: CaseStore
  secrets: SecretStore
}

async function sweepOne(key: CaseKey, { cases, secrets }: SweepDeps): Promise<void> {
  if (await cases.get(key)) await secrets.adopt(key)
  else await secrets.delete(key)
}

/**
 * Deletes secrets whose case does not exist, and adopts those whose case does. One that fails does
 * not keep back the others.
 *
 * @throws the first error, after all secrets
 */
export async function sweepUnadoptedSecrets(deps: SweepDeps, now: Date): Promise<void> {
  const createdBefore = new Date(now.getTime() - PATIENCE_MS)
  const unadopted = await deps.secrets.listUnadopted(createdBefore, LIMIT)
  await attemptAll(unadopted, (key) => sweepOne(key, deps))
}
