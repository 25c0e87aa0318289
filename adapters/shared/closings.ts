/** Closes the parts of a process in order. */

/** Closes one part of the process. */
export type Closing = () => Promise<void> | void

/** Logs parts that failed to close. */
export interface ClosingLog {
  warn(fields: { err: unknown }, message: string): void
}

/** Closes the parts one after the other, even when one fails. */
export async function closeInTurn(closings: readonly Closing[], log: ClosingLog): Promise<void> {
  for (const close of closings) {
    try {
      await close()
    } catch (error) {
      log.warn({ err: error }, 'shutdown step failed')
    }
  }
}
