/** Remembers the versions of cases that this process wrote, so that it does not react to them. */
import { overrideStore } from '../application/cases/override-store.ts'
import type { CaseKey, CaseStore } from '../domain/ports/stores.ts'
import type { SignatureCase } from '../domain/cases/signature-case.ts'
import { nameOf } from './case-names.ts'

/** Only recent writes are still reported by the watch. */
const MAXIMUM_CASES = 10_000

/** The newest status that this process wrote for each case, by its `resourceVersion`. */
export class OwnWrites {
  readonly #versions = new Map<string, string>()

  /** Whether this version of the case is the result of the newest write of this process. */
  has(key: CaseKey, version: string | undefined): boolean {
    return version !== undefined && this.#versions.get(nameOf(key)) === version
  }

  /**
   * Returns the store with a `replaceStatus` whose results are remembered. Writes of the spec are
   * not: after them the controller reads the case again.
   */
  remembering(cases: CaseStore): CaseStore {
    return overrideStore(cases, {
      replaceStatus: async (signatureCase, durability) => {
        const written = await cases.replaceStatus(signatureCase, durability)
        this.#remember(written)
        return written
      },
    })
  }

  #remember({ metadata }: SignatureCase): void {
    const { namespace, name, resourceVersion } = metadata
    const caseName = nameOf({ tenant: namespace, caseId: name })
    this.#versions.delete(caseName)
    if (resourceVersion === undefined) return
    this.#versions.set(caseName, resourceVersion)
    const [oldest] = this.#versions.keys()
    if (this.#versions.size > MAXIMUM_CASES && oldest !== undefined) this.#versions.delete(oldest)
  }
}
