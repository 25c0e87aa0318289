/** The port for values that may be lost at any time: entries with expiry, counters and pub/sub. */

/**
 * Every call except `close` fails with ServiceError `TIMEOUT` when the store is not reachable or
 * too slow; the operation may have succeeded nevertheless.
 */
export interface Ephemeral {
  /** @returns undefined when it does not exist or has expired */
  get(key: string): Promise<string | undefined>
  /**
   * Stores the value for `ttlMs`; with `onlyIfAbsent`, an existing value is kept.
   *
   * @returns whether it was written
   */
  set(
    key: string,
    value: string,
    options: { ttlMs: number; onlyIfAbsent?: boolean },
  ): Promise<boolean>
  /** Succeeds even if the value is absent. */
  delete(key: string): Promise<void>
  /**
   * Adds `amount` (an integer, by default 1) to a counter that starts at zero and expires `ttlMs`
   * after its first increment.
   *
   * @returns the new count
   */
  increment(key: string, ttlMs: number, amount?: number): Promise<number>
  /** Publishes a message to the current subscribers of a channel; it is not stored. */
  publish(channel: string, message: string): Promise<void>
  /**
   * Subscribes to a channel.
   *
   * @returns a function that ends the subscription
   */
  subscribe(channel: string, onMessage: (message: string) => void): Promise<() => void>
  /**
   * Id of the current life of the store. When it changes, values or messages may have been lost.
   */
  epoch(): Promise<string>
  /** Ends all subscriptions; no call is allowed afterwards. */
  close(): Promise<void>
}

/** Published with a {@link CaseKey} as JSON when a result object was written or an upload ended. */
export const CASE_CHANGED = 'case'
/** Published with a `DeviceChange` as JSON when a device's record was written or removed. */
export const DEVICE_CHANGED = 'device'
