/** A list of the API that is read in steps: its beginning first, and more on request. */
import { useCallback, useRef } from 'preact/hooks'
import type { Outcome, TenantClient } from './api.ts'
import { useClient } from './client-context.ts'
import type { CutList } from './read-pages.ts'
import { usePolled, type Polled } from './use-polled.ts'

/** @param maximumPages that are read of each list of the API */
export type ReadList<T> = (
  client: TenantClient,
  maximumPages: number,
) => Promise<Outcome<CutList<T>>>

export interface MoreList<T> extends Polled<CutList<T>> {
  /** Reads the next step as well, from now on. */
  more(): Promise<void>
}

/**
 * @param read a function that does not change
 * @param pagesPerStep that are read first, and in addition at each call of `more`
 */
export function useCutList<T>(
  read: ReadList<T>,
  pagesPerStep: number,
  intervalMs: number,
): MoreList<T> {
  const client = useClient()
  const maximumPages = useRef(pagesPerStep)
  const readAll = useCallback(async () => {
    for (;;) {
      const asked = maximumPages.current
      const outcome = await read(client, asked)
      // A shorter list does not replace the longer one that was requested in the meantime.
      if (asked === maximumPages.current || outcome.kind !== 'answered') return outcome
    }
  }, [client, read])
  const polled = usePolled(readAll, intervalMs)
  const more = () => {
    maximumPages.current += pagesPerStep
    return polled.refresh()
  }
  return { ...polled, more }
}
