/**
 * Keeps for a few seconds the cases that a watch reported and that this process wrote, so that a
 * run which follows at once does not read them from the API server (decision 276).
 */
import { overrideStore } from '../application/cases/override-store.ts'
import { isRestoring } from '../domain/cases/archive.ts'
import { askedErasure } from '../domain/cases/erasure.ts'
import type { SignatureCase } from '../domain/cases/signature-case.ts'
import type { CaseKey, CaseStore } from '../domain/ports/stores.ts'
import { nameOf } from './case-names.ts'

/** Longer than the time between an event of a case and the run that it causes. */
const LIFE_MS = 10_000
/** More than are changed within that time. */
const MAXIMUM_CASES = 1_000

interface Kept {
  version: number
  atMs: number
  /** Absent: the case of this version, and of older ones, must not be used. */
  read: (() => SignatureCase) | undefined
}

/**
 * The newest known version of recently changed cases. It may be older than the stored one: writes
 * that are based on it then fail (compare-and-swap), jobs read the case themselves, and the watch
 * reports the change, which causes another run.
 */
export class RecentCases {
  readonly #kept = new Map<string, Kept>()
  readonly #nowMs: () => number

  /** @param nowMs milliseconds since 1970 */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /**
   * Keeps the case of a change.
   *
   * @param read returns the case of this version; absent: it is unknown, and the case is read
   * @param atMs when the case had this version; absent: now
   */
  note(
    key: CaseKey,
    version: string | undefined,
    read?: () => SignatureCase,
    atMs = this.#nowMs(),
  ): void {
    const name = nameOf(key)
    const number = Number(version)
    const known = this.#kept.get(name)
    // Versions are increasing integers (KEP-5504). Events can come after the answer to a write.
    if (read && known && known.version >= number) return
    if (!read) return this.#forget(key, number)
    this.#kept.delete(name)
    if (Number.isSafeInteger(number)) this.#keep(name, { version: number, atMs, read })
  }

  #keep(name: string, kept: Kept): void {
    this.#kept.set(name, kept)
    for (const [oldest, { atMs }] of this.#kept) {
      if (this.#kept.size <= MAXIMUM_CASES && this.#nowMs() - atMs < LIFE_MS) break
      this.#kept.delete(oldest)
    }
  }

  /**
   * Returns the store with a `get` that returns kept cases. A write of this process replaces what
   * is kept, and one that fails removes it.
   */
  over(cases: CaseStore): CaseStore {
    const write = async (key: CaseKey, writing: Promise<SignatureCase>) => {
      try {
        const written = await writing
        this.note(key, written.metadata.resourceVersion, () => written)
        return written
      } catch (error) {
        this.#forget(key)
        throw error
      }
    }
    return overrideStore(cases, {
      get: async (key) => this.#find(key) ?? cases.get(key),
      replaceSpec: (one) => write(keyOf(one), cases.replaceSpec(one)),
      replaceStatus: (one, durability) => write(keyOf(one), cases.replaceStatus(one, durability)),
      delete: async (key, version) => {
        this.#forget(key)
        await cases.delete(key, version)
      },
    })
  }

  /** A case that is being removed, erased or restored is always read. */
  #find(key: CaseKey): SignatureCase | undefined {
    const kept = this.#kept.get(nameOf(key))
    if (!kept?.read) return undefined
    const ageMs = this.#nowMs() - kept.atMs
    if (ageMs < 0 || ageMs >= LIFE_MS) {
      this.#kept.delete(nameOf(key))
      return undefined
    }
    const found = kept.read()
    const { deletionTimestamp } = found.metadata
    const isErased = found.status?.erasure !== undefined || askedErasure(found) !== undefined
    return deletionTimestamp !== undefined || isErased || isRestoring(found) ? undefined : found
  }

  /**
   * Has the case read, although late events and answers report versions that are already known.
   *
   * @param version of the change; absent or no integer: the last known one
   */
  #forget(key: CaseKey, version = Number.NaN): void {
    const name = nameOf(key)
    const versions = [version, this.#kept.get(name)?.version ?? Number.NaN].filter(
      Number.isSafeInteger,
    )
    this.#kept.delete(name)
    if (versions.length === 0) return
    this.#keep(name, { version: Math.max(...versions), atMs: this.#nowMs(), read: undefined })
  }
}

const keyOf = ({ metadata }: SignatureCase): CaseKey => ({
  tenant: metadata.namespace,
  caseId: metadata.name,
})
