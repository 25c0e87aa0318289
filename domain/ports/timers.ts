/** The clock and the timers of a process, as an argument, so that tests can hold them still. */

export interface Timers {
  /** Milliseconds since 1970. */
  nowMs(): number
  /** Calls `run` once after `delayMs`. @returns takes the call back */
  after(delayMs: number, run: () => void): () => void
}
