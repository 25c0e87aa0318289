/** Expiring values, counters and pub/sub in Redis, which may lose its data at any time. */
import type { EphemeralStore } from '../../domain/ports/ephemeral.ts'
import { inTime } from '../shared/in-time.ts'
import type { RedisClient } from './connect.ts'
import { MergedCalls } from './merged-calls.ts'
import { RedisPubSub } from './pub-sub.ts'
import { readServerFacts, type ServerFacts } from './server-facts.ts'
import { RedisTables } from './tables.ts'

export interface RedisEphemeralOptions {
  /** The adapter owns the client. */
  client: RedisClient
  /** Prefix of every key and channel, so that services can share one Redis. */
  prefix: string
  onError(error: unknown): void
}

export class RedisEphemeral implements EphemeralStore {
  /** Tables of the same server. */
  readonly tables: RedisTables
  /**
   * Fails at once while there is no connection, so that no command runs after its caller gave up.
   */
  readonly #commands: RedisClient
  readonly #subscriber: RedisClient
  readonly #prefix: string
  readonly #pubSub: RedisPubSub
  readonly #gets = new MergedCalls((keys) => inTime(this.#commands.mGet([...keys])))
  readonly #deletes = new MergedCalls(async (keys) => {
    await inTime(this.#commands.del([...keys]))
    return keys
  })

  constructor({ client, prefix, onError }: RedisEphemeralOptions) {
    this.#prefix = prefix
    this.#subscriber = client
    this.#commands = client.duplicate({
      disableOfflineQueue: true,
      // `inTime` already limits each command; the client's own timer would double its CPU time.
      commandOptions: { timeout: 0 },
    })
    this.#commands.on('error', onError)
    this.#pubSub = new RedisPubSub({ subscriber: client, publisher: this.#commands, prefix })
    this.#commands.connect().catch(() => undefined)
    this.tables = new RedisTables(this.#commands, prefix)
  }

  async get(key: string): Promise<string | undefined> {
    return (await this.#gets.call(this.#keyOf(key))) ?? undefined
  }

  async set(
    key: string,
    value: string,
    { ttlMs, onlyIfAbsent = false }: { ttlMs: number; onlyIfAbsent?: boolean },
  ): Promise<boolean> {
    const options = { PX: wholeMs(ttlMs), ...(onlyIfAbsent ? { NX: true as const } : {}) }
    return (await inTime(this.#commands.set(this.#keyOf(key), value, options))) !== null
  }

  async delete(key: string): Promise<void> {
    await this.#deletes.call(this.#keyOf(key))
  }

  async increment(key: string, ttlMs: number, amount = 1): Promise<number> {
    const name = this.#keyOf(key)
    const transaction = this.#commands
      .multi()
      .set(name, '0', { NX: true, PX: wholeMs(ttlMs) })
      .incrBy(name, amount)
    const [, count] = await inTime(transaction.exec())
    return Number(count)
  }

  publish(channel: string, message: string): Promise<void> {
    return this.#pubSub.publish(channel, message)
  }

  subscribe(channel: string, onMessage: (message: string) => void): Promise<() => void> {
    return this.#pubSub.subscribe(channel, onMessage)
  }

  /** Changes when the data is wiped, the server restarts, or the subscriber connection breaks. */
  async epoch(): Promise<string> {
    return `${await this.tables.life()}/${this.#pubSub.connections}`
  }

  /**
   * Queries facts about the server.
   *
   * @throws ServiceError TIMEOUT when it does not answer
   */
  async describeServer(): Promise<ServerFacts> {
    return readServerFacts(String(await inTime(this.#commands.info())))
  }

  async close(): Promise<void> {
    this.#pubSub.close()
    for (const client of [this.#commands, this.#subscriber]) {
      // Otherwise a connection in progress would stay open.
      client.on('connect', () => client.destroy())
      if (client.isOpen) client.destroy()
    }
  }

  #keyOf(key: string): string {
    return `${this.#prefix}/value/${key}`
  }
}

/** Redis refuses fractions and expiry times below 1. */
function wholeMs(ttlMs: number): number {
  return Math.max(Math.ceil(ttlMs), 1)
}
