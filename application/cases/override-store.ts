/** Wraps a store of cases: some of its methods are replaced, the others are passed on. */
import type { CaseStore } from '../../domain/ports/stores.ts'

/** Returns a store that has the replaced methods, and calls `cases` for all others. */
export function overrideStore(cases: CaseStore, replaced: Partial<CaseStore>): CaseStore {
  return {
    create: (signatureCase) => cases.create(signatureCase),
    get: (key) => cases.get(key),
    replaceSpec: (signatureCase) => cases.replaceSpec(signatureCase),
    replaceStatus: (signatureCase, durability) => cases.replaceStatus(signatureCase, durability),
    delete: (key, version) => cases.delete(key, version),
    list: (options) => cases.list(options),
    watch: (onChange) => cases.watch(onChange),
    ...replaced,
  }
}
