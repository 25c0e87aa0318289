/** Reads something now, and again at an interval while the page is visible. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Fault, Outcome } from './api.ts'
import { useLive } from './client-context.ts'
import type { CaseChange } from './live-cases.ts'

export interface Polled<T> {
  value: T | undefined
  /** Why the last read failed; an older value stays. */
  fault: Fault | undefined
  /** Reads again now. */
  refresh(): Promise<void>
}

/** While changes arrive by the stream, reading again only covers what it could miss. */
const LIVE_INTERVAL_MS = 60_000
/** Several changes in a short time are read once. */
const GATHER_MS = 200

export interface LiveOptions<T> {
  /**
   * What a change makes of the value; undefined leaves it, `read` has it read again. A function
   * that does not change.
   */
  apply(change: CaseChange, value: T | undefined): T | 'read' | undefined
}

interface LiveParts<T> {
  live: LiveOptions<T> | undefined
  refresh(): Promise<void>
  setValue(change: (before: T | undefined) => T | undefined): void
}

/** Applies changes of cases as they arrive. @returns whether they arrive */
function useChanges<T>({ live, refresh, setValue }: LiveParts<T>): boolean {
  const cases = useLive()
  const [isLive, setLive] = useState(cases.isLive)
  useEffect(() => {
    if (!live) return undefined
    let timer: number | undefined
    const readSoon = () => {
      timer ??= window.setTimeout(() => {
        timer = undefined
        void refresh()
      }, GATHER_MS)
    }
    setLive(cases.isLive)
    const stop = cases.listen({
      onChange: (change) =>
        setValue((before) => {
          const next = live.apply(change, before)
          if (next === 'read') readSoon()
          return next === 'read' || next === undefined ? before : next
        }),
      onBegin() {
        setLive(true)
        readSoon()
      },
      onEnd: () => setLive(false),
    })
    return () => {
      stop()
      window.clearTimeout(timer)
    }
  }, [cases, live, refresh])
  return isLive && live !== undefined
}

/**
 * @param read a function that changes when other data are to be read
 * @param intervalMs time between two reads
 * @param live absent: changes of cases do not concern the value
 */
export function usePolled<T>(
  read: () => Promise<Outcome<T>>,
  intervalMs: number,
  live?: LiveOptions<T>,
): Polled<T> {
  const [value, setValue] = useState<T | undefined>(undefined)
  const [fault, setFault] = useState<Fault | undefined>(undefined)
  const current = useRef(read)
  current.current = read
  const isReading = useRef(false)
  const refresh = useCallback(async () => {
    isReading.current = true
    const outcome = await read().finally(() => (isReading.current = false))
    if (current.current !== read) return
    if (outcome.kind === 'answered') setValue(outcome.value)
    setFault(outcome.kind === 'answered' ? undefined : outcome)
  }, [read])
  const isLive = useChanges({ live, refresh, setValue })
  useEffect(() => {
    setValue(undefined)
    void refresh()
  }, [refresh])
  useEffect(() => {
    const timer = window.setInterval(
      () => {
        if (!document.hidden && !isReading.current) void refresh()
      },
      isLive ? LIVE_INTERVAL_MS : intervalMs,
    )
    return () => window.clearInterval(timer)
  }, [refresh, intervalMs, isLive])
  return { value, fault, refresh }
}
