/** Brings the index of cases up to date in a resync; a failure of the index stops no resync. */
import { IndexPass } from '../application/cases/rebuild-index.ts'
import type { SignatureCase } from '../domain/cases/signature-case.ts'
import type { CaseIndex } from '../domain/ports/case-index.ts'
import type { CaseKey, CaseStore } from '../domain/ports/stores.ts'

export interface IndexResyncDeps {
  cases: Pick<CaseStore, 'get' | 'list'>
  index?: CaseIndex | undefined
  /** Whether the listing has the case; rows of other cases stay. Absent: all cases. */
  isOwn?: (key: CaseKey) => boolean
  log: { warn(details: object, message: string): void }
}

/** One pass; after the first failure it does nothing, and the next resync tries again. */
export class IndexResync {
  readonly #pass: IndexPass | undefined
  readonly #log: IndexResyncDeps['log']
  #hasFailed = false

  constructor({ cases, index, isOwn, log }: IndexResyncDeps) {
    this.#pass = index && new IndexPass({ cases, index, ...(isOwn && { isOwn }) })
    this.#log = log
  }

  /** Writes the rows of a page of cases. */
  async add(items: readonly SignatureCase[]): Promise<void> {
    await this.#attempt((pass) => pass.add(items))
  }

  /** Removes rows of cases that are gone, when all cases have been added. */
  async removeGone(): Promise<void> {
    await this.#attempt((pass) => pass.removeGone())
  }

  async #attempt(work: (pass: IndexPass) => Promise<unknown>): Promise<void> {
    if (!this.#pass || this.#hasFailed) return
    try {
      await work(this.#pass)
    } catch (error) {
      this.#hasFailed = true
      this.#log.warn({ err: error }, 'the index of cases could not be updated')
    }
  }
}
