/** Archives the cases that a resync found to be due, and restores those that get work again. */
import { archiveCase, type ArchiveOutcome } from '../application/archive/archive-case.ts'
import { readArchive } from '../application/archive/archived-cases.ts'
import { restoreCase, type RestoreDeps } from '../application/archive/restore-case.ts'
import { isArchiveDue } from '../domain/cases/archive.ts'
import { redeliveryFolder } from '../domain/cases/keys.ts'
import type { SignatureCase } from '../domain/cases/signature-case.ts'
import type { Metrics } from '../domain/ports/metrics.ts'
import type { ObjectStore } from '../domain/ports/object-store.ts'
import type { CaseKey, CaseStore } from '../domain/ports/stores.ts'

export interface ArchivingDeps extends RestoreDeps {
  cases: CaseStore
  objects: Pick<ObjectStore, 'get' | 'list' | 'putIfAbsent' | 'compareAndSwap'>
  /** Hours between the end of a case and its archiving; absent: cases are not archived. */
  archiveAfterHours?: number
  metrics: Metrics
  /** See `ArchiveDeps`. */
  onArchived?: (signatureCase: SignatureCase) => Promise<void>
  now(): Date
}

/** The archiving of one controller process. */
export class Archiving {
  readonly #deps: ArchivingDeps

  constructor(deps: ArchivingDeps) {
    this.#deps = deps
  }

  /** Whether the resource says that the case is archived now. */
  isDue(signatureCase: SignatureCase): boolean {
    const { archiveAfterHours, now } = this.#deps
    return isArchiveDue(signatureCase, archiveAfterHours, now().getTime())
  }

  /** Archives the case if it is still due. @throws Error when a store fails */
  async archive(key: CaseKey): Promise<ArchiveOutcome> {
    const outcome = await archiveCase(key, (one) => this.isDue(one), this.#deps)
    if (outcome === 'archived') this.#deps.metrics.count('sigcase_cases_archived_total', {})
    return outcome
  }

  /** Whether the service wrote a record of the case. */
  async isArchived(key: CaseKey): Promise<boolean> {
    return (await readArchive(key, this.#deps))?.record !== undefined
  }

  /**
   * Restores a case without a resource when somebody requested the redelivery of a webhook, or when
   * its trail has to be sealed again. It is archived again when that is done.
   *
   * @param mustSeal the trail grew
   * @returns whether the case was restored
   */
  async restoreForWork(key: CaseKey, mustSeal: boolean): Promise<boolean> {
    if (!(await this.isArchived(key))) return false
    const requests = mustSeal
      ? []
      : await this.#deps.objects.list(redeliveryFolder(key), { limit: 1 })
    return (mustSeal || requests.length > 0) && this.restore(key)
  }

  /** Restores the case, or completes what another process began. @returns whether it did */
  async restore(key: CaseKey): Promise<boolean> {
    const isRestored = (await restoreCase(key, this.#deps)) === 'restored'
    if (isRestored) this.#deps.metrics.count('sigcase_cases_restored_total', {})
    return isRestored
  }
}
