/** Expiring values, counters and pub/sub within this process. */
import type { EphemeralStore } from '../../domain/ports/ephemeral.ts'
import { InProcessPubSub } from './pub-sub.ts'

/** Above this number of values, the expired ones are removed, then the oldest. */
const MAXIMUM_VALUES = 100_000
/** How many remain then. To look through all takes long, so the next writes must have room. */
const REMAINING_VALUES = 90_000

interface Entry {
  value: string
  expiresAtMs: number
}

export class InProcessEphemeral implements EphemeralStore {
  readonly #now: () => Date
  readonly #entries = new Map<string, Entry>()
  readonly #pubSub = new InProcessPubSub()

  constructor(now: () => Date) {
    this.#now = now
  }

  async get(key: string): Promise<string | undefined> {
    return this.#live(key)?.value
  }

  async set(
    key: string,
    value: string,
    { ttlMs, onlyIfAbsent = false }: { ttlMs: number; onlyIfAbsent?: boolean },
  ): Promise<boolean> {
    if (onlyIfAbsent && this.#live(key)) return false
    this.#keep(key, { value, expiresAtMs: this.#now().getTime() + ttlMs })
    return true
  }

  async delete(key: string): Promise<void> {
    this.#entries.delete(key)
  }

  async increment(key: string, ttlMs: number, amount = 1): Promise<number> {
    const entry = this.#live(key) ?? {
      value: '0',
      expiresAtMs: this.#now().getTime() + ttlMs,
    }
    const count = Number(entry.value) + amount
    this.#keep(key, { ...entry, value: String(count) })
    return count
  }

  publish(channel: string, message: string): Promise<void> {
    return this.#pubSub.publish(channel, message)
  }

  subscribe(channel: string, onMessage: (message: string) => void): Promise<() => void> {
    return this.#pubSub.subscribe(channel, onMessage)
  }

  /** Constant, because the values of this process are only lost when it ends. */
  async epoch(): Promise<string> {
    return 'process'
  }

  async close(): Promise<void> {
    this.#entries.clear()
    this.#pubSub.close()
  }

  #live(key: string): Entry | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    if (entry.expiresAtMs > this.#now().getTime()) return entry
    this.#entries.delete(key)
    return undefined
  }

  #keep(key: string, entry: Entry): void {
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    if (this.#entries.size <= MAXIMUM_VALUES) return
    for (const other of [...this.#entries.keys()]) this.#live(other)
    for (const other of this.#entries.keys()) {
      if (this.#entries.size <= REMAINING_VALUES) break
      this.#entries.delete(other)
    }
  }
}
