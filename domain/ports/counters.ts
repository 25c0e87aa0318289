/** The port for counters that expire and may be lost at any time. */

export interface Counters {
  /**
   * Adds `amount` (an integer, by default 1) to a counter that starts at zero and expires `ttlMs`
   * after its first increment. `ExpiringValues` of the same store can read it as a decimal number.
   *
   * @returns the new count
   * @throws ServiceError TIMEOUT when the store is not reachable or too slow; the counter may have
   * changed nevertheless
   */
  increment(key: string, ttlMs: number, amount?: number): Promise<number>
}
