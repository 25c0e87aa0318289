/** Tables in Redis: a hash for each, which expires as a whole. */
import { randomUUID } from 'node:crypto'
import type { ExpiringTables, Row } from '../../domain/ports/expiring-tables.ts'
import { inTime } from '../shared/in-time.ts'
import type { RedisClient } from './connect.ts'

/** Renewed whenever the life is read. */
const LIFE_TTL_MS = 24 * 60 * 60 * 1000
/** About how many rows one step of reading returns; an answer then has a few 100 kB. */
const STEP = 1_000
/** Bounds the reading of a table that others fill. */
const MAXIMUM_STEPS = 1_000
/** The cursor of the first step, and of the answer of the last one. */
const NO_CURSOR = '0'

/** Returns the run id, which changes with each start and each failover of the server. */
function runIdOf(info: string): string {
  return /^run_id:(\w+)/m.exec(info)?.[1] ?? ''
}

export class RedisTables implements ExpiringTables {
  readonly #commands: RedisClient
  readonly #prefix: string

  /** @param prefix of every key, so that services can share one Redis */
  constructor(commands: RedisClient, prefix: string) {
    this.#commands = commands
    this.#prefix = prefix
  }

  /** Changes when the data is wiped or the server restarts; replicas may lack the last writes. */
  async life(): Promise<string> {
    const key = `${this.#prefix}/epoch`
    const transaction = this.#commands
      .multi()
      .set(key, randomUUID(), { NX: true, PX: LIFE_TTL_MS })
      .pExpire(key, LIFE_TTL_MS)
      .get(key)
      .info('server')
    const [, , epoch, info] = await inTime(transaction.exec())
    return `${runIdOf(String(info))}/${String(epoch)}`
  }

  async write(table: string, rows: readonly Row[], ttlMs: number): Promise<void> {
    if (rows.length === 0) return
    const key = this.#keyOf(table)
    const transaction = this.#commands.multi().hSet(key, new Map(rows)).pExpire(key, ttlMs)
    await inTime(transaction.exec())
  }

  async delete(table: string, names: readonly string[]): Promise<void> {
    if (names.length === 0) return
    await inTime(this.#commands.hDel(this.#keyOf(table), [...names]))
  }

  async *read(table: string): AsyncGenerator<readonly Row[]> {
    let from = NO_CURSOR
    for (let step = 0; step < MAXIMUM_STEPS; step++) {
      const scanning = this.#commands.hScan(this.#keyOf(table), from, { COUNT: STEP })
      const { cursor, entries } = await inTime(scanning)
      yield entries.map(({ field, value }) => [field, value] as const)
      if (cursor === NO_CURSOR) return
      from = cursor
    }
  }

  #keyOf(table: string): string {
    return `${this.#prefix}/table/${table}`
  }
}
