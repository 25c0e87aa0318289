/** Receives notifications that a case may have changed. */
import { CASE_CHANGED, type PubSub } from '../domain/ports/pub-sub.ts'
import type { CaseKey } from '../domain/ports/stores.ts'

/** A notification about a case. */
interface CaseChange {
  key: CaseKey
  /** Nothing urgent follows. */
  mayWait: boolean
  /** Something was written that is only found by listing. */
  isListed: boolean
}

/**
 * Parses a published message. Any process may publish, so a message that is not a case key is
 * ignored.
 */
function parseChange(message: string): CaseChange | undefined {
  try {
    const { tenant, caseId, mayWait, isListed } = JSON.parse(message) as Partial<
      Record<string, unknown>
    >
    if (typeof tenant !== 'string' || typeof caseId !== 'string') return undefined
    return { key: { tenant, caseId }, mayWait: mayWait === true, isListed: isListed === true }
  } catch {
    return undefined
  }
}

/**
 * @param add receives each notification
 * @returns a function that ends the subscription
 * @throws Error when the ephemeral store cannot be reached
 */
export function subscribeToCases(
  ephemeral: PubSub,
  add: (change: CaseChange) => void,
): Promise<() => void> {
  return ephemeral.subscribe(CASE_CHANGED, (message) => {
    const change = parseChange(message)
    if (change) add(change)
  })
}
