/** Publishes which cases were written, for the clients that observe them (decision 52). */
import { CASE_UPDATED, type PubSub } from '../../domain/ports/pub-sub.ts'
import type { CaseKey, CaseStore } from '../../domain/ports/stores.ts'
import { afterWrites } from './after-writes.ts'

/** Neither waits nor fails, because a lost message loses no data. */
export function publishUpdate(ephemeral: PubSub, { tenant, caseId }: CaseKey): void {
  void ephemeral.publish(CASE_UPDATED, JSON.stringify({ tenant, caseId })).catch(() => undefined)
}

/** Parses a published message. Any process may publish, so an invalid message is ignored. */
export function parseUpdate(message: string): CaseKey | undefined {
  try {
    const { tenant, caseId } = JSON.parse(message) as Partial<Record<string, unknown>>
    if (typeof tenant !== 'string' || typeof caseId !== 'string') return undefined
    return { tenant, caseId }
  } catch {
    return undefined
  }
}

/**
 * Publishes each successful write of the store.
 *
 * @returns the same store, with its writing methods replaced
 */
export function publishWrites<S extends CaseStore>(cases: S, ephemeral: PubSub): S {
  return afterWrites(cases, {
    onWritten({ metadata: { namespace: tenant, name: caseId } }) {
      publishUpdate(ephemeral, { tenant, caseId })
    },
    onDeleted: (key) => publishUpdate(ephemeral, key),
  })
}
