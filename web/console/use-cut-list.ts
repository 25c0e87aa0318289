/** A list of the API that is read in steps: its beginning first, and more on request. */
import { useCallback, useRef } from 'preact/hooks'
import type { Outcome, TenantClient } from './api.ts'
import { useClient } from './client-context.ts'
import type { CutList } from './read-pages.ts'
import { usePolled, type LiveOptions, type Polled } from './use-polled.ts'

/** @param maximumPages that are read of each list of the API */
export type ReadList<L> = (client: TenantClient, maximumPages: number) => Promise<Outcome<L>>

export interface MoreList<T, L extends CutList<T> = CutList<T>> extends Polled<L> {
  /** Reads the next step as well, from now on. */
  more(): Promise<void>
}

/**
 * @param read a function that changes when another list is to be read, from its beginning
 * @param pagesPerStep that are read first, and in addition at each call of `more`
 * @param live absent: changes of cases do not concern the list
 */
export function useCutList<T, L extends CutList<T>>(
  read: ReadList<L>,
  pagesPerStep: number,
  intervalMs: number,
  live?: LiveOptions<L>,
): MoreList<T, L> {
  const client = useClient()
  const asking = useRef({ read, maximumPages: pagesPerStep })
  if (asking.current.read !== read) asking.current = { read, maximumPages: pagesPerStep }
  const readAll = useCallback(async () => {
    for (;;) {
      const { current } = asking
      const { maximumPages } = current
      const outcome = await read(client, maximumPages)
      // A shorter list does not replace the longer one that was requested in the meantime.
      const isLatest = current !== asking.current || maximumPages === current.maximumPages
      if (isLatest || outcome.kind !== 'answered') return outcome
    }
  }, [client, read])
  const polled = usePolled(readAll, intervalMs, live)
  const more = () => {
    asking.current.maximumPages += pagesPerStep
    return polled.refresh()
  }
  return { ...polled, more }
}
