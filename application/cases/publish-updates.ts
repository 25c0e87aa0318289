/** Publishes which cases were written, for the clients that observe them (decision 52). */
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { CASE_UPDATED, type PubSub } from '../../domain/ports/pub-sub.ts'
import type { CaseKey, CaseStore } from '../../domain/ports/stores.ts'

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

type Write = (signatureCase: SignatureCase) => Promise<SignatureCase>

/**
 * Publishes each successful write of the store.
 *
 * @returns the same store, with its writing methods replaced
 */
export function publishWrites<S extends CaseStore>(cases: S, ephemeral: PubSub): S {
  const publishing =
    (write: Write): Write =>
    async (signatureCase) => {
      const written = await write.call(cases, signatureCase)
      const { namespace: tenant, name: caseId } = written.metadata
      publishUpdate(ephemeral, { tenant, caseId })
      return written
    }
  const remove = cases.delete.bind(cases)
  return Object.assign(cases, {
    create: publishing(cases.create),
    replaceSpec: publishing(cases.replaceSpec),
    replaceStatus: publishing(cases.replaceStatus),
    async delete(key: CaseKey, version?: string) {
      await remove(key, version)
      publishUpdate(ephemeral, key)
    },
  })
}
