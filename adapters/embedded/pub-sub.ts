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
    return () => void listeners.delete(listener)
  }

  /** Ends all subscriptions. */
  close(): void {
    this.#listeners.clear()
  }
}
