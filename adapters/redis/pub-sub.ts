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

/** The subscription of this process to one channel, which its listeners share. */
interface Subscription {
  /** Callers that listen, or that wait until they do. */
  users: number
  readonly listeners: Set<(message: string) => void>
  /** The function that the client calls with each message. */
  readonly receive: (message: string) => void
  /** Resolves once the server has confirmed it; the client renews it after a break. */
  readonly begun: Promise<void>
  hasBegun: boolean
}

export class RedisPubSub implements PubSub {
  readonly #subscriber: RedisClient
  readonly #publisher: RedisClient
  readonly #prefix: string
  readonly #subscriptions = new Map<string, Subscription>()
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
    const subscription = this.#subscriptions.get(channel) ?? this.#begin(channel)
    // Wrapped, so that one function may subscribe twice.
    const listener = (message: string) => onMessage(message)
    let isOver = false
    const stop = () => {
      if (isOver) return
      isOver = true
      subscription.listeners.delete(listener)
      subscription.users -= 1
      this.#endIfUnused(channel, subscription)
    }
    subscription.users += 1
    try {
      await inTime(subscription.begun)
    } catch (error) {
      stop()
      throw error
    }
    subscription.listeners.add(listener)
    return stop
  }

  /** Ends all subscriptions. */
  close(): void {
    for (const { listeners } of this.#subscriptions.values()) listeners.clear()
  }

  #begin(channel: string): Subscription {
    const listeners = new Set<(message: string) => void>()
    const receive = (message: string) => {
      for (const listener of listeners) listener(message)
    }
    const begun = this.#subscriber.subscribe(this.#nameOf(channel), receive)
    const subscription = { users: 0, listeners, receive, begun, hasBegun: false }
    this.#subscriptions.set(channel, subscription)
    begun.then(
      () => {
        subscription.hasBegun = true
        this.#endIfUnused(channel, subscription)
      },
      () => this.#subscriptions.delete(channel),
    )
    return subscription
  }

  /**
   * Leaves a channel that nobody uses, because each verification has a channel of its own. The
   * client would confuse an end that is requested before the beginning is confirmed. A subscription
   * whose end fails remains, without listeners.
   */
  #endIfUnused(channel: string, { users, hasBegun, receive }: Subscription): void {
    if (users > 0 || !hasBegun) return
    this.#subscriptions.delete(channel)
    this.#subscriber.unsubscribe(this.#nameOf(channel), receive).catch(() => undefined)
  }

  /** Running systems use the name `bell`; all versions of the service must use the same name. */
  #nameOf(channel: string): string {
    return `${this.#prefix}/bell/${channel}`
  }
}
