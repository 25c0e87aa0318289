/** Pub/sub in Redis. Messages are lost while the connection is broken. */
import type { PubSub } from '../../domain/ports/pub-sub.ts'
import { inTime } from '../shared/in-time.ts'
import type { RedisClient } from './connect.ts'

interface RedisPubSubOptions {
  /** For subscriptions; it is connected again after a break. */
  subscriber: RedisClient
  /** For publishing; it fails at once while there is no connection. */
  publisher: RedisClient
  /** Prefix of every channel, so that services can share one Redis. */
  prefix: string
}

export class RedisPubSub implements PubSub {
  readonly #subscriber: RedisClient
  readonly #publisher: RedisClient
  readonly #prefix: string
  readonly #listeners = new Map<string, Set<(message: string) => void>>()
  readonly #subscriptions = new Map<string, Promise<void>>()
  #connections = 0

  constructor({ subscriber, publisher, prefix }: RedisPubSubOptions) {
    this.#subscriber = subscriber
    this.#publisher = publisher
    this.#prefix = prefix
    this.#subscriber.on('ready', () => this.#connections++)
  }

  /** Number of subscriber connections so far; messages between two of them were lost. */
  get connections(): number {
    return this.#connections
  }

  async publish(channel: string, message: string): Promise<void> {
    await inTime(this.#publisher.publish(this.#nameOf(channel), message))
  }

  async subscribe(channel: string, onMessage: (message: string) => void): Promise<() => void> {
    const listeners = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, listeners)
    await inTime(this.#subscribeOnce(channel, listeners))
    // Wrapped, so that one function may subscribe twice.
    const listener = (message: string) => onMessage(message)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  /** Ends all subscriptions. */
  close(): void {
    this.#listeners.clear()
  }

  /** Keeps one subscription per channel for the life of the process; the client renews it. */
  #subscribeOnce(
    channel: string,
    listeners: ReadonlySet<(message: string) => void>,
  ): Promise<void> {
    const subscription =
      this.#subscriptions.get(channel) ??
      this.#subscriber.subscribe(this.#nameOf(channel), (message) => {
        for (const listener of listeners) listener(message)
      })
    this.#subscriptions.set(channel, subscription)
    subscription.catch(() => this.#subscriptions.delete(channel))
    return subscription
  }

  /** Running systems use the name `bell`; all versions of the service must use the same name. */
  #nameOf(channel: string): string {
    return `${this.#prefix}/bell/${channel}`
  }
}
