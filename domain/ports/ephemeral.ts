/** Values that may be lost at any instant: short-lived entries, counters and bells. */

/**
 * Every call but `close` fails with ServiceError `TIMEOUT` when the store is away or slow; what was
 * asked for may have happened all the same.
 */
export interface Ephemeral {
  /** @returns undefined when there is none, or it has expired */
  get(key: string): Promise<string | undefined>
  /**
   * Keeps the value for `ttlMs`; with `onlyIfAbsent` an existing value stays. @returns whether it
   * was written
   */
  set(
    key: string,
    value: string,
    options: { ttlMs: number; onlyIfAbsent?: boolean },
  ): Promise<boolean>
  /** A value that is absent is no error. */
  delete(key: string): Promise<void>
  /**
   * Adds `amount`, a whole number, by default one, to a counter that starts at zero and vanishes
   * `ttlMs` after its first count. @returns the new count
   */
  increment(key: string, ttlMs: number, amount?: number): Promise<number>
  /** Rings a bell: everybody who listens now hears it, nobody else ever. */
  ring(bell: string, message: string): Promise<void>
  /** @returns ends the listening */
  listen(bell: string, onRing: (message: string) => void): Promise<() => void>
  /**
   * Names the present life of the store: another name than before means that values or rings may
   * have been lost since.
   */
  epoch(): Promise<string>
  /** Ends every listening; nothing may be asked afterwards. */
  close(): Promise<void>
}

/** Rung with a {@link CaseKey} as JSON when a result object was written or an upload ended. */
export const CASE_BELL = 'case'
/** Rung with a `DeviceRing` as JSON when a device's record was written or removed. */
export const DEVICE_BELL = 'device'
