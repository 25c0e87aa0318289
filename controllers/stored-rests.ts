/**
 * Stores which cases rest for the next controller of the same group, so that it does not read all
 * of them, however this one ends (decision 325).
 */
import type { ShardGroup } from '../domain/cases/shards.ts'
import { findMacFault, makeMac, type KeyedMac } from '../domain/keyed-mac.ts'
import type { ExpiringTables, Row } from '../domain/ports/expiring-tables.ts'
import type { Keyring } from '../domain/ports/keyring.ts'
import type { SwappedValue } from '../domain/ports/swapped-value.ts'
import type { Timers } from '../domain/ports/timers.ts'
import { VERSION } from '../domain/version.ts'
import { CurrentTables } from './current-tables.ts'

/** A case that rests: its name, its `resourceVersion`, and until when, in milliseconds. */
export type RestingCase = readonly [name: string, version: string, untilMs: number]

const DOMAIN = 'sigcase/resting-cases/v2'
/** The API does not have this key. */
const PURPOSE = 'worker-result'
/** The row of a case is written once it has rested for this long, at most twice as long. */
const WRITE_INTERVAL_MS = 5_000
/** Pause after a failed write. */
const RETRY_MS = 60_000
/** Rows of one command. */
const CHUNK = 500
/** Most rows that are read. */
const MAXIMUM_ROWS = 100_000

/** Where the controllers of a cluster store which cases rest. */
export interface RestStores {
  tables: ExpiringTables
  /** Names the tables that count, of all groups. */
  current: SwappedValue
  /** Whether no other process can be the leader of the group now. */
  isLeader(): boolean
}

export interface StoredRestsDeps extends RestStores {
  group: ShardGroup
  keyring: Keyring<typeof PURPOSE>
  timers: Timers
  /** Longest rest of a case. */
  longestRestMs: number
  log: { warn(details: object, message: string): void }
}

/** A table and the id that its rows are bound to. */
interface OpenTable {
  id: string
  name: string
}

/**
 * The resting cases of one controller as the next one will find them. A case is in the table only
 * while it rests: its row is written some seconds after its last run, and deleted before the next
 * run begins. After a command whose outcome is unknown, another table counts.
 */
export class StoredRests {
  readonly #deps: StoredRestsDeps
  readonly #current: CurrentTables
  /** All cases that rest, also those whose row is not written yet. */
  readonly #rests = new Map<string, RestingCase>()
  /** Names of the cases that rest since the last periodic write, and since the one before. */
  #fresh = new Set<string>()
  #aged = new Set<string>()
  /** Names of the cases that may have a row in the table that counts. */
  readonly #written = new Set<string>()
  /** Names of the cases that were read before {@link takeOver} has succeeded. */
  #readBefore: Set<string> | undefined = new Set()
  /** The deletions in progress, by the name of the case. */
  readonly #deletions = new Map<string, Promise<void>>()
  #table: OpenTable | undefined
  #writing: Promise<void> = Promise.resolve()
  #cancelWrite: (() => void) | undefined

  constructor(deps: StoredRestsDeps) {
    this.#deps = deps
    this.#current = new CurrentTables(deps)
  }

  /**
   * Has a table of this controller count instead of that of the former one. Called before any other
   * method; once it has succeeded, it does nothing.
   *
   * @param onResting receives the cases that rest according to the former controller; they are
   *   written into the new table
   * @throws ServiceError TIMEOUT
   */
  async takeOver(onResting: (resting: readonly RestingCase[]) => void): Promise<void> {
    if (!this.#readBefore) return
    let found: readonly RestingCase[] = []
    await this.#current.replace(async (former) => {
      found = former === undefined ? [] : await this.#read(former)
    })
    const resting = found.filter(([name]) => !this.#readBefore?.has(name))
    this.#readBefore = undefined
    if (this.#current.id === undefined) return
    for (const rest of resting) this.#rests.set(rest[0], rest)
    this.#write(new Set(this.#rests.keys()))
    onResting(resting)
  }

  /** A run of the case has ended without work, and its row may be written. */
  begin(rest: RestingCase): void {
    const [name] = rest
    this.#rests.set(name, rest)
    this.#fresh.add(name)
    this.#schedule(WRITE_INTERVAL_MS)
  }

  /**
   * The case is about to be read. No later controller has it rest, once the promise is resolved.
   *
   * @throws ServiceError TIMEOUT when neither its row can be deleted nor another table can count
   */
  async end(name: string): Promise<void> {
    this.#rests.delete(name)
    this.#fresh.delete(name)
    this.#aged.delete(name)
    this.#readBefore?.add(name)
    await this.#current.ensure()
    if (!this.#written.has(name)) return
    const deletion = this.#deletions.get(name) ?? this.#delete(name)
    this.#deletions.set(name, deletion)
    try {
      await deletion
    } finally {
      if (this.#deletions.get(name) === deletion) this.#deletions.delete(name)
    }
  }

  /** All cases have to be read. */
  endAll(): void {
    this.#rests.clear()
    if (this.#written.size === 0) return
    this.#discard()
    // Otherwise, the next run repeats it.
    this.#current.ensure().catch(() => undefined)
  }

  /** Writes what is left. No other method may be called afterwards. */
  async close(): Promise<void> {
    this.#cancelWrite?.()
    this.#cancelWrite = () => {}
    this.#write(new Set([...this.#aged, ...this.#fresh]))
    await this.#writing
  }

  /** Another table has to count. All cases that rest will be written into it. */
  #discard(): void {
    this.#current.discard()
    this.#table = undefined
    this.#written.clear()
    this.#fresh = new Set(this.#rests.keys())
    this.#aged.clear()
    if (this.#fresh.size > 0) this.#schedule(WRITE_INTERVAL_MS)
  }

  async #delete(name: string): Promise<void> {
    // A write that is executed later would undo the deletion.
    await this.#writing
    const table = this.#table
    if (table && this.#written.has(name)) {
      try {
        await this.#deps.tables.delete(table.name, [name])
        if (table === this.#table) this.#written.delete(name)
      } catch {
        // It may be deleted later, or not at all.
        if (table === this.#table) this.#discard()
      }
    }
    await this.#current.ensure()
  }

  #schedule(delayMs: number): void {
    this.#cancelWrite ??= this.#deps.timers.after(delayMs, () => {
      this.#cancelWrite = undefined
      const due = this.#aged
      this.#aged = this.#fresh
      this.#fresh = new Set()
      if (this.#aged.size > 0) this.#schedule(WRITE_INTERVAL_MS)
      this.#write(due)
    })
  }

  /** Writes the rows of those of the cases that rest then, after the rows before them. */
  #write(names: ReadonlySet<string>): void {
    if (names.size === 0) return
    const write = () => this.#writeRows([...names])
    this.#writing = this.#writing.then(write).catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'the resting cases could not be stored')
      if (this.#table) this.#discard()
      else for (const name of names) this.#fresh.add(name)
      this.#schedule(RETRY_MS)
    })
  }

  async #writeRows(names: readonly string[]): Promise<void> {
    const table = await this.#open()
    if (!table) return
    for (let from = 0; from < names.length; from += CHUNK) {
      // Other rows are written when another table counts.
      if (table !== this.#table) return
      const resting = names
        .slice(from, from + CHUNK)
        .map((name) => this.#rests.get(name))
        .filter((rest) => rest !== undefined)
      for (const [name] of resting) this.#written.add(name)
      const rows = resting.map((rest): Row => [rest[0], this.#encode(table.id, rest)])
      this.#current.extend()
      await this.#deps.tables.write(table.name, rows, this.#deps.longestRestMs)
    }
  }

  /** @returns undefined when this controller may not be the leader */
  async #open(): Promise<OpenTable | undefined> {
    if (this.#table) return this.#table
    const life = await this.#deps.tables.life()
    await this.#current.ensure()
    const { id } = this.#current
    if (id === undefined) return undefined
    this.#table ??= { id, name: this.#nameOf(id, life) }
    return this.#table
  }

  /** After a loss of deletions, another life of the store has another table. */
  #nameOf(id: string, life: string): string {
    const { index, count } = this.#deps.group
    return `resting-cases/${index}-of-${count}/${id}/${life}`
  }

  async #read(id: string): Promise<readonly RestingCase[]> {
    const { tables, log } = this.#deps
    const found = new Map<string, RestingCase>()
    try {
      const life = await tables.life()
      let rows = 0
      for await (const page of tables.read(this.#nameOf(id, life))) {
        rows += page.length
        for (const [name, text] of page) {
          const rest = this.#decode(id, name, text)
          if (rest) found.set(name, rest)
        }
        if (rows >= MAXIMUM_ROWS) break
      }
      if ((await tables.life()) === life) return [...found.values()]
    } catch (error) {
      log.warn({ err: error }, 'the resting cases could not be taken over')
    }
    return []
  }

  /** The value of the MAC: another version of the service may decide otherwise about a case. */
  #signedValue(id: string, rest: RestingCase) {
    const { index, count } = this.#deps.group
    return [DOMAIN, VERSION, index, count, id, ...rest] as const
  }

  #encode(id: string, rest: RestingCase): string {
    const [, version, untilMs] = rest
    const { kid, mac } = makeMac(this.#deps.keyring, PURPOSE, this.#signedValue(id, rest))
    return JSON.stringify({ version, untilMs, kid, mac })
  }

  /** @returns undefined for a row that this service did not write for this table */
  #decode(id: string, name: string, text: string): RestingCase | undefined {
    const { keyring, timers, longestRestMs } = this.#deps
    const row = parseRow(text)
    if (!row) return undefined
    const rest = [name, row.version, row.untilMs] as const
    if (findMacFault(keyring, PURPOSE, this.#signedValue(id, rest), row)) return undefined
    // The clock of the former controller may have been ahead.
    return [name, row.version, Math.min(row.untilMs, timers.nowMs() + longestRestMs)]
  }
}

interface StoredRow extends KeyedMac {
  version: string
  untilMs: number
}

/** The members are checked with the MAC. */
function parseRow(text: string): StoredRow | undefined {
  try {
    return (JSON.parse(text) as StoredRow | null) ?? undefined
  } catch {
    return undefined
  }
}
