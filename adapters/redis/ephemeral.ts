/** Expiring values, counters and pub/sub in Redis, which may lose its data at any time. */
import { randomUUID } from 'node:crypto'
import type { EphemeralStore } from '../../domain/ports/ephemeral.ts'
import { inTime } from '../shared/in-time.ts'
import type { RedisClient } from './connect.ts'
import { MergedCalls } from './merged-calls.ts'
import { RedisPubSub } from './pub-sub.ts'
import { readServerFacts, type ServerFacts } from './server-facts.ts'

/** Renewed whenever the epoch is read. */
const EPOCH_LIFE_MS = 24 * 60 * 60 * 1000

export interface RedisEphemeralOptions {
  /** The adapter owns the client. */
  client: RedisClient
  /** Prefix of every key and channel, so that services can share one Redis. */
  prefix: string
  onError(error: unknown): void
}

/** Returns the run id, which changes with each start and each failover of the server. */
function runIdOf(info: string): string {
  return /^run_id:(\w+)/m.exec(info)?.[1] ?? ''
}

export class RedisEphemeral implements EphemeralStore {
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
    this.#commands = client.duplicate({ disableOfflineQueue: true })
    this.#commands.on('error', onError)
    this.#pubSub = new RedisPubSub({ subscriber: client, publisher: this.#commands, prefix })
    this.#commands.connect().catch(() => undefined)
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
    const key = `${this.#prefix}/epoch`
    const transaction = this.#commands
      .multi()
      .set(key, randomUUID(), { NX: true, PX: EPOCH_LIFE_MS })
      .pExpire(key, EPOCH_LIFE_MS)
      .get(key)
      .info('server')
    const [, , epoch, info] = await inTime(transaction.exec())
    return `${runIdOf(String(info))}/${String(epoch)}/${this.#pubSub.connections}`
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
