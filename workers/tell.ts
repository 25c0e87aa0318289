/** Nudges the controller: something about the case was written. */
import { CASE_BELL, type Ephemeral } from '../domain/ports/ephemeral.ts'
import type { CaseKey } from '../domain/ports/stores.ts'

/**
 * A bell that nobody hears loses nothing: the next resync finds what was written.
 *
 * @throws ServiceError TIMEOUT when the ephemeral store is away
 */
export async function tell({ tenant, caseId }: CaseKey, deps: { ephemeral: Ephemeral }) {
  await deps.ephemeral.ring(CASE_BELL, JSON.stringify({ tenant, caseId }))
}
