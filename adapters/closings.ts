/** How the parts of a process end. */

/** What ends a part of the process. */
export type Closing = () => Promise<void> | void

/** What is told of a part that failed to end. */
export interface ClosingLog {
  warn(fields: { err: unknown }, message: string): void
}

/** Ends one part after the other, also when one fails to end. */
export async function closeInTurn(closings: readonly Closing[], log: ClosingLog): Promise<void> {
  for (const close of closings) {
    try {
      await close()
    } catch (error) {
      log.warn({ err: error }, 'a part did not end well')
    }
  }
}
