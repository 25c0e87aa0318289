/** Writes the rows of all cases into the index, and removes rows whose cases are gone. */
import { rowOf } from '../../domain/cases/case-row.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { CaseIndex } from '../../domain/ports/case-index.ts'
import type { CaseKey, CaseStore } from '../../domain/ports/stores.ts'

/** Cases that one request reads or writes. */
const PAGE = 500
const MAXIMUM_PAGES = 1_000_000

interface PassDeps {
  cases: Pick<CaseStore, 'get' | 'list'>
  index: CaseIndex
  /** Whether the pass adds the case; rows of other cases stay. Absent: it adds all. */
  isOwn?: (key: CaseKey) => boolean
}

export interface RebuildDeps extends PassDeps {
  /** All archived cases; see `listArchivedCases`. */
  archived: AsyncIterable<SignatureCase>
}

const nameOf = ({ tenant, caseId }: CaseKey) => `${tenant}/${caseId}`

/** One pass over all cases, whose pages the caller lists. */
export class IndexPass {
  readonly #deps: PassDeps
  readonly #seen = new Set<string>()

  constructor(deps: PassDeps) {
    this.#deps = deps
  }

  /** Writes the rows of a page; rows of newer versions stay. */
  async add(items: readonly SignatureCase[]): Promise<void> {
    const rows = items.map(rowOf).filter((row) => row !== undefined)
    for (const row of rows) this.#seen.add(nameOf(row))
    await this.#deps.index.put(rows)
  }

  /**
   * Removes the rows of cases that are gone; those of archived cases stay. Call it when all cases
   * have been added. A case that was created since is read before its row is judged.
   *
   * @returns the number of removed rows
   */
  async removeGone(): Promise<number> {
    const { cases, index, isOwn = () => true } = this.#deps
    let removed = 0
    let after: CaseKey | undefined
    for (let page = 0; page < MAXIMUM_PAGES; page++) {
      const keys = await index.listLiving(PAGE, after)
      after = keys.at(-1)
      if (!after) return removed
      for (const key of keys) {
        if (!isOwn(key) || this.#seen.has(nameOf(key)) || (await cases.get(key))) continue
        await index.remove(key, 'living')
        removed += 1
      }
    }
    return removed
  }
}

/** How far a rebuild is: first with the cases of the store, then with archived ones. */
export interface RebuildProgress {
  /** Cases so far, of both kinds. */
  done: number
  /** About how many cases the store has; absent when it does not know, and for archived cases. */
  total?: number
}

/**
 * Writes the rows of all cases anew. After a restore of the store, versions may be lower than those
 * of the rows, so the rows of living cases are removed first; until the end, listings lack cases.
 *
 * @param onProgress called after each page of the store, and after each archived case
 * @returns the number of cases
 */
export async function rebuildIndex(
  { cases, index, archived }: RebuildDeps,
  onProgress: (progress: RebuildProgress) => void = () => undefined,
): Promise<number> {
  await index.put([])
  for (let page = 0; page < MAXIMUM_PAGES; page++) {
    const keys = await index.listLiving(PAGE)
    if (keys.length === 0) break
    for (const key of keys) await index.remove(key, 'living')
  }
  const pass = new IndexPass({ cases, index })
  let count = 0
  let next: string | undefined
  for (let page = 0; page < MAXIMUM_PAGES; page++) {
    const from = next === undefined ? {} : { continue: next }
    const { items, continue: more, remaining } = await cases.list({ limit: PAGE, ...from })
    await pass.add(items)
    count += items.length
    const after = more === undefined ? 0 : remaining
    onProgress({ done: count, ...(after !== undefined && { total: count + after }) })
    next = more
    if (next === undefined) break
  }
  await pass.removeGone()
  for await (const signatureCase of archived) {
    // Without a `resourceVersion`, it is older than the row of a case that was restored.
    const row = rowOf(signatureCase)
    if (!row) continue
    await index.put([{ ...row, isArchived: true }])
    count += 1
    onProgress({ done: count })
  }
  return count
}
