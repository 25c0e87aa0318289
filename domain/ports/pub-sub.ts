/** The port for notifications between processes, which may be lost at any time. */

/**
 * Every call fails with ServiceError `TIMEOUT` when the store is not reachable or too slow; the
 * operation may have succeeded nevertheless.
 */
export interface PubSub {
  /** Publishes a message to the current subscribers of a channel; it is not stored. */
  publish(channel: string, message: string): Promise<void>
  /**
   * Subscribes to a channel.
   *
   * @returns a function that ends the subscription
   */
  subscribe(channel: string, onMessage: (message: string) => void): Promise<() => void>
}

/**
 * Channel for the `CaseKey`, as JSON, of a case for which a result object was written or an upload
 * ended. A member `mayWait` that is true says that nothing follows from it at once, `isListed` that
 * what was written is only found by listing the folder of the case.
 */
export const CASE_CHANGED = 'case'
/**
 * Channel for the `CaseKey`, as JSON, of a case whose resource or trail was written: what its
 * tenant sees may have changed.
 */
export const CASE_UPDATED = 'case-updated'
/** Channel for a `DeviceChange`, as JSON, when a device's record was written or removed. */
export const DEVICE_CHANGED = 'device'
