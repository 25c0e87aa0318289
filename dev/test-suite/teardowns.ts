/**
 * Teardowns of what the test files of one process share, such as an API server: they run once, when
 * the last file has ended.
 */
import t from 'tap'

type Teardown = () => unknown

const teardowns: Teardown[] = []
let isShared = false

/** Declares that several files run in this process; `dev/test-suite/batch.ts` calls it. */
export function shareProcess(): void {
  isShared = true
}

/** Whether several test files run in this process. */
export const isProcessShared = (): boolean => isShared

/** Runs a function after the last test file of this process. */
export function afterLastFile(teardown: Teardown): void {
  if (isShared) teardowns.push(teardown)
  else t.teardown(teardown)
}

/** Runs them, the newest first. */
export async function runLastTeardowns(): Promise<void> {
  for (const teardown of teardowns.splice(0).reverse()) await teardown()
}
