/** Runs an action after each successful write of a store of cases. */
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { CaseKey, CaseStore } from '../../domain/ports/stores.ts'

/** What follows a write; the caller of the write waits for it and gets its errors. */
export interface WriteActions {
  /** @param written the case as the write returned it */
  onWritten(written: SignatureCase): Promise<void> | void
  onDeleted(key: CaseKey): Promise<void> | void
}

type Write = CaseStore['replaceStatus']

/** @returns the same store, with its writing methods replaced */
export function afterWrites<S extends CaseStore>(
  cases: S,
  { onWritten, onDeleted }: WriteActions,
): S {
  const followed =
    (write: Write): Write =>
    async (signatureCase, durability) => {
      const written = await write.call(cases, signatureCase, durability)
      await onWritten(written)
      return written
    }
  const remove = cases.delete.bind(cases)
  return Object.assign(cases, {
    create: followed(cases.create),
    replaceSpec: followed(cases.replaceSpec),
    replaceStatus: followed(cases.replaceStatus),
    async delete(key: CaseKey, version?: string) {
      await remove(key, version)
      await onDeleted(key)
    },
  })
}
