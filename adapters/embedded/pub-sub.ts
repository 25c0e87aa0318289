/** Pub/sub within this process. */
import type { PubSub } from '../../domain/ports/pub-sub.ts'

export class InProcessPubSub implements PubSub {
  readonly #listeners = new Map<string, Set<(message: string) => void>>()

  async publish(channel: string, message: string): Promise<void> {
    for (const listener of this.#listeners.get(channel) ?? []) listener(message)
  }

  async subscribe(channel: string, onMessage: (message: string) => void): Promise<() => void> {
    const listeners = this.#listeners.get(channel) ?? new Set()
    // Wrapped, so that one function may subscribe twice.
    const listener = (message: string) => onMessage(message)
    this.#listeners.set(channel, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      // Each verification has a channel of its own.
      if (listeners.size === 0 && this.#listeners.get(channel) === listeners) {
        this.#listeners.delete(channel)
      }
    }
  }

  /** Number of channels that have subscribers. */
  get channels(): number {
    return this.#listeners.size
  }

  /** Ends all subscriptions. */
  close(): void {
    this.#listeners.clear()
  }
}
