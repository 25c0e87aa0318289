/**
 * Says which table of resting cases counts: a value that is replaced by compare-and-swap names one
 * for each group (decision 325).
 */
import { randomUUID } from 'node:crypto'
import type { ShardGroup } from '../domain/cases/shards.ts'
import { ConflictError } from '../domain/ports/stores.ts'
import type { SwappedValue } from '../domain/ports/swapped-value.ts'
import type { Timers } from '../domain/ports/timers.ts'

/** Controllers of other groups may be faster, as many as there are groups. */
const MAXIMUM_LOST_RACES = 64
/** The clocks of two controllers may differ by this much. */
const CLOCK_TOLERANCE_MS = 5 * 60_000

/** Ids of the tables that count, by the index of their group. */
interface Named {
  /** Number of groups; with another number, none of the tables counts. */
  count: number
  ids: Record<string, string>
}

export interface CurrentTablesDeps {
  current: SwappedValue
  group: ShardGroup
  timers: Timers
  longestRestMs: number
  isLeader(): boolean
}

/** Whether the table of one controller counts. */
export class CurrentTables {
  readonly #deps: CurrentTablesDeps
  #isNamed = false
  #id: string | undefined
  /** When the rows of all tables of the group that may count have ended. */
  #endsAtMs = 0
  #naming: Promise<void> | undefined

  constructor(deps: CurrentTablesDeps) {
    this.#deps = deps
    this.extend()
  }

  /**
   * Id of the table that counts. It was never used before it was named. Undefined when this
   * controller was not certainly the leader then, and must not write rows.
   */
  get id(): string | undefined {
    return this.#isNamed ? this.#id : undefined
  }

  /** Rows are about to be written. */
  extend(): void {
    const { timers, longestRestMs } = this.#deps
    this.#endsAtMs = timers.nowMs() + longestRestMs + CLOCK_TOLERANCE_MS
  }

  /** What was written so far must not count. */
  discard(): void {
    this.#isNamed = false
  }

  /**
   * Resolves once no table counts but the one with this id, if need be after naming another one. If
   * that fails for longer than any row counts, it resolves nevertheless.
   *
   * @throws ServiceError TIMEOUT
   */
  async ensure(): Promise<void> {
    if (this.#isNamed) return
    await this.replace().catch((error: unknown) => {
      if (this.#deps.timers.nowMs() < this.#endsAtMs) throw error
    })
  }

  /**
   * Has another table count.
   *
   * @param onFormer called before with the id of the table that counts so far, maybe several times
   * @throws ServiceError TIMEOUT
   */
  replace(onFormer: (id: string | undefined) => Promise<void> = async () => {}): Promise<void> {
    this.#naming ??= this.#name(onFormer).finally(() => {
      this.#naming = undefined
    })
    return this.#naming
  }

  async #name(onFormer: (id: string | undefined) => Promise<void>): Promise<void> {
    const { current, group, isLeader } = this.#deps
    for (let lost = 0; lost < MAXIMUM_LOST_RACES; lost++) {
      const { value, version } = await current.read()
      const named = parseNamed(value, group.count)
      await onFormer(named.ids[group.index])
      // Not the one of a try before, which may still succeed.
      const id = randomUUID()
      const ids = { ...named.ids, [group.index]: id }
      if (!(await current.swap(JSON.stringify({ ...named, ids }), version))) continue
      this.#id = isLeader() ? id : undefined
      this.#isNamed = true
      return
    }
    throw new ConflictError('other controllers named their tables at the same time')
  }
}

/** @param count number of groups now */
function parseNamed(value: string | undefined, count: number): Named {
  const empty = { count, ids: {} }
  if (value === undefined) return empty
  try {
    const named = JSON.parse(value) as Named
    return named.count === count ? { count, ids: { ...named.ids } } : empty
  } catch {
    return empty
  }
}
