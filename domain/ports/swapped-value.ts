/** The port for one small value that several processes replace by compare-and-swap. */

export interface SwappedValue {
  /**
   * Reads the newest value.
   *
   * @returns `value` undefined when none was written yet
   * @throws ServiceError TIMEOUT
   */
  read(): Promise<{ value: string | undefined; version: string | undefined }>
  /**
   * Replaces the value if it still has the version that was read.
   *
   * @returns false when another writer was first
   * @throws ServiceError TIMEOUT; it may have been replaced nevertheless
   */
  swap(value: string, version: string | undefined): Promise<boolean>
}
