/** The port for values that expire and may be lost at any time. */

/**
 * Every call fails with ServiceError `TIMEOUT` when the store is not reachable or too slow; the
 * operation may have succeeded nevertheless.
 */
export interface ExpiringValues {
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
}
