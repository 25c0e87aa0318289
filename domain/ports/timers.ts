/** Clock and timers of a process, passed as an argument so that tests can control time. */

export interface Timers {
  /** Milliseconds since 1970. */
  nowMs(): number
  /**
   * Calls `run` once after `delayMs`.
   *
   * @returns a function that cancels the call
   */
  after(delayMs: number, run: () => void): () => void
}
