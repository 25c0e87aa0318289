/** Receives notifications that a case may have changed. */
import { CASE_CHANGED, type PubSub } from '../domain/ports/pub-sub.ts'
import type { CaseKey } from '../domain/ports/stores.ts'

/**
 * Parses a published message. Any process may publish, so a message that is not a case key is
 * ignored.
 */
function parseChange(message: string): { key: CaseKey; mayWait: boolean } | undefined {
  try {
    const { tenant, caseId, mayWait } = JSON.parse(message) as Partial<Record<string, unknown>>
    if (typeof tenant !== 'string' || typeof caseId !== 'string') return undefined
    return { key: { tenant, caseId }, mayWait: mayWait === true }
  } catch {
    return undefined
  }
}

/**
 * @param add receives the key of each case; `mayWait` says that nothing urgent follows
 * @returns a function that ends the subscription
 * @throws Error when the ephemeral store cannot be reached
 */
export function subscribeToCases(
  ephemeral: PubSub,
  add: (key: CaseKey, mayWait: boolean) => void,
): Promise<() => void> {
  return ephemeral.subscribe(CASE_CHANGED, (message) => {
    const change = parseChange(message)
    if (change) add(change.key, change.mayWait)
  })
}
