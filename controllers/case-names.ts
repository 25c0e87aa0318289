/** Names of cases in the queue of a controller. */
import type { CaseKey } from '../domain/ports/stores.ts'

/** Returns the name of a case. */
export const nameOf = ({ tenant, caseId }: CaseKey): string => `${tenant}/${caseId}`

/** Returns the key of the case with this name. */
export function keyOf(name: string): CaseKey {
  const slash = name.indexOf('/')
  return { tenant: name.slice(0, slash), caseId: name.slice(slash + 1) }
}
